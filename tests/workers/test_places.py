"""The texts of --on, and refusals before any work is done."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import pytest

from yatzy.errors import InputError, WorkerError
from yatzy.gpu.device import open_device
from yatzy.workers import cluster
from yatzy.workers.places import Dask, Gpu, Local, parse_place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("local", Local()),
        ("local:1", Local(1)),
        ("local:256", Local(256)),
        ("dask", Dask()),
        ("dask:tcp://10.0.0.1:8786", Dask("tcp://10.0.0.1:8786")),
        ("dask:host:8786", Dask("host:8786")),
        ("gpu", Gpu()),
    ],
)
def test_places_are_read_and_written(text: str, place: Local | Dask | Gpu) -> None:
    assert parse_place(text) == place
    assert str(place) == text
    assert place.backend == ("gpu" if text == "gpu" else "cpu")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "must be one of local, local:N, dask, dask:ADDRESS, gpu"),
        ("locally", "must be one of"),
        ("gpu:1", "must be one of"),
        ("dask:", "must be one of"),
        ("dask: ", "must be one of"),
        ("local:0", "from 1 to 256"),
        ("local:257", "from 1 to 256"),
        ("local:-1", "from 1 to 256"),
        ("local:", "from 1 to 256"),
        ("local:²", "from 1 to 256"),
        ("local:" + "9" * 5000, "from 1 to 256"),
    ],
)
def test_other_texts_are_refused(text: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        parse_place(text)


def test_local_is_a_pool_of_threads() -> None:
    with Local(2).open() as executor:
        assert isinstance(executor, Executor)
        both = threading.Barrier(2)
        assert sorted(executor.map(lambda _: both.wait(10), range(2))) == [0, 1]
    assert Local(3).threads == 3
    assert Dask().threads is None
    assert (Local().threads or 0) >= 1


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"--on dask needs Dask: pip install 'PATH\[cluster\]'"), Dask().open():
        pass


def test_without_cupy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    open_device.cache_clear()
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(InputError, match=r"--on gpu: .* needs CuPy: pip install '.*\[gpu\]'"), Gpu().open():
        pass


def test_with_a_device_one_thread_gives_it_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yatzy.gpu.device.open_device", lambda: None)
    with Gpu().open() as executor:
        assert isinstance(executor, ThreadPoolExecutor)


# Clusters


class _Scheduler:
    """A Dask client of which only the questions at the start are simulated."""

    status = "running"

    def __init__(self, answers: dict[str, object]) -> None:
        self._answers = answers

    def wait_for_workers(self, number: int, timeout: float) -> None:
        if not self._answers:
            raise TimeoutError

    def run(self, look: object, marks: str | None, on_error: str) -> dict[str, object]:
        return {name: answer(marks) if callable(answer) else answer for name, answer in self._answers.items()}


def elsewhere(marks: str | None) -> dict[str, str | None]:
    """A worker that does not see the folder."""
    return cluster.look_at(None if marks is None else f"{marks}-elsewhere")


def reads_only(marks: str | None) -> dict[str, str | None]:
    return {**cluster.look_at(marks), "wrote": None}


def check(answers: dict[str, object], folder: Path | None) -> None:
    cluster._check_workers(_Scheduler(answers), folder, "--on dask:x")


def test_workers_that_share_the_folder_are_accepted(tmp_path: Path) -> None:
    check({"a": cluster.look_at, "b": cluster.look_at}, tmp_path)
    check({"a": cluster.look_at}, None)
    assert not list(tmp_path.iterdir())


def test_workers_that_do_not_share_the_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--on dask:x: worker b on \S+ does not see the folder .*must share it"):
        check({"a": cluster.look_at, "b": elsewhere}, tmp_path)
    with pytest.raises(InputError, match=r"worker a on .* cannot write to the folder"):
        check({"a": reads_only}, tmp_path)
    assert not list(tmp_path.iterdir())
    check({"b": elsewhere}, None)


def test_clusters_without_workers_or_with_other_versions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the scheduler has no workers"):
        check({}, tmp_path)
    with pytest.raises(InputError, match=r"worker a has yatzy 0\.0\.1, but this is"):
        check({"a": lambda marks: {**cluster.look_at(marks), "version": "0.0.1"}}, tmp_path)
    with pytest.raises(InputError, match=r"worker a cannot run yatzy .*No module named 'yatzy'"):
        check({"a": ModuleNotFoundError("No module named 'yatzy'")}, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_scheduler_that_is_lost_while_it_is_asked_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = "^the workers are gone: the connection to the scheduler was lost"
    scheduler = _Scheduler({"a": cluster.look_at})

    def fail(*_: object, **__: object) -> None:
        raise OSError("Stream is closed")

    monkeypatch.setattr(scheduler, "run", fail)
    with pytest.raises(InputError, match=r"the workers cannot run yatzy .*: Stream is closed"):
        cluster._check_workers(scheduler, None, "--on dask:x")
    monkeypatch.setattr(scheduler, "status", "connecting")
    with pytest.raises(WorkerError, match=lost):
        cluster._check_workers(scheduler, None, "--on dask:x")
    monkeypatch.setattr(scheduler, "wait_for_workers", fail)
    with pytest.raises(WorkerError, match=lost):
        cluster._check_workers(scheduler, None, "--on dask:x")


def test_a_folder_that_cannot_be_written_here_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        check({"a": cluster.look_at}, tmp_path / "file" / "work")


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("nonsense://x:1", "is not the address of a scheduler, such as tcp://HOST:8786: unknown address scheme"),
        ("host", "is not the address of a scheduler"),
        ("missing.json", r"missing.json: cannot be read: No such file"),
        ("text.json", "text.json: is not the address of a scheduler"),
        ("list.json", "list.json: is not the address of a scheduler"),
        ("other.json", "other.json: is not the address of a scheduler"),
    ],
)
def test_what_is_no_address_is_refused(
    address: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("text", "hello"), ("list", "[1]"), ("other", '{"address": "x://y"}')):
        (tmp_path / f"{name}.json").write_text(text)
    with pytest.raises(InputError, match=wrong), Dask(address).open():
        pass


def test_a_host_and_a_port_are_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with pytest.raises(InputError, match="no scheduler answers there"), Dask("127.0.0.1:1").open():
        pass
