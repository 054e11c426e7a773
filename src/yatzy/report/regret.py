"""The regret of strategies over whole games, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import count, estimate, number, percent, plain_number, scientific
from yatzy.report.texts import text

if TYPE_CHECKING:
    from yatzy.lab.regret import RegretResult
    from yatzy.lab.sample import Estimate

DIGITS = 6
"""Decimals of match points."""
ROUNDING = 1e-7
"""A loss per move below this is not told from the rounding of the tables."""


def regret_blocks(result: RegretResult, language: str = "en", *, errors: bool = False) -> list[Block]:
    """What each strategy loses a game, a move by turn, and by roll; and whether the results of the games agree.

    errors: show the standard errors of the loss per move, too.
    """
    value, error = number(result.value, DIGITS, language), plain_number(result.error, language)
    return [
        Paragraph(
            text(
                language,
                "regret.title",
                game=result.game.name(language),
                games=count(result.games, language),
                seed=result.seed,
            )
        ),
        Paragraph(text(language, "regret.about", value=value)),
        _games(result, language, error),
        _turns(result, language, errors=errors),
        _rolls(result, language),
        _check(result, language),
    ]


def _games(result: RegretResult, language: str, error: str) -> Table:
    rows = [
        (one.strategy, *(_points(loss, language) for loss in (one.loss, one.first.loss, one.second.loss)),
         percent(one.erring.value, 2, language))
        for one in result.strategies
    ]  # fmt: skip
    head = _head(language, "strategy", "loss", "as_first", "as_second", "erring")
    title = text(language, "regret.a_game", error=error)
    return Table(head, tuple(rows), frozenset({0}), title, code=frozenset({0}))


def _turns(result: RegretResult, language: str, *, errors: bool) -> Table:
    """By strategy and turn; the turns are the rows, because there are more of them."""
    names = tuple(one.strategy for one in result.strategies)
    rows = tuple(
        (str(turn + 1), *(_per_move(one.moves[turn], language, errors=errors) for one in result.strategies))
        for turn in range(len(result.game.categories))
    )
    title = text(language, "regret.a_move", least=plain_number(ROUNDING, language))
    return Table((*_head(language, "turn"), *names), rows, frozenset(), title)


def _rolls(result: RegretResult, language: str) -> Table:
    head = [text(language, "regret.after_roll", roll=roll + 1) for roll in range(result.game.rolls)]
    rows = tuple((one.strategy, *(_points(loss, language) for loss in one.rolls)) for one in result.strategies)
    title = text(language, "regret.by_roll")
    return Table((*_head(language, "strategy"), *head), rows, frozenset({0}), title, code=frozenset({0}))


def _check(result: RegretResult, language: str) -> Table:
    rows = tuple(
        (one.strategy, *(_points(found, language) for found in (one.result, one.without_luck, one.foreseen)),
         number(one.apart, 1, language))
        for one in result.strategies
    )  # fmt: skip
    head = _head(language, "strategy", "result", "without_luck", "foreseen", "apart")
    return Table(head, rows, frozenset({0}), text(language, "regret.check"), code=frozenset({0}))


def _head(language: str, *names: str) -> tuple[str, ...]:
    return tuple(text(language, f"regret.{name}") for name in names)


def _points(found: Estimate, language: str) -> str:
    return estimate(found, DIGITS, language)


def _per_move(found: Estimate, language: str, *, errors: bool) -> str:
    if found.value == 0:
        return "0"
    if found.value < ROUNDING:
        return f"< {plain_number(ROUNDING, language)}"
    error = f" ± {scientific(found.error, 0, language)}" if errors else ""
    return f"{scientific(found.value, 2, language)}{error}"
