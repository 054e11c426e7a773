"""Records broken at random: each is refused with one line, or it is a legal game by a second, slow set of rules.

    PYTHONPATH=tests python -m helpers.record_fuzz 1000000

breaks a million texts on two processes and prints how many were taken and refused; `make fuzz` does the same.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import Pool

from helpers.random_records import GAMES, random_record
from helpers.record_judge import judge, judge_text
from yatzy.errors import InputError
from yatzy.games import Game, Record, load_preset
from yatzy.games.record_csv import read_csv, write_csv
from yatzy.games.record_text import read_record, with_check

KNOWN = {game.id: game for game in GAMES}


def find(id: str) -> Game:
    return KNOWN[id] if id in KNOWN else load_preset(id)


# ---------------------------------------------------------------- breaking texts

ODD = ("\ufeff", "\x00", "\u2028", "\x85", "\t", "\r", "\r\n", "\ud800", "٣", "²", "é", "🎲", "9" * 5000, "-1", "1e9",
       "0x1", "(all)", "()", "=0", "\n\n", *"():|#-+\",;[]~")  # fmt: skip
DIGITS = "0123456789"
Mutation = Callable[[str, str, random.Random], str]


def change_letters(text: str, other: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    new = rng.choice(ODD) if rng.random() < 0.5 else chr(rng.randrange(32, 127))
    return text[:at] + new * rng.randrange(2) + text[at + rng.randrange(4) :]


def change_digit(text: str, other: str, rng: random.Random) -> str:
    places = [i for i, letter in enumerate(text) if letter in DIGITS]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + rng.choice(DIGITS) + text[at + 1 :]


def change_words(text: str, other: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    words = lines[at].split(" ")
    one, two = rng.randrange(len(words)), rng.randrange(len(words))
    match rng.randrange(4):
        case 0:
            words[one], words[two] = words[two], words[one]
        case 1:
            del words[one]
        case 2:
            words.insert(two, words[one])
        case _:
            words[one] = rng.choice(other.split() or [""])
    lines[at] = " ".join(words)
    return "\n".join(lines)


def change_lines(text: str, other: str, rng: random.Random) -> str:
    lines = text.split("\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            lines[one], lines[two] = lines[two], lines[one]
        case 1:
            del lines[one]
        case 2:
            lines.insert(two, lines[one])
        case _:
            lines[one] = rng.choice(other.split("\n"))
    return "\n".join(lines)


def splice(text: str, other: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def truncate(text: str, other: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def cut_at_a_line(text: str, other: str, rng: random.Random) -> str:
    lines = text.split("\n")
    return "\n".join(lines[: rng.randrange(len(lines) + 1)])


def tell_less(text: str, other: str, rng: random.Random) -> str:
    """Leave out dice or points of a turn, which may well be legal."""
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    words = lines[at].split(" ")
    lines[at] = " ".join(words[:1] + words[-2:] if rng.random() < 0.5 else words[:-1])
    return "\n".join(lines)


MUTATIONS: tuple[Mutation, ...] = (
    change_letters,
    change_digit,
    change_digit,
    change_words,
    change_lines,
    splice,
    truncate,
    cut_at_a_line,
    tell_less,
)


@dataclass
class Outcome:
    """How many texts were taken and refused, and the reasons of refusal without their numbers and names."""

    taken: int = 0
    refused: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: Outcome) -> None:
        self.taken += other.taken
        self.refused += other.refused
        self.reasons += other.reasons


def without_rules(text: str) -> str:
    """The same record, the game of which has to be found by its id; reading its rules takes long."""
    return "\n".join(line for line in text.split("\n") if not line.startswith("|"))


def shortened(record: Record, turns: int) -> Record:
    """The same game broken off."""
    return record if len(record.turns) <= turns else replace(record, turns=record.turns[:turns], undone=())


@cache
def seeds(kind: str) -> tuple[str, ...]:
    """Texts of records that are right, of all games, most of them short."""
    rng = random.Random(kind)
    records = [random_record(game, rng) for game in KNOWN.values() for _ in range(8)]
    records = [record if i % 4 == 0 else shortened(record, rng.randrange(1, 7)) for i, record in enumerate(records)]
    if kind == "text":
        texts = [str(record) for record in records]
        texts = [text if i % 8 == 0 else without_rules(text) for i, text in enumerate(texts)]
        return tuple(with_check(text) if i % 5 == 0 else text for i, text in enumerate(texts))
    return tuple(write_csv(rng.sample(records, rng.randrange(1, 4))) for _ in range(100))


def read_text(text: str) -> list[Record]:
    record = read_record(text, find, "record")
    judge_text(text, record)
    assert read_record(str(record), find, "record") == record
    return [record]


def read_table(text: str) -> list[Record]:
    records = read_csv(text, find)
    assert read_csv(write_csv(records), find) == records
    return records


def fuzz(kind: str, count: int, seed: int) -> Outcome:
    """Break texts; whatever is neither refused in one line nor a legal game is raised."""
    read = read_text if kind == "text" else read_table
    rng, texts, outcome = random.Random(f"{kind} {seed}"), seeds(kind), Outcome()
    for _ in range(count):
        text, other = rng.choice(texts), rng.choice(texts)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            text = rng.choice(MUTATIONS)(text, other, rng)
        try:
            records = read(text)
        except InputError as error:
            message = str(error)
            assert len(message.splitlines()) == 1, message
            assert message.isprintable(), message
            assert len(message) < 2000, message
            outcome.refused += 1
            outcome.reasons["".join(letter for letter in message if letter not in DIGITS)[:40]] += 1
        except Exception as error:
            raise AssertionError(f"{type(error).__name__} for {text!r}") from error
        else:
            for record in records:
                judge(record)
            outcome.taken += 1
    return outcome


def run(job: tuple[str, int, int]) -> Outcome:
    return fuzz(*job)


def main() -> None:
    total, share = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, 1_000
    for kind, count in (("text", total), ("csv", total // 50)):
        began, outcome = time.perf_counter(), Outcome()
        jobs = [(kind, min(share, count - done), seed) for seed, done in enumerate(range(0, count, share), 2)]
        with Pool(2) as pool:
            for part in pool.imap_unordered(run, jobs):
                outcome.add(part)
        took = time.perf_counter() - began
        print(f"{kind}: {count:,} texts in {took:,.0f} s: {outcome.taken:,} taken, {outcome.refused:,} refused")
        for reason, times in outcome.reasons.most_common(12):
            print(f"  {times:9,} {reason}", flush=True)


if __name__ == "__main__":
    main()
