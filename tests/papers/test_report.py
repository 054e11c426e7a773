"""The report: what is said of every figure, as Markdown and HTML, and numbers that survive JSON."""

from __future__ import annotations

import json
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from yatzy.errors import InputError
from yatzy.report.document import to_markdown
from yatzy.solver import Solver
from yatzy_papers.claims import Claim, Computed, Cost, Drawing, Printed, Reason, Table, Verdict, Work, figures
from yatzy_papers.report import computed_text, report_blocks
from yatzy_papers.results import from_json, read_numbers, to_json
from yatzy_papers.run import PaperRun, run_papers


def draw(run: PaperRun) -> object:
    from yatzy.lab.plots import new_figure, print_style

    with print_style():
        return new_figure("A figure", "caption")


SLIP = Reason("A slip of <theirs>.", figures({"with the slip": "7.0"}), lambda run: {"with the slip": Computed(7.01)})
WORK = Work(
    "test",
    "Nobody 1900",
    "About `nothing`.",
    (
        Claim(
            "test.good", "Table 1", "All is well.", figures({"a | b": "5.00", "share": "9.9 %"}),
            lambda run: {"a | b": Computed(5.001), "share": Computed(0.0991)}, how="counted",
        ),
        Claim("test.bad", "Table 2", "Not so.", figures({"c": "7.0"}), lambda run: {"c": Computed(8.0)},
              reasons=(SLIP,), how="counted"),
        Claim("test.none", "Table 3", "People.", figures({"d": "3 to 4"}), unchecked="Nobody knows."),
        Claim("test.later", "Table 4", "Long.", figures({"e": "1"}), lambda run: {"e": Computed(1)}, cost=Cost.FULL,
              how="counted"),
    ),
    (Table("test.table", "New", "It.", ("game", "value"), ("", ".2f"), lambda run: [["`x`", 1.234], ["`y`", None]]),),
    (Drawing("test-drawing", "A picture", "Figure 9", draw, before="test.bad"),),
)  # fmt: skip


def test_a_run_writes_everything_and_a_second_one_computes_nothing(tmp_path: Path) -> None:
    notes: list[str] = []
    result = run_papers([WORK], tmp_path, Solver(report=notes.append))
    assert [finding.verdict for finding in result.findings] == [
        Verdict.REPRODUCED,
        Verdict.DIFFERS,
        Verdict.UNCHECKED,
        Verdict.WAITING,
    ]
    assert all(finding.settled for finding in result.findings)
    files = {path.name for path in tmp_path.iterdir()}
    assert {"report.md", "report.html", "results.json", "figures"} <= files
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    again = run_papers([WORK], tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert again.findings == result.findings
    assert not notes


def test_markdown_says_it_all(tmp_path: Path) -> None:
    run_papers([WORK], tmp_path)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| a \\| b | 5.00 | 5.0010 | reproduced |" in text
    assert "| share | 9.9 % | 9.910 % | reproduced |" in text
    assert "| c | 7.0 | 8.000 | differs |" in text
    assert "Why: A slip of <theirs>." in text
    assert "| with the slip | 7.0 | 7.010 | holds |" in text
    assert "Cannot be checked. Nobody knows." in text
    assert "| e | 1 |  | only with --full |" in text
    assert "| `x` | 1.23 |\n| `y` |  |" in text
    assert "![A picture (Figure 9)](figures/test-drawing.svg)" in text
    assert "| Nobody 1900 | 2 | 1 | 1 | 1 | 5 |" in text
    assert text.index("test-drawing.svg") < text.index("### Table 2")


@pytest.mark.parametrize(
    ("missing", "said"), [(["networkx"], "Networkx"), (["matplotlib", "networkx"], "Matplotlib and Networkx")]
)
def test_a_missing_extra_is_named_before_anything_is_computed(
    missing: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=rf"the report needs {said}: pip install 'PATH\[papers\]'"):
        run_papers([WORK], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_reason_that_does_not_hold_is_said_to(tmp_path: Path) -> None:
    wrong = Reason("A slip.", figures({"with the slip": "7.0"}), lambda run: {"with the slip": Computed(7.2)})
    claim = Claim("test.wrong", "Table 5", "No.", figures({"c": "7.0"}), lambda run: {"c": Computed(8.0)},
                  reasons=(wrong,), how="counted")  # fmt: skip
    result = run_papers([Work("test", "Nobody", "Nothing.", (claim,))], tmp_path)
    assert not result.findings[0].settled
    assert "| with the slip | 7.0 | 7.200 | does not hold |" in (tmp_path / "report.md").read_text("utf-8")


class Page(HTMLParser):
    """What a page is made of; it must close what it opens and take nothing from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)
        links = [value or "" for name, value in attrs if name in ("src", "href")]
        self.outside += [link for link in links if not link.startswith(("#", "data:image/svg+xml;base64,"))]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_one_file_and_well_formed(tmp_path: Path) -> None:
    run_papers([WORK], tmp_path)
    page = Page()
    page.feed((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert not page.open
    assert not page.outside
    assert "A slip of <theirs>." in page.text
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<theirs>" not in html
    assert html.count("<img src=") == 1
    assert '<td class="bad">differs</td>' in html


def test_numbers_survive_json(tmp_path: Path) -> None:
    result = run_papers([WORK], tmp_path, full=True)
    numbers = read_numbers(tmp_path / "results.json")
    assert numbers == json.loads(json.dumps(to_json(result)))
    pictures = {"test-drawing": tmp_path / "figures" / "test-drawing.svg"}
    again = from_json(numbers, [WORK], pictures)
    assert again.findings == result.findings
    assert to_markdown(report_blocks(again)) == to_markdown(report_blocks(result))


@pytest.mark.parametrize(
    ("text", "figure", "shown"),
    [
        ("248.4400", Computed(248.43998937785), "248.439989"),
        ("1.9e-08", Computed(1.9624e-08), "1.962e-08"),
        ("33,192,583,276", Computed(33192583276), "33,192,583,276"),
        (".00011", Computed(0.000103, 0.0000152), "0.0001030 ± 0.0000152"),
        ("sixes", Computed("four-of-a-kind"), "four-of-a-kind"),
        ("< .03", Computed(0.0240123), "0.02401"),
        ("< 0", Computed(-0.00005), "-5.00e-05"),
        ("< 0", Computed(0.0), "0"),
        ("> 213", Computed(248.43998), "248.4"),
    ],
)
def test_ours_has_two_digits_more(text: str, figure: Computed, shown: str) -> None:
    assert computed_text(Printed("x", text), figure) == shown
