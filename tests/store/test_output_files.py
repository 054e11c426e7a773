"""Output files: what they may replace, what is refused before the work, and what is left behind."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import filelock
import pytest
from typer.testing import CliRunner

from yatzy import load_game
from yatzy.cli.app import app
from yatzy.errors import InputError, Message, TableUnwritable
from yatzy.lab import plots
from yatzy.lab.results import MANIFEST, read_games, run_sample, run_to_file
from yatzy.solver import parse_strategy
from yatzy.store import disk, files, pace
from yatzy.store.files import check_target, private_folder, write_atomic
from yatzy.store.locking import table_lock
from yatzy.strategies.exported import export_strategy
from yatzy.values.resources import Resources

LONG = "x" * 300
NULL, FULL = (1, 3), (1, 7)
"""The numbers of the devices null and full, for nodes of our own."""

posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices of POSIX systems")


def node(path: Path, numbers: tuple[int, int]) -> Path:
    """A character device of our own; the real ones are never named in a test."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(*numbers))
        path.open("wb").close()
    except OSError as error:
        pytest.skip(f"no devices can be made here: {error}")
    return path


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_atomic(path, "one")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o640)
    write_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    write_atomic(tmp_path / "new" / "folder" / "x", "")
    assert left(tmp_path) == ["new", "report.html"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.csv"
    write_atomic(path, "old")

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(InputError, match=r"x\.csv: cannot be written: No space left on device"):
        write_atomic(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert left(tmp_path) == ["x.csv"]


@posix
def test_the_file_behind_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    file, link = tmp_path / "there" / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    file.unlink()
    write_atomic(link, "again")
    assert link.is_symlink()
    assert file.read_text() == "again"
    assert left(tmp_path / "there") == ["file"]


@posix
def test_a_temporary_file_cannot_be_guessed_and_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a shared folder: links under every name that was used before lead to a file that must stay."""
    victim, path = tmp_path / "victim", tmp_path / "shared" / "out.csv"
    path.parent.mkdir()
    victim.write_text("precious")
    for name in (f".{path.name}.{os.getpid()}.part", f".part-{path.name}"):
        (path.parent / name).symlink_to(victim)
    seen: list[tuple[str, int]] = []
    sync = disk.sync

    def look(descriptor: int) -> None:
        seen.extend((one.name, stat.S_IMODE(one.stat().st_mode)) for one in path.parent.glob(".yatzy-*"))
        sync(descriptor)

    monkeypatch.setattr(files, "sync", look)
    monkeypatch.setattr(os, "fchmod", lambda descriptor, mode: None)
    write_atomic(path, "data")
    write_atomic(path, "data")
    assert victim.read_text() == "precious"
    assert len({name for name, _ in seen}) == 2
    assert {mode for _, mode in seen} == {0o600}


@posix
def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe.csv", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_atomic(pipe, b"rows\n" * 100_000)
    reader.join()
    assert got == [b"rows\n" * 100_000]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


@posix
def test_devices_are_written_through_and_stay(tmp_path: Path) -> None:
    null, full = node(tmp_path / "null", NULL), node(tmp_path / "full", FULL)
    write_atomic(null, "gone")
    with pytest.raises(InputError, match="full: cannot be written: No space left on device"):
        write_atomic(full, "never")
    for path in (null, full):
        assert stat.S_ISCHR(path.lstat().st_mode)
    with pytest.raises(InputError, match="null: is a device or pipe, and this needs a plain file"):
        check_target(null, seekable=True)
    assert left(tmp_path) == ["full", "null"]


@posix
def test_what_appears_in_place_of_the_target_is_not_replaced(tmp_path: Path) -> None:
    path, target = tmp_path / "x", check_target(tmp_path / "x")
    os.mkfifo(path)
    (tmp_path / "finished").write_text("data")
    with pytest.raises(InputError, match="x: is no longer a plain file"):
        files.replace_plain(tmp_path / "finished", target)
    assert stat.S_ISFIFO(path.lstat().st_mode)


def bad_targets(folder: Path, ending: str = "") -> dict[str, tuple[str, str]]:
    """Names that cannot be written, and what is said about each."""
    (folder / "file").write_text("")
    (folder / f"folder{ending}").mkdir()
    (folder / f"loop{ending}").symlink_to(folder / f"loop{ending}")
    return {
        "empty": ("", "a figure is written as" if ending else "is a folder; give the name of a file"),
        "folder": (f"{folder / 'folder'}{ending}", "is a folder; give the name of a file"),
        "long": (f"{folder / LONG}{ending}", "cannot be written: File name too long"),
        "below a file": (f"{folder / 'file' / 'x'}{ending}", "cannot be written: Not a directory"),
        "loop": (f"{folder / 'loop'}{ending}", "cannot be written: Too many levels of symbolic links"),
        "null": ("a\0b", "is not the name of a file"),
    }


@posix
@pytest.mark.parametrize("kind", ["empty", "folder", "long", "below a file", "loop", "null"])
def test_bad_names_are_refused_in_one_line(kind: str, tmp_path: Path) -> None:
    name, message = bad_targets(tmp_path)[kind]
    for write in (check_target, lambda path: write_atomic(path, "data")):
        with pytest.raises(InputError, match=message) as caught:
            write(name)
        assert "\n" not in str(caught.value)
    assert left(tmp_path) == ["file", "folder", "loop"]


@posix
def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    with pytest.raises(InputError, match="may not be written"):
        check_target(tmp_path / "a" / "b")


@posix
@pytest.mark.parametrize("kind", ["empty", "folder", "long", "below a file", "loop"])
@pytest.mark.parametrize(
    "command",
    [
        ("export",),
        ("simulate", "--games", "3", "--out"),
        ("simulate", "--games", "3", "--plot"),
        ("compare", "greedy", "random", "--games", "3", "--plot"),
        ("distribution", "--best", "--game", "yacht", "--plot"),
    ],
    ids=" ".join,
)
def test_commands_refuse_a_target_before_the_work(
    command: tuple[str, ...], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(f"yatzy.cli.commands.{command[0]}.open_solver", work)
    ending = ".svg" if command[-1] == "--plot" else ""
    name, message = bad_targets(tmp_path, ending)[kind]
    result = CliRunner().invoke(app, [*command, name])
    assert isinstance(result.exception, InputError), result.exception
    assert message in str(result.exception)
    assert left(tmp_path) == ["file", f"folder{ending}", f"loop{ending}"]


@posix
def test_an_export_never_replaces_a_device_or_pipe(tmp_path: Path) -> None:
    null, pipe, link = node(tmp_path / "null", NULL), tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(null)
    strategy = parse_strategy("greedy", load_game("yatzy-forced-order"))
    for path in (null, pipe, link):
        with pytest.raises(InputError, match="is a device or pipe, and this needs a plain file"):
            export_strategy(strategy, path)
    assert stat.S_ISCHR(null.lstat().st_mode)
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert left(tmp_path) == ["link", "null", "pipe"]


@posix
def test_an_export_works_in_a_private_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of unfinished work are known, so that it can go on; nobody else can put a link there."""
    game = load_game("yatzy-forced-order")
    strategy, path, victim = parse_strategy("greedy", game), tmp_path / "s.strategy", tmp_path / "victim"
    victim.write_text("precious")
    seen: set[int] = set()
    plans = strategy.plans  # type: ignore[attr-defined]

    def look(*args: object) -> object:
        seen.add(stat.S_IMODE((tmp_path / "s.strategy.parts").stat().st_mode))
        return plans(*args)

    monkeypatch.setattr(strategy, "plans", look)
    path.write_text("old")
    path.chmod(0o604)
    export_strategy(strategy, path)
    assert seen == {0o700}
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert left(tmp_path) == ["s.strategy", "victim"]
    (tmp_path / "s.strategy.parts").symlink_to(tmp_path)
    with pytest.raises(InputError, match="is not a folder of yours"):
        export_strategy(strategy, path)
    assert victim.read_text() == "precious"


@posix
def test_figures_and_games_go_through_pipes(tmp_path: Path) -> None:
    strategy = parse_strategy("greedy", load_game("yatzy-forced-order"))

    def through(name: str, write: Callable[[Path], object]) -> bytes:
        pipe, got = tmp_path / name, list[bytes]()
        os.mkfifo(pipe)
        reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
        reader.start()
        write(pipe)
        reader.join()
        assert stat.S_ISFIFO(pipe.lstat().st_mode)
        return got[0]

    games = through("games.parquet", lambda path: run_to_file(strategy, 20, 1, path))
    (tmp_path / "copy.parquet").write_bytes(games)
    assert len(read_games(tmp_path / "copy.parquet", strategy.game)) == 20
    line = plots.Line("x", 0, read_games(tmp_path / "copy.parquet", strategy.game).mass.cumsum())
    assert through("x.svg", lambda path: plots.plot_tails([line], "t", "c", path)).startswith(b"<?xml")
    assert left(tmp_path) == ["copy.parquet", "games.parquet", "x.svg"]


def test_stale_temporary_files_go_with_the_next_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, prefix = tmp_path / "x", files._prefix(tmp_path / "x")
    names = {"dead": f"{prefix}dead.part", "young": f"{prefix}young.part", "other": ".yatzy-0123-dead.part"}
    for name in names.values():
        (tmp_path / name).write_text("half")
    hour_ago = time.time() - 3600
    for kind in ("dead", "other"):
        os.utime(tmp_path / names[kind], (hour_ago, hour_ago))
    write_atomic(path, "data")
    assert left(tmp_path) == sorted(["x", names["young"], names["other"]])


@posix
@pytest.mark.parametrize(("age", "stays"), [(59.5, True), (60.5, False)])
def test_a_temporary_file_is_young_for_a_minute(
    age: float, stays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    part = tmp_path / f"{files._prefix(path)}dead.part"
    part.write_text("half")
    monkeypatch.setattr(files, "time", SimpleNamespace(time=lambda: part.stat().st_mtime + age))
    write_atomic(path, "data")
    assert part.exists() == stays


@posix
@pytest.mark.parametrize(("days", "stays"), [(0.9, True), (1.1, False)])
def test_where_files_cannot_be_locked_a_temporary_file_is_stale_after_a_day(
    days: float, stays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    part = tmp_path / f"{files._prefix(path)}dead.part"
    part.write_text("half")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(files, "time", SimpleNamespace(time=lambda: part.stat().st_mtime + days * 86_400))
    write_atomic(path, "data")
    assert part.exists() == stays


@posix
def test_a_temporary_file_in_use_stays(tmp_path: Path) -> None:
    import fcntl

    path = tmp_path / "x"
    busy = tmp_path / f"{files._prefix(path)}busy.part"
    busy.write_text("half")
    with busy.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        hour_ago = time.time() - 3600
        os.utime(busy, (hour_ago, hour_ago))
        write_atomic(path, "data")
        assert busy.exists()
    write_atomic(path, "data")
    assert not busy.exists()


@posix
def test_a_private_folder_is_refused_where_it_is_not_one(tmp_path: Path) -> None:
    assert stat.S_IMODE(private_folder(tmp_path / "a" / "b").stat().st_mode) == 0o700
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "file").write_text("")
    for name in ("link", "file"):
        with pytest.raises(InputError, match=f"{name}: unfinished work is kept there, but it is not a folder of yours"):
            private_folder(tmp_path / name)


def test_several_processes_may_write_the_same_games(tmp_path: Path) -> None:
    """Each waits for those before it; all succeed, and nothing but the file is left."""
    program = (
        "import sys; from yatzy import load_game; from yatzy.lab.results import run_to_file;"
        " from yatzy.solver import parse_strategy;"
        " game = load_game('yatzy-forced-order');"
        " sys.stdin.readline();"
        " print(run_to_file(parse_strategy('greedy', game), 3000, 1, sys.argv[1]).mean.value)"
    )
    path = tmp_path / "games.parquet"
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for child in children:  # all at once, when all are ready to read
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    ended = [child.communicate() for child in children]
    assert [child.returncode for child in children] == [0] * 4, [errors for _, errors in ended]
    assert len({out for out, _ in ended}) == 1
    assert len(read_games(path, load_game("yatzy-forced-order"))) == 3000
    assert left(tmp_path) == ["games.parquet"]


@pytest.mark.parametrize("damage", ["flip", "cut", "nothing", "list", "deep"])
def test_a_damaged_manifest_is_mended(damage: str, tmp_path: Path) -> None:
    strategy, told = parse_strategy("greedy", load_game("yatzy-forced-order")), list[str]()
    games = run_sample(strategy, 50, 1, tmp_path)
    path = tmp_path / MANIFEST
    whole = path.read_text()
    damaged = {
        "flip": whole.replace('"seed": 1', '"seed": 3'),
        "cut": whole[: len(whole) // 2],
        "nothing": "",
        "list": "[]",
        "deep": "[" * 100_000,
    }[damage]
    assert damaged != whole
    path.write_text(damaged)
    again = run_sample(strategy, 50, 1, tmp_path, resources=Resources(report=told.append))
    assert (again.total == games.total).all()
    assert told == [f"{path}: is damaged; it is written again"]
    assert path.read_text() == whole
    with pytest.raises(InputError, match="holds games of seed 1, not 2"):
        run_sample(strategy, 50, 2, tmp_path)


def test_a_folder_must_be_writable_and_enterable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are asked for at once; root may do everything, so the answer is made up."""
    for missing in (os.W_OK, os.X_OK):
        monkeypatch.setattr(os, "access", lambda path, mode, missing=missing: not mode & missing)
        with pytest.raises(InputError, match=f"{tmp_path} may not be written"):
            check_target(tmp_path / "new.csv")


def test_finished_work_is_removed_with_its_lock_and_other_work_stays(tmp_path: Path) -> None:
    finished, shared = tmp_path / "finished", tmp_path / "shared"
    for folder in (finished, shared):
        folder.mkdir()
        with files.locked(folder, "solving"):
            (folder / "a.block").write_text("a")
            (folder / "b.block").write_text("b")
    (shared / "depth-03").mkdir()
    for folder in (finished, shared):
        files.remove_locked(folder, "solving")
    assert left(tmp_path) == ["shared"]
    assert left(shared) == ["depth-03"]


def test_a_file_that_another_process_removes_first_is_gone_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    for name in ("a", "b", "solving.lock"):
        (tmp_path / "work" / name).write_text(name)
    listed = Path.iterdir

    def other_process(folder: Path) -> list[Path]:
        found = list(listed(folder))
        (tmp_path / "work" / "a").unlink()
        return found

    monkeypatch.setattr(Path, "iterdir", other_process)
    files.remove_locked(tmp_path / "work", "solving")
    assert not (tmp_path / "work").exists()


def test_a_folder_that_cannot_be_locked_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(InputError) as refused, files.locked(tmp_path / "file", "solving"):
        pass
    assert str(refused.value).startswith(f"{tmp_path / 'file'}: cannot be written: ")
    assert str(refused.value).lower().endswith(("file exists", "not a directory"))


# Locks


def test_who_waits_for_a_lock_is_told_once(tmp_path: Path) -> None:
    told, held = list[str](), list[str]()

    def wait() -> None:
        with table_lock(tmp_path, "yatzy", told.append):
            held.append("the other")

    with table_lock(tmp_path, "yatzy", told.append):
        refused = pytest.raises(TableUnwritable, match="yatzy is being built by another process; wait for it or stop")
        with refused, table_lock(tmp_path, "yatzy", told.append, wait=False):
            pass
        assert told == []
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join(0.25)
        held.append("the first")
    thread.join(10)
    assert told == ["another process is building yatzy; waiting for it"]
    assert held == ["the first", "the other"]


@pytest.mark.parametrize("times", [1, 50, 10_000])
def test_the_folder_of_a_lock_is_made_again_when_others_remove_it(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acquire, asked = filelock.FileLock.acquire, list[int]()

    def removed(self: filelock.FileLock, *args: Any, **other: Any) -> object:
        asked.append(1)
        assert len(asked) < 1000, "it must give up some time"
        if len(asked) <= times:
            (tmp_path / "work").rmdir()
            raise FileNotFoundError(2, "No such file or directory")
        return acquire(self, *args, **other)

    monkeypatch.setattr(filelock.FileLock, "acquire", removed)
    if times < 100:
        with table_lock(tmp_path / "work", "yatzy") as path:
            assert path.parent.exists()
    else:
        with pytest.raises(TableUnwritable, match="the lock"), table_lock(tmp_path / "work", "yatzy"):
            pass


# How often large results are written


def test_a_large_result_is_written_when_making_it_took_much_longer_and_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, free = [100.0], [2**40]
    monkeypatch.setattr(pace, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    monkeypatch.setattr(pace, "shutil", SimpleNamespace(disk_usage=lambda folder: SimpleNamespace(free=free[0])))
    writing, gib = pace.WritePace(tmp_path), 2**30
    clock[0] += 1
    assert writing.due(2**20)
    assert not writing.due(gib), "writing it would take about as long"
    clock[0] += 60
    assert writing.due(gib)
    assert not writing.due(100 * gib)
    free[0] = gib + gib // 2
    assert not writing.due(gib), "the disk would be full"
    free[0] = 4 * gib
    assert writing.due(gib)
    writing.written()
    assert not writing.due(gib)
    clock[0] += 60
    assert writing.due(gib)


@posix
def test_a_private_folder_is_made_with_all_above_it_and_used_again(tmp_path: Path) -> None:
    folder = tmp_path / "one" / "two" / "private"
    for _ in range(2):
        assert private_folder(folder) == folder
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(("needed", "size"), [(7, "7 bytes"), (99_999, "99999 bytes"), (2_500_000, "2.5 MB")])
def test_what_does_not_fit_on_a_disk_is_told_with_its_size(
    needed: int, size: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "shutil", SimpleNamespace(disk_usage=lambda path: SimpleNamespace(free=3 * needed)))
    error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    told = str(disk.unwritable(tmp_path / "x", Message("layer 1"), error, needed))
    assert told.startswith(f"cannot write layer 1 ({size}) to {tmp_path / 'x'}: ")
    free = {7: "21 bytes", 99_999: "0.3 MB", 2_500_000: "7.5 MB"}[needed]
    assert f", {free} free; free some space" in told
