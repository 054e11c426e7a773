"""Revisions: which code computed what is on the disk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Computation:
    """A kind of computation whose results are stored, declared beside the code that computes them.

    Raise `revision` by 1 in the commit that makes the same question give another answer, or another layout of the
    stored answer. Results of other revisions are then computed again; those of other computations stay valid.
    """

    name: str
    """Part of file names: lowercase letters and hyphens."""
    revision: int = 1
    uses: tuple[Computation, ...] = ()
    """Computations whose results go into this one. When one of their revisions rises, this result is outdated too."""

    @property
    def revisions(self) -> dict[str, int]:
        """The revision of this computation and of all that it uses, by name."""
        found = {self.name: self.revision}
        for used in self.uses:
            found |= used.revisions
        return dict(sorted(found.items()))

    @property
    def total(self) -> int:
        """One number for all of `revisions`: 1 at first, and higher whenever one of them rises."""
        return 1 + sum(revision - 1 for revision in self.revisions.values())
