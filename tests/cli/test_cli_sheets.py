"""Filled boxes as an option, in every command that takes a position."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy

GAME = ("--game", "two-yatzy")
ONE = (*GAME, "--sheet", "ones 2")
TEXT = "two-yatzy~s2."
ROLL = ("--dice", "12", "--rolls-left", "1")


@pytest.mark.parametrize(
    ("command", "by_sheet", "by_text"),
    [
        (["advise"], [*ONE, *ROLL], [f"{TEXT}~d12~r1"]),
        (["explain"], [*ONE, *ROLL], [f"{TEXT}~d12~r1"]),
        (["value"], ONE, [TEXT]),
        (["chance", "--at-least", "4"], ONE, [TEXT]),
        (["distribution", "--strategy", "expected"], [*ONE, *ROLL], [f"{TEXT}~d12~r1"]),
        (["match", "advise"], [*ONE, "--sheet", "twos=0", *ROLL], [f"{TEXT}~s.0~d12~r1"]),
    ],
)
def test_a_sheet_and_a_position_say_the_same(command: list[str], by_sheet: list[str], by_text: list[str]) -> None:
    told, wanted = answer(*command, *by_sheet), answer(*command, *by_text)
    for fields in (told, wanted):
        fields.pop("seconds", None)
    assert told == wanted
    assert told["position"] == by_text[0]


def test_play_starts_from_sheets(tmp_path: Path) -> None:
    arguments = ("--player", "Ann", "--player", "Bo", "--sheet", "ones 2", "--sheet", "twos 4", "--seed", "1")
    done = yatzy("play", *GAME, *arguments, "--save", tmp_path / "game", input="\nall\ntwos\n\nall\nones\n")
    assert done.returncode == 0, done.stderr
    assert "position: two-yatzy~s2.~s.4" in (tmp_path / "game").read_text()
    assert yatzy("review", tmp_path / "game").returncode == 0


def test_the_table_says_what_was_assumed() -> None:
    late = ("--open", "sixes,chance", "--dice", "13356", "--rolls-left", "0")
    shown = yatzy("advise", *late)
    assert "Yatzy: 13356, no roll left, upper sum 0 (assumed)" in shown.stdout
    assert "expected points" in shown.stdout
    assert "still to come" in shown.stdout
    assert "final score" not in shown.stdout
    assert "note: the sum of the upper categories is assumed to be 0; give --upper" in shown.stderr
    known = yatzy("advise", *late, "--upper", "45", "--points", "150")
    assert "assumed" not in known.stdout
    assert "expected final score" in known.stdout
    assert known.stderr == ""
    assert "antas vara 0; ange --upper" in yatzy("advise", *late, "--language", "sv").stderr
    assert "(points still to come)" in yatzy("value", "--open", "chance").stdout
    assert "--upper is needed: with ones filled" in refusal("advise", "--filled", "ones", "--dice", "13356")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["advise", *ONE, "--upper", "2"], "give either --sheet or --upper"),
        (["advise", *GAME, "--sheet", "ones"], "--sheet: 'ones' has no points; expected are categories with their"),
        (["advise", *GAME, "--sheet", "ones 3"], "ones: 3 points cannot be made there; possible are 0, 1, 2"),
        (["advise", "ones 3, sixes 24"], "a sheet in words is given with --sheet"),
        (
            ["match", "advise", *ONE, *ROLL],
            "a match needs at least two players; give --sheet for each, or a position such as two",
        ),
        (["play", *ONE, "--player", "A", "--player", "B"], "--sheet: give one for each player, 2 here, not 1"),
        (["play", *ONE, "--resume", "game.yatzy"], "--sheet cannot be combined with --resume"),
    ],
)
def test_wrong_sheets_are_refused(arguments: list[str], says: str) -> None:
    assert says in refusal(*arguments)
