"""Draw the icons of the installed page from the shape of icon.svg. Run it with `python docs/icons.py`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

ASSETS = Path(__file__).parent.parent / "src" / "yatzy" / "web" / "assets"
GREEN, WHITE = "#1d6f5c", "#ffffff"
PIPS = ((9.5, 9.5), (22.5, 9.5), (16, 16), (9.5, 22.5), (22.5, 22.5))
"""Centres of the pips in icon.svg, which is 32 units wide."""
FINER = 4
"""The drawing is this much larger than the icon, for smooth edges."""


def icon(size: int, *, full: bool) -> Image.Image:
    """The icon; `full` fills the whole square, for systems that cut out a shape of their own."""
    wide = size * FINER
    image = Image.new("RGBA", (wide, wide), GREEN if full else (0, 0, 0, 0))
    draw, unit = ImageDraw.Draw(image), wide / 32
    if not full:
        draw.rounded_rectangle((2 * unit, 2 * unit, 30 * unit, 30 * unit), 6 * unit, fill=GREEN)
    shrink = 0.8 if full else 1.0  # keeps the pips inside the part that is never cut off
    radius = 2.8 * unit * shrink
    for x, y in PIPS:
        cx, cy = (unit * (16 + shrink * (one - 16)) for one in (x, y))
        draw.ellipse((cx - radius, cy - radius, cx + radius, cy + radius), fill=WHITE)
    return image.resize((size, size), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    for name, size, full in (("icon-192", 192, False), ("icon-512", 512, False), ("icon-full-180", 180, True),
                             ("icon-full-512", 512, True)):  # fmt: skip
        icon(size, full=full).save(ASSETS / f"{name}.png", optimize=True)
