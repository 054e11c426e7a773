"""Documents as Markdown, HTML and in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from yatzy.report.document import (
    Bars,
    Block,
    Code,
    Figure,
    Heading,
    Items,
    Marked,
    Paragraph,
    Table,
    code_text,
    marked_table,
    to_html,
    to_markdown,
)
from yatzy.report.terminal import print_blocks


def test_marked_text_has_code_and_stress() -> None:
    blocks: list[Block] = [
        Heading(Marked("T"), 1),
        Paragraph(Marked("a `b` <c> *d* 2 * 3 * 4")),
        marked_table(("x", "y"), [("1", "2")]),
    ]
    assert to_markdown(blocks) == "# T\n\na `b` <c> *d* 2 * 3 * 4\n\n| x | y |\n| --- | ---: |\n| 1 | 2 |\n"
    html = to_html(blocks, "T")
    assert "<p>a <code>b</code> &lt;c&gt; <em>d</em> 2 * 3 * 4</p>" in html
    assert '<td class="word">1</td><td>2</td>' in html


def test_plain_text_is_never_a_mark() -> None:
    blocks: list[Block] = [Paragraph("a `b` <c> *d*")]
    assert to_markdown(blocks) == "a \\`b\\` \\<c\\> \\*d\\*\n"
    assert "<p>a `b` &lt;c&gt; *d*</p>" in to_html(blocks, "T")


def test_figures_are_named_from_where_the_report_is(tmp_path: Path) -> None:
    assert to_markdown([Figure(tmp_path / "figures" / "x.svg", "t")], tmp_path) == "![t](figures/x.svg)\n"
    assert to_markdown([Figure(Path("x.svg"), "t")]) == "![t](x.svg)\n"
    assert to_markdown([Figure(b"<svg/>", "t"), Paragraph("p")]) == "p\n"
    (tmp_path / "x.svg").write_bytes(b"<svg/>")
    for svg in (b"<svg/>", tmp_path / "x.svg"):
        html = to_html([Figure(svg, "<t>", caption=True)], "T")
        assert '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="&lt;t&gt;">' in html
        assert "<figcaption>&lt;t&gt;</figcaption>" in html


def test_lists_code_and_bars() -> None:
    blocks: list[Block] = [Items(("a", "b")), Code("x = 1\n", "toml"), Bars((("up", "+2", 2.0), ("down", "-1", -1.0)))]
    said = to_markdown(blocks)
    assert said.startswith("- a\n- b\n\n```toml\nx = 1\n```\n\n```text\nup    +2  ████")
    assert "░" in said
    assert "<ul><li>a</li><li>b</li></ul>" in to_html(blocks, "T")
    assert code_text("a|b `c`") == "`a¦b ´c´`"


def test_headings_are_linked_from_the_top() -> None:
    html = to_html([Heading("T", 1), Heading("A"), Heading("B", 3)], "T", "sv", contents=True)
    assert '<nav><a href="#b1">A</a></nav>' in html
    assert '<html lang="sv">' in html


def test_tables_stand_out_in_rows_and_drop_bars(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(
        ("name", "", "points"),
        (("a", "███", "1"), ("b", "█", "22")),
        frozenset({0, 1}),
        "Title",
        bars=frozenset({1}),
        strong=frozenset({1}),
        rules=frozenset({1}),
        colours={"22": "good"},
    )
    html = to_html([table], "T")
    assert "█" not in html
    assert '<tr class="strong rule"><td class="word">b</td><td class="good">22</td></tr>' in html
    print_blocks([table, Heading("H"), Items(("one",)), Code("code"), Figure(b"<svg/>", "unseen")])
    shown = capsys.readouterr().out
    assert "███" in shown
    assert [line.split() for line in shown.splitlines() if "22" in line] == [["b", "█", "22"]]
    assert "unseen" not in shown
