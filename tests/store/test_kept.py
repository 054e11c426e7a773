"""Kept results: what was written is read again, and nothing else is."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yatzy.errors import InputError
from yatzy.store.kept import KeptLog, KeptResults, decode_arrays, digest, encode_arrays, encode_json, seal, unseal
from yatzy.store.revisions import Computation

DICE = Computation("dice")
SUMS = Computation("sums", uses=(DICE,))
OTHER = Computation("other")
KEY = {"game": "yatzy", "seed": 1, "names": ["a", "å"]}


def computed(kept: KeptResults, key: dict[str, Any] = KEY) -> bool:
    """Whether `get` had to compute."""
    calls: list[int] = []

    def compute() -> dict[str, float]:
        calls.append(1)
        return {"mean": 1.5}

    assert kept.get(key, compute) == {"mean": 1.5}
    return bool(calls)


def test_a_result_is_computed_once_for_each_key(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path / "new" / "folder", SUMS)
    assert kept.read(KEY, json.loads) is None
    assert computed(kept)
    assert not computed(kept)
    assert not computed(KeptResults(tmp_path / "new" / "folder", SUMS))
    assert computed(kept, KEY | {"seed": 2})
    assert computed(KeptResults(tmp_path / "new" / "folder", OTHER))
    assert kept.path(KEY).name == f"sums-{digest(KEY, 8)}.kept"
    assert len(list((tmp_path / "new" / "folder").iterdir())) == 3


def test_a_key_may_hold_tuples(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path, DICE)
    kept.write({"of": (1, 2)}, b"[]")
    assert kept.read({"of": [1, 2]}, json.loads) == []


def test_a_key_is_found_in_whatever_order_it_is_written(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path, DICE)
    kept.write({"game": "yatzy", "seed": 1}, b"[7]")
    assert kept.read({"seed": 1, "game": "yatzy"}, json.loads) == [7]


@pytest.mark.parametrize("raised", [replace(SUMS, revision=2), replace(SUMS, uses=(replace(DICE, revision=2),))])
def test_a_raised_revision_makes_its_own_results_outdated_and_no_others(tmp_path: Path, raised: Computation) -> None:
    told: list[str] = []
    for computation in (SUMS, OTHER):
        assert computed(KeptResults(tmp_path, computation))
    new = KeptResults(tmp_path, raised, told.append)
    assert computed(new)
    assert told == [f"{new.path(KEY)}: was computed by another version of the program; it is computed again"]
    assert not computed(new)
    assert not computed(KeptResults(tmp_path, OTHER))
    assert computed(KeptResults(tmp_path, SUMS)), "the older program does not trust the newer result either"
    assert len(list(tmp_path.iterdir())) == 2, "a new result replaces the outdated one"


def test_revisions_add_up() -> None:
    assert SUMS.revisions == {"dice": 1, "sums": 1}
    assert SUMS.total == 1
    assert replace(SUMS, revision=3).total == 3
    both = Computation("both", 2, (SUMS, replace(DICE, revision=1), OTHER))
    assert both.revisions == {"both": 2, "dice": 1, "other": 1, "sums": 1}
    assert both.total == 2


def test_no_changed_byte_goes_unnoticed(tmp_path: Path) -> None:
    told: list[str] = []
    kept = KeptResults(tmp_path, SUMS, told.append)
    assert computed(kept)
    path = kept.path(KEY)
    sound = path.read_bytes()
    for place in range(len(sound)):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 4]) + sound[place + 1 :])
        assert computed(kept), place
        assert path.read_bytes() == sound
    assert len(told) == len(sound)
    assert all(line.startswith(f"{path}: ") and line.endswith("; it is computed again") for line in told)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\n\n\n", b"{}", b"\xff" * 100, b"yatzy kept result 1 ", b"[" * 10_000]
)
def test_nonsense_is_computed_again(tmp_path: Path, content: bytes) -> None:
    told: list[str] = []
    kept = KeptResults(tmp_path, SUMS, told.append)
    kept.path(KEY).write_bytes(content)
    assert computed(kept)
    assert told == [f"{kept.path(KEY)}: is damaged; it is computed again"]


def test_a_result_under_the_name_of_another_is_not_taken_for_it(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path, SUMS)
    assert computed(kept)
    kept.path(KEY).rename(kept.path(KEY | {"seed": 2}))
    assert computed(kept, KEY | {"seed": 2})


def test_another_format_is_recognised(tmp_path: Path) -> None:
    told: list[str] = []
    kept = KeptResults(tmp_path, SUMS, told.append)
    kept.write(KEY, encode_json([1]))
    path = kept.path(KEY)
    path.write_bytes(path.read_bytes().replace(b"kept result 1 ", b"kept result 12 ", 1))
    assert computed(kept)
    assert told == [f"{path}: is in the format of another version of the program; it is computed again"]


def test_sound_data_that_make_no_sense_are_computed_again(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path, SUMS)
    kept.write(KEY, b"no JSON")
    assert kept.read(KEY, json.loads) is None
    kept.write(KEY, encode_json([]))
    assert kept.read(KEY, lambda data: json.loads(data)[0]) is None


def test_a_folder_or_an_endless_file_in_its_place_is_reported(tmp_path: Path) -> None:
    told: list[str] = []
    kept = KeptResults(tmp_path, SUMS, told.append)
    kept.path(KEY).mkdir()
    assert kept.read(KEY, json.loads) is None
    kept.path(KEY).rmdir()
    kept.path(KEY).symlink_to("/dev/zero")
    assert kept.read(KEY, json.loads) is None
    assert told == [f"{kept.path(KEY)}: is damaged; it is computed again"] * 2


def test_arrays_come_back_as_they_were() -> None:
    arrays = {
        "a": np.array([0.1, np.pi, -0.0, np.inf]),
        "b": np.arange(6, dtype=np.int32).reshape(2, 3),
        "empty": np.empty((0, 4), np.float32),
        "truth": np.array([True, False]),
        "one": np.array(2.5),
    }
    found = decode_arrays(encode_arrays(arrays))
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()
        assert not found[name].flags.writeable


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"5",
        b'[["a", "<f8", [2]]]\n12345678',
        b'[["a", "<f8", [1]]]\n123456789',
        b'[["a", "<f8", [-1]]]\n',
        b'[["a", "<f8", [1152921504606846976, 16, 0]]]\n',
        b'[["a", "|O", [1]]]\n12345678',
        b'[["a", "<M8", [1]]]\n12345678',
        b'[["a", "<f8"]]\n',
    ],
)
def test_arrays_that_do_not_fit_their_description_are_refused(data: bytes) -> None:
    with pytest.raises((ValueError, TypeError)):
        assert decode_arrays(data)


# The log


def is_entry(entry: dict[str, Any]) -> bool:
    return set(entry) == {"number"}


def test_a_log_keeps_every_line_that_is_sound(tmp_path: Path) -> None:
    log = KeptLog(tmp_path / "new" / "log.jsonl", 10_000)
    assert log.read(is_entry).entries == ()
    for number in range(3):
        log.append({"number": number})
    log.path.write_bytes(log.path.read_bytes()[:-5])  # killed while it was writing
    log.append({"number": 3})
    with log.path.open("a") as file:
        file.write('{"number": 4}\n\n{"number": 5, "check": "0123456789abcdef"}\n{"other": 6}\n7\n')
    content = log.read(is_entry)
    assert [entry["number"] for entry in content.entries] == [0, 1, 3, 4]
    assert content.damaged == 4


def test_only_an_undamaged_log_is_backed_up(tmp_path: Path) -> None:
    log = KeptLog(tmp_path / "log.jsonl", 10_000)
    log.back_up(is_entry)
    assert not log.backup.path.exists()
    log.append({"number": 1})
    log.back_up(is_entry)
    sound = log.backup.path.read_bytes()
    log.append({"number": 2})
    log.path.write_bytes(log.path.read_bytes()[:-5])
    log.back_up(is_entry)
    assert log.backup.path.read_bytes() == sound
    assert log.backup.read(is_entry).entries == ({"number": 1},)


def test_a_log_that_is_too_long_is_refused(tmp_path: Path) -> None:
    log = KeptLog(tmp_path / "log.jsonl", 100)
    for number in range(5):
        log.append({"number": number})
    with pytest.raises(InputError, match="has more than 100 bytes"):
        log.read(is_entry)


def test_a_seal_is_undone_unless_it_is_broken() -> None:
    entry = {"text": "två\n", "number": 1.5}
    line = seal(entry)
    assert "\n" not in line
    assert unseal(line) == entry
    assert unseal(line.replace("1.5", "1.6")) is None


def test_a_hash_does_not_change_between_versions() -> None:
    """Results are found by it again. It is a hash of the value, whatever the order of its keys."""
    for value in ({"b": [1, "å"], "a": None}, {"a": None, "b": [1, "å"]}):
        assert digest(value) == "056b6df29338868e471ac365a6f6293d"
        assert digest(value, 8) == "3428877ea63825f0"


def test_a_file_begins_with_a_checksum_that_anybody_can_compute(tmp_path: Path) -> None:
    """BLAKE2b of 16 bytes. Files with another one would be computed again."""
    kept = KeptResults(tmp_path, DICE)
    kept.write(KEY, b"[]")
    head, _, body = kept.path(KEY).read_bytes().partition(b"\n")
    assert head.split()[-1] == hashlib.blake2b(body, digest_size=16).hexdigest().encode()
