"""The kinds of tables, each with the revision of the code that builds it.

They are defined here rather than next to the solvers, so that checking whether a table is on disk does not load the
solver. A custom solver declares its kind with `declare`, in its own module.
"""

from __future__ import annotations

from yatzy.games import Game
from yatzy.store import TableKey
from yatzy.store.revisions import Computation

_KINDS = dict[str, Computation]()


def declare(kind: Computation) -> Computation:
    """Register a kind of table. Its name is the part of the table's objective before the first colon."""
    _KINDS[kind.name] = kind
    return kind


EXPECTED = declare(Computation("expected"))
CURVES = declare(Computation("chances"))
EXPONENTIAL = declare(Computation("exp"))
UTILITY = declare(Computation("utility"))
OUTLOOK = declare(Computation("outlook", uses=(EXPECTED,)))
ENDGAMES = declare(Computation("match-points"))
EXPORTED = declare(Computation("strategy"))
"""A strategy file. It belongs to the user who exported it: only its layout matters, not what it was made from."""


def kind_of(objective: str) -> str:
    """The name of the kind of a table."""
    return objective.partition(":")[0]


def table_key(game: Game, objective: str, layers: int = 1) -> TableKey:
    """The key of a table of the current revision. Its file name does not depend on `layers`."""
    kind = _KINDS.get(kind_of(objective))
    return TableKey(game.id, game.hash, objective, layers, 1 if kind is None else kind.total)
