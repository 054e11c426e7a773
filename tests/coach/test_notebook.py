"""What notebooks show: well-formed tables, in which everything that people wrote is escaped."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from yatzy import advise, evaluate, review
from yatzy.games import Player, Position, Record, Score, Sheet, Turn, load_game
from yatzy.solver import parse_strategy, solve

GAME = load_game("two-yatzy")
EVIL = "<b>&'\""


class Cells(HTMLParser):
    """The rows of a table; fails where tags do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.caption = ""
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag in ("table", "caption", "thead", "tbody", "tr", "th", "td"), tag
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] == "caption":
            self.caption += data
        else:
            self.rows[-1][-1] += data


def cells(shown: Any) -> Cells:
    return Cells(shown._repr_html_())


def test_a_position() -> None:
    position = Position.start(GAME, 2).roll((1, 2))
    found = cells(position.play(Score("ones")).roll((2, 2)))
    assert found.caption == f"{GAME.name()}: dice 22, {GAME.rolls - 1} roll left"
    assert found.rows[0] == ["Category", "Player 1", "Player 2"]
    assert found.rows[1] == [GAME.categories[0].name(), "1", ""]
    assert found.rows[-1] == ["Points", "1", "0"]
    known_in_sum = Position((Sheet.of_sums(GAME, ["ones"], upper=1),))
    assert cells(known_in_sum).rows[1][1] == "x"
    evil = replace(GAME, names={"en": EVIL})
    assert cells(Position.start(evil)).caption.startswith(EVIL)


def test_advice() -> None:
    solution, position = solve(GAME), Position.start(GAME).roll((1, 2))
    advice = advise(solution, position)
    found = cells(advice)
    assert found.caption == f"{position}: expected"
    assert [row[0] for row in found.rows[1:]] == [str(one.move) for one in advice.moves]
    assert found.rows[1] == [str(advice.best.move), f"{advice.value:.2f}", "0.00", "best"]
    assert cells(replace(advice, objective=EVIL)).caption.endswith(EVIL)


def test_a_distribution() -> None:
    score = evaluate(parse_strategy("expected", GAME)).score
    found = {row[0]: row[1] for row in cells(score).rows}
    assert found["Mean"] == f"{score.mean:.2f}"
    assert found["50 % score at most"] == str(score.percentile(50))
    assert found["Highest"] == str(score.highest)


def test_a_review() -> None:
    record = Record(GAME, (Player(EVIL),), (Turn(((1, 2), (1, 1)), ((1,),), Score("ones")),))
    found = review(record, solve(GAME))
    assert cells(found).rows[1][:2] == [EVIL, "2"]
    assert cells(found).rows[0][-1] == "Blunder"
