"""Pasted texts: records, CSV, positions, sheets in words."""

from __future__ import annotations

import pytest

from yatzy.errors import InputError
from yatzy.games import Player, Record, load_preset
from yatzy.games.record_csv import write_csv
from yatzy.web import coaching, limits
from yatzy.web.pasted import read_pasted
from yatzy.web.refusals import TooMuch

RECORD = "game: two-yatzy\nplayer: Ann\n\n1: 12 (1) 12 ones 1\n2: 12 twos 2\n"
YATZY = load_preset("yatzy")


def name(number: int, count: int) -> str:
    return "You" if count == 1 else f"Player {number}"


def paste(text: str) -> list[Record]:
    return read_pasted(text, YATZY, name)


def test_a_record_and_a_csv_of_records() -> None:
    record = Record.parse(RECORD)
    assert paste(RECORD) == [record]
    both = write_csv([record, record])
    assert paste(both) == [record, record]
    assert paste("\ufeff" + both.replace(",", ";")) == [record, record], "as spreadsheets write it"


@pytest.mark.parametrize(
    "text",
    ["ones 3, sixes 24", "Ones: 3\nSixes: 24\n", "ettor 3; sexor 24", "ones=3,sixes=24"],
)
def test_a_sheet_in_words(text: str) -> None:
    (found,) = paste(text)
    assert found.players == (Player("You"),)
    assert found.scores == (27,)
    assert found.position.sheet.boxes == (3, *(None,) * 4, 24, *(None,) * 9)


def test_sheets_of_several_players_in_words() -> None:
    (found,) = paste("Ann: ones 3\n\nBo Ek: ones 4, sixes 18\n")
    assert [player.name for player in found.players] == ["Bo Ek", "Ann"], "Bo has filled more, so he began"
    assert found.scores == (22, 3)
    assert found.position.mover == 1


def test_a_position() -> None:
    (found,) = paste(" yatzy~s3..............~s..............~d13356~r2 ")
    assert [player.name for player in found.players] == ["Player 1", "Player 2"]
    assert str(found.position).endswith("~d13356~r2")


@pytest.mark.parametrize("text", ["nonsense", "", "ones 7", "ones 3, onse 4", "Ann: ones 3\nBo: bananas 4"])
def test_what_cannot_be_read_is_told_with_what_would_be_right(text: str) -> None:
    with pytest.raises(
        InputError, match=r"^this is no record, position or sheet that can be read: sheet.*such as|ones"
    ):
        paste(text)


def test_records_of_more_than_64_kilobytes_are_read_and_larger_ones_refused() -> None:
    notes = "".join(f"note: {'x' * 490}\n" for _ in range(190))
    record = RECORD.replace("\n\n", f"\n{notes}\n", 1)
    assert len(record) > 64 * limits.KIBI
    assert len(paste(record)[0].notes) == 190
    for large in (f"game: yatzy\n{'#' * coaching.RECORD}", f"player,category\n{',' * coaching.RECORD}"):
        with pytest.raises(TooMuch, match="characters"):
            paste(large)


def test_too_many_players_are_refused() -> None:
    with pytest.raises(TooMuch, match="8 players"):
        paste("\n".join(f"P{number}: ones 3" for number in range(9)))
