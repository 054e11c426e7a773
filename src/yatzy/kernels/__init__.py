"""The hot loops, in Numba: flat arrays in, results into arrays that the caller passes, no objects, no checks."""

from yatzy.kernels.cache import drop_outdated

drop_outdated()
