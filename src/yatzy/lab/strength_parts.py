"""Parts of a measurement of strength: which positions are judged, what is still to be asked, and how it is saved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from yatzy.games import Game, Position
from yatzy.matches.search import MATCH_SEARCH
from yatzy.store import Report
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays, encode_json
from yatzy.store.revisions import Computation
from yatzy.strategies.base import STRATEGIES

STRENGTH = Computation("strength", uses=(MATCH_SEARCH, STRATEGIES))
FIRMNESS = 100.0
OPTIMAL = "optimal values"
"""The part of a block that all strategies share."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """What is not known of a position."""

    position: Position
    strategies: list[int]
    """The strategies whose move is to be found."""
    perfect: bool
    """Whether the optimal values are to be found."""


Answer: TypeAlias = tuple[FloatArray, list[int]]
"""The optimal values of all moves, empty if they were not asked for, and the moves of the strategies."""


@dataclass(slots=True)
class Block:
    """Some positions in a row. Each list may be shorter than the positions, if the rest is not judged yet."""

    texts: list[str]
    values: list[FloatArray]
    """[position][legal move]"""
    chosen: list[list[int]]
    """[strategy][position]: the number of the move."""

    def covers(self, size: int) -> bool:
        """Whether everything is known of the first `size` positions."""
        return min(len(self.texts), *(len(moves) for moves in self.chosen)) >= size

    def cut(self, size: int) -> Block:
        """The first positions."""
        return Block(self.texts[:size], self.values[:size], [moves[:size] for moves in self.chosen])

    def missing(self, positions: Sequence[Position]) -> list[Question]:
        """What is to be asked about the positions of this block."""
        known, begun = len(self.texts), [len(moves) for moves in self.chosen]
        return [
            Question(
                positions[place], [strategy for strategy, number in enumerate(begun) if number <= place], place >= known
            )
            for place in range(min(known, *begun), len(positions))
        ]

    def add(self, asked: Sequence[Question], found: Sequence[Answer]) -> None:
        """Add the answers to all questions."""
        for question, (values, moves) in zip(asked, found, strict=True):
            if question.perfect:
                self.texts.append(str(question.position))
                self.values.append(values)
            for strategy, move in zip(question.strategies, moves, strict=True):
                self.chosen[strategy].append(move)


class Parts:
    """Saved results. For each block of each depth: a file with the optimal values, and one for each strategy."""

    def __init__(self, game: Game, names: tuple[str, ...], seed: int, folder: Path, report: Report | None) -> None:
        self.folder, self._names = folder, names
        self._key = {"game": game.id, "hash": game.hash, "seed": seed, "firmness": FIRMNESS}
        self._kept = KeptResults(folder, STRENGTH, report)
        self._saved: dict[tuple[int, int, str], int] = {}

    def read(self, depth: int, first: int) -> Block:
        """What is saved of a block."""
        texts, values = self._kept.read(self._block(depth, first, OPTIMAL), _decode_values) or ([], [])
        chosen = [self._kept.read(self._block(depth, first, name), _decode_moves) or [] for name in self._names]
        for moves in chosen:
            if any(move >= len(value) for move, value in zip(moves, values, strict=False)):
                moves.clear()
        sizes = {OPTIMAL: len(texts)} | {name: len(moves) for name, moves in zip(self._names, chosen, strict=True)}
        self._saved |= {(depth, first, part): size for part, size in sizes.items()}
        return Block(texts, values, chosen)

    def write(self, depth: int, first: int, block: Block) -> None:
        """Save what was added to a block."""
        for part, moves in zip(self._names, block.chosen, strict=True):
            if len(moves) > self._saved[depth, first, part]:
                self._kept.write(self._block(depth, first, part), encode_json(moves))
        if len(block.texts) > self._saved[depth, first, OPTIMAL]:
            self._kept.write(self._block(depth, first, OPTIMAL), _encode_values(block))

    def _block(self, depth: int, first: int, part: str) -> dict[str, Any]:
        return {**self._key, "part": part, "depth": depth, "first": first}


def _encode_values(block: Block) -> bytes:
    text = "\n".join(block.texts).encode()
    return encode_arrays({
        "text": np.frombuffer(text, np.uint8),
        "moves": np.array([len(values) for values in block.values], np.int64),
        "value": np.concatenate(block.values),
    })  # fmt: skip


def _decode_values(data: bytes) -> tuple[list[str], list[FloatArray]]:
    arrays = decode_arrays(data)
    texts = arrays["text"].tobytes().decode().split("\n")
    values = np.split(arrays["value"], np.cumsum(arrays["moves"])[:-1])
    if len(texts) != len(values):
        raise ValueError
    return texts, values


def _decode_moves(data: bytes) -> list[int]:
    moves: list[int] = json.loads(data)
    if not all(isinstance(move, int) and move >= 0 for move in moves):
        raise ValueError
    return moves
