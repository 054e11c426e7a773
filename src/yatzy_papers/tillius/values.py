"""Expected scores, chances of scores, and results of 100,000 games."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from yatzy import Keep, Position, Sheet, load_game, perfect_chance
from yatzy.lab import share_of, table_exactly, table_of
from yatzy.matches import SmallMatch
from yatzy_papers.claims import Claim, Computed, Cost, Figures, Reason, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun
from yatzy_papers.sampling import (
    sampled_highest,
    sampled_lowest,
    sampled_mean,
    sampled_percentile,
    sampled_sd,
    sampled_share,
)

PRINTED = read_passages("tillius")
GAMES = PRINTED["tillius.simulated"].sample
SEED = 289
TARGETS = (200, 249, 287, 289, 300, 330)
PERFECT = PRINTED["tillius.perfect"].figure("chance of 374").text


def _expected(run: PaperRun) -> Figures:
    return {id: Computed(run.value(id)) for id in PRINTED["tillius.expected"].names}


def _simulated(run: PaperRun) -> Figures:
    score = run.score("yatzy")
    return {
        "mean": sampled_mean(score, GAMES),
        "median": sampled_percentile(score, 50, GAMES),
        "standard deviation": sampled_sd(score, GAMES),
        "lowest": sampled_lowest(score, GAMES),
        "highest": sampled_highest(score, GAMES),
        "300 or more": sampled_share(score.at_least(300), GAMES),
    }


def _chances(run: PaperRun) -> Figures:
    curve = run.chances("yatzy").curve(Sheet.start(load_game("yatzy")))
    return {f"β = {target}": Computed(curve.at(target)) for target in TARGETS}


@lru_cache(maxsize=1)
def _perfect(run: PaperRun) -> Figures:
    watch = run.watch("the chance of a perfect game", "Finding")
    return {"chance of 374": Computed(perfect_chance(load_game("yatzy"), watch).digits(len(PERFECT) - 2))}


def _single_precision(run: PaperRun) -> Figures:
    exact = float(str(_perfect(run)["chance of 374"].value))
    return {
        "the print as a number of 32 bits": Computed(f"{np.float32(PERFECT):.40f}"),
        "the two apart, relatively": Computed(abs(float(PERFECT) / exact - 1)),
    }


def _winner(run: PaperRun) -> Figures:
    winner = table_exactly([run.score("yatzy")] * 4).winner
    return {"median": sampled_percentile(winner, 50, GAMES), "mean": sampled_mean(winner, GAMES)}


def _reaches(run: PaperRun) -> Figures:
    curve = run.chances("yatzy").curve(Sheet.start(load_game("yatzy")))
    return {"reaches 289": Computed(curve.at(289))}


def _fifth(run: PaperRun) -> Figures:
    scores = [run.score("yatzy")] * 4 + [run.score("yatzy", "target:289")]
    return {"share of wins": Computed(table_exactly(scores).seats[4].wins)}


def _fifth_simulated(run: PaperRun) -> Figures:
    """The same in 100,000 games, with the figures that explain it."""
    samples = [run.sample("yatzy", "expected", GAMES, SEED, seat) for seat in range(4)]
    fifth = run.sample("yatzy", "target:289", GAMES, SEED, 4)
    wins = table_of([*samples, fifth]).seats[4].wins
    best = np.max([sample.total for sample in samples], axis=0)
    reached = fifth.total >= 289
    beaten, missed = share_of(best[reached] > fifth.total[reached]), share_of(fifth.total[~reached] > best[~reached])
    return {
        "share of wins, simulated": Computed(wins.value, wins.error),
        "reaches 289, simulated": Computed(share_of(reached).value, share_of(reached).error),
        "another has more when he reaches it": Computed(beaten.value, beaten.error),
        "he has the most when he misses it": Computed(missed.value, missed.error),
    }


def _end_position(run: PaperRun) -> Figures:
    game = load_game("yatzy")
    mover = Sheet.of_sums(game, set(game.category_index) - {"four-of-a-kind"}, upper=63, points=250)
    opponent = Sheet.of_sums(game, game.category_index, upper=63, points=272)
    position = Position((opponent, mover), (5, 5, 5, 5, 6), 1)
    values = {entry.move: entry.value for entry in SmallMatch(position).moves(position)}
    points = {entry.move: entry.value for entry in run.expected("yatzy").moves(Position((mover,), (5, 5, 5, 5, 6), 1))}
    best = max(points, key=points.__getitem__)
    return {
        "for points: the dice to keep": Computed("".join(map(str, best.dice)) if isinstance(best, Keep) else str(best)),
        "keeping 5555 wins with": Computed(values[Keep((5, 5, 5, 5))]),
        "keeping 6 wins with 7/432 =": Computed(values[Keep((6,))]),
    }


NOT_WINNING = Reason(
    "The thesis equates reaching 289 with winning. But even with 289 points another player may have more, and when"
    " the attempt fails, it has cost points, so the player then rarely wins.",
    figures(
        {
            "share of wins, simulated": "< .2",
            "reaches 289, simulated": ".2080",
            "another has more when he reaches it": "> .1",
            "he has the most when he misses it": "< .1",
        }
    ),
    _fifth_simulated,
)

VALUES = (
    Claim(
        *PRINTED["tillius.expected"],
        _expected,
        PRINTED["tillius.expected"].names,
        how="solved exactly",
    ),
    Claim(
        *PRINTED["tillius.simulated"],
        _simulated,
        ("yatzy",),
        how="the exact distribution of the strategy, and the range for a sample of that size",
    ),
    Claim(
        *PRINTED["tillius.chances"],
        _chances,
        ("yatzy",),
        how="one table for all β",
    ),
    Claim(
        *PRINTED["tillius.time"],
        unchecked="This is the time of his program on his machine. Our program builds the table for all β in a minute"
        " (docs/benchmarks.md).",
    ),
    Claim(
        *PRINTED["tillius.perfect"],
        _perfect,
        ("yatzy",),
        reasons=(
            Reason(
                "The forty digits are those of a 32-bit floating-point number, of which only the first six or seven"
                " are significant. The two figures agree in these.",
                figures(
                    {
                        "the print as a number of 32 bits": PERFECT,
                        "the two apart, relatively": "< .000001",
                    }
                ),
                _single_precision,
            ),
        ),
        how="in exact fractions",
    ),
    Claim(
        *PRINTED["tillius.winner"],
        _winner,
        ("yatzy",),
        how="exactly, from the distribution of one player",
    ),
    Claim(
        *PRINTED["tillius.reaches"],
        _reaches,
        ("yatzy",),
        how="the best chance of 289",
    ),
    Claim(
        *PRINTED["tillius.fifth"],
        _fifth,
        ("yatzy",),
        Cost.FULL,
        reasons=(NOT_WINNING,),
        how="exactly, from the distributions of all five; tied players share the win",
    ),
    Claim(
        *PRINTED["tillius.end-position"],
        _end_position,
        ("yatzy",),
        how="the exact two-player value, solved on demand; 7/432 = .0162037…",
    ),
)
