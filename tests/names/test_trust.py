"""What comes as data opens no file, runs no code and searches no deeper than allowed, whichever way it comes in.

The page and the API are in tests/web/test_trust.py; both use the forms below.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from helpers.traps import Traps, record

from yatzy import Origin, Player, load_game, parse_strategy
from yatzy.cli.app import run
from yatzy.coach.play.opponents import Opponents, check_players
from yatzy.coach.play.session import Session
from yatzy.errors import LimitExceeded, NotationError, NotFromData
from yatzy.games import Position
from yatzy.lab.studies.reading import Allowed, read_study
from yatzy.names import Auto, Emp
from yatzy.names.trust import check_origin
from yatzy.solver import solve

TWO = load_game("two-yatzy")


@pytest.fixture
def traps(tmp_path: Path) -> Traps:
    return Traps(tmp_path)


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        run(list(arguments))
    return int(left.value.code or 0)


def test_names_are_data_unless_somebody_says_otherwise(traps: Traps) -> None:
    for form in traps.forms[:5]:
        with pytest.raises(NotFromData):
            parse_strategy(form, TWO)
    with pytest.raises(NotFromData):
        solve(TWO, f"utility:{traps.pipe}")
    assert not traps.was_run
    assert parse_strategy(f"{traps.code}:Trap", TWO, origin=Origin.PERSON).name.endswith("Trap")
    assert traps.was_run


def test_a_name_is_repeated_up_to_a_hundred_letters() -> None:
    whole = "utility:" + "a" * 92
    for name, shown in ((whole, whole), (f"{whole}b", f"{whole}…")):
        with pytest.raises(NotFromData) as refused:
            solve(TWO, name)
        assert str(refused.value).startswith(f"{shown}: reads a file")


@pytest.mark.parametrize(("players", "counted", "most"), [(1, 2, 3), (2, 2, 3), (3, 3, 2), (4, 4, 2), (5, 5, 1)])
def test_a_search_from_data_is_as_deep_as_the_number_of_players_allows(players: int, counted: int, most: int) -> None:
    check_origin(Emp(most), Origin.DATA, players)
    with pytest.raises(LimitExceeded, match=f"with {counted} players at most {most} turns"):
        check_origin(Emp(most + 1), Origin.DATA, players)
    check_origin(Emp(99), Origin.PERSON, players)
    check_origin(Auto(5.0), Origin.DATA, players)
    with pytest.raises(LimitExceeded, match="at most 5 seconds"):
        check_origin(Auto(5.1), Origin.DATA, players)


def test_a_computer_player_of_a_record_is_opened_as_data(traps: Traps) -> None:
    for form in traps.forms:
        session = Session.new(TWO, [Player("Bo", form), Player("Ann")], seed=1)
        with pytest.raises((NotFromData, LimitExceeded)):
            list(session.autoplay(Opponents()))
        with pytest.raises((NotFromData, LimitExceeded), match="yatzy play --resume FILE --computer"):
            check_players(session.players, TWO)
    assert not traps.was_run


def test_resuming_a_record_runs_nothing(traps: Traps, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for form in traps.forms:
        path = tmp_path / "game.yatzy"
        path.write_text(record(form))
        assert command("play", "--resume", str(path)) == 2
        said = capsys.readouterr()
        assert said.err.count("\n") == 1
        assert "Bo plays" in said.err
        assert "--computer" in said.err
        assert path.read_text() == record(form)
    assert not traps.was_run


def test_a_strategy_that_is_named_again_goes_on(
    traps: Traps, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.yatzy"
    path.write_text(record(f"{traps.code}:Trap") + "\n1 Ann: 12 (2) 22 twos 4\n")
    assert command("play", "--resume", str(path), "--computer", f"Bo={tmp_path}/other.py:Trap") == 2
    assert "in this game Bo plays" in capsys.readouterr().err
    assert command("play", "--resume", str(path), "--computer", f"Cy={traps.code}:Trap") == 2
    assert "is not a computer player of this game" in capsys.readouterr().err
    assert not traps.was_run
    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        typed = f"Bo={traps.code}:Trap"
        assert command("play", "--resume", str(path), "--computer", typed) == 0
    assert f"--computer {typed}" in capsys.readouterr().out  # how to go on says it again
    assert traps.was_run


@pytest.mark.parametrize("how", [("review",), ("quiz", "--answers", "-", "--from")])
def test_a_review_or_a_quiz_never_opens_a_player(
    traps: Traps, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: tuple[str, ...]
) -> None:
    # There the name is only text: the record of a game against one's own strategy can be reviewed.
    for form in traps.forms:
        path = tmp_path / "game.yatzy"
        path.write_text(record(form) + "\n1 Ann: 12 (2) 22 twos 4\n1 Bo: 12 (2) 22 twos 4\n")
        command(*how, str(path))
        assert "Traceback" not in capsys.readouterr().err
    assert not traps.was_run


def test_a_study_runs_and_reads_only_what_is_allowed(
    traps: Traps, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "study.toml"

    def study(strategy: str, game: str = "two-yatzy") -> None:
        path.write_text(f'games = ["{game}"]\nstrategies = ["{strategy}"]\ncount = 5\n')

    for form, flag in zip(
        traps.forms, ["--allow-code", *["--allow-files"] * 3, "--allow-code", *[""] * 4], strict=True
    ):
        study(form)
        assert command("study", str(path), "--out", str(tmp_path / "out")) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert flag in said
    study("greedy", "../outside.toml")
    assert command("study", str(path)) == 2
    assert "outside the folder" in capsys.readouterr().err
    assert not traps.was_run
    study(f"{traps.code.name}:Trap")
    assert read_study(path, Allowed(code=True)).cells[0].choice.origin is Origin.PERSON
    assert traps.was_run


def test_ten_thousand_players_are_refused() -> None:
    with pytest.raises(NotationError, match="more than 20 players"):
        Position.parse("two-yatzy" + "~s." * 5_000)
    with pytest.raises(NotationError, match="too many"):
        Position.parse("two-yatzy" + "~s." * 10_000)
