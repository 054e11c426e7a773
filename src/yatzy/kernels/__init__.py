"""Numba kernels for the hot loops. They take flat arrays, write to arrays that the caller passes, and check nothing."""

from yatzy.kernels.cache import drop_outdated

drop_outdated()
