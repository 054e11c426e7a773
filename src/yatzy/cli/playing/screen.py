"""The display of a terminal game: sheets side by side, dice with their places, and offers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from yatzy.cli.playing.words import HELP, places_of
from yatzy.games import Game, Player, Position, placements
from yatzy.report.sheet import SheetLine, bonus_progress, points_text, sheet_lines
from yatzy.report.texts import text
from yatzy.report.words import rolls_left

WIDTH = 100
"""Columns, if standard output is not a terminal."""
NAME = 12
"""Width limit of a player's name."""
LEAST = 6
"""Minimum width of a player's column."""
OPEN = "·"
EXAMPLES = {"tutor": "tutor blunder", "resume": "'yatzy play --resume FILE'"}
"""Commands that the help quotes."""


def open_console() -> Console:
    """The console of the game; plain text if it is not a terminal."""
    return Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False, markup=False, emoji=False)


def can_draw(console: Console) -> bool:
    """Whether the console can show box characters."""
    try:
        "╭─╮·★".encode(console.encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def help_table(language: str = "en") -> Table:
    """The commands that can be typed."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for typed, key in HELP:
        table.add_row(f"  {typed}", text(language, f"help_line.{key}", **EXAMPLES))
    return table


def sheets(console: Console, position: Position, players: Sequence[Player], language: str) -> Iterator[Table]:
    """The sheets of all players side by side, split into several tables if they do not fit."""
    game, gap = position.game, 3
    labels = max(
        len(text) for text in (game.name(language), *(category.name(language) for category in game.categories))
    )
    now = 3 + gap if _now(position) else 0
    left = room = console.width - labels - 2 * gap - 2 - now
    shown = list[int]()
    for seat, player in enumerate(players):
        width = min(max(len(player.name) + 2, LEAST), NAME) + gap
        if shown and width > left:
            yield _sheets(console, position, players, shown, language)
            shown, left = [], room
        shown.append(seat)
        left -= width
    yield _sheets(console, position, players, shown, language)


def _sheets(
    console: Console, position: Position, players: Sequence[Player], shown: Sequence[int], language: str
) -> Table:
    game, drawn = position.game, can_draw(console)
    now = _now(position) if position.mover in shown else {}
    table = Table(box=box.SIMPLE_HEAD if drawn else box.ASCII2, pad_edge=False, show_edge=False)
    table.add_column("", justify="right", style="dim")
    table.add_column(Text(game.name(language)), no_wrap=True)
    if now:
        table.add_column(text(language, "terminal.now"), justify="right", no_wrap=True)
    for seat in shown:
        mark = ("▸ " if drawn else "> ") if seat == position.mover and not position.over else ""
        name = Text(f"{mark}{players[seat].name}", style="bold" if mark else "")
        name.truncate(NAME, overflow="ellipsis" if drawn else "crop")
        table.add_column(name, justify="right", no_wrap=True, min_width=LEAST)
    below, filled = _below_upper(game), [sheet_lines(position.sheets[seat]) for seat in shown]
    for place, category in enumerate(game.categories):
        cells = [_box(lines[place], drawn) for lines in filled]
        offer = [Text(now.get(place, ""), style="bold")] if now else []
        table.add_row(str(place + 1), Text(category.name(language)), *offer, *cells)
        if place == below:
            _bonus_row(table, position, shown, language, bool(now))
    if below is None:
        _bonus_row(table, position, shown, language, bool(now))
    if game.joker is not None and game.joker.points:
        extra = [str(position.sheets[seat].jokers * game.joker.points) for seat in shown]
        table.add_row("", text(language, "terminal.jokers"), *[""] * bool(now), *extra, style="dim")
    totals = [str(position.sheets[seat].points) for seat in shown]
    table.add_row("", text(language, "terminal.total"), *[""] * bool(now), *totals, style="bold")
    return table


def _now(position: Position) -> dict[int, str]:
    """The points that each open category would get for these dice."""
    if position.awaits_roll or position.over:
        return {}
    return {
        line.number - 1: f"{line.offer}+{line.offered_bonus}" if line.offered_bonus else str(line.offer)
        for line in sheet_lines(position.sheet, position.dice)
        if line.offer is not None
    }


def _box(line: SheetLine, drawn: bool) -> Text:
    if not line.filled:
        return Text(OPEN if drawn else ".", style="dim")
    return Text(points_text(line))


def _below_upper(game: Game) -> int | None:
    """The last upper category, if all upper categories come first."""
    upper = game.upper_categories
    return upper[-1] if upper and upper == tuple(range(len(upper))) else None


def _bonus_row(table: Table, position: Position, shown: Sequence[int], language: str, offers: bool) -> None:
    bonus = position.game.bonus
    if bonus is None:
        return
    cells = []
    for seat in shown:
        sheet = position.sheets[seat]
        cells.append(f"+{bonus.points}" if sheet.bonus_won else bonus_progress(sheet))
    table.add_row("", text(language, "terminal.bonus", points=bonus.points), *[""] * offers, *cells, style="dim")


def dice_lines(
    position: Position, language: str = "en", *, drawn: bool, kept: Sequence[int] = (), width: int = WIDTH
) -> list[str]:
    """The dice with their places and the rolls left; the dice kept from the roll before are marked.

    If they do not fit the width, the dice are plain text and the rolls left are on a line of their own.
    """
    left = rolls_left(position.rolls_left, language)
    places, dice = places_of(position), position.dice
    if not drawn:
        faces = [f"[{die}]" for die in dice]
        under = [place.ljust(len(face)) for place, face in zip(places, faces, strict=True)]
        lines = [f"  {' '.join(faces)}   {left}", f"  {' '.join(under)}".rstrip()]
        return lines if len(lines[0]) <= width else [lines[0].removesuffix(f"   {left}"), lines[1], f"  {left}"]
    room = len(str(position.game.faces)) + 2
    if len(dice) * (room + 3) + 1 > width:
        return dice_lines(position, language, drawn=False, width=width)
    mark = text(language, "terminal.kept")
    rows = [
        " ".join(f"╭{'─' * room}╮" for _ in dice),
        " ".join(f"│{die:^{room}}│" for die in dice),
        " ".join(f"╰{place:─<{room}}╯" for place in places),
        " ".join((mark if one else "").center(room + 2) for one in _marks(dice, kept)).rstrip(),
    ]
    if len(rows[1]) + len(left) + 5 <= width:
        rows[1] += f"   {left}"
    else:
        rows.append(left)
    return [f"  {row}" for row in rows if row]


def _marks(dice: Sequence[int], kept: Sequence[int]) -> list[bool]:
    """Which of the dice were kept; of equal dice, the first ones."""
    rest, marks = list(kept), []
    for die in dice:
        marks.append(die in rest)
        if die in rest:
            rest.remove(die)
    return marks


def offers_line(position: Position, language: str, width: int) -> str:
    """The categories that pay now, highest first, as far as they fit the width."""
    categories = position.game.categories
    pays = [(place.points + place.joker_bonus, place.category) for place in placements(position.sheet, position.dice)]
    ranked = sorted((pair for pair in pays if pair[0]), key=lambda pair: (-pair[0], pair[1]))
    if not ranked:
        return f"  {text(language, 'terminal.no_offers')}"
    line = f"  {text(language, 'terminal.offers')}"
    for number, (points, category) in enumerate(ranked):
        more = f"{',' if number else ''} {categories[category].name(language)} {points}"
        if len(line) + len(more) > width - 4:
            return f"{line} …"
        line += more
    return line
