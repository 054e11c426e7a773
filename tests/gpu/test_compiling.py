"""`turn.cu` compiled for the GPU by NVRTC, NVIDIA's compiler library, which needs no GPU."""

from __future__ import annotations

import ctypes
import re
from importlib.metadata import PackageNotFoundError, files
from typing import Any

import numpy as np
import pytest

from yatzy.games import load_game
from yatzy.gpu.device import OPTIONS, definitions, source_text
from yatzy.gpu.game import MOST_THREADS, THREADS, game_arrays
from yatzy.model import compile_game

PACKAGE = "nvidia-cuda-nvrtc"
ARCHITECTURE = "sm_90"
"""The compute capability of H100 and H200."""
REGISTERS = 65_536
"""Of a multiprocessor."""


def nvrtc() -> ctypes.CDLL:
    try:
        found = files(PACKAGE) or []
    except PackageNotFoundError:
        pytest.skip(f"the package {PACKAGE} is not installed, which compiles turn.cu for a GPU")
    libraries = [str(file.locate()) for file in found if re.fullmatch(r"libnvrtc\.so\.\d+|nvrtc64_.*\.dll", file.name)]
    if not libraries:
        pytest.skip(f"the package {PACKAGE} has no library for this system")
    return ctypes.CDLL(libraries[0])


def compiled(source: str, options: tuple[str, ...]) -> tuple[int, str, int]:
    """Whether compiling failed, the messages, and the size of the machine code."""
    library, program, size = nvrtc(), ctypes.c_void_p(), ctypes.c_size_t()
    assert not library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"turn.cu", 0, None, None)
    flags = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    failed = library.nvrtcCompileProgram(program, len(options), flags)
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    code = 0 if failed else size.value
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return failed, log.value.decode(), code


def flags_for(id: str, number: type[np.floating[Any]] = np.float32) -> tuple[str, ...]:
    sizes = definitions(game_arrays(compile_game(load_game(id)), number).sizes)
    return (f"--gpu-architecture={ARCHITECTURE}", "--ptxas-options=--verbose", *OPTIONS, *sizes)


@pytest.mark.parametrize(
    ("number", "kernels"), [(np.float32, {"solve_curves", "solve_pairs"}), (np.float64, {"solve_states"})]
)
@pytest.mark.parametrize(("id", "resident"), [("yatzy", 3), ("yahtzee-pawlewicz", 3), ("maxi-yatzy", 1)])
def test_it_compiles_for_the_gpu(id: str, resident: int, number: type[np.floating[Any]], kernels: set[str]) -> None:
    """Without spilled registers, and with few enough of them for all blocks that shared memory has room for."""
    threads = min(THREADS, resident * MOST_THREADS)
    check = f"static_assert(RESIDENT == {resident} && RESIDENT * THREADS == {threads} && SHARED_BYTES <= 227 * 1024);"
    failed, log, size = compiled(source_text() + check, flags_for(id, number))
    assert not failed, log
    assert size > 10_000
    assert "warning" not in log
    used = re.findall(r"Function properties for (\w+)\s+.*?(\d+) bytes spill stores.*?Used (\d+) registers", log, re.S)
    assert {name for name, _, _ in used} == kernels | {"tell_sizes"}, log
    for _, spilled, registers in used:
        assert spilled == "0"
        assert -(-int(registers) // 8) * 8 * threads <= REGISTERS


def test_an_error_in_the_source_is_found() -> None:
    wrong = source_text().replace("row_at(b, part, child[0])", "row_at(b.rows, part, child[0])")
    failed, log, _ = compiled(wrong, flags_for("two-yatzy"))
    assert failed
    assert "rows" in log
