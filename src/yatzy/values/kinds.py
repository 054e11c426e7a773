"""The kinds of tables, each with the revision of the code that makes it.

They stand here and not beside the solvers, so that one can ask whether a table is on the disk without loading the
solver that makes it. A solver of your own declares its kind with `declare`, beside itself.
"""

from __future__ import annotations

from yatzy.games import Game
from yatzy.store import TableKey
from yatzy.store.revisions import Computation

_KINDS = dict[str, Computation]()


def declare(kind: Computation) -> Computation:
    """Register a kind of table. Its name is the objective of its tables, up to the first colon."""
    _KINDS[kind.name] = kind
    return kind


EXPECTED = declare(Computation("expected"))
CURVES = declare(Computation("chances"))
EXPONENTIAL = declare(Computation("exp"))
UTILITY = declare(Computation("utility"))
OUTLOOK = declare(Computation("outlook", uses=(EXPECTED,)))
ENDGAMES = declare(Computation("match-points"))
EXPORTED = declare(Computation("strategy"))
"""A strategy file. It belongs to the person who exported it: only its layout counts, not what it was made from."""


def table_key(game: Game, objective: str, layers: int = 1) -> TableKey:
    """The key of a table of the present revision. Its file name does not depend on `layers`."""
    kind = _KINDS.get(objective.partition(":")[0])
    return TableKey(game.id, game.hash, objective, layers, 1 if kind is None else kind.total)
