"""What to do in chosen positions."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy.games import Keep, Position, Score, Sheet, load_game
from yatzy.values.evaluator import Solution
from yatzy_papers.claims import Claim, Figure, Figures, entries
from yatzy_papers.desk import Desk

YATZY = load_game("yatzy")
UPPER = tuple(YATZY.categories[i].id for i in YATZY.upper_categories)
LOWER = tuple(YATZY.categories[i].id for i in YATZY.lower_categories)
ALL = (*UPPER, *LOWER)
THREE, FOUR, FULL = "three-of-a-kind", "four-of-a-kind", "full-house"
FOUR_SIXES = (5, 6, 6, 6, 6)
THREE_SIXES = (1, 5, 6, 6, 6)

AFTER_FOUR_SIXES = {
    "ones": ".0754", "twos": ".0557", "threes": ".0357", "fours": ".0190", "fives": ".0250", "sixes": ".1970",
    "one-pair": ".0961", "two-pairs": ".0278", THREE: ".1239", FOUR: ".1983", "small-straight": ".0769",
    "large-straight": ".0545", FULL: ".0247", "chance": ".1267", "yatzy": ".0004",
}  # fmt: skip

WHERE: dict[str, tuple[Sequence[str], int, str]] = {
    "all open; 63": (ALL, 63, "sixes"),
    "all but three of a kind; 63": ([c for c in ALL if c != THREE], 63, "sixes"),
    "upper, four of a kind; 63": ([*UPPER, FOUR], 63, "sixes"),
    "upper, four of a kind, yatzy; 63": ([*UPPER, FOUR, "yatzy"], 63, "sixes"),
    "sixes, all lower; 18": (["sixes", *LOWER], 18, "sixes"),
    "sixes, four of a kind; 18": (["sixes", FOUR], 18, "sixes"),
    "sixes, three and four of a kind; 18": (["sixes", THREE, FOUR], 18, "sixes"),
    "sixes, all lower; 30": (["sixes", *LOWER], 30, FOUR),
    "sixes, four of a kind; 30": (["sixes", FOUR], 30, FOUR),
    "sixes, four of a kind; 12": (["sixes", FOUR], 12, "sixes"),
    "sixes, all lower; 12": (["sixes", *LOWER], 12, FOUR),
    "sixes, four of a kind; 6": (["sixes", FOUR], 6, FOUR),
    "sixes, four of a kind; 0": (["sixes", FOUR], 0, FOUR),
    "fives, sixes, four of a kind; 22": (["fives", "sixes", FOUR], 22, "sixes"),
    "fives, sixes, all lower; 22": (["fives", "sixes", *LOWER], 22, FOUR),
}
"""Open categories and points missing for the bonus, and the category for 5-6-6-6-6."""

KEEPING: dict[str, tuple[Sequence[str], int]] = {
    "all open": (ALL, 63),
    "all lower open, bonus won": (LOWER, 0),
    "the same without yatzy": ([c for c in LOWER if c != "yatzy"], 0),
    "the same without three of a kind": ([c for c in LOWER if c != THREE], 0),
    "the same without two pairs": ([c for c in LOWER if c != "two-pairs"], 0),
    "the same without chance": ([c for c in LOWER if c != "chance"], 0),
    "four of a kind, full house, two pairs": ([FOUR, FULL, "two-pairs"], 0),
    "four of a kind, full house, three of a kind": ([FOUR, FULL, THREE], 0),
    "four of a kind, full house": ([FOUR, FULL], 0),
}
FOR_300 = "all open, playing for 300"


def sheet(open_: Sequence[str], needed: int) -> Sheet:
    """A sheet with these categories open and so many points missing for the bonus."""
    return Sheet.of_sums(YATZY, set(ALL) - set(open_), upper=63 - needed)


def choice(solution: Solution, position: Position) -> str:
    """The best move in words; several, if they are equal."""
    values = solution.moves(position)
    top = max(entry.value for entry in values)
    best = [entry.move for entry in values if solution.tied(entry.value, top)]
    return " or ".join("".join(map(str, m.dice)) or "-" if isinstance(m, Keep) else m.category for m in best)


def _after_four_sixes(desk: Desk) -> Figures:
    position = Position((Sheet.start(YATZY),), FOUR_SIXES, 0)
    values = desk.solution("yatzy", "target:300").moves(position)
    return {entry.move.category: Figure(entry.value) for entry in values if isinstance(entry.move, Score)}


def _fifth_die(desk: Desk) -> Figures:
    found: dict[str, Figure] = {}
    for objective, words in (("expected", "for points"), ("target:300", "for 300")):
        solution = desk.expected("yatzy") if objective == "expected" else desk.solution("yatzy", objective)
        for die in range(1, 6):
            position = Position((Sheet.start(YATZY),), (die, 6, 6, 6, 6), 0)
            found[f"{die}-6-6-6-6 {words}"] = Figure(choice(solution, position))
    return found


def _near_300(desk: Desk) -> Figures:
    state = Sheet.of_sums(YATZY, set(ALL) - {"sixes", FOUR}, upper=45, points=208)
    values = desk.solution("yatzy", "target:300").moves(Position((state,), FOUR_SIXES, 0))
    return {entry.move.category: Figure(entry.value) for entry in values if isinstance(entry.move, Score)}


def _where(desk: Desk) -> Figures:
    solution = desk.expected("yatzy")
    return {
        name: Figure(choice(solution, Position((sheet(open_, needed),), FOUR_SIXES, 0)))
        for name, (open_, needed, _) in WHERE.items()
    }


def _keeping(desk: Desk) -> Figures:
    solution = desk.expected("yatzy")
    found = {
        name: Figure(choice(solution, Position((sheet(open_, needed),), THREE_SIXES, 1)))
        for name, (open_, needed) in KEEPING.items()
    }
    position = Position((Sheet.start(YATZY),), THREE_SIXES, 1)
    return found | {FOR_300: Figure(choice(desk.solution("yatzy", "target:300"), position))}


DECISIONS = (
    Claim(
        "tillius.where-to-put",
        "dice 5-6-6-6-6, no rolls left, by state",
        "The category that the expected-score strategy takes, by open categories and points missing for the bonus.",
        entries({name: choice for name, (_, _, choice) in WHERE.items()}),
        _where,
        ("yatzy",),
        how="the best move, no other as good",
    ),
    Claim(
        "tillius.first-turn-300",
        "first turn, dice 5-6-6-6-6, no rolls left",
        "The chance of 300 or more after each choice.",
        entries(AFTER_FOUR_SIXES),
        _after_four_sixes,
        ("yatzy",),
        how="the best chance of 300 after each move",
    ),
    Claim(
        "tillius.first-turn-choice",
        "first turn, four sixes, no rolls left",
        "For points four sixes go to sixes, for 300 to four of a kind, whatever the fifth die.",
        entries(
            {
                f"{die}-6-6-6-6 {words}": category
                for words, category in (("for points", "sixes"), ("for 300", FOUR))
                for die in range(1, 6)
            }
        ),
        _fifth_die,
        ("yatzy",),
        how="the best move, no other as good",
    ),
    Claim(
        "tillius.near-300",
        "dice 5-6-6-6-6, sixes and four of a kind open, 208 points",
        "The chance of 300 after each of two choices, with 18 points missing for the bonus.",
        entries({"sixes": ".1639", FOUR: ".3549"}),
        _near_300,
        ("yatzy",),
        how="the best chance of 300 after each move",
    ),
    Claim(
        "tillius.keeping",
        "dice 1-5-6-6-6, one roll left",
        "The three sixes are kept in every state tried, for points and for 300.",
        entries(dict.fromkeys([*KEEPING, FOR_300], "666")),
        _keeping,
        ("yatzy",),
        how="the best move, no other as good",
    ),
)
