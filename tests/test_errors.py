"""Every error is one line, whatever it quotes."""

from __future__ import annotations

import pytest

from yatzy import load_game
from yatzy.cli.commands.match.strength import read_depths
from yatzy.cli.lab_options import read_scores
from yatzy.errors import YatzyError
from yatzy.games import Position
from yatzy.names import parse_objective, parse_strategy

YATZY = load_game("yatzy")


TEXTS = ("exp:1\nexp:1", "match:emp:\n1", "9" * 5000 + "x", "a\x1b[31m", "own.py:Mine\n", "\u2028")


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_quoted_does_not_break_the_line(text: str) -> None:
    readers = (
        parse_objective, parse_strategy, Position.parse, read_depths, read_scores, lambda text: YATZY.parse_dice(text),
    )  # fmt: skip
    for read in readers:
        try:
            read(text)
        except YatzyError as error:
            message = str(error)
            assert message.isprintable(), message
            assert len(message) <= 1000


def test_a_score_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(YatzyError, match="is not a score"):
        read_scores("9" * 5000)
