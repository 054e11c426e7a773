"""Devices that run `turn.cu`. There is one, a GPU through CuPy; the tests have another that runs the source on the CPU.

Everything else in this room works with the arrays of `Device.arrays`, which is CuPy or NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module, resources
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message, SizeError, missing_extra

OPTIONS = ("-std=c++17", "--fmad=false")
"""Options of the compiler. A fused multiply-add would round differently from the CPU."""


class Program(Protocol):
    """The source compiled for the sizes of one game."""

    def launch(self, kernel: str, blocks: int, arguments: Sequence[Any]) -> None:
        """Run a kernel. The arguments are arrays of the device and NumPy integers."""

    def wait(self) -> None:
        """Wait for the kernels that run."""

    @property
    def seconds(self) -> float:
        """The time that kernels have run so far."""


class Device(Protocol):
    """Where the arrays are and kernels run."""

    name: str
    arrays: Any
    """The module of its arrays: CuPy, or NumPy."""

    def compile(self, sizes: Mapping[str, int]) -> Program:
        """Compile the source; refuses a game whose rows do not fit into shared memory."""

    def free_memory(self) -> int:
        """The bytes that can be allocated."""

    def to_host(self, array: Any, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """The array in the memory of the host, in `out` if that is given; fastest to an array of `host_buffer`."""

    def host_buffer(self, count: int) -> npt.NDArray[np.float32]:
        """Memory of the host to which the device copies fast."""


def source_text() -> str:
    """The source of the kernels."""
    return resources.files(__package__).joinpath("turn.cu").read_text(encoding="utf-8")


def definitions(sizes: Mapping[str, int]) -> tuple[str, ...]:
    """The sizes as options of a compiler."""
    return tuple(f"-D{name}={size}" for name, size in sizes.items())


@cache
def open_device() -> Device:
    """The GPU of this machine; an InputError says what is missing."""
    try:
        cupy = import_module("cupy")
    except ImportError:
        raise missing_extra(Message("a GPU needs CuPy"), "gpu") from None
    try:
        devices = int(cupy.cuda.runtime.getDeviceCount())
    except Exception as error:  # CuPy raises errors of its own if a driver or device is missing
        raise InputError("no GPU can be used here: {error}", error=error) from None
    if not devices:
        raise InputError("there is no GPU here")
    return CudaDevice(cupy)


class CudaDevice:
    """The current GPU, through CuPy."""

    def __init__(self, cupy: Any) -> None:
        self.arrays = cupy
        device = cupy.cuda.Device()
        self.name = str(cupy.cuda.runtime.getDeviceProperties(device.id)["name"].decode())
        self._most_shared = int(device.attributes["MaxSharedMemoryPerBlockOptin"])

    def compile(self, sizes: Mapping[str, int]) -> Program:
        """Compile the source with NVRTC."""
        module = self.arrays.RawModule(code=source_text(), options=(*OPTIONS, *definitions(sizes)), backend="nvrtc")
        told = self.arrays.zeros(2, np.int32)
        module.get_function("tell_sizes")((1,), (sizes["THREADS"],), (told,))
        shared = int(told[0])
        if shared > self._most_shared:
            raise SizeError(
                "a turn with {dice} dice of {faces} faces takes {shared:,} bytes of shared memory, and {name} has"
                " {most:,}",
                dice=sizes["DICE"],
                faces=sizes["FACES"],
                shared=shared,
                name=self.name,
                most=self._most_shared,
            )
        return _CudaProgram(self.arrays, module, shared, sizes["THREADS"])

    def free_memory(self) -> int:
        """What the device and CuPy's pool have free."""
        free, _total = self.arrays.cuda.runtime.memGetInfo()
        return int(free) + int(self.arrays.get_default_memory_pool().free_bytes())

    def to_host(self, array: Any, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """A copy in the memory of the host."""
        copy: npt.NDArray[Any] = self.arrays.asnumpy(array, out=out)
        return copy

    def host_buffer(self, count: int) -> npt.NDArray[np.float32]:
        """Pinned memory."""
        buffer: npt.NDArray[np.float32] = import_module("cupyx").empty_pinned(count, np.float32)
        return buffer


class _CudaProgram:
    def __init__(self, cupy: Any, module: Any, shared: int, threads: int) -> None:
        self._cupy, self._module, self._shared, self._threads = cupy, module, shared, threads
        self._events: list[tuple[Any, Any]] = []
        self._seconds = 0.0

    def launch(self, kernel: str, blocks: int, arguments: Sequence[Any]) -> None:
        """Start a kernel; it runs while the host goes on."""
        function = self._module.get_function(kernel)
        function.max_dynamic_shared_size_bytes = self._shared
        function.preferred_shared_memory_carveout = 100
        begin, end = self._cupy.cuda.Event(), self._cupy.cuda.Event()
        begin.record()
        function((blocks,), (self._threads,), tuple(arguments), shared_mem=self._shared)
        end.record()
        self._events.append((begin, end))

    def wait(self) -> None:
        """Wait for the kernels that run, and add up their time."""
        for begin, end in self._events:
            end.synchronize()
            self._seconds += self._cupy.cuda.get_elapsed_time(begin, end) / 1000
        self._events.clear()

    @property
    def seconds(self) -> float:
        """Waits for the kernels that run."""
        self.wait()
        return self._seconds
