"""An address as a QR code, for a terminal and for the page."""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest

QUIET = 2
"""Light modules around the code."""
BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
WHITE_ON_BLACK, PLAIN = "\x1b[40;97m", "\x1b[0m"


@lru_cache(maxsize=64)
def modules(address: str) -> tuple[tuple[bool, ...], ...]:
    """[row, column]: whether a module is dark, with a light margin."""
    import segno  # part of the extra `web`

    code = segno.make_qr(address, error="m")
    return tuple(tuple(bool(one) for one in row) for row in code.matrix_iter(border=QUIET))


def terminal_lines(address: str, *, coloured: bool) -> list[str]:
    """The code in half blocks: the light modules are drawn. With colours it also has contrast on a light background."""
    light = [[not dark for dark in row] for row in modules(address)]
    lines = []
    for upper, lower in zip_longest(light[::2], light[1::2], fillvalue=[False] * len(light)):
        line = "".join(BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        lines.append(f"{WHITE_ON_BLACK}{line}{PLAIN}" if coloured else line)
    return lines


def svg_path(address: str) -> tuple[int, str]:
    """The width of the code in modules, and the dark modules as the path of an SVG."""
    rows = modules(address)
    runs = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end]:
                end += 1
            if end > x:
                runs.append(f"M{x} {y}h{end - x}v1h{x - end}z")
            x = max(end, x + 1)
    return len(rows), "".join(runs)
