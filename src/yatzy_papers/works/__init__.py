"""All publications, in the order of the report."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy.errors import InputError
from yatzy_papers.claims import Work


def all_works() -> dict[str, Work]:
    """The publications, and what is new, by id."""
    from yatzy_papers.works import cited, henriksson_engstrom, molinder, new, pawlewicz, tillius

    works = (tillius.WORK, pawlewicz.WORK, henriksson_engstrom.WORK, molinder.WORK, cited.WORK, new.WORK)
    return {work.id: work for work in works}


def find_works(names: Sequence[str]) -> list[Work]:
    """The works with these ids, in the order of the report; all of them without any."""
    known = all_works()
    for name in names:
        if name not in known:
            raise InputError(f"there is no work {name!r}; works are {', '.join(known)}")
    return [work for id, work in known.items() if not names or id in names]
