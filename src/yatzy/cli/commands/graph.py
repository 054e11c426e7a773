"""Show the whole decision graph of a small game: every state with its value, every roll and every action.

A game whose graph would not fit on a page is refused.
"""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json, Language, Plot
from yatzy.games import load_game
from yatzy.lab.graphs import state_graph
from yatzy.lab.plots import check_format, write_figure
from yatzy.report.graph import graph_blocks, graph_fields, graph_figure
from yatzy.report.terminal import print_blocks


def command(
    game: GameArgument = "two-yatzy",
    target: Annotated[
        int | None,
        typer.Option("--target", min=1, help="Play for at least this final score (default: for the expected score)."),
    ] = None,
    plot: Plot = None,
    language: Language = "en",
    json: Json = False,
) -> None:
    chosen = load_game(game)
    if plot is not None:
        check_format(plot)
    graph = state_graph(chosen, target)
    if plot is not None:
        write_figure(graph_figure(graph, language), plot)
    if json:
        terminal.print_json(graph_fields(graph))
        return
    print_blocks(graph_blocks(graph, language))
