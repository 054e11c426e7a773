"""The turn on a GPU: curves of chances, pairs of states and expected scores, with the same results as the kernels.

`turn.cu` is the source for the device. `game.py` compiles a game to its arrays and sizes, `device.py` finds a device,
and `curves.py`, `pairs.py` and `expected.py` cut layers into slices that fit into its memory. Nothing here imports CuPy
until a device is opened.
"""
