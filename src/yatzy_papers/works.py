"""All publications, in the order of the report."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy import InputError
from yatzy_papers import beside, cited, glenn, henriksson_engstrom, molinder, new, pawlewicz, tillius
from yatzy_papers.claims import Work


def all_works() -> dict[str, Work]:
    """The publications and the new results, by id."""
    modules = (tillius, pawlewicz, henriksson_engstrom, molinder, cited, glenn, beside, new)
    return {module.WORK.id: module.WORK for module in modules}


def find_works(names: Sequence[str]) -> list[Work]:
    """The works with these ids, in the order of the report; all of them if none is named."""
    known = all_works()
    for name in names:
        if name not in known:
            raise InputError(f"there is no work {name!r}; works are {', '.join(known)}")
    return [work for id, work in known.items() if not names or id in names]
