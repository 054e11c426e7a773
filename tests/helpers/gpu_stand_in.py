"""A device for tests: `turn.cu` compiled for the CPU, on NumPy arrays. Only the launch differs from a GPU."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from yatzy.gpu import device as gpu_device
from yatzy.gpu import filling
from yatzy.gpu.device import definitions, source_text
from yatzy.matches import endgames_gpu
from yatzy.verification import on_gpu

COMPILER = shutil.which("g++") or shutil.which("clang++") or shutil.which("c++")
SHIM = Path(__file__).with_name("gpu_shim.hpp")
OPTIONS = ("-std=c++17", "-O1", "-ffp-contract=off", "-fno-strict-aliasing", "-Wno-unknown-pragmas", "-Wall", "-Werror")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler, which runs turn.cu on the CPU")


@cache
def _build(source: str, macros: tuple[str, ...]) -> ctypes.CDLL:
    assert COMPILER is not None
    folder = Path(tempfile.mkdtemp(prefix="yatzy-turn-"))
    try:
        (folder / "turn.cpp").write_text(source, encoding="utf-8")
        command = [COMPILER, *OPTIONS, *macros, "-shared", "-fPIC", "-include", str(SHIM), "turn.cpp", "-o", "turn.so"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return ctypes.CDLL(str(folder / "turn.so"))  # stays loaded when the file is gone
    finally:
        shutil.rmtree(folder)


class StandIn:
    """The CPU as a device. `backwards`: run the threads of a block from the last to the first."""

    name = "a CPU"
    arrays: ModuleType = np

    def __init__(self, backwards: bool = False, source: str | None = None) -> None:
        self.backwards = backwards
        self.source = source_text() if source is None else source
        self.launches: list[tuple[str, int]] = []
        """The kernel and the number of blocks of every launch."""

    def compile(self, sizes: Mapping[str, int]) -> Compiled:
        return Compiled(self, _build(self.source, definitions(sizes)))

    def free_memory(self) -> int:
        return 2**30

    def to_host(self, array: npt.NDArray[Any], out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        if out is None:
            return array
        out[:] = array
        return out

    def host_buffer(self, count: int) -> npt.NDArray[np.float32]:
        return np.empty(count, np.float32)


def lend(patch: pytest.MonkeyPatch, device: StandIn) -> StandIn:
    """Let the program find this device where it looks for the GPU."""
    for module in (gpu_device, filling, endgames_gpu, on_gpu):
        patch.setattr(module, "open_device", lambda: device)
    return device


class Compiled:
    """The program for one game."""

    seconds = 0.0

    def __init__(self, device: StandIn, library: ctypes.CDLL) -> None:
        self._device, self._library = device, library

    def sizes(self) -> tuple[int, int]:
        """The shared memory of a block and the blocks on a multiprocessor."""
        told = np.zeros(2, np.int32)
        ctypes.c_longlong.in_dll(self._library, "shim_blocks").value = 1
        self._library["tell_sizes"](_argument(told))
        shared, resident = told.tolist()
        return shared, resident

    def wait(self) -> None:
        """Nothing runs after `launch`."""

    def launch(self, kernel: str, blocks: int, arguments: Sequence[Any]) -> None:
        library = self._library
        ctypes.c_longlong.in_dll(library, "shim_blocks").value = blocks
        ctypes.c_int.in_dll(library, "shim_backwards").value = self._device.backwards
        library[kernel](*map(_argument, arguments))
        assert not ctypes.c_int.in_dll(library, "shim_overrun").value, "shared memory was overrun"
        self._device.launches.append((kernel, blocks))


def _argument(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_longlong(int(value))
