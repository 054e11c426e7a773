"""Compare two strategies: wins, draws, losses, the difference of the means, and the distance of the distributions.

To compare two games, each played by its best strategy: `yatzy compare yatzy@expected yatzy-four-rolls@expected`.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from yatzy.cli import completion, lab_options, terminal
from yatzy.cli.figure_options import draws_figure
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, Plot, Tables, Threads
from yatzy.errors import Message
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.evaluating import evaluate
from yatzy.lab import simulate
from yatzy.lab.comparison import Comparison, ExactComparison, compare_exactly
from yatzy.lab.comparison import compare as put_side_by_side
from yatzy.lab.figures import Series, draw_together, write_figure
from yatzy.names import Origin
from yatzy.report.answers.samples import sample_answer
from yatzy.report.figures import figure_words, sample_caption
from yatzy.report.lab import comparison_blocks, comparison_labels, comparison_title
from yatzy.report.terminal import print_blocks
from yatzy.solver import Solver
from yatzy.strategies.base import Strategy


class Dice(StrEnum):
    """Whether both strategies get the same dice."""

    SAME = "same"
    INDEPENDENT = "independent"


Side = Annotated[
    str, typer.Argument(metavar="STRATEGY", autocompletion=completion.strategies, help="A strategy, or GAME@STRATEGY.")
]
Exact = Annotated[bool, typer.Option("--exact", help="Also compute the exact figures, for independent dice.")]


@draws_figure
def command(
    first: Side,
    second: Side,
    game: lab_options.GameName = "yatzy",
    games: lab_options.Games = 100_000,
    seed: lab_options.Seed = 1,
    dice: Annotated[Dice, typer.Option("--dice", help="Whether both strategies play with the same dice.")] = Dice.SAME,
    exact: Exact = False,
    at_least: lab_options.AtLeast = None,
    plot: Plot = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    scores = lab_options.read_scores(at_least)
    lab_options.check_plot(plot)
    known: list[Distribution] = []
    with open_solver(tables, threads) as solver:
        players = [
            solver.strategy(one, name, Origin.PERSON)
            for one, name in (lab_options.side(s, game) for s in (first, second))
        ]
        samples = []
        for place, player in enumerate(players):
            stream = place if dice is Dice.INDEPENDENT else 0
            watch = solver.watch(Message("{games:,} games by {strategy}", games=games, strategy=player.name), "Playing")
            samples.append(simulate(player, games, seed, threads, watch, stream=stream))
        if exact:
            known = [_distribution(player, solver) for player in players]
    found = put_side_by_side(samples[0], samples[1], paired=dice is Dice.SAME)
    exactly = compare_exactly(*known) if exact else None
    if plot is not None:
        _draw(found, known, plot, language)
    if json:
        terminal.print_json(_fields(found, exactly, scores))
    else:
        print_blocks(comparison_blocks(found, exactly, language))


def _distribution(player: Strategy, solver: Solver) -> Distribution:
    watch = solver.watch(Message("{game} as {strategy} plays it", game=player.game, strategy=player.name), "Evaluating")
    return evaluate(player, threads=solver.threads, progress=watch).score


def _draw(found: Comparison, known: list[Distribution], plot: Path, language: str) -> None:
    samples = (found.first, found.second)
    labels = comparison_labels(found, language)
    series = [
        Series(label, sample.total, known[place].mass if known else None)
        for place, (label, sample) in enumerate(zip(labels, samples, strict=True))
    ]
    caption = sample_caption(found.first, language, "each_exact" if known else "each")
    title = comparison_title(found, language)
    write_figure(draw_together(series, title, caption, figure_words(language)), plot)


def _fields(found: Comparison, exactly: ExactComparison | None, scores: list[int]) -> dict[str, Any]:
    return {
        "first": sample_answer(found.first, scores),
        "second": sample_answer(found.second, scores),
        "dice": (Dice.SAME if found.paired else Dice.INDEPENDENT).value,
        **{name: getattr(found, name) for name in NAMES},
        "difference_sd": found.difference_sd,
        "noise": found.noise,
        "exact": exactly,
    }


NAMES = ("wins", "draws", "losses", "difference", "total_variation", "overlap")
