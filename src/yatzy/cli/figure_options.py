"""Options of commands that draw a figure: its title, labels, size and style."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from yatzy.errors import InputError
from yatzy.lab.plots import STYLE_NAMES, FigureLook, figure_look


def read_look(
    plot_title: Annotated[
        str | None, typer.Option("--plot-title", metavar="TEXT", help="Title of the figure; empty for none.")
    ] = None,
    plot_labels: Annotated[
        str | None,
        typer.Option("--plot-labels", metavar="X,Y", help="Labels of the horizontal and the vertical axis."),
    ] = None,
    plot_size: Annotated[
        str | None,
        typer.Option("--plot-size", metavar="CMxCM", help="Width and height of the figure in centimetres: 8.5x6."),
    ] = None,
    plot_style: Annotated[
        str,
        typer.Option(
            "--plot-style",
            metavar="|".join(STYLE_NAMES),
            help="print: with title and caption; paper: without both, in a serif font, one column wide.",
        ),
    ] = "print",
) -> FigureLook:
    """The look of the figure that the options describe."""
    labels = None
    if plot_labels is not None:
        first, comma, second = plot_labels.partition(",")
        if not comma:
            raise InputError("--plot-labels {text}: give two labels with a comma between them", text=plot_labels)
        labels = (first.strip(), second.strip())
    return FigureLook(plot_title, labels, None if plot_size is None else _size(plot_size), plot_style)


def _size(text: str) -> tuple[float, float]:
    try:
        width, height = (float(side) for side in text.lower().split("x"))
    except ValueError:
        raise InputError("--plot-size {text}: give width and height in centimetres, such as 8.5x6", text=text) from None
    return width, height


def draws_figure(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `read_look` after `--plot`, and run the command with that look."""
    options = list(inspect.signature(read_look, eval_str=True).parameters.values())
    parameters = list[inspect.Parameter]()
    for one in inspect.signature(command, eval_str=True).parameters.values():
        parameters += [one, *options] if one.name == "plot" else [one]

    def call(**given: Any) -> None:
        look = read_look(**{one.name: given.pop(one.name) for one in options})
        if look != FigureLook() and given["plot"] is None:
            raise InputError("--plot-title, --plot-labels, --plot-size and --plot-style need --plot FILE")
        with figure_look(look):
            command(**given)

    # Typer reads both.
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call
