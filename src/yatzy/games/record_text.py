"""Read and write game records as text, one line per turn. docs/records.md describes the format for users.

    game: yatzy
    player: Ann
    player: Bo

    1 Ann: 11455 (55) 55556 (5555) 15555 fives 20
    1 Bo: 23456 (23456) large-straight 20

Headers are `key: value`. A turn is `NUMBER NAME: ROLL (KEEP) ROLL (KEEP) ROLL CATEGORY POINTS`; only the category, and
either dice or points, are required. `Record.parse(str(record))` equals the record.

A file saved by the program starts with `check: DIGEST`, the digest of the rest of the file; see `with_check`.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from yatzy.errors import InputError, Message, RecordError
from yatzy.games.dice import show_dice
from yatzy.games.game import Game
from yatzy.games.gamefile import is_preset
from yatzy.games.keys import did_you_mean
from yatzy.games.position import MOST_PLAYERS, Position
from yatzy.games.record import Player, Record, Step, Turn, TurnRefused, check_name, seat_of
from yatzy.games.turn_text import (
    LineRefused,
    at_line,
    format_steps,
    parse_steps,
    parse_turn,
    read_date,
    read_number,
    read_order,
    read_seed,
    read_start,
    shorten,
)

MOST_TEXT = 4 * 2**20
MOST_GAME_TEXT = 2**16
LONGEST_GAME_ID = 100
_KEYS = ("game", "rules", "date", "seed", "order", "player", "note", "position", "result", "undone", "check")
_MANY = ("player", "note")
_BEHIND_TURNS = ("note", "result", "undone")
_COMMENT = re.compile(r"(^|\s)#.*")
_HASH_DIGITS = 12


def write_record(record: Record) -> str:
    """A record as text, one line per turn. Includes the rules if the game is not a preset."""
    parts = [_headers(record), [_turn_line(record, number) for number in range(len(record.turns))]]
    tail = [f"undone: {format_steps(record.undone)}"] if record.undone else []
    if record.over:
        tail.append(f"result: {', '.join(map(str, record.scores))}")
    return "\n\n".join("\n".join(part) for part in (*parts, tail) if part) + "\n"


def with_check(text: str) -> str:
    """Prepend a checksum line to a record, so that `Record.parse` detects damaged or truncated files."""
    return f"check: {_digest(text)}\n{text}"


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def _headers(record: Record) -> list[str]:
    lines = [f"game: {record.game.id}"]
    if not is_preset(record.game):
        lines += [f"| {line}".rstrip() for line in str(record.game).splitlines()]
    if record.date is not None:
        lines.append(f"date: {record.date.isoformat()}")
    if record.seed is not None:
        lines.append(f"seed: {record.seed}")
    if not record.order_known:
        lines.append("order: unknown")
    lines += [f"player: {format_player(player)}" for player in record.players]
    lines += [f"note: {note}" for note in record.notes]
    if record.start is not None:
        lines.append(f"position: {record.start}")
    return lines


def format_player(player: Player) -> str:
    """A player's name, with the strategy of a computer player in brackets."""
    return player.name if player.strategy is None else f"{player.name} [{player.strategy}]"


def _turn_line(record: Record, number: int) -> str:
    turn = record.turns[number]
    who = str(record.number_of(number))
    if len(record.players) > 1:
        who += f" {record.players[record.player_of(number)].name}"
    words = [f"{who}:"]
    for i, dice in enumerate(turn.rolls):
        words.append(show_dice(dice))
        words += [f"({show_dice(keep)})" for keep in turn.keeps[i : i + 1]]
    if turn.score is not None:
        words.append(str(turn.score))
        if not turn.score.strike:
            words.append(str(turn.points))
        if turn.joker_bonus:
            words.append(f"+{turn.joker_bonus}")
    return " ".join(words)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a record: the text before its colon and the text after it."""

    number: int
    head: str
    body: str


@dataclass
class _Sorted:
    """The lines of a record by their kind."""

    headers: dict[str, list[_Line]] = field(default_factory=lambda: {key: [] for key in _KEYS})
    rules: list[str] = field(default_factory=list)
    """The lines of the game's TOML description."""
    turns: list[_Line] = field(default_factory=list)

    def one(self, key: str) -> _Line | None:
        return self.headers[key][0] if self.headers[key] else None


def read_record(text: str, find_game: Callable[[str], Game], source: str) -> Record:
    """Read a record; `find_game` looks up a game by its id if the record does not include its rules.

    Errors start with `source` and name the line.
    """
    try:
        if len(text) > MOST_TEXT:
            raise RecordError(
                "{count:,} letters are too long for one game; the most is {most:,}",
                count=len(text),
                most=MOST_TEXT,
            )
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        _verify(text)
        return _read(_sort(text), find_game)
    except InputError as error:
        raise RecordError("{source}: {error}", source=source, error=error) from None


def _verify(text: str) -> None:
    """Compare the text with its checksum, if it has one."""
    first, _, rest = text.partition("\n")
    key, _, digest = first.partition(":")
    if key.strip().casefold() == "check" and digest.strip().casefold() != _digest(rest):
        raise LineRefused(
            1,
            Message(
                "check: this record was damaged or changed since it was saved; remove this line if you changed it"
                " by hand"
            ),
        )


def _sort(text: str) -> _Sorted:
    lines = _Sorted()
    last_key = ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        with at_line(number):
            if line.startswith("|"):
                if last_key != "game":
                    raise RecordError("a line of a game description must follow game:")
                lines.rules.append(line[1:].removeprefix(" "))
                continue
            last_key = _sort_line(lines, number, line.replace("\t", " "))
    return lines


def _sort_line(lines: _Sorted, number: int, line: str) -> str:
    """Add a line to `lines` by its kind; return its key, or "" for a turn."""
    head, colon, body = (part.strip() for part in line.partition(":"))
    key = head.casefold()
    if colon and key in _KEYS:
        if key == "check" and number > 1:
            raise RecordError("check: belongs on the first line, where the program writes it; a record needs none")
        if lines.turns and key not in _BEHIND_TURNS:
            raise _misplaced(lines, key)
        if lines.headers[key] and key not in _MANY:
            raise RecordError("{key}: is given twice; it may be given once", key=key)
        if key == "player" and len(lines.headers[key]) == MOST_PLAYERS:
            raise RecordError("more than {most} players", most=MOST_PLAYERS)
        lines.headers[key].append(_Line(number, key, body))
        return key
    line = _COMMENT.sub("", line)
    head, colon, body = (part.strip() for part in line.partition(":"))
    lines.turns.append(_Line(number, head, body) if colon else _Line(number, "", line))
    return ""


def _misplaced(lines: _Sorted, key: str) -> RecordError:
    """The error for a header after a turn; an earlier header with a misspelt key may have been taken for a turn."""
    players = [Player(line.body.partition("[")[0].strip()) for line in lines.headers["player"]]
    names = [player.name.casefold() for player in players]
    for line in lines.turns:
        if line.head and not line.head[0].isdigit() and line.head.casefold() not in names:
            return _stray(line, players)
    return RecordError("{key}: belongs before the first turn", key=key)


def _read(lines: _Sorted, find_game: Callable[[str], Game]) -> Record:
    game = _read_game(lines, find_game)
    players = tuple(_read_player(line) for line in lines.headers["player"]) or (Player("Player"),)
    start = _read_start(lines.one("position"), game, len(players))
    order_known = _read_order(lines.one("order"))
    turns = _read_turns(lines.turns, game, players, start, order_known)
    undone = lines.one("undone")
    try:
        record = Record(
            game,
            players,
            tuple(turn for _, turn in turns),
            date=_read_date(lines.one("date")),
            seed=_read_seed(lines.one("seed")),
            order_known=order_known,
            notes=tuple(line.body for line in lines.headers["note"]),
            start=start,
            undone=_read_undone(undone, game) if undone else (),
        )
    except TurnRefused as error:
        raise LineRefused(turns[error.number][0], error) from None
    _check_result(record, lines.one("result"))
    return record


def _read_game(lines: _Sorted, find_game: Callable[[str], Game]) -> Game:
    line = lines.one("game")
    if line is None:
        stray = lines.turns[0] if lines.turns else None
        if stray is not None and stray.head:
            raise _stray(stray, ())
        raise RecordError("game: is missing; the record starts with a line such as game: yatzy")
    with at_line(line.number):
        if len(line.body) > LONGEST_GAME_ID:
            raise RecordError("game: {body!r} is too long for the id of a game", body=shorten(line.body))
        game = _read_rules(line.body, lines.rules) if lines.rules else find_game(line.body)
    digest = lines.one("rules")
    if digest is not None and digest.body.casefold() != game.hash[:_HASH_DIGITS]:
        with at_line(digest.number):
            raise RecordError(
                "rules: {body!r} are not the rules of {game} here, which are {hash}; the record was played with"
                " different rules",
                body=shorten(digest.body),
                game=game.id,
                hash=game.hash[:_HASH_DIGITS],
            )
    return game


def _read_rules(id: str, rules: Sequence[str]) -> Game:
    text = "\n".join(rules)
    if len(text) > MOST_GAME_TEXT:
        raise RecordError(
            "game: its description has {count:,} letters; the most is {most:,}",
            count=len(text),
            most=MOST_GAME_TEXT,
        )
    game = Game.parse(text)
    if id != game.id:
        raise RecordError("game: {name!r} is named, but {game!r} is described", name=shorten(id), game=game.id)
    return game


def _read_player(line: _Line) -> Player:
    with at_line(line.number):
        name, bracket, rest = line.body.partition("[")
        if bracket and not rest.endswith("]"):
            raise RecordError("player: the bracket after the name is not closed; write player: Bo [expected]")
        name = " ".join(name.split())
        check_name(name)
        return Player(name, rest[:-1].strip() if bracket else None)


def _read_start(line: _Line | None, game: Game, players: int) -> Position | None:
    if line is None:
        return None
    with at_line(line.number):
        return read_start(line.body, game, players)


def _read_order(line: _Line | None) -> bool:
    if line is None:
        return True
    with at_line(line.number):
        return read_order(line.body)


def _read_date(line: _Line | None) -> datetime.date | None:
    if line is None:
        return None
    with at_line(line.number):
        return read_date(line.body)


def _read_seed(line: _Line | None) -> int | None:
    if line is None:
        return None
    with at_line(line.number):
        return read_seed(line.body)


def _read_undone(line: _Line, game: Game) -> tuple[Step, ...]:
    with at_line(line.number):
        return parse_steps(game, line.body)


def _read_turns(
    lines: Sequence[_Line], game: Game, players: Sequence[Player], start: Position | None, order_known: bool
) -> list[tuple[int, Turn]]:
    """The turns in the order of play, each with its line number."""
    most = len(players) * len(game.categories)
    if len(lines) > most:
        with at_line(lines[most].number):
            raise RecordError(
                "{game} ends after {count} turns of each player; this is one more",
                game=game.id,
                count=len(game.categories),
            )
    owners = [_owner(line, players) for line in lines]
    order = range(len(lines)) if order_known else _order_of_play(lines, owners, players, start)
    turns = []
    for turn, i in enumerate(order):
        with at_line(lines[i].number):
            _check_owner(owners[i], turn, players, start)
            turns.append((lines[i].number, parse_turn(game, lines[i].body)))
    return turns


_Owner = tuple[int | None, int | None]
"""The number of a turn and its player; None if the line does not give them."""


def _owner(line: _Line, players: Sequence[Player]) -> _Owner:
    if not line.head:
        return None, None
    names = [player.name.casefold() for player in players]
    name = line.head.lstrip("0123456789")
    digits = line.head.removesuffix(name)
    for number, text in ((digits, name), ("", line.head)):  # a name may start with a digit
        wanted = " ".join(text.casefold().split())
        if not wanted or wanted in names:
            with at_line(line.number):
                turn = read_number("turn", number, digits=4) if number else None
            return turn, names.index(wanted) if wanted else None
    raise _stray(line, players)


def _stray(line: _Line, players: Sequence[Player]) -> LineRefused:
    """The error for a line that is neither a header nor a turn."""
    head = shorten(line.head)
    close = get_close_matches(head.casefold(), [*_KEYS, *(player.name for player in players)], n=1)
    if close:
        hint = did_you_mean(close[0])
    elif players:
        names = ", ".join(player.name for player in players)
        hint = Message("keys are {keys}; players are {names}", keys=", ".join(_KEYS), names=names)
    else:
        hint = Message("keys are {keys}", keys=", ".join(_KEYS))
    return LineRefused(line.number, Message("{head!r} is neither a key nor a turn; {hint}", head=head, hint=hint))


def _check_owner(owner: _Owner, turn: int, players: Sequence[Player], start: Position | None) -> None:
    number, player = seat_of(turn, len(players), start)
    if owner[0] not in (None, number) or owner[1] not in (None, player):
        told = " ".join(
            str(part) for part in (owner[0], players[owner[1]].name if owner[1] is not None else None) if part
        )
        raise RecordError(
            "{told} cannot be here: it is turn {number} of {name}",
            told=told,
            number=number,
            name=players[player].name,
        )


def _order_of_play(
    lines: Sequence[_Line], owners: Sequence[_Owner], players: Sequence[Player], start: Position | None
) -> list[int]:
    """A possible order of play of the lines, which may be grouped by player."""
    if any(player is None for _, player in owners):
        return list(range(len(lines)))
    left = [[i for i, (_, player) in enumerate(owners) if player == one] for one in range(len(players))]
    order = list[int]()
    for turn in range(len(lines)):
        _, player = seat_of(turn, len(players), start)
        if not left[player]:
            behind = next(rest for rest in left if rest)
            with at_line(lines[behind[0]].number):
                raise RecordError("the turn of {name} before this one is missing", name=players[player].name)
        order.append(left[player].pop(0))
    return order


def _check_result(record: Record, line: _Line | None) -> None:
    if line is None:
        return
    with at_line(line.number):
        if not record.over:
            missing = sum(len(sheet.open) for sheet in record.position.sheets)
            raise RecordError("result: the game is not over; turns are missing: {missing}", missing=missing)
        told = [read_number("result", part, digits=7) for part in re.split(r"[\s,;]+", line.body) if part]
        if tuple(told) != record.scores:
            raise RecordError(
                "result: {body} is written, but the turns add up to {scores}",
                body=shorten(line.body),
                scores=", ".join(map(str, record.scores)),
            )
