"""One player: counts, the expected score, and the best chance of every score."""

from __future__ import annotations

from yatzy.games import Position, Score, Sheet, load_game
from yatzy_papers.claims import Claim, Cost, Entry, Figure, Figures, Print, Reason, entries
from yatzy_papers.desk import Desk

GAME = load_game("yahtzee-pawlewicz")
START = Sheet.start(GAME)
CUT = 2.0**-32
"""Values closer to 0 or 1 are not stored."""
COUNTS = {
    "rolls": "252",
    "keeps": "462",
    "pairs of keep and roll": "4,368",
    "states inside a turn": "1,680",
    "upper sets and sums": "4,096",
    "of them reachable": "2,794",
    "merged by their future": "1,640",
    "bonus won and out of reach as one": "1,618",
    "score states": "786,432",
    "score states, merged": "314,880",
    "score states, won and lost as one": "310,656",
}
TARGETS = (500, 600, 700, 800, 1000)
TAILS = {
    "start": (START, (".010", "1.4e-03", "1.4e-04", "1.0e-05", "1.9e-08")),
    "after 50 in Yahtzee": (
        Sheet.of_sums(GAME, ["yahtzee"], points=50, box_pays=True),
        (".057", ".010", "1.2e-03", "1.0e-04", "2.6e-07"),
    ),
    "and 66666 in sixes with the bonus": (
        Sheet.of_sums(GAME, ["yahtzee", "sixes"], upper=30, points=180, box_pays=True),
        (".30", ".070", ".010", "1.0e-03", "3.5e-06"),
    ),
}
AIMS = (200, 207, 242, 251)
FOUR_MOVES = {
    "ones": ("206.064", ".704", ".392", ".146", ".030"),
    "threes": ("204.382", ".787", ".367", ".000", ".000"),
    "four-of-a-kind": ("205.293", ".711", ".479", ".185", ".000"),
    "full-house": ("200.615", ".517", ".484", ".078", ".002"),
}
FOUR_MOVES_SHEET = Sheet.of_sums(GAME, set(GAME.category_index) - set(FOUR_MOVES), upper=51, points=170)
FOUR_MOVES_DICE = (1, 3, 3, 4, 6)


def _counts(desk: Desk) -> Figures:
    from yatzy.model import count_game

    found = count_game(GAME)
    numbers = (
        found.rolls,
        found.keeps,
        found.keep_roll_pairs,
        found.turn_states,
        found.upper_pairs,
        found.upper_pairs_reachable,
        found.upper_classes_unsettled,
        found.upper_classes,
        found.states_plain,
        found.states_unsettled,
        found.states,
    )
    return {name: Figure(number) for name, number in zip(COUNTS, numbers, strict=True)}


def _expected(desk: Desk) -> Figures:
    return {"expected score": Figure(desk.value(GAME.id))}


def _start(desk: Desk) -> Figures:
    curve = desk.chances(GAME.id).curve(START)
    chances = curve.between(0, curve.high)
    return {
        "largest score with chance ½ or more": Figure(int((chances >= 0.5).nonzero()[0][-1])),
        "chance of 254": Figure(curve.at(254)),
        "mean of the curve read as a distribution": Figure(float(chances[1:].sum())),
    }


def _reached(desk: Desk) -> Figures:
    """The curve is reached at one score: what the strategy for it does from the start, exactly."""
    curve, score = desk.chances(GAME.id).curve(START), desk.score(GAME.id, "target:300")
    return {
        "best chance of 300, by the curve": Figure(curve.at(300)),
        "by following the strategy for 300": Figure(score.at_least(300)),
        "the two apart": Figure(abs(curve.at(300) - score.at_least(300))),
    }


def _window(desk: Desk) -> Figures:
    from yatzy_papers.works.pawlewicz.doubles import cut_curves

    found = cut_curves(GAME, desk, CUT)
    curve = found.start
    chances = curve.between(0, curve.high)
    return {
        "first score of the window": Figure(curve.low),
        "last score of the window": Figure(curve.high),
        "all values, 10^9 bytes": Figure(8 * found.values / 1e9),
        "mean, cut as his": Figure(float(chances[1:].sum())),
        "chance of 1000, cut as his": Figure(curve.at(1000)),
    }


def _tails(desk: Desk) -> Figures:
    chances = desk.chances(GAME.id)
    return {
        f"{name}: {target}": Figure(chances.curve(sheet).at(target - sheet.points))
        for name, (sheet, _) in TAILS.items()
        for target in TARGETS
    }


def _four_moves(desk: Desk) -> Figures:
    position = Position((FOUR_MOVES_SHEET,), FOUR_MOVES_DICE, 0)
    found: dict[str, Figure] = {}
    for column in ("expected", *(f"target:{aim}" for aim in AIMS)):
        solution = desk.expected(GAME.id) if column == "expected" else desk.solution(GAME.id, column)
        name = "expected" if column == "expected" else f"at least {column.removeprefix('target:')}"
        for entry in solution.moves(position):
            if isinstance(entry.move, Score):
                found[f"{entry.move.category}: {name}"] = Figure(entry.value)
    return found


def _best_for_an_aim(desk: Desk) -> Figures:
    """The move that is best for each aim."""
    found = _four_moves(desk)
    best = {}
    for name in ("expected", *(f"at least {aim}" for aim in AIMS)):
        best[name] = max(FOUR_MOVES, key=lambda move, name=name: float(found[f"{move}: {name}"].value))  # type: ignore[misc]
    return {name: Figure(move) for name, move in best.items()}


CURVE_IS_RIGHT = Reason(
    "What lies behind his figure was not found. The curve itself is right: it is no lower than what a strategy"
    " reaches, and at 300 the strategy for 300, followed exactly from the start, has just the chance that the curve"
    " gives. In double precision and with his cuts, which give his window from end to end and his chances of very high"
    " scores, the mean stays .022 above his.",
    (Entry("the two apart", Print("< .000001")), Entry("mean, cut as his", Print("> 264.4495"))),
    lambda desk: {**_reached(desk), **_window(desk)},
    known=False,
)


ONE_PLAYER = (
    Claim(
        "pawlewicz.counts",
        "the size of the game",
        "How many of everything there is, for five dice and a bonus at 63.",
        entries(COUNTS),
        _counts,
        (GAME.id,),
        how="counted",
    ),
    Claim(
        "pawlewicz.expected",
        "the expected score",
        "The expected score of the best strategy.",
        entries({"expected score": "254.589374"}),
        _expected,
        (GAME.id,),
        how="solved exactly",
    ),
    Claim(
        "pawlewicz.start",
        "the curve of the start",
        "The largest score that is reached with chance ½, and its chance.",
        entries({"largest score with chance ½ or more": "254", "chance of 254": ".508"}),
        _start,
        (GAME.id,),
        how="the curve of the start",
    ),
    Claim(
        "pawlewicz.curve-mean",
        "the curve of the start: its mean",
        "The mean of the curve when it is read as a distribution.",
        entries({"mean of the curve read as a distribution": "264.449"}),
        _start,
        (GAME.id,),
        Cost.FULL,
        reasons=(CURVE_IS_RIGHT,),
        how="the sum of the curve over all scores from 1 on",
    ),
    Claim(
        "pawlewicz.window",
        "the curve of the start: its window",
        "The scores of the start that are stored when values within 2^-32 of 0 and 1 are cut, and the size of the whole"
        " table.",
        entries(
            {"first score of the window": "80", "last score of the window": "1062", "all values, 10^9 bytes": "1.3"}
        ),
        _window,
        (GAME.id,),
        Cost.FULL,
        how="all curves in double precision, cut after every die, at 8 bytes a value",
    ),
    Claim(
        "pawlewicz.tails",
        "very high scores",
        "The best chance of 500, 600, 700, 800 and 1000: from the start, after 50 in Yahtzee in turn one, and after"
        " 66666 in sixes in turn two as well (180 points).",
        entries(
            {
                f"{name}: {target}": text
                for name, (_, texts) in TAILS.items()
                for target, text in zip(TARGETS, texts, strict=True)
                if (name, target) != ("start", 1000)
            }
        ),
        _tails,
        (GAME.id,),
        how="the curves of three sheets",
    ),
    Claim(
        "pawlewicz.tail-1000",
        "very high scores: 1000 from the start",
        "The best chance of 1000 from the start.",
        entries({"start: 1000": "1.9e-08"}),
        _tails,
        (GAME.id,),
        Cost.FULL,
        reasons=(
            Reason(
                "His cut of values below 2^-32 takes a little away on the way. With the cuts that give his window, what"
                " is left is his figure.",
                (Entry("chance of 1000, cut as his", Print("1.9e-08")),),
                _window,
            ),
        ),
        how="the curve of the start",
    ),
    Claim(
        "pawlewicz.four-moves",
        "a position in which each move is best for some aim",
        "Open: ones, threes, four of a kind, full house; 170 points, upper sum 51, nothing in Yahtzee. The dice are"
        " lost in print; 1-3-3-4-6 fits. Expected final score and best chance of 200, 207, 242, 251 after each move.",
        entries(
            {
                f"{move}: {name}": text
                for move, texts in FOUR_MOVES.items()
                for name, text in zip(("expected", *(f"at least {aim}" for aim in AIMS)), texts, strict=True)
            }
        ),
        _four_moves,
        (GAME.id,),
        how="every move under five objectives",
    ),
    Claim(
        "pawlewicz.best-for-an-aim",
        "the same position: the best move for each aim",
        "The move that is best for each aim.",
        entries(
            {
                "expected": "ones",
                "at least 200": "threes",
                "at least 207": "full-house",
                "at least 242": "four-of-a-kind",
                "at least 251": "ones",
            }
        ),
        _best_for_an_aim,
        (GAME.id,),
        how="the best of the figures above",
    ),
    Claim(
        "pawlewicz.times",
        "the tables",
        "What the tables of one player took on a Pentium 4 with 2.8 GHz.",
        entries(
            {
                "to make that of distributions": "6 hours",
                "one turn, at most": "150 ms",
                "table of expected scores": "35 s",
            }
        ),
        unchecked="Times of his program on his machine; ours are in docs/benchmarks.md.",
    ),
)
