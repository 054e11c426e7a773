"""Show the whole decision graph of a small game: every state with its value, every roll and every action.

A game whose graph would not fit on a page is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json, Language
from yatzy.games import load_game
from yatzy.lab.graphs import draw_graph, state_graph
from yatzy.lab.plots import check_format, write_figure
from yatzy.report.graph import graph_blocks, graph_fields
from yatzy.report.terminal import print_blocks


def command(
    game: GameArgument = "two-yatzy",
    target: Annotated[
        int | None,
        typer.Option("--target", min=1, help="Play for at least this final score (default: for the expected score)."),
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write the drawing: .svg, .png or .pdf.")] = None,
    language: Language = "en",
    json: Json = False,
) -> None:
    chosen = load_game(game)
    if plot is not None:
        check_format(plot)
    graph = state_graph(chosen, target)
    if plot is not None:
        aim, values = "points", "Bold: the expected number of points still to come."
        if target is not None:
            aim, values = f"{target} points", f"Bold: the best chance of a final score of {target} or more."
            values += " Where that chance is 0, play is not shown."
        write_figure(draw_graph(graph, f"{chosen.name()}, playing for {aim}", values), plot)
    if json:
        terminal.print_json(graph_fields(graph))
        return
    print_blocks(graph_blocks(graph, language))
