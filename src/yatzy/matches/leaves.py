"""Evaluates unfinished matches: the best chances P of every player are used as if they were distributions.

P(x) is the best chance of a final score of at least x (values/curves.py). It overestimates the chances of every player.

    EvalEMP   Σ_x (P(x) − P(x + 1)) · worth(x), the expected payoff. worth(x) is the payoff of finishing with exactly
              x when opponent i is above with chance P_i(x + 1), tied with P_i(x) − P_i(x + 1), and otherwise below.
              For match points it is Σ_i (1 − ½(P_i(x) + P_i(x + 1))); for other payoffs the numbers of opponents
              above and tied are accumulated one opponent at a time.
    EvalDynS  max_x: pick a target x and let everyone play for it. The player reaches it with chance P(x) and is then
              behind the opponents who also reach it, each with chance P_i(x); otherwise the player comes last. For
              match points this is max_x P(x) · Σ_i (1 − P_i(x)). It ranks moves but does not estimate the payoff:
              two players in the same position both get less than half.

Curves are cut to a *window* L … T of scores: points below L count as L, points above T as T. This matters only when
two players are both at L or below, or both at T or above, so the window is chosen to make that less likely than
NEGLIGIBLE. Curves are then arrays [sheet, score − L] with one extra score at the end: the first entry is 1, the last 0.

All pairs (a sheet of mine, the sheets of the others) are evaluated with matrix products. Let q be one player and let a
*lane* be one sheet for each other player. The payoff of q is mass_q · worth. The payoff of another player p is a sum
over whether q's score is above, tied with or below p's: q's chance of that, times p's mass, times p's worth in that
case. With match points for more than two players each pair counts separately, and lanes add up their pairs.

Source: J. Pawlewicz, "Nearly optimal computer play in multi-player Yahtzee" (2010). The formula of EvalEMP printed
there has one wrong sign, the one between P_i(x) and P_i(x + 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.names.payoffs import Payoff
from yatzy.values.curves import BestChances
from yatzy.values.threads import run_ranges

NEGLIGIBLE = 1e-7
"""The chance that a window may ignore; it is below single precision."""
STEP = 64
"""Sheets per unit of work."""
FEW = 256
"""Up to this number, only the rows of these curves are read; above it, the range from the first to the last."""

FloatArray = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class SheetSet:
    """Sheets of one player between turns, all with the same number of filled categories."""

    states: npt.NDArray[np.int64]
    points: npt.NDArray[np.int32]
    """[sheet]: points so far"""

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True, slots=True)
class Window:
    """The scores that are distinguished, first and last included."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1


class SheetCurves:
    """The curves of the final scores for a set of sheets."""

    def __init__(self, chances: BestChances, sheets: SheetSet) -> None:
        self.sheets = sheets
        distinct, self._which = np.unique(sheets.states, return_inverse=True)
        self._curves = _read_curves(chances, distinct)
        length = np.diff(self._curves.offset)[self._which]
        low = self._curves.low[self._which] + sheets.points
        self.least, self.most = int(low.min()) - 1, int((low + length).max()) - 1

    def means(self) -> FloatArray:
        """[sheet]: the final score expected from its curve, read as a distribution."""
        total = np.concatenate([[0.0], np.cumsum(self._curves.chance, dtype=np.float64)])
        to_come = self._curves.low - 1 + np.diff(total[self._curves.offset])
        return np.asarray(self.sheets.points + to_come[self._which])

    def ranges(self, first: int, last: int) -> tuple[FloatArray, FloatArray]:
        """The maximum and the minimum over the sheets of the chances of scores `first` to `last`."""
        most, least = np.zeros(last - first + 1), np.ones(last - first + 1)
        kernels.curve_ranges(self._curves, self._which, self.sheets.points, first, most, least)
        return most, least

    def take(self, window: Window, members: Any, dtype: npt.DTypeLike) -> FloatArray:
        """The curves of some of the sheets, cut to a window: [sheet, score]."""
        which, points = self._which[members], self.sheets.points[members]
        at_least = np.empty((len(which), len(window) + 1), dtype)
        kernels.fill_curves(self._curves, which, points, window.first, at_least)
        at_least[:, 0], at_least[:, -1] = 1.0, 0.0
        return at_least


def _read_curves(chances: BestChances, states: npt.NDArray[np.int64]) -> kernels.Curves:
    """The curves of some states of one layer, in ascending order."""
    table, start = chances.table, chances.compiled.states.layer_start
    layer = int(np.searchsorted(start, states[0], side="right")) - 1
    at = states - start[layer]
    if len(states) <= FEW:
        low = table.read_at(layer, "low", at)
        begin, stop = table.read_at(layer, "offset", at[:, None] + np.arange(2)).T
        own = np.concatenate([[0], np.cumsum(stop - begin)])
        rows = np.arange(own[-1]) + np.repeat(begin - own[:-1], stop - begin)
        return kernels.Curves(0, low, own, table.read_at(layer, "chance", rows))
    first, end = int(at[0]), int(at[-1]) + 1
    low = table.read(layer, "low", first, end)[at - first]
    offset = table.read(layer, "offset", first, end + 1)
    # Only the requested windows are used, so each keeps its offset in the range that was read.
    chance = table.read(layer, "chance", int(offset[0]), int(offset[-1]))
    begin, stop = offset[at - first] - offset[0], offset[at - first + 1] - offset[0]
    pieces = [chance[a:b] for a, b in zip(begin.tolist(), stop.tolist(), strict=True)]
    return kernels.Curves(0, low, np.cumsum([0, *map(len, pieces)], dtype=np.int64), np.concatenate(pieces))


def common_window(players: Sequence[SheetCurves]) -> Window:
    """The scores that must be distinguished between these players, for any of their sheets."""
    low, high = min(one.least for one in players), max(one.most for one in players) + 1
    ranges = [one.ranges(low, high) for one in players]
    both_reach = sum(a[0] * b[0] for a, b in combinations(ranges, 2))
    both_miss = sum((1.0 - a[1]) * (1.0 - b[1]) for a, b in combinations(ranges, 2))
    last = low + int(np.argmax(both_reach <= NEGLIGIBLE))
    first = low + int(np.count_nonzero(both_miss <= NEGLIGIBLE)) - 2
    first = max(min(first, last - 1), low)
    return Window(first, max(last, first + 1))


def worth_of_score(payoff: Payoff, opponents: Sequence[FloatArray], above: int = 0, level: int = 0) -> FloatArray:
    """[…, score]: the expected payoff of finishing with exactly this score against curves […, score].

    `above` and `level` count further opponents whose result is known.
    """
    if payoff.step is not None:
        beaten: Any = sum(1.0 - 0.5 * (curve[..., :-1] + curve[..., 1:]) for curve in opponents)
        known = payoff.players - 1 - len(opponents) - above - 0.5 * level
        return np.asarray(payoff.values[-1] + payoff.step * (known + beaten))
    chance: dict[tuple[int, int], Any] = {(above, level): 1.0}
    for curve in opponents:
        ahead, here, behind = curve[..., 1:], curve[..., :-1] - curve[..., 1:], 1.0 - curve[..., :-1]
        counted: dict[tuple[int, int], Any] = {}
        for (a, b), share in chance.items():
            for key, part in (((a + 1, b), ahead), ((a, b + 1), here), ((a, b), behind)):
                counted[key] = counted.get(key, 0.0) + share * part
        chance = counted
    return np.asarray(sum(share * payoff.of_place(*place) for place, share in chance.items()))


def worth_of_target(payoff: Payoff, opponents: Sequence[FloatArray], reached: int = 0) -> FloatArray:
    """[…, score]: the expected payoff of reaching a target that all opponents play for too.

    `reached` counts further opponents who have reached it.
    """
    chance: dict[int, Any] = {reached: 1.0}
    for curve in opponents:
        counted: dict[int, Any] = {}
        for number, share in chance.items():
            counted[number + 1] = counted.get(number + 1, 0.0) + share * curve
            counted[number] = counted.get(number, 0.0) + share * (1.0 - curve)
        chance = counted
    return np.asarray(sum(share * payoff.values[number] for number, share in chance.items()))


def expected_payoff(payoff: Payoff, mine: FloatArray, opponents: Sequence[FloatArray]) -> FloatArray:
    """EvalEMP of curves [score] that start with 1 and end with 0 at the same scores; `mine` may be [curve, score]."""
    return np.asarray((mine[..., :-1] - mine[..., 1:]) @ worth_of_score(payoff, opponents))


def best_target(payoff: Payoff, mine: FloatArray, opponents: Sequence[FloatArray]) -> FloatArray:
    """EvalDynS of curves as in `expected_payoff`."""
    last = payoff.values[-1]
    return np.asarray(last + (mine * (worth_of_target(payoff, opponents) - last)).max(axis=-1))


class Leaves:
    """The values of all leaves of a search: q's sheets against the sheets of the other players.

    A lane is one sheet for each other player; in the lane index, the last player varies fastest.
    """

    def __init__(
        self,
        payoff: Payoff,
        players: Sequence[SheetCurves],
        q: int,
        *,
        by_target: bool,
        dtype: npt.DTypeLike,
        pool: ThreadPoolExecutor | None,
    ) -> None:
        self.payoff, self.players, self.q, self.by_target, self.dtype = payoff, players, q, by_target, dtype
        self.window = common_window(players)
        self._others = [i for i in range(len(players)) if i != q]
        self._shape = tuple(len(players[i].sheets) for i in self._others)
        self._pool = pool

    def values(self, wanted: Sequence[int], lanes: npt.NDArray[np.int64]) -> FloatArray:
        """[player, sheet of q, lane]: the payoffs of the wanted players."""
        members = dict(zip(self._others, np.unravel_index(lanes, self._shape), strict=True))
        out = np.empty((len(wanted), len(self.players[self.q].sheets), len(lanes)), self.dtype)
        if len(self.players) > 2 and self.payoff.step is not None and not self.by_target:
            for value, player in zip(out, wanted, strict=True):
                self._by_pairs(player, members, value)
            return out
        curves = {i: self.players[i].take(self.window, at, self.dtype) for i, at in members.items()}
        for value, player in zip(out, wanted, strict=True):
            rest = [curve for i, curve in curves.items() if i != player]
            if self.by_target:
                self._targets(curves.get(player), rest, value)
            elif player == self.q:
                np.matmul(self._mass, worth_of_score(self.payoff, rest).T, out=value)
            else:
                self._of_another(curves[player], rest, value)
        return out

    @cached_property
    def _mine(self) -> FloatArray:
        return self.players[self.q].take(self.window, slice(None), self.dtype)

    @cached_property
    def _mass(self) -> FloatArray:
        mine = self.players[self.q].take(self.window, slice(None), self.dtype)  # large, and often used only once
        return np.asarray(mine[:, :-1] - mine[:, 1:])

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], FloatArray]:
        """By pair of players, [sheet of the first, sheet of the second]: the chance to win, counting a tie as half."""
        curves = [one.take(self.window, slice(None), self.dtype) for one in self.players]
        beats = {}
        for i, j in combinations(range(len(curves)), 2):
            mass, beaten = curves[i][:, :-1] - curves[i][:, 1:], 1.0 - 0.5 * (curves[j][:, :-1] + curves[j][:, 1:])
            beats[i, j] = mass @ beaten.T
            beats[j, i] = 1.0 - beats[i, j].T
        return beats

    def _by_pairs(self, player: int, members: dict[int, npt.NDArray[np.int64]], value: FloatArray) -> None:
        """EvalEMP where every opponent counts separately."""
        at = members | {self.q: np.arange(len(value))[:, None]}
        value[:] = self.payoff.values[-1]
        for other in at:
            if other != player:
                value += (self.payoff.step or 0.0) * self._pairs[player, other][at[player], at[other]]

    def _of_another(self, curve: FloatArray, rest: list[FloatArray], value: FloatArray) -> None:
        """EvalEMP of a player other than q, who has this curve."""
        mass, mine = curve[:, :-1] - curve[:, 1:], self._mine
        np.matmul(mine[:, 1:], (mass * worth_of_score(self.payoff, rest, above=1)).T, out=value)
        value += self._mass @ (mass * worth_of_score(self.payoff, rest, level=1)).T
        value += (1.0 - mine[:, :-1]) @ (mass * worth_of_score(self.payoff, rest)).T

    def _targets(self, curve: FloatArray | None, rest: list[FloatArray], value: FloatArray) -> None:
        """EvalDynS of q, or of another player with this curve."""
        last = self.payoff.values[-1]
        if curve is None:
            gain = worth_of_target(self.payoff, rest) - last
            base = np.full_like(gain, last)
        else:
            without, beside = worth_of_target(self.payoff, rest), worth_of_target(self.payoff, rest, reached=1)
            base, gain = last + curve * (without - last), curve * (beside - without)
        rows = [np.ascontiguousarray(part.T, self.dtype) for part in (base, gain)]
        mine = self._mine  # computed once, not in every thread
        run_ranges(
            self._pool, lambda low, high: kernels.best_targets(mine, *rows, low, high, value), 0, len(value), STEP
        )
