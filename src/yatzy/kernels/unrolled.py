"""The sweeps of a turn with five six-sided dice, written out as straight-line code.

The sweeps of kernels/turn.py read the lattice from tables: for every row there is an index to load and a loop to run,
and a row is loaded once for every keep that it belongs to. Here the lattice is known when the code is made, so that

    - a row has a fixed offset, and there are no indices, loops or branches;
    - keeps that extend the same smaller keep are computed together, and rows that they share are loaded once;
    - keeps of at most two dice stay in registers from the sweep down to the sweep up;
    - the last maximum of a roll and its weight in the mean are one step, with the sums of eight groups side by side.

The operations and the order of the additions are the same as in kernels/turn.py, and so is every bit of the result.

Cost for 16 lanes of singles (64 bytes: one AVX-512 or two AVX2 registers): 2 · 1,050 + 252 additions, 2 · 1,260 maxima
and 672 multiplications. Additions and maxima share the units of a core, which take one vector of 64 bytes a cycle: at
least 4,872 cycles. Loads, one such vector a cycle, are 4,100 (6,200 if every operand were loaded). Measured on a core
of an AMD EPYC 9004: 5,300 to 5,700 cycles, 85 to 92 % of that limit; from tables 10,000. With AVX2 alone, 7,200 and
10,900.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise
from math import comb, factorial, prod
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

DICE, FACES = 5, 6
KEEPS = comb(DICE + FACES, DICE)
"""All keeps; together with FACES this number determines the lattice."""
IN_REGISTERS = 2
"""Keeps of at most this many dice are not stored between the sweeps: 28 vectors."""
GROUP = 16
"""Rolls that are added up before their sum is added to the mean; as in `sweep_turn`."""
SIDE_BY_SIDE = 8
"""Groups that are added up at the same time, because an addition has to wait for the one before it."""
PASS_BYTES = 64
"""The part of a row that is swept at a time: a cache line, which is also the widest register."""

_int64 = ir.IntType(64)
_Keep = tuple[int, ...]


def _lattice() -> list[_Keep]:
    """The keeps in the order of model/lattice.py, which a test compares."""
    keeps = [keep for size in range(DICE + 1) for keep in combinations_with_replacement(range(FACES), size)]
    return sorted(keeps, key=lambda keep: (len(keep), len(set(keep)), keep))


_keeps = _lattice()
_row = {keep: row for row, keep in enumerate(_keeps)}
_level = [range(a, b) for a, b in pairwise([0, *(comb(size + FACES, FACES) for size in range(DICE + 1))])]
_rolls = _level[DICE]


def _extended(row: int) -> list[int]:
    """The rows with one die more, by its face."""
    return [_row[tuple(sorted((*_keeps[row], face)))] for face in range(FACES)]


def _parts(row: int) -> list[int]:
    """The rows with one die less, by its face."""
    keep = _keeps[row]
    return [_row[keep[: keep.index(face)] + keep[keep.index(face) + 1 :]] for face in sorted(set(keep))]


def _blocks(size: int, more: int) -> list[list[int]]:
    """The keeps of a size in blocks; those of a block extend the same keep by `more` dice."""
    blocks, left = list[list[int]](), set(_level[size])
    reached = [{base} for base in _level[size - more]]
    for _ in range(more):
        reached = [{to for row in rows for to in _extended(row)} for rows in reached]
    while left:
        block = max((sorted(rows & left) for rows in reached), key=len)
        blocks.append(block)
        left -= set(block)
    return blocks


class _Code:
    """Straight-line code on the rows at an address."""

    def __init__(self, builder: Any, address: Any, element: Any, row_bytes: int) -> None:
        self.builder, self.element = builder, element
        self.lanes = PASS_BYTES // (8 if element == ir.DoubleType() else 4)
        self.vector = ir.VectorType(element, self.lanes)
        self._base = builder.inttoptr(address, self.vector.as_pointer())
        self._stride = row_bytes // PASS_BYTES

    def _at(self, row: int) -> Any:
        return self.builder.gep(self._base, [ir.Constant(_int64, row * self._stride)])

    def load(self, row: int) -> Any:
        value = self.builder.load(self._at(row))
        value.align = PASS_BYTES
        return value

    def store(self, row: int, value: Any) -> None:
        self.builder.store(value, self._at(row)).align = PASS_BYTES

    def broadcast(self, number: float) -> Any:
        rounded = number if self.element == ir.DoubleType() else float(np.float32(number))
        return ir.Constant(self.vector, [ir.Constant(self.element, rounded)] * self.lanes)

    def add_up(self, values: list[Any]) -> Any:
        total = values[0]
        for value in values[1:]:
            total = self.builder.fadd(total, value)
        return total

    def maximum(self, best: Any, values: list[Any]) -> Any:
        for value in values:
            best = self.builder.select(self.builder.fcmp_ordered(">", best, value), best, value)
        return best

    def end_block(self) -> None:
        """Keep the compiler from moving or merging loads across this point: it would run out of registers."""
        self.builder.fence("seq_cst", targetscope="singlethread")


def _write_reroll(code: _Code) -> None:
    """From the values of the rolls after a reroll to the best of the keeps before it."""
    for size in range(DICE - 1, IN_REGISTERS, -1):
        for block in _blocks(size, 1):
            rows = {row: code.load(row) for row in dict.fromkeys(row for keep in block for row in _extended(keep))}
            for keep in block:
                code.store(keep, code.add_up([rows[row] for row in _extended(keep)]))
            code.end_block()
    rows = {row: code.load(row) for row in _level[IN_REGISTERS + 1]}
    for size in range(IN_REGISTERS, -1, -1):
        rows |= {keep: code.add_up([rows[row] for row in _extended(keep)]) for keep in _level[size]}
    for size in range(IN_REGISTERS + 1):
        for keep in _level[size]:
            mean = code.builder.fmul(rows[keep], code.broadcast(FACES ** (size - DICE)))
            rows[keep] = code.maximum(mean, [rows[row] for row in _parts(keep)])
            code.store(keep, rows[keep])
    code.end_block()
    for size in range(IN_REGISTERS + 1, DICE):
        _write_best(code, size, FACES ** (size - DICE))


def _write_best(code: _Code, size: int, share: float | None) -> None:
    """The best of the keeps of a size and of their parts; sums are multiplied by `share` first."""
    for block in _blocks(size, 2):
        used = [row for keep in block for row in _parts(keep)]
        shared = {row: code.load(row) for row in dict.fromkeys(used) if used.count(row) > 1}
        for keep in block:
            value = code.load(keep)
            if share is not None:
                value = code.builder.fmul(value, code.broadcast(share))
            parts = [shared[row] if row in shared else code.load(row) for row in _parts(keep)]
            code.store(keep, code.maximum(value, parts))
        code.end_block()


def _write_mean(code: _Code) -> None:
    """The best of the rolls, and in row 0 their mean."""
    groups = [_rolls[first : first + GROUP] for first in range(0, len(_rolls), GROUP)]
    mean = code.broadcast(0.0)
    for first in range(0, len(groups), SIDE_BY_SIDE):
        some = groups[first : first + SIDE_BY_SIDE]
        totals = [code.broadcast(0.0)] * len(some)
        for place in range(GROUP):
            for i, group in enumerate(some):
                if place < len(group):
                    roll = group[place]
                    best = code.maximum(code.load(roll), [code.load(row) for row in _parts(roll)])
                    code.store(roll, best)
                    weighted = code.builder.fmul(best, code.broadcast(_chance(_keeps[roll])))
                    totals[i] = code.builder.fadd(totals[i], weighted)
            code.end_block()
        mean = code.add_up([mean, *totals])
    code.store(0, mean)


def _chance(roll: _Keep) -> float:
    """The chance of a roll."""
    ways = factorial(DICE) // prod(factorial(roll.count(face)) for face in set(roll))
    return float(np.float64(ways) / float(FACES**DICE))


def _function(module: Any, name: str, kind: Any, write: Any) -> Any:
    """A function of the address of the rows; made once in a module."""
    name = f"yatzy.{name}.{kind.name}"
    if name not in module.globals:
        made = ir.Function(module, ir.FunctionType(ir.VoidType(), [_int64]), name)
        made.linkage = "internal"
        made.attributes.add("noinline")
        builder = ir.IRBuilder(made.append_basic_block())
        write(_Code(builder, made.args[0], kind.element, kind.width * kind.size))
        builder.ret_void()
    return module.globals[name]


@intrinsic
def sweep_five_dice(_context: Any, base: Any, rerolls: Any) -> Any:
    """Like `turn.sweep_turn` without a cut, for five six-sided dice and at least one reroll."""
    kind = base.kind

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        keeps, rolls, mean = (
            _function(builder.module, name, kind, write)
            for name, write in (
                ("reroll", _write_reroll),
                ("rolls", lambda code: _write_best(code, DICE, None)),
                ("mean", _write_mean),
            )
        )
        for first in range(0, kind.width * kind.size, PASS_BYTES):
            address = builder.add(args[0], ir.Constant(_int64, first))
            before = builder.block
            loop, again, done = (builder.append_basic_block(name) for name in ("reroll", "again", "done"))
            builder.branch(loop)
            builder.position_at_end(loop)
            left = builder.phi(_int64)
            left.add_incoming(args[1], before)
            builder.call(keeps, [address])
            fewer = builder.sub(left, ir.Constant(_int64, 1))
            builder.cbranch(builder.icmp_signed(">", fewer, ir.Constant(_int64, 0)), again, done)
            builder.position_at_end(again)
            builder.call(rolls, [address])
            left.add_incoming(fewer, again)
            builder.branch(loop)
            builder.position_at_end(done)
            builder.call(mean, [address])
        return context.get_dummy_value()

    return types.void(base, types.int64), emit
