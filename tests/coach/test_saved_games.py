"""Saved games on the disk: names that are taken, checksums, the last good copy, and what killed programs leave."""

from __future__ import annotations

import io
import json
import os
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from yatzy import load_game
from yatzy.cli.app import run
from yatzy.coach.play import saved
from yatzy.coach.play.opponents import Opponents
from yatzy.coach.play.saved import (
    BACKUP,
    STALE,
    SUFFIX,
    backup_path,
    delete_game,
    read_game,
    reserve,
    reserve_new_path,
    saved_games,
)
from yatzy.coach.play.session import Session
from yatzy.coach.quizzes import results
from yatzy.errors import InputError, RecordError
from yatzy.games import Keep, Player, Position, Record
from yatzy.games.record_text import with_check
from yatzy.solver import Solver
from yatzy.store.files import file_time, write_atomic
from yatzy.store.kept import KeptLog

TWO = load_game("two-yatzy")
ANN = (Player("Ann"),)


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games for this test."""
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path / "games"))
    monkeypatch.setattr(saved, "_cleaned", set())
    return tmp_path / "games"


def played(path: Path, steps: int = 3) -> Session:
    """A game saved after each of some steps."""
    session = Session.new(TWO, ANN, seed=4)
    session.autosave = path
    for _ in range(steps):
        session.roll() if session.awaits_roll else session.play(Keep(()))
    return session


def type_in(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes from standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))


def play(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as left:
        run(["play", "--game", "two-yatzy", *map(str, arguments)])
    assert isinstance(left.value.code, int)
    return left.value.code


# ---------------------------------------------------------------- names


def test_many_games_that_begin_at_the_same_moment_get_names_of_their_own(games: Path) -> None:
    record = Session.new(TWO, ANN).record
    with ThreadPoolExecutor(16) as pool:
        paths = list(pool.map(lambda _: reserve_new_path(record), range(64)))
    assert len(set(paths)) == 64
    assert all(path.exists() for path in paths)
    first = min(paths, key=lambda path: len(path.name)).stem
    assert {path.stem for path in paths} == {first, *(f"{first}-{number}" for number in range(2, 65))}


def test_two_new_games_of_one_player_are_both_kept() -> None:
    first, second = Session.new(TWO, ANN, 1), Session.new(TWO, ANN, 2)
    first.save_in_new_file()
    second.save_in_new_file()
    assert first.autosave != second.autosave
    first.roll()
    second.roll()
    assert (first.trouble, second.trouble) == (None, None)
    assert {one.record for one in saved_games()} == {first.record, second.record}


def test_a_game_that_another_program_saved_first_is_not_overwritten(games: Path) -> None:
    """Two games with one name and no reservation, as two servers would open them."""
    first, second = Session.new(TWO, ANN, 1), Session.new(TWO, ANN, 2)
    first.autosave = second.autosave = games / f"game{SUFFIX}"
    first.roll()
    second.roll()
    assert first.trouble is None
    assert second.trouble is not None
    assert "another program" in second.trouble
    assert read_game(games / f"game{SUFFIX}") == first.record


def test_nothing_stays_of_a_game_in_which_nothing_was_played(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in("q\n", monkeypatch)
    assert play() == 0
    assert list(games.iterdir()) == []
    assert play("--save", games / "mine") == 0  # standard input has ended
    assert list(games.iterdir()) == []


def test_a_name_that_is_reserved_is_not_listed(games: Path) -> None:
    session = Session.new(TWO, ANN, 1)
    session.save_in_new_file()
    assert saved_games() == []
    session.roll()
    assert [one.record for one in saved_games()] == [session.record]
    session.close()
    assert [one.record for one in saved_games()] == [session.record]


def test_a_name_is_taken_once(games: Path) -> None:
    assert reserve(games / "deep" / "game")
    assert not reserve(games / "deep" / "game")
    (games / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        reserve(games / "file" / "game")
    with pytest.raises(InputError, match="cannot be written"):
        reserve(games / ("x" * 300))


def test_a_game_that_cannot_be_saved_ends_with_an_exit_code(
    games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games.write_text("not a folder")
    type_in("\nq\n", monkeypatch)
    assert play("--seed", "1") == 1
    assert "not saved" in capsys.readouterr().out.splitlines()[-1]
    type_in("\nall\nones\n\nall\ntwos\n", monkeypatch)
    assert play("--seed", "1") == 1
    assert "not saved" in capsys.readouterr().out
    type_in("q\n", monkeypatch)
    assert play("--seed", "1") == 0  # nothing was played, so nothing is lost


# ---------------------------------------------------------------- what is left behind


def test_files_of_killed_programs_are_removed_when_they_are_old(games: Path) -> None:
    old = [".2026-11-16-two-yatzy-ann.yatzy.4711.part", ".game.yatzy.bak.x1y2.part", ".quiz-results.jsonl.bak.7.part",
           ".yatzy-0123456789abcdef-x1_y2.part", "2026-11-16-two-yatzy-bo.yatzy"]  # fmt: skip
    kept = ["notes.part", ".other.part", "mine.yatzy", "2026-11-16-two-yatzy-cid.yatzy"]
    games.mkdir()
    for name in (*old, *kept):
        (games / name).write_text("")
    (games / "2026-11-16-two-yatzy-cid.yatzy.bak").write_text("a game whose file was emptied")
    for path in games.iterdir():
        os.utime(path, (time.time() - STALE - 60,) * 2)
    young = games / ".2026-11-16-two-yatzy-dan.yatzy.4711.part"
    young.write_text("")
    session = played(games / f"game{SUFFIX}", 1)
    assert session.trouble is None
    left = {path.name for path in games.iterdir()}
    assert not left & set(old)
    assert left >= {*kept, young.name}


def test_times_that_no_calendar_has() -> None:
    """Most file systems do not keep such times, but some do."""
    assert file_time(10.0**12).astimezone().year == 9999
    assert file_time(-(10.0**12)).isoformat() == "0001-01-02T00:00:00+00:00"
    assert file_time(10.0**12).isoformat() == "9999-12-30T00:00:00+00:00"
    assert file_time(0.0).astimezone().year in (1969, 1970)


@pytest.mark.parametrize("seconds", [10**12, -(10**12), 2**62, -1])
def test_odd_times_of_files_do_not_break_the_list(games: Path, seconds: int) -> None:
    session = played(games / f"game{SUFFIX}")
    try:
        os.utime(games / f"game{SUFFIX}", (0, seconds))
    except OverflowError:
        pytest.skip("this system has no such time")
    found = saved_games()
    assert [one.record for one in found] == [session.record]
    assert found[0].date == session.record.date
    broken = games / "broken.yatzy"
    broken.write_text("no game")
    os.utime(broken, (0, seconds))
    assert {str(one.date)[:1] for one in saved_games()}  # the date of one that cannot be read is its file's


# ---------------------------------------------------------------- checksums


def test_a_saved_game_carries_a_checksum_and_a_shared_record_none(games: Path) -> None:
    session = played(games / f"game{SUFFIX}")
    text = (games / f"game{SUFFIX}").read_text()
    assert text == with_check(str(session.record))
    assert text.startswith("check: ")
    assert Record.parse(text) == Record.parse(str(session.record)) == session.record
    assert Record.parse(text.replace("\n", "\r\n")) == session.record
    assert Record.parse("\ufeff" + text) == session.record
    assert "check" not in str(session.record)


def test_a_saved_game_without_a_checksum_still_loads(games: Path) -> None:
    games.mkdir()
    record = played(games / f"game{SUFFIX}").record
    (games / "old.yatzy").write_text(str(record))
    assert Session.load(games / "old.yatzy").record == record


def test_a_changed_record_says_what_to_do(games: Path) -> None:
    text = with_check("game: two-yatzy\nplayer: Ann\n\n1: 11 ones 2\n")
    with pytest.raises(RecordError, match=r"line 1: check: this record was damaged or changed .* remove this line"):
        Record.parse(text.replace("Ann", "Bob"))
    assert Record.parse(text.replace("Ann", "Bob").partition("\n")[2]).players == (Player("Bob"),)
    with pytest.raises(RecordError, match="line 2: check: belongs on the first line"):
        Record.parse("game: two-yatzy\n" + text.splitlines()[0])


def test_no_flip_and_no_cut_of_a_saved_game_goes_unnoticed(games: Path) -> None:
    path, rng = games / f"game{SUFFIX}", random.Random(1)
    record = played(path).record
    data = path.read_bytes()
    backup_path(path).unlink()
    broken = [data[:size] for size in range(len(data))]
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << rng.randrange(8)
        broken.append(bytes(flipped))
    refused = 0
    for one in broken:
        path.write_bytes(one)
        try:
            found = read_game(path)
        except InputError:
            refused += 1
        else:  # such as the key of the checksum made a comment
            assert found == record, one
    assert refused > 0.95 * len(broken)


def test_a_damaged_game_names_its_last_good_copy(games: Path) -> None:
    path = games / f"game{SUFFIX}"
    session = Session.new(TWO, ANN, 4)
    session.autosave = path
    session.roll()
    assert not backup_path(path).exists()
    before = session.record
    session.play(Keep(()))
    assert read_game(backup_path(path)) == before
    assert [one.path for one in saved_games()] == [path]  # the copy is no game of its own
    for damage in (b"", path.read_bytes()[:-5], b"\xff" * 100):
        path.write_bytes(damage)
        with pytest.raises(InputError) as caught:
            Session.load(path)
        message = str(caught.value)
        assert f"yatzy play --resume {backup_path(path)} --save NEW-FILE" in message
        assert len(message.splitlines()) == 1
        assert [one.record for one in saved_games()] == [None]
    path.unlink()
    resumed = Session.load(backup_path(path))
    assert resumed.record == before


def test_one_copy_is_kept_of_each_game(games: Path) -> None:
    session = Session.new(TWO, ANN, 4)
    session.autosave = games / f"game{SUFFIX}"
    for _ in range(5):
        session.roll()
        session.undo()
    assert {path.name for path in games.iterdir()} == {f"game{SUFFIX}", f"game{SUFFIX}{BACKUP}"}


def test_the_copy_is_the_version_before_wherever_files_cannot_have_two_names(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(*_: object) -> None:
        raise PermissionError

    for linking in (True, False):
        if not linking:
            monkeypatch.setattr(os, "link", no_link)
        path = games / f"linking-{linking}.yatzy"
        session = played(path, 2)
        before = path.read_bytes()
        session.roll() if session.awaits_roll else session.play(Keep(()))
        assert backup_path(path).read_bytes() == before != path.read_bytes()
        assert not path.samefile(backup_path(path)), "what is written into the game does not change its copy"
    assert not list(games.glob(".*")), "nothing else is left"


def test_a_kill_between_backup_and_save_leaves_no_file_behind(games: Path) -> None:
    path = games / "killed.yatzy"
    session = played(path, 2)
    backup_path(path).unlink(missing_ok=True)
    os.link(path, backup_path(path))  # as a kill leaves them: the backup is made, the new version not yet written
    before = path.read_bytes()
    session.roll() if session.awaits_roll else session.play(Keep(()))
    assert backup_path(path).read_bytes() == before != path.read_bytes()
    assert not list(games.glob(".*")), "nothing else is left"


def test_a_keep_and_its_roll_are_saved_once(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (Session.new(load_game("yatzy"), [Player("Ann")], seed=7) for _ in range(2))
    written = list[Path]()

    def write(path: Path, data: bytes, *, tidy: bool) -> None:
        written.append(path)
        write_atomic(path, data, tidy=tidy)

    one.autosave = games / "one.yatzy"
    monkeypatch.setattr(saved, "write_atomic", write)
    for session in (one, other):
        session.roll()
    written.clear()
    one.play_and_roll(Keep(one.position.dice[:2]))
    other.play(Keep(other.position.dice[:2]))
    other.roll()
    assert str(one.record) == str(other.record)
    assert len(written) == 1
    one.play_and_roll(Keep(one.position.dice))  # nothing is left to roll
    assert not one.awaits_roll
    assert one.position.rolls_left == 0


def test_a_damaged_file_does_not_replace_the_good_copy(games: Path) -> None:
    path = games / f"game{SUFFIX}"
    session = played(path, 2)
    good = backup_path(path).read_bytes()
    path.write_bytes(path.read_bytes()[:-9])
    session.undo()
    assert session.trouble is not None
    assert backup_path(path).read_bytes() == good


# ---------------------------------------------------------------- answers to quizzes


def answer(number: int) -> results.KeptAnswer:
    return results.KeptAnswer(
        "q",
        "2026-11-16T10:00:00+00:00",
        "two-yatzy",
        "expected",
        "points",
        20,
        number,
        "p",
        "ones",
        "ones",
        0.5,
        "best",
    )


def write_answers(path: Path, numbers: range) -> None:
    """Answers as they are kept."""
    for number in numbers:
        KeptLog(path, results.MOST_BYTES).append(asdict(answer(number)))


def test_a_changed_answer_is_passed_over_and_taken_from_the_copy(games: Path) -> None:
    path = results.results_path()
    write_answers(path, range(1, 6))
    assert [len(quiz.answers) for quiz in results.read_results().quizzes] == [5]
    log = KeptLog(path, results.MOST_BYTES)
    log.back_up(results._is_answer)
    write_answers(path, range(6, 8))
    sound = path.read_text()
    path.write_text(
        sound.replace('"number": 3, "position": "p", "move": "ones"', '"number": 3, "position": "p", "move": "twos"')
    )
    history = results.read_results()
    assert (history.unreadable, history.restored) == (1, 1)
    assert sorted(one.number for one in history.quizzes[0].answers) == [1, 2, 3, 4, 5, 6, 7]
    assert {one.move for one in history.quizzes[0].answers} == {"ones"}
    log.back_up(results._is_answer)  # the file is damaged, so the copy stays as it is
    assert backup_path(path).read_text() == "".join(sound.splitlines(keepends=True)[:5])


def test_answers_without_a_checksum_still_count(games: Path) -> None:
    path = results.results_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(answer(1))) + "\n")
    write_answers(path, range(2, 3))
    history = results.read_results()
    assert (history.unreadable, len(history.quizzes[0].answers)) == (0, 2)


def test_endless_answers_are_refused(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST_BYTES", 1000)
    write_answers(results.results_path(), range(1, 10))
    with pytest.raises(InputError, match="has more than 1,000 bytes"):
        results.read_results()


def test_a_name_that_was_reserved_and_never_used_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "game.yatzy"
    assert saved.reserve(path)
    with pytest.raises(InputError, match="is empty: a game was started there and nothing was played; remove it"):
        saved.read_game(path)


def test_a_file_of_more_than_four_megabytes_is_not_read_as_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.yatzy"
    path.touch()
    os.truncate(path, 4_000_000)
    assert len(saved.read_bytes(path)) == 4_000_000
    os.truncate(path, 4_000_001)
    with pytest.raises(InputError, match="has more than 4,000,000 bytes, too many for a record of a game"):
        saved.read_game(path)


@pytest.mark.parametrize("backup", [True, False])
def test_a_deleted_game_leaves_nothing_behind(backup: bool, games: Path) -> None:
    path, other = games / f"a{SUFFIX}", games / f"b{SUFFIX}"
    games.mkdir()
    for one in (path, other):
        played(one)
    assert backup_path(path).exists()
    if not backup:
        backup_path(path).unlink()
    delete_game(path)
    assert not path.exists()
    assert not backup_path(path).exists()
    assert other.exists()
    assert backup_path(other).exists()
    with pytest.raises(InputError, match="cannot be deleted"):
        delete_game(path)


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX systems")
def test_a_backup_may_be_a_link_to_another_place(games: Path, tmp_path: Path) -> None:
    path = games / f"a{SUFFIX}"
    games.mkdir()
    session = played(path, 2)
    backup_path(path).replace(tmp_path / "elsewhere")
    backup_path(path).symlink_to(tmp_path / "elsewhere")
    before = path.read_bytes()
    session.roll()
    assert path.read_bytes() != before
    assert (tmp_path / "elsewhere").read_bytes() == before
    assert backup_path(path).is_symlink()


def test_nobody_waits_while_a_step_of_the_computer_is_saved(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, writing, go_on = games / f"game{SUFFIX}", Event(), Event()
    session = Session.new(TWO, [Player("Bo", "greedy")], 1)
    session.save_in_new_file(path)

    def write_slowly(*arguments: Any) -> bytes:
        writing.set()
        assert go_on.wait(60)
        return saved.write_game(*arguments)

    monkeypatch.setattr("yatzy.coach.play.session.write_game", write_slowly)
    with ThreadPoolExecutor(2) as pool:
        step = pool.submit(session.autoplay_step, Opponents(Solver()))
        assert writing.wait(60)

        def undo() -> None:
            with session.unsaved():
                session.undo()

        try:
            pool.submit(undo).result(60)
        finally:
            go_on.set()
        assert step.result(60) is not None
    session.autosave_now()
    assert read_game(path).position == session.position == Position.start(TWO)


def test_a_change_may_be_shown_before_it_is_saved(games: Path) -> None:
    path = games / f"game{SUFFIX}"
    session = played(path, 2)
    before = path.read_bytes()
    with session.unsaved():
        session.undo()
        session.undo()
    assert path.read_bytes() == before
    session.autosave_now()
    assert read_game(path).position == session.position != Record.parse(before.decode()).position
    session.redo()  # saved at once again
    assert read_game(path).position == session.position
