"""Draw docs/rooms.svg: the rooms of the program, and the rooms that three questions pass through.

Run it with `python docs/rooms.py`. `python -m benchmarks walks` lists the modules that run for each question.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

LAYERS: tuple[dict[str, str], ...] = (
    {"errors": "exceptions", "units": "of a value", "reading": "text files"},
    {"games": "rules, sheets, positions, records", "names": "what people can ask for"},
    {"model": "a game as arrays", "kernels": "hot loops, in Numba", "gpu": "the same on a GPU",
     "store": "files that last", "workers": "threads, cluster"},
    {"values": "what positions are worth", "strategies": "position to move", "evaluation": "exact distributions",
     "matches": "several players"},
    {"solver": "opens and builds tables, turns names into evaluators and strategies"},
    {"lab": "simulation, studies", "verification": "values, checked again", "sharing": "packs, data",
     "coach": "advice, reviews, playing"},
    {"report": "results as text, in every language", "plot": "figures"},
    {"cli": "commands", "web": "the page and the HTTP API"},
)  # fmt: skip
"""The rooms from the first to the last, each with a few words. A room imports from the layers above its own and from
rooms on its left."""
WALKS = {
    "yatzy advise": ("cli", "report", "coach", "solver", "values", "store", "model", "names", "games"),
    "a click on a die": ("web", "report", "coach", "games"),
    "yatzy simulate": ("cli", "report", "lab", "solver", "strategies", "values", "kernels", "store", "model", "names",
                       "games"),
}  # fmt: skip
"""Three questions, with the rooms whose code runs."""
COLOURS = ("#0072b2", "#d55e00", "#009e73")
WIDTH, HEIGHT, GAP, MARGIN, LEFT = 880, 54, 14, 16, 84


def draw_rooms() -> str:
    """The picture as SVG."""
    bottom = MARGIN + len(LAYERS) * (HEIGHT + GAP)
    shapes = [_arrow(MARGIN, bottom - GAP)]
    for row, layer in enumerate(LAYERS):
        wide = (WIDTH - LEFT - MARGIN - GAP * (len(layer) - 1)) / len(layer)
        for column, (room, words) in enumerate(layer.items()):
            shapes += _room(LEFT + column * (wide + GAP), MARGIN + row * (HEIGHT + GAP), wide, room, words)
    for number, (question, colour) in enumerate(zip(WALKS, COLOURS, strict=True)):
        x = LEFT + 10 + number * 230
        shapes += [_dot(x, bottom + 12, number, colour), _text(x + 18, bottom + 17, question, 14)]
    size = f'width="{WIDTH}" height="{bottom + 34}" viewBox="0 0 {WIDTH} {bottom + 34}"'
    paper = f'<rect width="{WIDTH}" height="{bottom + 34}" fill="#ffffff"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', paper, *shapes, "</svg>", ""])


def _room(x: float, y: float, wide: float, room: str, words: str) -> list[str]:
    box = f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{HEIGHT}" rx="6" fill="#f3f1ea" stroke="#8a8572"/>'
    passing = [number for number, rooms in enumerate(WALKS.values()) if room in rooms]
    dots = [
        _dot(x + wide - 14 - 22 * (len(passing) - 1 - place), y + 15, one, COLOURS[one])
        for place, one in enumerate(passing)
    ]
    return [box, _text(x + 10, y + 22, room, 16, "bold"), _text(x + 10, y + 42, words, 12.5), *dots]


def _dot(x: float, y: float, number: int, colour: str) -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y}" r="9" fill="{colour}"/><text x="{x:.1f}" y="{y + 4}" font-size="12"'
        f' font-family="sans-serif" text-anchor="middle" fill="#ffffff">{number + 1}</text>'
    )


def _text(x: float, y: float, text: str, size: float, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y}" font-size="{size}" font-family="sans-serif" font-weight="{weight}"'
        f' fill="#222222">{escape(text)}</text>'
    )


def _arrow(top: float, bottom: float) -> str:
    """From the surfaces to what they use."""
    middle = (top + bottom) / 2
    return (
        f'<path d="M 50 {bottom} V {top + 8} M 43 {top + 12} L 50 {top} L 57 {top + 12}" fill="none" stroke="#555555"'
        f' stroke-width="2"/><text x="34" y="{middle}" font-size="14" font-family="sans-serif" fill="#555555"'
        f' text-anchor="middle" transform="rotate(-90 34 {middle})">imports</text>'
    )


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(draw_rooms(), encoding="utf-8")
