"""Many records in one CSV file, one row per turn. docs/records.md describes the columns.

game_number,game,date,player,strategy,turn,roll1,keep1,roll2,keep2,roll3,category,points,joker_bonus
1,yatzy,,Ann,,1,11455,55,55556,5555,15555,fives,20,
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from yatzy.errors import InputError, Message, RecordError
from yatzy.games.dice import Dice, show_dice
from yatzy.games.game import MAX_ROLLS, Game
from yatzy.games.gamefile import load_preset
from yatzy.games.keys import did_you_mean, known_are
from yatzy.games.position import MOST_PLAYERS, Position
from yatzy.games.record import Detail, Player, Record, Turn, TurnRefused, check_name, seat_of
from yatzy.games.turn_text import (
    LineRefused,
    at_line,
    format_steps,
    parse_steps,
    read_date,
    read_keep,
    read_number,
    read_order,
    read_roll,
    read_score,
    read_seed,
    read_start,
    shorten,
)

MOST_CSV = 256 * 2**20
_BEFORE = ("game_number", "game", "date", "player", "strategy", "turn")
_BEHIND = ("category", "points", "joker_bonus")
_RARE = ("seed", "order", "position", "note", "undone")
"""Columns that are written only if some record needs them."""
_OF_GAME = ("game", "date", *_RARE)
_LONGEST_CELL = 100


def write_csv(records: Iterable[Record]) -> str:
    """Records as CSV. `read_csv` is the inverse; it needs `find_game` for games that are not presets."""
    records = list(records)
    rare = [_rare(record) for record in records]
    columns = [
        *_BEFORE,
        *_dice_columns(max((record.game.rolls for record in records), default=3)),
        *_BEHIND,
        *(key for key in _RARE if any(key in one for one in rare)),
    ]
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for number, (record, more) in enumerate(zip(records, rare, strict=True), 1):
        for row in _rows(record):
            writer.writerow({"game_number": number, **row, **more})
            more = {key: more[key] for key in ("seed", "order") if key in more}  # the others only once per game
    return out.getvalue()


def _dice_columns(rolls: int) -> list[str]:
    return [f"{kind}{i}" for i in range(1, rolls + 1) for kind in ("roll", "keep")][:-1]


def _rare(record: Record) -> dict[str, str]:
    """The non-empty cells of the `_RARE` columns."""
    told = {
        "seed": "" if record.seed is None else str(record.seed),
        "order": "" if record.order_known else "unknown",
        "position": "" if record.start is None else str(record.start),
        "note": "\n".join(record.notes),
        "undone": format_steps(record.undone),
    }
    return {key: text for key, text in told.items() if text}


def _rows(record: Record) -> Iterator[dict[str, str]]:
    """One row per turn; preceded by one row per player if the turns do not show the order of the players."""
    date = record.date.isoformat() if record.date else ""
    common = [
        {"game": record.game.id, "date": date, "player": player.name, "strategy": player.strategy or ""}
        for player in record.players
    ]
    owners = [record.player_of(number) for number in range(len(record.turns))]
    if list(dict.fromkeys(owners)) != list(range(len(record.players))):
        yield from common
    for number, owner in enumerate(owners):
        yield {**common[owner], "turn": str(record.number_of(number)), **_turn_cells(record, record.turns[number])}


def _turn_cells(record: Record, turn: Turn) -> dict[str, str]:
    cells = {f"keep{i}": show_dice(keep) for i, keep in enumerate(turn.keeps, 1)}
    if turn.detail is Detail.DICE:
        cells[f"roll{record.game.rolls}"] = show_dice(turn.rolls[0])
    else:
        cells |= {f"roll{i}": show_dice(roll) for i, roll in enumerate(turn.rolls, 1)}
    if turn.score is not None:
        cells |= {"category": str(turn.score), "points": str(turn.points)}
        cells["joker_bonus"] = str(turn.joker_bonus) if turn.joker_bonus else ""
    return cells


@dataclass
class _Draft:
    """The data of a game from the rows read so far."""

    game: Game
    line: int
    told: dict[str, str] = field(default_factory=dict)
    """The cells that apply to the whole game, by column."""
    strategies: dict[str, str] = field(default_factory=dict)
    """By player, in order."""
    turns: dict[str, list[tuple[int | None, int, Turn]]] = field(default_factory=dict)
    """By player: the number of the turn (None if not given), the line, and the turn."""


def read_csv(
    text: str, find_game: Callable[[str], Game] = load_preset, source: str = Message("records"), *, game: str = "yatzy"
) -> list[Record]:
    """Read records, in the order of their first rows; errors start with `source` and name the line.

    Without a column `game_number` all rows belong to one game. Without a column `game` the argument `game` is used.
    """
    try:
        if len(text) > MOST_CSV:
            raise RecordError("{count:,} letters are too long; the most is {most:,}", count=len(text), most=MOST_CSV)
        reader = _Reader(find_game, game)
        reader.read(text.removeprefix("\ufeff"))
        return [_finish(draft) for draft in reader.drafts.values()]
    except InputError as error:
        raise RecordError("{source}: {error}", source=source, error=error) from None


class _Reader:
    """Assigns rows to games."""

    def __init__(self, find_game: Callable[[str], Game], game: str) -> None:
        self.drafts: dict[str, _Draft] = {}
        self._find_game, self._default = find_game, game
        self._games: dict[str, Game] = {}
        self._columns: dict[str, int] = {}
        self._width = 0

    def read(self, text: str) -> None:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
        number = 1
        try:
            for row in lines:
                with at_line(number):
                    cells = [cell.strip() for cell in row]
                    if not any(cells):
                        pass
                    elif self._columns:
                        self._take(cells, number)
                    else:
                        self._take_columns(cells)
                number = lines.line_num + 1
        except csv.Error as error:
            raise LineRefused(number, Message("is not CSV: {error}", error=error)) from None
        if not self._columns:
            raise RecordError(
                "there is no line of columns; it starts with columns such as {columns}", columns=", ".join(_BEFORE)
            )

    def _take_columns(self, cells: Sequence[str]) -> None:
        known = (*_BEFORE, *_dice_columns(MAX_ROLLS), *_BEHIND, *_RARE)
        for i, cell in enumerate(cells):
            name = cell.casefold().replace(" ", "_")
            if not name:
                continue
            if name not in known:
                close = get_close_matches(name[:_LONGEST_CELL], known, n=1)
                hint = did_you_mean(close[0]) if close else known_are((*_BEFORE, *_BEHIND, *_RARE))
                raise RecordError("column {cell!r} is not known; {hint}", cell=shorten(cell), hint=hint)
            if name in self._columns:
                raise RecordError("column {name} is there twice", name=name)
            self._columns[name] = i
        if "category" not in self._columns:
            raise RecordError("column category is missing")
        self._width = len(cells)
        self._rolls = [(self._columns.get(f"roll{i}"), self._columns.get(f"keep{i}")) for i in range(1, MAX_ROLLS + 1)]
        while self._rolls and self._rolls[-1] == (None, None):
            self._rolls.pop()

    def _take(self, cells: list[str], line: int) -> None:
        if len(cells) > self._width and any(cells[self._width :]):
            raise RecordError("{count} cells, but {width} columns", count=len(cells), width=self._width)
        cells += [""] * (self._width - len(cells) + 1)  # an extra empty cell, read for missing columns

        def cell(name: str) -> str:
            return cells[self._columns.get(name, -1)]

        draft = self._draft(cell("game_number"), cell("game"), line)
        for key in _OF_GAME:
            if (text := cell(key)) and draft.told.setdefault(key, text) != text:
                raise RecordError(
                    "{key}: {text!r}, but {told!r} on an earlier line",
                    key=key,
                    text=shorten(text),
                    told=shorten(draft.told[key]),
                )
        name = " ".join(cell("player").split()) or ("Player" if "player" not in self._columns else "")
        self._seat(draft, name, cell("strategy"))
        turn = self._turn(draft.game, cells, cell("category"), cell("points"), cell("joker_bonus"))
        if turn is None and not cell("turn"):
            return
        turns = draft.turns[name]
        if len(turns) == len(draft.game.categories):
            raise RecordError(
                "{name} has had all {count} turns of {game}", name=name, count=len(turns), game=draft.game.id
            )
        number = read_number("turn", cell("turn"), digits=4) if cell("turn") else None
        turns.append((number, line, turn or Turn()))

    def _draft(self, label: str, id: str, line: int) -> _Draft:
        if "game_number" in self._columns and not label:
            raise RecordError("game_number: is missing; rows with the same one are one game")
        if label not in self.drafts:
            id = id or self._default
            if len(label) > _LONGEST_CELL or len(id) > _LONGEST_CELL:
                raise RecordError("game_number, game: longer than {most} letters", most=_LONGEST_CELL)
            if id not in self._games:
                self._games[id] = self._find_game(id)
            self.drafts[label] = _Draft(self._games[id], line, {"game": id})
        return self.drafts[label]

    def _seat(self, draft: _Draft, name: str, strategy: str) -> None:
        if name not in draft.turns:
            if not name:
                raise RecordError("player: is missing")
            check_name(name)
            if len(draft.turns) == MOST_PLAYERS:
                raise RecordError("more than {most} players", most=MOST_PLAYERS)
            draft.turns[name] = []
            draft.strategies[name] = strategy
        elif strategy and draft.strategies[name] != strategy:
            raise RecordError(
                "strategy: {strategy!r}, but {name} had another on an earlier line",
                strategy=shorten(strategy),
                name=name,
            )

    def _turn(self, game: Game, cells: Sequence[str], category: str, points: str, bonus: str) -> Turn | None:
        """The turn of a row; None if the row only names a player."""
        told = [(cells[i] if i is not None else "", cells[j] if j is not None else "") for i, j in self._rolls]
        while told and told[-1] == ("", ""):
            told.pop()
        rolls, keeps = _read_dice(game, told, bool(category))
        if not (category or points or bonus or rolls):
            return None
        return Turn(
            tuple(rolls),
            tuple(keeps),
            read_score(game, category) if category else None,
            read_number("points", points) if points else None,
            read_number("joker_bonus", bonus) if bonus else None,
        )


def _delimiter(text: str) -> str:
    """The delimiter of the columns; some spreadsheets write semicolons or tabs."""
    first = text.lstrip()[:_LONGEST_CELL].split("\n", 1)[0]
    return next((mark for mark in (",", ";", "\t") if mark in first), ",")


def _read_dice(game: Game, told: Sequence[tuple[str, str]], done: bool) -> tuple[list[Dice], list[Dice]]:
    """The rolls and keeps of a row. In a finished turn a single roll, in any column, is the last one."""
    if done and sum(bool(roll) + bool(keep) for roll, keep in told) == 1 and told[-1][0]:
        return [read_roll(game, told[-1][0])], []
    rolls, keeps = list[Dice](), list[Dice]()
    for number, (roll, keep) in enumerate(told, 1):
        if not roll:
            raise RecordError("roll{number}: is missing; give all rolls, only the last one, or none", number=number)
        rolls.append(read_roll(game, roll))
        if keep:
            keeps.append(read_keep(game, keep, rolls[-1]))
        elif number < len(told):
            raise RecordError("keep{number}: is missing; a keep of no dice is -", number=number)
    return rolls, keeps


def _finish(draft: _Draft) -> Record:
    told, game = draft.told, draft.game
    with at_line(draft.line):
        players = tuple(Player(name, draft.strategies[name] or None) for name in draft.turns)
        start = read_start(told["position"], game, len(players)) if "position" in told else None
        order = _order_of_play(draft, start)
        try:
            return Record(
                game,
                players,
                tuple(turn for _, turn in order),
                date=read_date(told["date"]) if "date" in told else None,
                seed=read_seed(told["seed"]) if "seed" in told else None,
                order_known=read_order(told["order"]) if "order" in told else True,
                notes=_read_notes(told.get("note", "")),
                start=start,
                undone=parse_steps(game, told.get("undone", "")),
            )
        except TurnRefused as error:
            raise LineRefused(order[error.number][0], error) from None


def _read_notes(text: str) -> tuple[str, ...]:
    return tuple(text.replace("\r\n", "\n").split("\n")) if text else ()


def _order_of_play(draft: _Draft, start: Position | None) -> list[tuple[int, Turn]]:
    """The turns in the order of play, each with its line. Players take turns in order."""
    names = list(draft.turns)
    left = [sorted(turns, key=lambda row: row[0] or 0)[::-1] for turns in draft.turns.values()]
    order = list[tuple[int, Turn]]()
    for turn in range(sum(map(len, left))):
        number, player = seat_of(turn, len(names), start)
        if not left[player]:
            raise RecordError(
                "turn {number} of {name} is missing, but there are later turns", number=number, name=names[player]
            )
        told, line, one = left[player].pop()
        if told not in (None, number):
            raise LineRefused(
                line, Message("it is turn {number} of {name}, not {told}", number=number, name=names[player], told=told)
            )
        order.append((line, one))
    return order
