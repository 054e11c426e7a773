"""The GPU itself: what is said where there is none, and CuPy's part as far as it goes without one."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benchmarks import gpu_speed
from benchmarks.report import Settings
from helpers.curves_in_memory import build, differences
from helpers.gpu_stand_in import StandIn, needs_compiler

from yatzy.errors import InputError, SizeError
from yatzy.games import Game, load_game
from yatzy.gpu import device
from yatzy.gpu.curves import CurveSolver
from yatzy.gpu.device import CudaDevice, open_device
from yatzy.model import compile_game


class FakeCupy(SimpleNamespace):
    """NumPy with what we use of CuPy; kernels run on the CPU."""

    def __init__(self, shared: int = 232_448) -> None:
        names = ("arange", "asarray", "cumsum", "diff", "empty", "full", "maximum", "minimum", "searchsorted", "zeros")
        super().__init__(**{name: getattr(np, name) for name in names})
        self.stand_in = StandIn()
        self.asnumpy = lambda array, out=None: self.stand_in.to_host(np.array(array), out)
        self.compiled = list[dict[str, Any]]()
        self.cuda = SimpleNamespace(
            Device=lambda: SimpleNamespace(id=0, attributes={"MaxSharedMemoryPerBlockOptin": shared}),
            Event=lambda: SimpleNamespace(record=lambda: None, synchronize=lambda: None),
            get_elapsed_time=lambda begin, end: 250.0,
            runtime=SimpleNamespace(
                getDeviceProperties=lambda id: {"name": b"a GPU"},
                getDeviceCount=lambda: 1,
                memGetInfo=lambda: (3 * 2**20, 2**30),
            ),
        )
        self.get_default_memory_pool = lambda: SimpleNamespace(free_bytes=lambda: 2**20)

    def RawModule(self, code: str, options: tuple[str, ...], backend: str) -> Any:  # noqa: N802
        self.compiled.append({"code": code, "options": options, "backend": backend})
        sizes = {name: int(size) for name, size in (o[2:].split("=") for o in options if o.startswith("-D"))}
        program = self.stand_in.compile(sizes)

        class Function:
            max_dynamic_shared_size_bytes = 0

            def __init__(self, kernel: str) -> None:
                self.kernel = kernel

            def __call__(self, grid: tuple[int], block: tuple[int], args: tuple[Any, ...], shared_mem: int = 0) -> None:
                assert block == (sizes["THREADS"],)
                if self.kernel == "tell_sizes":
                    args[0][:] = program.sizes()
                else:
                    assert shared_mem == self.max_dynamic_shared_size_bytes == program.sizes()[0]
                    program.launch(self.kernel, grid[0], args)

        return SimpleNamespace(get_function=Function)


@needs_compiler
def test_cupy_gets_the_source_the_sizes_and_the_arguments() -> None:
    cupy, game = FakeCupy(), compile_game(load_game("two-yatzy"))
    gpu = CudaDevice(cupy)
    assert gpu.name == "a GPU"
    assert gpu.free_memory() == 4 * 2**20
    solver = CurveSolver(gpu, game)
    assert not differences(build(game.game, None), build(game.game, solver))
    (compiled,) = cupy.compiled
    assert compiled["backend"] == "nvrtc"
    assert {"--fmad=false", "-std=c++17", "-DDICE=2", "-DLANES=32"} <= set(compiled["options"])
    assert solver.program.seconds == 0.25 * len(cupy.stand_in.launches)
    assert solver.program.seconds == 0.25 * len(cupy.stand_in.launches)  # waiting for them is done once


@needs_compiler
def test_pairs_need_nothing_else_of_cupy() -> None:
    result = gpu_speed.measure(CudaDevice(FakeCupy()), Settings(quick=True))
    assert not result.failures
    assert result.grids[0].title == "a GPU beside the CPU"


@needs_compiler
def test_a_game_with_more_rows_than_shared_memory_is_refused() -> None:
    gpu = CudaDevice(FakeCupy(shared=4096))
    with pytest.raises(SizeError, match=r"2 dice of 6 faces takes [0-9,]+ bytes of shared memory, and a GPU has 4,096"):
        CurveSolver(gpu, compile_game(Game("two", 2, 6, 2, load_game("yatzy").categories[:3])))


@pytest.mark.parametrize(
    ("cupy", "message"),
    [
        (None, "a GPU needs CuPy: pip install 'PATH[gpu]', where PATH is the folder or the wheel of yatzy"),
        ("broken", "no GPU can be used here: CUDA driver version is insufficient"),
        ("none", "there is no GPU here"),
    ],
)
def test_what_is_missing_is_said_in_one_line(cupy: str | None, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(name: str) -> Any:
        if cupy is None:
            raise ImportError(name)
        found = FakeCupy()

        def count() -> int:
            if cupy == "broken":
                raise RuntimeError("CUDA driver version is insufficient")
            return 0

        found.cuda.runtime.getDeviceCount = count
        return found

    monkeypatch.setattr(device, "import_module", import_module)
    open_device.cache_clear()
    with pytest.raises(InputError) as error:
        open_device()
    assert str(error.value) == message


def test_the_device_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "import_module", lambda name: FakeCupy())
    open_device.cache_clear()
    assert open_device() is open_device()
    open_device.cache_clear()


def test_nothing_is_imported_without_a_device_and_few_packages_are_needed() -> None:
    """A machine with NumPy and Numba alone, as those with a GPU often are, can import and compile everything here."""
    missing = ("cupy", "filelock", "platformdirs", "rich", "typer", "polars", "matplotlib")
    code = f"import sys; sys.modules.update(dict.fromkeys({missing}))\n"
    code += "import yatzy.matches.endgames_gpu, yatzy.gpu.curves, yatzy.values.curves\n"
    code += "from yatzy.games import load_game; from yatzy.model import compile_game\n"
    code += "from yatzy.gpu.game import game_arrays; print(game_arrays(compile_game(load_game('yatzy'))).sizes['DICE'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "5"
