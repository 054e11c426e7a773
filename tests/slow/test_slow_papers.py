"""All numbers of the documents computed again: as long as `yatzy papers --full`."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from yatzy_papers.results import figure_rows, read_numbers
from yatzy_papers.run import PaperRun
from yatzy_papers.works import all_works

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]


def test_all_numbers_of_the_documents(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("documents", ROOT / "tests" / "papers" / "test_documents.py")
    assert spec is not None
    assert spec.loader is not None
    documents = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(documents)
    numbers, run = read_numbers(ROOT / "docs" / "results.json"), PaperRun(tmp_path, full=True)
    for work in all_works().values():
        for claim in work.claims:
            if (found := run.figures(claim)) is not None:
                for ours, part in zip(found, ("figures", "evidence"), strict=True):
                    known = {row[0]: row for row in figure_rows(ours)}
                    for row in numbers["claims"][claim.key][part]:
                        assert documents.same(known[row[0]], row), (claim.key, row)
        for table in work.tables:
            rows = run.rows(table)
            assert rows is not None
            known = numbers["tables"][table.key]
            if table.key == "new.presets":  # a preset that is newer than the file has no row in it
                rows = [row for row in rows if row[0] in {line[0] for line in known}]
            assert documents.same(rows, known), table.key
