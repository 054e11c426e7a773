"""Tables as LaTeX: escaped, aligned, and with captions."""

from __future__ import annotations

from yatzy.report.document import Heading, Marked, Paragraph, Table
from yatzy.report.latex import latex_text, to_latex


def test_tables_with_their_headings() -> None:
    table = Table(
        ("", "mean"), (("a_b", "1.5 ± 0.1"), ("all", "2")), frozenset({0}), rules=frozenset({1}), strong=frozenset({1})
    )
    written = to_latex(
        [Heading("Study", 1), Heading("Numbers"), Paragraph("not a table"), table, Heading("More"), table]
    )
    assert "not a table" not in written
    assert written.count(r"\begin{table}") == written.count(r"\end{table}") == 2
    assert r"\caption{Study: Numbers}" in written
    assert r"\caption{Study: More}" in written
    assert r"\begin{tabular}{lr}" in written
    assert r"    a\_b & 1.5 $\pm$ 0.1 \\" in written
    assert "    \\midrule\n    \\textbf{all} & \\textbf{2} \\\\" in written


def test_special_characters_cannot_run_commands() -> None:
    assert latex_text(r"\input{x} 50% & #1_$~^") == (
        r"\textbackslash{}input\{x\} 50\% \& \#1\_\$\textasciitilde{}\textasciicircum{}"
    )
    assert latex_text(Marked(r"`a_b` and *so* \x")) == r"\texttt{a\_b} and \emph{so} \textbackslash{}x"
    assert latex_text(r"`a` *b*") == "`a` *b*"


def test_bars_are_left_out() -> None:
    table = Table(("x", "bar", "y"), (("1", "███", "2"),), frozenset(), title="T", bars=frozenset({1}))
    assert "█" not in to_latex([table])
    assert r"    1 & 2 \\" in to_latex([table])
