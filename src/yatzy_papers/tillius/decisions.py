"""The best moves in chosen positions."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy import Keep, Position, Score, Sheet, Solution, load_game
from yatzy_papers.claims import Claim, Computed, Figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun

PRINTED = read_passages("tillius")
YATZY = load_game("yatzy")
UPPER = tuple(YATZY.categories[i].id for i in YATZY.upper_categories)
LOWER = tuple(YATZY.categories[i].id for i in YATZY.lower_categories)
ALL = (*UPPER, *LOWER)
THREE, FOUR, FULL = "three-of-a-kind", "four-of-a-kind", "full-house"
FOUR_SIXES = (5, 6, 6, 6, 6)
THREE_SIXES = (1, 5, 6, 6, 6)

WHERE: dict[str, tuple[Sequence[str], int]] = {
    "all open; 63": (ALL, 63),
    "all but three of a kind; 63": ([c for c in ALL if c != THREE], 63),
    "upper, four of a kind; 63": ([*UPPER, FOUR], 63),
    "upper, four of a kind, yatzy; 63": ([*UPPER, FOUR, "yatzy"], 63),
    "sixes, all lower; 18": (["sixes", *LOWER], 18),
    "sixes, four of a kind; 18": (["sixes", FOUR], 18),
    "sixes, three and four of a kind; 18": (["sixes", THREE, FOUR], 18),
    "sixes, all lower; 30": (["sixes", *LOWER], 30),
    "sixes, four of a kind; 30": (["sixes", FOUR], 30),
    "sixes, four of a kind; 12": (["sixes", FOUR], 12),
    "sixes, all lower; 12": (["sixes", *LOWER], 12),
    "sixes, four of a kind; 6": (["sixes", FOUR], 6),
    "sixes, four of a kind; 0": (["sixes", FOUR], 0),
    "fives, sixes, four of a kind; 22": (["fives", "sixes", FOUR], 22),
    "fives, sixes, all lower; 22": (["fives", "sixes", *LOWER], 22),
}
"""Open categories, and points missing for the bonus."""

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
    """A sheet with these categories open and `needed` points missing for the bonus."""
    return Sheet.of_sums(YATZY, set(ALL) - set(open_), upper=63 - needed)


def choice(solution: Solution, position: Position) -> str:
    """The best move in words; several, if they are tied."""
    values = solution.moves(position)
    top = max(entry.value for entry in values)
    best = [entry.move for entry in values if solution.tied(entry.value, top)]
    return " or ".join("".join(map(str, m.dice)) or "-" if isinstance(m, Keep) else m.category for m in best)


def _after_four_sixes(run: PaperRun) -> Figures:
    position = Position((Sheet.start(YATZY),), FOUR_SIXES, 0)
    values = run.solution("yatzy", "target:300").moves(position)
    return {entry.move.category: Computed(entry.value) for entry in values if isinstance(entry.move, Score)}


def _fifth_die(run: PaperRun) -> Figures:
    found: dict[str, Computed] = {}
    for objective, words in (("expected", "for points"), ("target:300", "for 300")):
        solution = run.expected("yatzy") if objective == "expected" else run.solution("yatzy", objective)
        for die in range(1, 6):
            position = Position((Sheet.start(YATZY),), (die, 6, 6, 6, 6), 0)
            found[f"{die}-6-6-6-6 {words}"] = Computed(choice(solution, position))
    return found


def _near_300(run: PaperRun) -> Figures:
    state = Sheet.of_sums(YATZY, set(ALL) - {"sixes", FOUR}, upper=45, points=208)
    values = run.solution("yatzy", "target:300").moves(Position((state,), FOUR_SIXES, 0))
    return {entry.move.category: Computed(entry.value) for entry in values if isinstance(entry.move, Score)}


def _where(run: PaperRun) -> Figures:
    solution = run.expected("yatzy")
    return {
        name: Computed(choice(solution, Position((sheet(open_, needed),), FOUR_SIXES, 0)))
        for name, (open_, needed) in WHERE.items()
    }


def _keeping(run: PaperRun) -> Figures:
    solution = run.expected("yatzy")
    found = {
        name: Computed(choice(solution, Position((sheet(open_, needed),), THREE_SIXES, 1)))
        for name, (open_, needed) in KEEPING.items()
    }
    position = Position((Sheet.start(YATZY),), THREE_SIXES, 1)
    return found | {FOR_300: Computed(choice(run.solution("yatzy", "target:300"), position))}


DECISIONS = (
    Claim(
        *PRINTED["tillius.where-to-put"],
        _where,
        ("yatzy",),
        how="the best move, no other as good",
    ),
    Claim(
        *PRINTED["tillius.first-turn-300"],
        _after_four_sixes,
        ("yatzy",),
        how="the best chance of 300 after each move",
    ),
    Claim(
        *PRINTED["tillius.first-turn-choice"],
        _fifth_die,
        ("yatzy",),
        how="the best move, no other as good",
    ),
    Claim(
        *PRINTED["tillius.near-300"],
        _near_300,
        ("yatzy",),
        how="the best chance of 300 after each move",
    ),
    Claim(
        *PRINTED["tillius.keeping"],
        _keeping,
        ("yatzy",),
        how="the best move, no other as good",
    ),
)
