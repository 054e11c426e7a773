"""Two strategies side by side: wins, draws, losses, the difference with its error, and how far apart they are.

For two games, each with its best strategy: `yatzy compare yatzy@expected yatzy-four-rolls@expected`.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from yatzy.cli import sampled, show
from yatzy.cli.options import Json, Tables, Threads
from yatzy.cli.solved import open_solver

if TYPE_CHECKING:
    from yatzy.evaluation.distribution import Distribution
    from yatzy.lab.compare import Comparison, ExactComparison
    from yatzy.solver import Solver
    from yatzy.strategies.base import Strategy


class Dice(StrEnum):
    """Whose dice."""

    SAME = "same"
    INDEPENDENT = "independent"


Side = Annotated[str, typer.Argument(metavar="STRATEGY", help="A strategy, or GAME@STRATEGY.")]
Exact = Annotated[bool, typer.Option("--exact", help="The exact figures for independent dice, too.")]


def command(
    first: Side,
    second: Side,
    game: sampled.GameName = "yatzy",
    games: sampled.Games = 100_000,
    seed: sampled.Seed = 1,
    dice: Annotated[Dice, typer.Option("--dice", help="Whether both get the same dice.")] = Dice.SAME,
    exact: Exact = False,
    at_least: sampled.AtLeast = None,
    plot: sampled.Plot = None,
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    from yatzy.lab import simulate
    from yatzy.lab.compare import compare as put_side_by_side
    from yatzy.lab.compare import compare_exactly

    scores = sampled.read_scores(at_least)
    sampled.check_plot(plot)
    known: list[Distribution] = []
    with open_solver(tables, threads) as solver:
        players = [
            sampled.open_strategy(name, one, solver) for one, name in (sampled.side(s, game) for s in (first, second))
        ]
        samples = []
        for place, player in enumerate(players):
            stream = place if dice is Dice.INDEPENDENT else 0
            watch = solver.watch(f"{games:,} games by {player.name}", "Playing")
            samples.append(simulate(player, games, seed, threads, watch, stream=stream))
        if exact:
            known = [_distribution(player, solver) for player in players]
    found = put_side_by_side(samples[0], samples[1], paired=dice is Dice.SAME)
    exactly = compare_exactly(*known) if exact else None
    if plot is not None:
        _draw(found, known, plot)
    if json:
        show.print_json(_fields(found, exactly, scores))
    else:
        _print(found, exactly)


def _distribution(player: Strategy, solver: Solver) -> Distribution:
    from yatzy.evaluation.evaluate import evaluate

    watch = solver.watch(f"{player.game.name()} as {player.name} plays it", "Evaluating")
    return evaluate(player, threads=solver.threads, progress=watch).score


def _draw(found: Comparison, known: list[Distribution], plot: Path) -> None:
    from yatzy.lab.figures import Series, draw_together, write

    samples = (found.first, found.second)
    labels = _labels(found)
    series = [
        Series(label, sample.total, known[place].mass if known else None)
        for place, (label, sample) in enumerate(zip(labels, samples, strict=True))
    ]
    caption = sampled.caption(found.first) + (" each; lines: exact" if known else " each")
    write(draw_together(series, f"{labels[0]} and {labels[1]}", caption), plot)


def _labels(found: Comparison) -> tuple[str, str]:
    samples = (found.first, found.second)
    if samples[0].game == samples[1].game:
        return samples[0].strategy, samples[1].strategy
    return f"{samples[0].game.id}@{samples[0].strategy}", f"{samples[1].game.id}@{samples[1].strategy}"


def _fields(found: Comparison, exactly: ExactComparison | None, scores: list[int]) -> dict[str, Any]:
    return {
        "first": sampled.fields(found.first, scores),
        "second": sampled.fields(found.second, scores),
        "dice": (Dice.SAME if found.paired else Dice.INDEPENDENT).value,
        **{name: sampled.estimate(getattr(found, name)) for name in NAMES},
        "difference_sd": found.difference_sd,
        "noise": found.noise,
        "exact": exactly and {name: getattr(exactly, name) for name in NAMES},
    }


NAMES = ("wins", "draws", "losses", "difference", "total_variation", "overlap")


def _print(found: Comparison, exactly: ExactComparison | None) -> None:
    from rich.table import Table

    labels, samples = _labels(found), (found.first, found.second)
    dice = "the same dice" if found.paired else "independent dice"
    print(f"{labels[0]} and {labels[1]}: {len(found.first):,} games each, seed {found.first.seed}, {dice}")
    table = Table("")
    for label in labels:
        table.add_column(label, justify="right")
    table.add_row("mean", *(f"{s.mean.value:.3f} ± {s.mean.error:.3f}" for s in samples))
    table.add_row("sd", *(f"{s.sd.value:.3f} ± {s.sd.error:.3f}" for s in samples))
    table.add_row("median", *(f"{s.percentile(50).value:g}" for s in samples))
    table.add_row("mode", *(str(s.mode) for s in samples))
    table.add_row("bonus", *(sampled.percent(s.bonus_share) for s in samples))
    shares = [s.yatzy_share for s in samples]
    table.add_row("all dice equal", *("–" if share is None else sampled.percent(share) for share in shares))
    show.print_table(table)
    print(f"first wins {sampled.percent(found.wins)}, draws {sampled.percent(found.draws)},", end=" ")
    print(f"second wins {sampled.percent(found.losses)}")
    print(
        f"difference {found.difference.value:+.3f} ± {found.difference.error:.3f} points, sd {found.difference_sd:.2f}"
    )
    variation = found.total_variation
    print(
        f"total variation {variation.value:.4f} ± {variation.error:.4f} (noise alone would make {found.noise:.4f}),",
        end=" ",
    )
    print(f"overlap {found.overlap.value:.4f}")
    if exactly is not None:
        print(
            f"exactly, with independent dice: first wins {100 * exactly.wins:.4f} %, draws {100 * exactly.draws:.4f} %,"
            f" second wins {100 * exactly.losses:.4f} %, difference {exactly.difference:+.4f},"
            f" total variation {exactly.total_variation:.6f}"
        )
