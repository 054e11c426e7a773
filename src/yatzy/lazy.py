"""Lazy imports of a package's public names, so that importing the package is fast.

The package lists each name once, on its own line, where both type checkers and `lazy_names` read it:

    if TYPE_CHECKING:
        from yatzy.lab.duel import PlayOff as PlayOff
        from yatzy.lab.plots import write_figure as write_figure
    else:
        __getattr__, __dir__ = lazy_names(__name__, __file__)

Lines of the same form outside the `if` are imported immediately and are also public. No public name is the name of a
submodule: importing a submodule makes Python set it as an attribute of the package, in place of the name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def lazy_names(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package; they also provide `__all__`."""

    @cache
    def homes() -> dict[str, tuple[str, str]]:
        """Public name -> (module, name in the module)."""
        with open(file, encoding="utf-8") as source:
            lines = [line.split() for line in source]
        return {
            line[5]: (line[1], line[3])
            for line in lines
            if len(line) >= 6 and (line[0], line[2], line[4]) == ("from", "import", "as")
        }

    def get(name: str) -> Any:
        if name == "__all__":
            return sorted(homes())
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, own = homes()[name]
        value = getattr(import_module(module), own)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes(), "__all__"})

    return get, names
