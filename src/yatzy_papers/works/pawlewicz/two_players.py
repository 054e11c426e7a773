"""Positions of two: what they are worth by search and at the optimum, and the judge's formula."""

from __future__ import annotations

from yatzy.games import Position, Score, Sheet, load_game
from yatzy_papers.claims import Claim, Entry, Figure, Figures, Print, Reason, entries
from yatzy_papers.desk import Desk

GAME = load_game("yahtzee-pawlewicz")


def _sheet(open_: str, upper: int, points: int) -> Sheet:
    return Sheet.of_sums(GAME, set(GAME.category_index) - set(open_.split()), upper=upper, points=points)


MOVER = _sheet("threes three-of-a-kind full-house large-straight chance", 59, 111)
OPPONENT = _sheet("sixes four-of-a-kind small-straight large-straight yahtzee", 34, 102)
WHICH_ZERO = Position((MOVER, OPPONENT), (1, 1, 2, 4, 6), 0)
ZEROS = ("full-house", "large-straight")
SEARCHED = {
    "expected": ("215.178", "212.067"),
    "EMP(1)": (".807", ".797"),
    "EMP(2)": (".811", ".802"),
    "EMP(3)": (".803", ".798"),
    "EMP(4)": (".807", ".804"),
    "EMP(5)": (".795", ".798"),
    "optimum": (".788", ".802"),
}
NEAR_THE_END = Position(
    (_sheet("three-of-a-kind yahtzee", 51, 198), _sheet("fours yahtzee", 39, 205)), (2, 2, 2, 3, 5), 0
)
LAST_CHANCE = _sheet("chance", 63, 200)


def _which_zero(desk: Desk) -> Figures:
    found: dict[str, Figure] = {}
    for name in SEARCHED:
        if name == "expected":
            entries_ = desk.expected(GAME.id).moves(Position((MOVER,), WHICH_ZERO.dice, 0))
        else:
            depth = 10 if name == "optimum" else int(name[4:-1])
            entries_ = desk.search(GAME.id, f"match:emp:{depth}").moves(WHICH_ZERO)
        for entry in entries_:
            if isinstance(entry.move, Score):
                found[f"{entry.move.category}: {name}"] = Figure(entry.value)
    return found


def _near_the_end(desk: Desk) -> Figures:
    mover = NEAR_THE_END.sheets[0]
    points = desk.expected(GAME.id).moves(Position((mover,), NEAR_THE_END.dice, 0))
    best = desk.search(GAME.id, "match:emp:4").answer(NEAR_THE_END)
    assert best.exact
    found = {f"{e.move.category}: expected": Figure(e.value) for e in points if isinstance(e.move, Score)}
    return found | {f"{e.move.category}: optimum": Figure(e.value) for e in best.moves if isinstance(e.move, Score)}


def _last_chance(desk: Desk) -> Figures:
    from yatzy.matches.values import SmallMatch

    position = Position((LAST_CHANCE, LAST_CHANCE))
    return {"who moves second": Figure(1 - SmallMatch(position).value(position))}


def _judge(desk: Desk) -> dict[str, float]:
    """What the formula gives to two equal players, with either sign between the two chances."""
    curve = desk.chances(GAME.id).curve(Sheet.start(GAME))
    here = curve.between(0, curve.high + 1)
    mass, after = here[:-1] - here[1:], here[1:]
    return {sign: float(mass @ (1 - 0.5 * (here[:-1] + way * after))) for sign, way in (("+", 1), ("−", -1))}


def _sign(desk: Desk) -> Figures:
    found = _judge(desk)
    return {"the sign": Figure(min(found, key=lambda sign: abs(found[sign] - 0.5)))}


def _both_signs(desk: Desk) -> Figures:
    found = _judge(desk)
    return {"two equal players get, with +": Figure(found["+"]), "with −": Figure(found["−"])}


TWO_PLAYERS = (
    Claim(
        "pawlewicz.which-zero",
        "a position of two with ten open categories",
        "Full house or large straight with 0: the expected score, EMP(1) to EMP(5) and the optimum. The dice are lost"
        " in print; 1-1-2-4-6 fits.",
        entries(
            {f"{move}: {name}": texts[place] for name, texts in SEARCHED.items() for place, move in enumerate(ZEROS)}
        ),
        _which_zero,
        (GAME.id,),
        how="searches of so many turns; with all ten the search is the optimum",
    ),
    Claim(
        "pawlewicz.near-the-end",
        "a position of two with four open categories",
        "Three of a kind or Yahtzee: the expected score and the optimum. The dice are lost in print; 2-2-2-3-5 fits.",
        entries(
            {
                "three-of-a-kind: expected": "214.301",
                "yahtzee: expected": "213.195",
                "three-of-a-kind: optimum": ".130",
                "yahtzee: optimum": ".540",
            }
        ),
        _near_the_end,
        (GAME.id,),
        how="a search to the end of the game",
    ),
    Claim(
        "pawlewicz.last-chance",
        "both have only chance open, and equal points",
        "What the one who moves second is worth.",
        entries({"who moves second": ".518"}),
        _last_chance,
        (GAME.id,),
        how="the optimum, solved on demand",
    ),
    Claim(
        "pawlewicz.judge",
        "the algorithm EvalEMP",
        "The sign between the chances of at least x and of at least x + 1 of an opponent.",
        (Entry("the sign", Print("−")),),
        _sign,
        (GAME.id,),
        reasons=(
            Reason(
                "A slip of the pen. Two players who are equal have half a match point each, which the formula gives"
                " with a plus alone; and with it every position that he prints comes out.",
                (
                    Entry("two equal players get, with +", Print(".50000")),
                    Entry("with −", Print("> .9")),
                ),
                _both_signs,
            ),
        ),
        how="the sign with which the formula gives ½ to two equal players at the start",
    ),
)
