"""Tables and strategy files with right checksums and wrong contents, used by every part of the library.

A file of its own: files with many tests are begun first, and the child processes here would compile every kernel while
the tests beside them do the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.crafted import besiege


@pytest.mark.parametrize("count", [16, pytest.param(200, marks=pytest.mark.slow)])
def test_crafted_files_give_one_line_or_legal_play(count: int, tmp_path: Path) -> None:
    tally = besiege(0, count, tmp_path)
    assert tally.bad == []
    assert tally.counts["played"] + tally.counts["refused"] == count
    assert min(tally.counts["played"], tally.counts["refused"]) > count / 8
