"""Glenn 2006: the size of the game, and what single turns bring."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import prod

from yatzy import Position, Sheet, count_game, load_game
from yatzy.games import reachable_sums
from yatzy_papers.claims import Claim, Computed, Figures, Reason, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun

PRINTED = read_passages("glenn")
PLAIN = load_game("yahtzee-plain")
THRESHOLD = 63
"""Upper sums above it count as this one."""


def _scores() -> dict[str, set[int]]:
    """By category: the points that it can hold."""
    rolls = list(combinations_with_replacement(range(1, PLAIN.faces + 1), PLAIN.dice))
    return {category.id: set(map(category.score, rolls)) for category in PLAIN.categories}


def _highest() -> int:
    assert PLAIN.bonus is not None
    return PLAIN.bonus.points + sum(map(max, _scores().values()))


def _unreachable(last: int) -> int:
    """The pairs of a set of upper categories and a sum up to `last` that cannot be reached."""
    reached = [reachable_sums(PLAIN, filled) for filled in range(1 << PLAIN.faces)]
    return sum(not sums >> upper & 1 for sums in reached for upper in range(last + 1))


def _counts(run: PaperRun) -> Figures:
    found = count_game(PLAIN)
    return {
        "ways to mark the sheet": Computed(prod(1 + len(scores) for scores in _scores().values())),
        "states between turns": Computed(found.states_plain),
        "states of a turn": Computed(1 + found.turn_states),
        "choices of dice to keep": Computed(found.keep_roll_pairs),
        "edges of a turn, at most": Computed(
            found.rolls + 4 * found.keep_roll_pairs + len(PLAIN.categories) * found.rolls
        ),
        "pairs that cannot be reached": Computed(found.upper_pairs - found.upper_pairs_reachable),
        "highest score": Computed(_highest()),
        "differences of two scores": Computed(2 * _highest() + 1),
    }


def _zero_in_chance(run: PaperRun) -> Figures:
    found = _scores() | {"chance": _scores()["chance"] | {0}}
    return {"ways, if chance could hold 0": Computed(prod(1 + len(scores) for scores in found.values()))}


def _below_threshold(run: PaperRun) -> Figures:
    return {"pairs with a sum of at most 62": Computed(_unreachable(THRESHOLD - 1))}


def _alone(run: PaperRun, category: str) -> float:
    """What a category brings in the last turn."""
    sheet = Sheet.of_sums(PLAIN, set(PLAIN.category_index) - {category})
    return run.expected(PLAIN).value(Position((sheet,)))


def _turns(run: PaperRun) -> Figures:
    box = _alone(run, "yahtzee")
    return {
        "expected score without Yahtzee bonuses": Computed(run.value(PLAIN)),
        "chance as the last category, 23⅓ =": Computed(_alone(run, "chance")),
        "Yahtzee as the last category": Computed(box),
        "chance of a one in a turn": Computed(1 - (1 - 1 / PLAIN.faces) ** (PLAIN.dice * PLAIN.rolls)),
        "chance of Yahtzee in a turn": Computed(box / max(_scores()["yahtzee"])),
    }


def _patterns(run: PaperRun) -> Figures:
    """By pattern of a roll: how many rolls have it, and the ways to keep dice of one; the same by dice kept."""
    faces = range(1, PLAIN.faces + 1)
    keeps: dict[str, list[int]] = {}
    for roll in combinations_with_replacement(faces, PLAIN.dice):
        counts = sorted((roll.count(face) for face in set(roll)), reverse=True)
        pattern = "".join(letter * count for letter, count in zip("abcde", counts, strict=False))
        keeps.setdefault(pattern, []).append(prod(1 + count for count in counts))
    found = dict[str, Computed]()
    for pattern, ways in keeps.items():
        (each,) = set(ways)
        found |= {f"{pattern}: rolls": Computed(len(ways)), f"{pattern}: keeps": Computed(each)}
    for kept in range(PLAIN.dice + 1):
        sizes = (len(list(combinations_with_replacement(faces, size))) for size in (kept, PLAIN.dice - kept))
        found |= {
            f"{kept} kept: {what}": Computed(size) for what, size in zip(("keeps", "outcomes"), sizes, strict=True)
        }
    return found


COUNTS = (
    Claim(
        *PRINTED["glenn.patterns"],
        _patterns,
        (PLAIN.id,),
        how="counted",
    ),
    Claim(
        *PRINTED["glenn.counts"],
        _counts,
        (PLAIN.id,),
        reasons=(
            Reason(
                "Chance always pays, so it cannot hold 0, and it has 27 ways and not 28 as three and four of a kind.",
                figures({"ways, if chance could hold 0": "209,193,098,688"}),
                _zero_in_chance,
                of=("ways to mark the sheet",),
            ),
            Reason(
                "The count leaves out the sum 63, which stands for 63 and more: sums of 0 to 62 give the printed"
                " figure. In addition, 42 sets of upper categories cannot reach 63.",
                figures({"pairs with a sum of at most 62": "1,260"}),
                _below_threshold,
                of=("pairs that cannot be reached",),
            ),
        ),
        how="counted",
    ),
    Claim(
        *PRINTED["glenn.turns"],
        _turns,
        (PLAIN.id,),
        how="solved exactly",
    ),
)
