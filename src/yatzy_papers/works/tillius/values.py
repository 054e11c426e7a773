"""Expected scores, chances of scores, and what 100,000 games show."""

from __future__ import annotations

from functools import lru_cache

from yatzy.games import Keep, Position, Sheet, load_game
from yatzy_papers.claims import Claim, Cost, Entry, Figure, Figures, Print, Reason, entries
from yatzy_papers.desk import Desk
from yatzy_papers.sampling import (
    sampled_highest,
    sampled_lowest,
    sampled_mean,
    sampled_percentile,
    sampled_sd,
    sampled_share,
)

GAMES = 100_000
SEED = 289
EXPECTED = {"yatzy": "248.4400", "yatzy-no-bonus": "211.1487", "yatzy-lenient-two-pairs": "248.6329", "two-yatzy": "5"}
CHANCES = {200: ".9457", 249: ".5710", 287: ".2228", 289: ".2080", 300: ".1373", 330: ".0114"}
PERFECT = "0.0000000000013146626799340199731602751854"


def _expected(desk: Desk) -> Figures:
    return {id: Figure(desk.value(id)) for id in EXPECTED}


def _simulated(desk: Desk) -> Figures:
    score = desk.score("yatzy")
    return {
        "mean": sampled_mean(score, GAMES),
        "median": sampled_percentile(score, 50, GAMES),
        "standard deviation": sampled_sd(score, GAMES),
        "lowest": sampled_lowest(score, GAMES),
        "highest": sampled_highest(score, GAMES),
        "300 or more": sampled_share(score.at_least(300), GAMES),
    }


def _chances(desk: Desk) -> Figures:
    curve = desk.chances("yatzy").curve(Sheet.start(load_game("yatzy")))
    return {f"β = {target}": Figure(curve.at(target)) for target in CHANCES}


@lru_cache(maxsize=1)
def _perfect(desk: Desk) -> Figures:
    from yatzy.evaluation.perfect import perfect_chance

    watch = desk.watch("the chance of a perfect game", "Finding")
    return {"chance of 374": Figure(perfect_chance(load_game("yatzy"), watch).digits(len(PERFECT) - 2))}


def _single_precision(desk: Desk) -> Figures:
    import numpy as np

    exact = float(str(_perfect(desk)["chance of 374"].value))
    return {
        "the print as a number of 32 bits": Figure(f"{np.float32(PERFECT):.40f}"),
        "the two apart, relatively": Figure(abs(float(PERFECT) / exact - 1)),
    }


def _winner(desk: Desk) -> Figures:
    from yatzy.lab import table_exactly

    winner = table_exactly([desk.score("yatzy")] * 4).winner
    return {"median": sampled_percentile(winner, 50, GAMES), "mean": sampled_mean(winner, GAMES)}


def _reaches(desk: Desk) -> Figures:
    curve = desk.chances("yatzy").curve(Sheet.start(load_game("yatzy")))
    return {"reaches 289": Figure(curve.at(289))}


def _fifth(desk: Desk) -> Figures:
    from yatzy.lab import table_exactly

    scores = [desk.score("yatzy")] * 4 + [desk.score("yatzy", "target:289")]
    return {"share of wins": Figure(table_exactly(scores).seats[4].wins)}


def _fifth_simulated(desk: Desk) -> Figures:
    """The same in 100,000 games, and how it comes about."""
    import numpy as np

    from yatzy.lab import table_of
    from yatzy.lab.sample import share_of

    samples = [desk.sample("yatzy", "expected", GAMES, SEED, seat) for seat in range(4)]
    fifth = desk.sample("yatzy", "target:289", GAMES, SEED, 4)
    wins = table_of([*samples, fifth]).seats[4].wins
    best = np.max([sample.total for sample in samples], axis=0)
    reached = fifth.total >= 289
    beaten, missed = share_of(best[reached] > fifth.total[reached]), share_of(fifth.total[~reached] > best[~reached])
    return {
        "share of wins, simulated": Figure(wins.value, wins.error),
        "reaches 289, simulated": Figure(share_of(reached).value, share_of(reached).error),
        "another has more when he reaches it": Figure(beaten.value, beaten.error),
        "he has the most when he misses it": Figure(missed.value, missed.error),
    }


def _end_position(desk: Desk) -> Figures:
    from yatzy.matches.values import SmallMatch

    game = load_game("yatzy")
    mover = Sheet.of_sums(game, set(game.category_index) - {"four-of-a-kind"}, upper=63, points=250)
    opponent = Sheet.of_sums(game, game.category_index, upper=63, points=272)
    position = Position((opponent, mover), (5, 5, 5, 5, 6), 1)
    values = {entry.move: entry.value for entry in SmallMatch(position).moves(position)}
    points = {entry.move: entry.value for entry in desk.expected("yatzy").moves(Position((mover,), (5, 5, 5, 5, 6), 1))}
    best = max(points, key=points.__getitem__)
    return {
        "for points: the dice to keep": Figure("".join(map(str, best.dice)) if isinstance(best, Keep) else str(best)),
        "keeping 5555 wins with": Figure(values[Keep((5, 5, 5, 5))]),
        "keeping 6 wins with 7/432 =": Figure(values[Keep((6,))]),
    }


NOT_WINNING = Reason(
    "Reaching 289 is taken for winning. When he reaches it another may have more, and when he misses it he has given up"
    " points for the try, so that he seldom has the most.",
    (
        Entry("share of wins, simulated", Print("< .2")),
        Entry("reaches 289, simulated", Print(".2080")),
        Entry("another has more when he reaches it", Print("> .1")),
        Entry("he has the most when he misses it", Print("< .1")),
    ),
    _fifth_simulated,
)

VALUES = (
    Claim(
        "tillius.expected",
        "the values of the games",
        "The expected score of the best strategy: Yatzy, Yatzy without its bonus, Yatzy with two pairs paid for a"
        " single pair, and two-yatzy.",
        entries(EXPECTED),
        _expected,
        tuple(EXPECTED),
        how="solved exactly",
    ),
    Claim(
        "tillius.simulated",
        "100,000 games of the expected-score strategy",
        "What the final score is like.",
        entries(
            {
                "mean": "248.4810",
                "median": "249",
                "standard deviation": "38.5504",
                "lowest": "100",
                "highest": "348",
                "300 or more": "9.973 %",
            },
            GAMES,
        ),
        _simulated,
        ("yatzy",),
        how="the exact distribution of the strategy, and what a sample of that size shows of it",
    ),
    Claim(
        "tillius.chances",
        "playing for at least β points",
        "The best chance of at least β points; three to four hours for each β.",
        entries({f"β = {target}": text for target, text in CHANCES.items()}),
        _chances,
        ("yatzy",),
        how="one table for all β",
    ),
    Claim(
        "tillius.time",
        "playing for at least β points: the time",
        "How long the solution for one β takes.",
        entries({"hours": "3 to 4"}),
        unchecked="A time of his program on his machine. Ours makes the table of all β in a minute"
        " (docs/benchmarks.md).",
    ),
    Claim(
        "tillius.perfect",
        "the highest score",
        "The chance of 374 points when one plays for nothing else, to 40 digits.",
        (Entry("chance of 374", Print(f"{PERFECT}")),),
        _perfect,
        ("yatzy",),
        reasons=(
            Reason(
                "The forty digits are those of a number of 32 bits, of which the first six or seven mean something. So"
                " far the two agree.",
                (
                    Entry("the print as a number of 32 bits", Print(PERFECT)),
                    Entry("the two apart, relatively", Print("< .000001")),
                ),
                _single_precision,
            ),
        ),
        how="in exact fractions",
    ),
    Claim(
        "tillius.winner",
        "four players",
        "The winner's score when four play by the expected-score strategy, in 100,000 games.",
        entries({"median": "289", "mean": "286.9367"}, GAMES),
        _winner,
        ("yatzy",),
        how="exactly, from the distribution of one player",
    ),
    Claim(
        "tillius.reaches",
        "a fifth who plays for 289: reaching it",
        "A fifth who plays for 289 reaches it with this chance.",
        entries({"reaches 289": ".2080"}),
        _reaches,
        ("yatzy",),
        how="the best chance of 289",
    ),
    Claim(
        "tillius.fifth",
        "a fifth who plays for 289: winning",
        "A fifth who plays for 289 does a little better than the fair fifth.",
        (Entry("share of wins", Print("> .2")),),
        _fifth,
        ("yatzy",),
        Cost.FULL,
        reasons=(NOT_WINNING,),
        how="exactly, from the distributions of all five; ties share a win",
    ),
    Claim(
        "tillius.end-position",
        "two players",
        "There is a better strategy for two than the expected-score strategy: with only four of a kind open, one roll"
        " left, dice 5-5-5-5-6 and 72 points behind a finished opponent, counting the bonus still to come, keeping the"
        " fives cannot win.",
        entries(
            {
                "for points: the dice to keep": "5555",
                "keeping 5555 wins with": "0",
                "keeping 6 wins with 7/432 =": ".016204",
            }
        ),
        _end_position,
        ("yatzy",),
        how="the optimum of two, solved on demand; 7/432 = .0162037…",
    ),
)
