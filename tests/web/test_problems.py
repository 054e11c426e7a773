"""Errors of the page in the language of the reader."""

from __future__ import annotations

import pytest

from yatzy.errors import RecordError, SizeError, TableDamaged
from yatzy.games import load_preset
from yatzy.report.texts import LANGUAGES
from yatzy.web.page.problems import PageError, problem_text
from yatzy.web.refusals import Busy, NotReady
from yatzy.web.tables import State, TableStatus


def test_a_table_that_is_not_ready_is_named_with_its_progress() -> None:
    made = TableStatus(load_preset("maxi-yatzy"), "expected", State.MAKING, 0.25)
    waiting = TableStatus(load_preset("maxi-yatzy"), "exp:0.1", State.WAITING, 0.0)
    error = NotReady("English", [made, waiting])
    assert [problem_text(error, language) for language in LANGUAGES] == [
        "Expected scores · Maxi Yatzy, 25 %; Table · Maxi Yatzy, waiting",
        "Väntade poäng · Maxiyatzy, 25 %; Tabell · Maxiyatzy, väntar",
        "Erwartete Punkte · Maxi-Yatzy, 25 %; Tabelle · Maxi-Yatzy, wartet",
    ]
    assert [one.done for one in error.tables] == [0.25, 0.0]


@pytest.mark.parametrize("error", [RecordError("line 3"), SizeError("line 3"), TableDamaged("line 3"), Busy("line 3")])
def test_errors_that_have_no_translation_begin_in_the_language_of_the_reader(error: Exception) -> None:
    said = [problem_text(error, language) for language in LANGUAGES]  # type: ignore[arg-type]
    assert said[0] == "line 3"
    assert len(set(said)) == len(LANGUAGES)
    assert all(one.endswith("line 3") for one in said)


def test_errors_of_the_page_are_in_english_as_strings() -> None:
    error = PageError("new.same_names")
    assert str(error) == "Two players have the same name."
    assert problem_text(error, "de") == "Zwei Spieler haben denselben Namen."
