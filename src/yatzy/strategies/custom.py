"""A strategy of the user's own: a class or function in a Python file, `my_file.py:MyStrategy`.

    class MyStrategy:
        def move(self, position):
            ...
            return Keep(...)            # or Score(...), or the same as text: "55", "-", "chance"

`move` may take a second argument, the dice after the earlier rolls of the turn. Instead of `move` a class may define
`weights(position)`, a list of (move, weight), to choose moves at random. The class is created without arguments, or
with the game if its constructor takes one. A function is called the same way; what it returns is used like an instance
of a class, for example `override(solve(game), rule)`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os.path
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from yatzy.errors import InputError, NotationError, StrategyError, YatzyError
from yatzy.games import Game, Keep, Move, Position, Score
from yatzy.names import Custom, Origin
from yatzy.strategies.base import Earlier, MixedStrategy, Strategy
from yatzy.strategies.output import printing_to_stderr
from yatzy.strategies.user_code import count_arguments, error_text

if TYPE_CHECKING:
    from yatzy.values.opening import Opening


_MODULE = "yatzy_own_"
"""What the names of modules begin with that are loaded from files."""


def open_custom(solver: Opening, game: Game, name: Custom, origin: Origin) -> Strategy:
    """`FILE.py:CLASS`."""
    return _load_class(name, game)


def check_custom(name: Custom, game: Game) -> None:
    """Refuse a class that cannot be loaded; this runs its file."""
    _load_class(name, game)


def is_from_file(strategy: Strategy) -> bool:
    """Whether the class of a strategy is in a file of the user's own; its name may be that of any strategy."""
    return type(strategy).__module__.startswith(_MODULE)


def _load_class(name: Custom, game: Game) -> Strategy:
    text, path = str(name), Path(name.path)
    if not os.path.isfile(path):  # Path.is_file raises if the name is too long
        raise InputError("{text}: there is no file {path}", text=text, path=name.path)
    found = getattr(_load(text, path), name.class_name, None)
    if not (inspect.isclass(found) or inspect.isfunction(found)):
        raise InputError(
            "{text}: {path} has no class or function {class_name}",
            text=text,
            path=path.name,
            class_name=name.class_name,
        )
    player = _make(text, found, game)
    if isinstance(player, Strategy):
        return player
    for kind, method in ((_Own, "move"), (_OwnMixed, "weights")):
        if callable(getattr(player, method, None)):
            return kind(text, game, getattr(player, method))
    raise InputError("{text}: the class must have a method move(position) that returns a move", text=text)


def _load(text: str, path: Path) -> ModuleType:
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    spec = importlib.util.spec_from_file_location(f"{_MODULE}{path.stem}_{digest}", path)
    if spec is None or spec.loader is None:
        raise InputError("{text}: {path} is not a Python file", text=text, path=path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module here
    try:
        with printing_to_stderr():
            spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(
            "{text}: {path} cannot be loaded: {error}", text=text, path=path, error=error_text(error)
        ) from None
    return module


def _make(text: str, found: Callable[..., Any], game: Game) -> Any:
    try:
        with printing_to_stderr():
            return found(*((game,) if count_arguments(found) else ()))
    except YatzyError:
        raise
    except Exception as error:
        raise InputError("{text}: cannot be created: {error}", text=text, error=error_text(error)) from None


class _Asked:
    """A method of the user's class, called with its errors and results checked."""

    remembers: bool
    name: str
    game: Game

    def _prepare(self, name: str, game: Game, method: Callable[..., Any]) -> None:
        self.name, self.game, self._method = name, game, method
        self.remembers = count_arguments(method) > 1

    def _ask(self, position: Position, earlier: Earlier) -> Any:
        try:
            with printing_to_stderr():
                return self._method(position, earlier) if self.remembers else self._method(position)
        except Exception as error:
            raise StrategyError(
                "{name}: {error} in {position}", name=self.name, error=error_text(error), position=position
            ) from None

    def _move(self, position: Position, answer: Any) -> Move:
        if isinstance(answer, Keep | Score):
            return answer
        try:
            return position.game.parse_move(answer if isinstance(answer, str) else "")
        except NotationError:
            raise StrategyError(
                "{name}: {answer!r} is not a move, in {position}", name=self.name, answer=answer, position=position
            ) from None


class _Own(_Asked, Strategy):
    """A strategy with the user's method `move`."""

    def __init__(self, name: str, game: Game, method: Callable[..., Any]) -> None:
        self._prepare(name, game, method)

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The user's move."""
        return self._move(position, self._ask(position, earlier))


class _OwnMixed(_Asked, MixedStrategy):
    """A strategy with the user's method `weights`."""

    def __init__(self, name: str, game: Game, method: Callable[..., Any]) -> None:
        self._prepare(name, game, method)

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """The user's moves, with weights normalised to a sum of 1."""
        try:
            entries = [(self._move(position, move), float(weight)) for move, weight in self._ask(position, earlier)]
        except (TypeError, ValueError):
            raise StrategyError(
                "{name}: weights must be a list of (move, weight), in {position}", name=self.name, position=position
            ) from None
        total = sum(weight for _, weight in entries)
        if not total > 0 or min(weight for _, weight in entries) < 0:
            raise StrategyError("{name}: weights must be positive, in {position}", name=self.name, position=position)
        return [(move, weight / total) for move, weight in entries]
