"""The numbers in the documents are those of the report, and those of the report are those of the program.

docs/results.json holds all numbers of a full run. The texts must be exactly what these numbers make. Whatever can be
computed in moments is computed again here and compared with the file; `make slow` and `make full` do the rest. So a
number cannot be changed in a text, in the file or in the program without a failing test.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from yatzy import load_game
from yatzy.report.numbers import scientific
from yatzy_papers.claims import Claim, Cost, Table, Verdict
from yatzy_papers.publishing import BEGIN, END, misprints_text, readme_table, results_page, whole_result, with_table
from yatzy_papers.results import figure_rows, read_numbers, revisions
from yatzy_papers.run import PaperRun
from yatzy_papers.works import all_works

ROOT = Path(__file__).parents[2]
NUMBERS = read_numbers(ROOT / "docs" / "results.json")
REGRET = read_numbers(ROOT / "docs" / "regret.json")
WORKS = all_works().values()
CLAIMS = {claim.key: claim for work in WORKS for claim in work.claims if claim.compute is not None}
TABLES = {table.key: table for work in WORKS for table in work.tables}
QUICK = [claim for claim in CLAIMS.values() if claim.cost is Cost.QUICK and not claim.varies]
MOMENTS = {"tillius.expected", "tillius.perfect", "tillius.end-position", "tillius.where-to-put", "tillius.two-yatzy",
           "tillius.game-6", "tillius.game-7", "pawlewicz.counts", "pawlewicz.expected", "pawlewicz.pairs",
           "henriksson.file", "henriksson.counts", "henriksson.probabilities",
           "larsson-sjoberg", "jendeberg-wiksten", "felldin-sood"}  # fmt: skip
"""Claims and tables that need no curves of a large game and no exact distribution, which take a minute and more."""
LONG = {"new.presets", "new.rolls", "new.rules"}
"""Tables of a quick run that take more than moments; the means in them are in tests/test_docs.py."""
QUICK_TABLES = [
    table for table in TABLES.values() if table.cost is Cost.QUICK and not table.varies and table.key not in LONG
]


def by_time(some: Sequence[Claim] | Sequence[Table]) -> list[ParameterSet]:
    """Each by its key; what takes more than moments is slow."""
    return [pytest.param(one, id=one.key, marks=() if one.key in MOMENTS else pytest.mark.slow) for one in some]


def figures_shown() -> dict[str, Path]:
    text = (ROOT / "docs" / "results.md").read_text("utf-8")
    return {path.stem: Path(path.name) for path in (ROOT / "docs").glob("*.svg") if f"({path.name})" in text}


def same(ours: Any, kept: Any) -> bool:
    """Equal but for rounding: curves are in single precision, and sums may be added up in another order."""
    if isinstance(ours, float) and isinstance(kept, float | int):
        return ours == pytest.approx(kept, rel=2e-6, abs=1e-9)
    if isinstance(ours, list | tuple) and isinstance(kept, list):
        return len(ours) == len(kept) and all(map(same, ours, kept))
    return bool(ours == kept)


def test_the_file_is_of_a_full_run_of_this_code() -> None:
    assert NUMBERS["revisions"] == revisions(tuple(WORKS)), "a revision was raised; run python docs/make.py results"
    assert NUMBERS["effort"] == "full"
    assert NUMBERS["games"] == {id: load_game(id).hash for id in NUMBERS["games"]}
    assert set(NUMBERS["claims"]) == set(CLAIMS)
    assert set(NUMBERS["tables"]) == set(TABLES)
    for key, claim in CLAIMS.items():
        assert [row[0] for row in NUMBERS["claims"][key]["figures"]] == [one.name for one in claim.printed]


def test_everything_is_settled() -> None:
    findings = whole_result(NUMBERS, {}).findings
    assert [finding.claim.key for finding in findings if not finding.settled] == []
    assert not any(finding.verdict is Verdict.WAITING for finding in findings)


def test_results_are_what_the_numbers_make() -> None:
    text = (ROOT / "docs" / "results.md").read_text("utf-8")
    assert text == results_page(NUMBERS, figures_shown(), REGRET), "run python docs/make.py results-text"


def test_whole_games_are_in_the_results_with_the_command_that_measures_them() -> None:
    text = (ROOT / "docs" / "results.md").read_text("utf-8").partition("## Whole games of two\n")[2]
    assert f"yatzy match regret {REGRET['game']} --games {REGRET['games']} --seed {REGRET['seed']}" in text
    assert len(REGRET["strategies"]) > 3
    for name, one in REGRET["strategies"].items():
        assert f"| `{name}` | {one['loss']['value']:.6f} ± {one['loss']['error']:.6f} |" in text
        assert scientific(one["moves"][0]["value"], 2) in text
        assert abs(one["apart"]) < 4
        start = (one["first"]["value"] + one["second"]["value"]) / 2
        assert one["foreseen"]["value"] == pytest.approx(start - one["loss"]["value"], abs=1e-12)


def test_misprints_are_what_the_numbers_make() -> None:
    text = (ROOT / "docs" / "misprints.md").read_text("utf-8")
    assert text == misprints_text(NUMBERS), "run python docs/make.py results-text"


def test_the_table_of_the_readme_is_what_the_numbers_make() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert (readme.count(BEGIN), readme.count(END)) == (1, 1)
    assert readme == with_table(readme, readme_table(NUMBERS)), "run python docs/make.py results-text"


def test_the_readme_counts_what_is_in_print() -> None:
    """In the sentence below its table: the last row of the inventory in results.md, its last two columns."""
    text = (ROOT / "docs" / "results.md").read_text("utf-8").partition("### Inventory")[2]
    *_, missing, total = next(line for line in text.splitlines() if line.startswith("| all ")).strip("| ").split(" | ")
    assert f"lists {total} figures, drawings, games and rules in print; {missing} of them" in readme_table(NUMBERS)


def test_so_many_figures_are_measured_that_four_standard_errors_are_allowed() -> None:
    """docs/papers.md: more than a hundred, of which about five would be two standard errors away by chance."""
    rows = [row for claim in NUMBERS["claims"].values() for row in claim["figures"]]
    measured = sum(any(row[2:]) for row in rows)
    assert measured > 100
    assert round(measured * math.erfc(2 / math.sqrt(2))) == 5
    text = (ROOT / "docs" / "papers.md").read_text("utf-8").replace("\n", " ")
    assert "more than a hundred figures in print are measured, and with two standard errors about five" in text


def test_forced_decisions_would_lower_the_error_of_the_strategy_for_points() -> None:
    """What is said of E: a third of the decisions at depths 1 and 2 are forced and lose nothing."""
    lines = (ROOT / "docs" / "strength.md").read_text("utf-8").splitlines()
    by_depth = next(line for line in lines if line.startswith("| expected | ") and "±" in line)
    first, second = (float(cell.split(" ±")[0]) for cell in by_depth.split(" | ")[1:3])
    measured = {row[0]: row[1] for row in NUMBERS["claims"]["pawlewicz.mean-errors"]["figures"]}
    mean = measured["E, the solitaire strategy"] - (first + second) / 3 / 8
    assert f"E would lose {mean:.5f}".replace("0.", ".") in CLAIMS["pawlewicz.mean-errors"].how


def test_six_people_were_lucky() -> None:
    """What is said of Jendeberg & Wikstén's people: how far 300 games are above the best strategy."""
    people = next(claim for work in WORKS for claim in work.claims if claim.key == "jendeberg-wiksten-people")
    _, mean, sd, *_ = next(row for row in NUMBERS["tables"]["new.presets"] if row[0] == "`yatzy`")
    above = (people.printed[0].value - mean) / (sd / math.sqrt(300))
    assert f"{above:.1f} standard errors" in people.unchecked


NEW_PRESET = """
import sys
import pytest
from yatzy import games
from yatzy.games import gamefile

known, own = gamefile.load_preset, games.load_game("examples/cottage-yatzy.toml")
gamefile.PRESETS = games.PRESETS = (*games.PRESETS, own.id)
gamefile.load_preset = games.load_preset = lambda id: own if id == own.id else known(id)

from yatzy_papers.new import SMALL

assert SMALL[-1] == own.id
assert games.load_game(own.id) == own
chosen = ["-k", "file_is_of or numbers_make or show_every_preset"]
sys.exit(pytest.main(["-p", "no:cacheprovider", *chosen, "tests/papers/test_documents.py", "tests/test_docs.py"]))
"""


@pytest.mark.slow
def test_a_new_preset_needs_no_run_before_the_tests_pass() -> None:
    done = subprocess.run([sys.executable, "-c", NEW_PRESET], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("...."), done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> PaperRun:
    return PaperRun(tmp_path_factory.mktemp("papers"))


@pytest.mark.parametrize("claim", by_time(QUICK))
def test_quick_claims_are_computed_again(claim: Claim, run: PaperRun) -> None:
    found = run.figures(claim)
    assert found is not None
    kept = NUMBERS["claims"][claim.key]
    for ours, part in zip(found, ("figures", "evidence"), strict=True):
        known = {row[0]: row for row in figure_rows(ours)}
        for row in kept[part]:
            assert same(known[row[0]], row), (row, known[row[0]])


@pytest.mark.parametrize("table", by_time(QUICK_TABLES))
def test_quick_tables_are_computed_again(table: Table, run: PaperRun) -> None:
    found = run.rows(table)
    assert found is not None
    assert len(found) == len(NUMBERS["tables"][table.key])
    for ours, kept in zip(found, NUMBERS["tables"][table.key], strict=True):
        assert same(ours, kept), (ours, kept)
