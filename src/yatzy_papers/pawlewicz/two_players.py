"""Positions of two players: their values by search and at the optimum, and the formula for leaves."""

from __future__ import annotations

from yatzy import Position, Score, Sheet, load_game
from yatzy.matches import SmallMatch
from yatzy_papers.claims import Claim, Computed, Figures, Reason, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun

PRINTED = read_passages("pawlewicz")
GAME = load_game("yahtzee-pawlewicz")


def _sheet(open_: str, upper: int, points: int) -> Sheet:
    return Sheet.of_sums(GAME, set(GAME.category_index) - set(open_.split()), upper=upper, points=points)


MOVER = _sheet("threes three-of-a-kind full-house large-straight chance", 59, 111)
OPPONENT = _sheet("sixes four-of-a-kind small-straight large-straight yahtzee", 34, 102)
WHICH_ZERO = Position((MOVER, OPPONENT), (1, 1, 2, 4, 6), 0)
SEARCHED = ("expected", "EMP(1)", "EMP(2)", "EMP(3)", "EMP(4)", "EMP(5)", "optimum")
NEAR_THE_END = Position(
    (_sheet("three-of-a-kind yahtzee", 51, 198), _sheet("fours yahtzee", 39, 205)), (2, 2, 2, 3, 5), 0
)
LAST_CHANCE = _sheet("chance", 63, 200)


def _which_zero(run: PaperRun) -> Figures:
    found: dict[str, Computed] = {}
    for name in SEARCHED:
        if name == "expected":
            entries_ = run.expected(GAME.id).moves(Position((MOVER,), WHICH_ZERO.dice, 0))
        else:
            depth = 10 if name == "optimum" else int(name[4:-1])
            entries_ = run.search(GAME.id, f"match:emp:{depth}").moves(WHICH_ZERO)
        for entry in entries_:
            if isinstance(entry.move, Score):
                found[f"{entry.move.category}: {name}"] = Computed(entry.value)
    return found


def _near_the_end(run: PaperRun) -> Figures:
    mover = NEAR_THE_END.sheets[0]
    points = run.expected(GAME.id).moves(Position((mover,), NEAR_THE_END.dice, 0))
    best = run.search(GAME.id, "match:emp:4").answer(NEAR_THE_END)
    assert best.exact
    found = {f"{e.move.category}: expected": Computed(e.value) for e in points if isinstance(e.move, Score)}
    return found | {f"{e.move.category}: optimum": Computed(e.value) for e in best.moves if isinstance(e.move, Score)}


def _last_chance(run: PaperRun) -> Figures:
    position = Position((LAST_CHANCE, LAST_CHANCE))
    return {"who moves second": Computed(1 - SmallMatch(position).value(position))}


def _judge(run: PaperRun) -> dict[str, float]:
    """The value that the formula gives two equal players, with either sign between the two chances."""
    curve = run.chances(GAME.id).curve(Sheet.start(GAME))
    here = curve.between(0, curve.high + 1)
    mass, after = here[:-1] - here[1:], here[1:]
    return {sign: float(mass @ (1 - 0.5 * (here[:-1] + way * after))) for sign, way in (("+", 1), ("−", -1))}


def _sign(run: PaperRun) -> Figures:
    found = _judge(run)
    return {"the sign": Computed(min(found, key=lambda sign: abs(found[sign] - 0.5)))}


def _both_signs(run: PaperRun) -> Figures:
    found = _judge(run)
    return {"two equal players get, with +": Computed(found["+"]), "with −": Computed(found["−"])}


TWO_PLAYERS = (
    Claim(
        *PRINTED["pawlewicz.which-zero"],
        _which_zero,
        (GAME.id,),
        how="searches of that many turns; a search of all ten is exact",
    ),
    Claim(
        *PRINTED["pawlewicz.near-the-end"],
        _near_the_end,
        (GAME.id,),
        how="a search to the end of the game",
    ),
    Claim(
        *PRINTED["pawlewicz.last-chance"],
        _last_chance,
        (GAME.id,),
        how="the exact value, solved on demand",
    ),
    Claim(
        *PRINTED["pawlewicz.judge"],
        _sign,
        (GAME.id,),
        reasons=(
            Reason(
                "A typing error. Two equal players have half a match point each, and the formula gives this only with"
                " a plus. With the plus, all his printed positions are reproduced.",
                figures(
                    {
                        "two equal players get, with +": ".50000",
                        "with −": "> .9",
                    }
                ),
                _both_signs,
            ),
        ),
        how="the sign for which the formula gives ½ to two equal players at the start",
    ),
)
