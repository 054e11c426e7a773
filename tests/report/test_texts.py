"""The texts of all languages: the same keys with the same parameters, plural forms, and numbers as each writes them."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import yatzy.report.texts as home
from yatzy.coach.grades import Grade
from yatzy.report.numbers import amount, count, loss_text, number, percent, precise_text, signed_amount, value_text
from yatzy.report.texts import LANGUAGES, PARTS, read_texts, text, texts
from yatzy.report.words import grade_name, rolls_left
from yatzy.units import Unit

SOURCE = Path(home.__file__).parents[2]
FORMS = ("zero", "one", "other")


def parameters(said: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(said) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts(language: str) -> None:
    for part in PARTS:
        first, ours = read_texts("en", part), read_texts(language, part)
        assert ours.keys() == first.keys()
        for key, said in ours.items():
            assert said, key
            assert parameters(said) == parameters(first[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_written_twice_under_one_key(language: str) -> None:
    parts = [read_texts(language, part) for part in PARTS]
    assert len(texts(language)) == sum(map(len, parts))


def test_every_plural_has_its_forms() -> None:
    keys = read_texts("en", "").keys()
    plural = {key.rpartition(".")[0] for key in keys if key.endswith(".other")}
    assert plural
    for key in plural:
        assert f"{key}.one" in keys


def test_reports_use_known_texts_only() -> None:
    sources = "\n".join(
        path.read_text(encoding="utf-8") for room in ("report", "cli", "web") for path in (SOURCE / room).rglob("*.py")
    )
    known = texts("en")
    for key in re.findall(r'text\(\s*language,\s*"([a-z_.]+)"', sources):
        assert key in known or f"{key}.other" in known, key


WHOLE = {"objective", "objective_long", "played_for", "strategy", "payoff", "figure", "graph_figure", "strength_figure"}
"""Sections that are read as a whole: one text for each objective, strategy or field of a figure."""


def test_no_text_is_left_over() -> None:
    """Every other key stands in the source, as it is or with a part filled in, such as `f"grade.{grade}"`."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    typed = set(re.findall(r'"([a-z_]+(?:\.[a-z_{][^"\n]*)?)"|\'([a-z_]+\.[^\'\n]*)\'', sources))
    said = {one or other for one, other in typed}
    forms = [re.compile(re.sub(r"\\{.*?\\}", "[a-z_.-]+", re.escape(one))) for one in said if "." in one and "{" in one]
    for key in texts("en"):
        names = {key, re.sub(r"\.(zero|one|other)$", "", key)}
        used = names & said or any(form.fullmatch(name) for form in forms for name in names)
        assert used or key.partition(".")[0] in WHOLE, key


def test_numbers_decide_between_singular_and_plural() -> None:
    assert [rolls_left(left) for left in range(4)] == ["no roll left", "1 roll left", "2 rolls left", "3 rolls left"]
    assert [rolls_left(left, "sv") for left in range(3)] == ["inget kast kvar", "1 kast kvar", "2 kast kvar"]
    games = [text("en", "statistics.file", count=games, number=games) for games in (0, 1, 2)]
    assert games == ["0 games", "1 game", "2 games"]


def test_classes_of_moves_differ_in_words() -> None:
    for language in LANGUAGES:
        assert len({grade_name(grade, language) for grade in Grade}) == len(Grade)


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert [number(-1.25, 1, language) for language in LANGUAGES] == ["−1.2", "−1,2", "−1,2"]
    assert number(-0.001, 2) == "0.00"
    assert [count(12345, language) for language in LANGUAGES] == ["12,345", "12\N{NO-BREAK SPACE}345", "12.345"]
    assert (percent(0.5), percent(1e-9), percent(1 - 1e-6), percent(1.0)) == (
        "50.0 %",
        "< 0.1 %",
        "> 99.9 %",
        "100.0 %",
    )


def test_amounts_have_their_unit() -> None:
    assert [amount(0.12345, unit) for unit in Unit] == ["0.12", "12.35 %", "0.1235"]
    assert [signed_amount(value, Unit.POINTS, "sv") for value in (1.5, -1.5, 0.0, -0.0)] == [
        "+1,50", "−1,50", "+0,00", "−0,00"
    ]  # fmt: skip
    assert [value_text(1e-6, unit) for unit in Unit] == ["0.00", "< 0.01 %", "0.0000"]
    assert [precise_text(1.2345678e-6, unit) for unit in Unit] == ["0.0000", "1.2346e-06", "0.0000"]
    assert precise_text(0.25, Unit.CHANCE, "sv") == "25,0000 %"
    assert [loss_text(0.5, unit, "sv") for unit in Unit] == ["0,50 poäng", "50,00 procentenheter", "0,5000"]
