"""Computer players: strategies by name, including those for several players, each opened once.

Besides the strategies that play alone there are the searches that take all sheets into account, `match:emp:D`,
`match:dyns:D` and `match:auto[:SECONDS]`, and `softened:FIRMNESS:match:…`, the same with occasional errors. Firmness is
per unit of value: points for play by points, match points for a search.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from yatzy.errors import LimitExceeded, NotFromData
from yatzy.games import Dice, Game, Move, Player, Position
from yatzy.names import Origin, StrategyName, check_name, check_origin, parse_strategy
from yatzy.solver import Solver
from yatzy.strategies.base import Strategy, checked_move

Draw: TypeAlias = Callable[[Position, Sequence[tuple[Move, float]]], Move]
"""A function that picks one of several moves by their chances."""


class Opponents:
    """The computer players of any number of games; thread-safe."""

    def __init__(self, solver: Solver | None = None, typed: Iterable[str] = ()) -> None:
        """typed: names that the user typed. All other names come from records and are opened as data."""
        self._solver = solver or Solver()
        self._typed = frozenset(name.strip() for name in typed)

    def move(self, name: str, position: Position, earlier: tuple[Dice, ...], draw: Draw) -> Move:
        """The move of a computer player in a position; an illegal move of a custom strategy raises."""
        strategy = self.strategy(name, position.game, len(position.sheets))
        if strategy.mixed:
            move = draw(position, strategy.weights(position, earlier))
        else:
            move = strategy.move(position, earlier)
        checked_move(strategy, position, move)
        return move

    def strategy(self, name: str, game: Game, players: int = 1) -> Strategy:
        """The strategy with a name; missing tables are made."""
        name = name.strip()
        return self._solver.once(game, (name, self.origin(name)), lambda: self._open(name, game, players))

    def _open(self, text: str, game: Game, players: int) -> Strategy:
        origin = self.origin(text)
        name = check_strategy(text, game, players, origin)
        return self._solver.strategy(game, name, origin, players)

    def origin(self, name: str) -> Origin:
        """Whether the user typed a name or it comes from a record."""
        return Origin.PERSON if name.strip() in self._typed else Origin.DATA


def check_strategy(text: str, game: Game, players: int = 1, origin: Origin = Origin.DATA) -> StrategyName:
    """Parse and check a strategy. One that cannot play here is refused before any table is made for it."""
    name = parse_strategy(text, players)
    check_name(name, game, players, origin)
    if name.reads_file:
        name.check(game)
    return name


def check_players(players: Sequence[Player], game: Game, typed: Iterable[str] = (), source: str = "") -> None:
    """Refuse players with a strategy that must not come from a record; the error names the command that allows it."""
    typed = frozenset(name.strip() for name in typed)
    for player in players:
        if player.strategy is None:
            continue
        origin = Origin.PERSON if player.strategy.strip() in typed else Origin.DATA
        try:
            check_strategy(player.strategy, game, len(players), origin)
        except (NotFromData, LimitExceeded) as error:
            how = resume_command(source or "FILE", players)
            raise type(error)(
                "{name} plays {error}; if you trust it: {command}", name=player.name, error=error, command=how
            ) from None


def resume_command(file: str, players: Sequence[Player]) -> str:
    """The command that resumes a saved game. It repeats the strategies that must not come from a record."""
    parts = ["yatzy", "play", "--resume", file]
    for player in players:
        if player.strategy is not None:
            try:
                check_origin(parse_strategy(player.strategy), Origin.DATA, len(players))
            except (NotFromData, LimitExceeded):
                parts += ["--computer", f"{player.name}={player.strategy}"]
    return shlex.join(parts)
