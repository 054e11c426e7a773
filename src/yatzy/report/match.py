"""Matches as documents: complete solutions, play-offs, best responses to known opponents, and how a search went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from yatzy.names import Others
from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import count, estimate, number, share, signed
from yatzy.report.texts import text
from yatzy.report.words import objective_label, payoff_label, strategy_label

if TYPE_CHECKING:
    from yatzy.games import Position
    from yatzy.lab import Estimate, PlayOff, SeatOrders
    from yatzy.matches.fixed_opponents import BestAnswer, FixedOpponents
    from yatzy.matches.search import MatchAnswer
    from yatzy.matches.solving import SolvedMatch


def search_text(answer: MatchAnswer, language: str = "en") -> str:
    """The value for the player to move, and how it was found."""
    how = "match.exact" if answer.exact else "match.searched"
    return text(
        language,
        "match.to_move",
        player=answer.position.mover + 1,
        value=number(answer.value, 6, language),
        how=text(language, how, objective=objective_label(answer.objective, language)),
        ahead=text(language, "match.ahead", count=answer.depth),
        seconds=number(answer.seconds, 2, language),
    )


def assumption_text(answer: MatchAnswer, language: str = "en") -> str | None:
    """What the search assumes about the other players; None if it needs no assumption."""
    if answer.others is None:
        return None
    key = "match.against_you" if answer.others is Others.AGAINST_YOU else "match.for_themselves"
    return text(language, key, player=answer.position.mover + 1)


def search_lines(answer: MatchAnswer, language: str = "en") -> list[str]:
    """The value for the player to move, how it was found, and what was assumed about the others."""
    assumed = assumption_text(answer, language)
    return [search_text(answer, language)] + ([assumed] if assumed else [])


def response_line(fixed: FixedOpponents, where: Position, worth: float, language: str = "en") -> str:
    """The value for the player to move against opponents with fixed strategies."""
    return text(
        language,
        "match.against",
        player=where.mover + 1,
        value=number(worth, 6, language),
        opponents=", ".join(strategy_label(one.name, language) for one in fixed.opponents),
    )


def play_off_blocks(result: PlayOff, language: str = "en") -> list[Block]:
    """Two players over many matches, from the point of view of the first."""
    names, sample = [strategy_label(name, language) for name in result.names], result.matches[0].first
    matches, game = count(2 * len(sample), language), sample.game.name(language)
    players = {"first": names[0], "second": names[1]}
    title = text(language, "match.play_off", game=game, matches=matches, seed=sample.seed, **players)
    advantage = f"{signed(result.advantage.value, 5, language)} ± {number(result.advantage.error, 5, language)}"
    lines = [
        title,
        text(language, "match.score", score=estimate(result.score, 5, language), advantage=advantage),
        text(language, "match.outcomes", wins=share(result.wins, language), draws=share(result.draws, language)),
        text(language, "match.moving_first", score=estimate(result.moving_first, 5, language)),
        *(
            text(language, "match.mean", name=name, mean=estimate(mean, 3, language))
            for name, mean in zip(names, result.means, strict=True)
        ),
    ]
    return [Paragraph(line) for line in lines]


def solved_blocks(result: SolvedMatch, language: str = "en") -> list[Block]:
    """What the first player of a solved game has, and what is known of each layer."""
    values = {"value": number(result.value, 6, language), "other": number(1 - result.value, 6, language)}
    lines = [
        text(language, "match.solved", game=result.game.name(language), values=count(result.values, language)),
        text(language, "match.first_player", **values),
        text(language, "match.rounding", error=number(result.error, 6, language)),
    ]
    head = tuple(text(language, f"match.{key}") for key in ("depth", "pairs", "values", "least", "most", "hash"))
    rows = [
        (
            str(layer.depth),
            count(layer.pairs, language),
            count(layer.values, language),
            number(layer.least, 6, language),
            number(layer.most, 6, language),
            layer.hash,
        )
        for layer in result.layers
    ]
    return [*map(Paragraph, lines), Table(head, tuple(rows), frozenset({5}))]


def seat_orders_blocks(result: SeatOrders, payoff: str, language: str = "en") -> list[Block]:
    """A play-off in all orders of the seats: what each strategy gets, and each seat."""
    title = text(
        language,
        "match.seat_orders",
        game=result.game.name(language),
        matches=count(result.matches, language),
        players=len(result.orders[0]),
        orders=count(len(result.orders), language),
        seed=result.seed,
    )
    paid = text(language, "match.payoff_of", payoff=payoff_label(payoff, language))
    head = (*(text(language, f"match.{key}") for key in ("player", "players")), paid)
    head = (*head, *(text(language, f"match.{key}") for key in ("wins_alone", "mean_score")))
    rows = [
        (
            strategy_label(one.strategy, language),
            str(one.seats),
            estimate(one.payoff, 5, language),
            share(one.wins, language),
            estimate(one.mean, 2, language),
        )
        for one in result.standings
    ]
    seats = ", ".join(estimate(one, 5, language) for one in result.by_seat)
    closing = Paragraph(text(language, "match.by_seat", seats=seats))
    return [Paragraph(title), Table(head, tuple(rows), frozenset({0})), closing]


def response_blocks(
    best: BestAnswer,
    payoff: str,
    exactly: Mapping[str, float],
    simulated: Mapping[str, Estimate] | None,
    games: int,
    seed: int,
    language: str = "en",
) -> list[Block]:
    """The best response to known opponents, beside playing for points, and its gain; also in simulated games."""
    title = text(
        language,
        "match.response_to",
        game=best.game.name(language),
        opponents=", ".join(strategy_label(one.name, language) for one in best.opponents),
    )
    head = [text(language, "match.payoff", payoff=payoff_label(payoff, language)), text(language, "match.exactly")]
    if simulated is not None:
        head.append(text(language, "match.simulated", games=count(games, language), seed=seed))
    rows = []
    for name, value in exactly.items():
        shown = signed if name == "gain" else number
        row = [text(language, f"match.{name}"), shown(value, 6, language)]
        if simulated is not None:
            found = simulated[name]
            row.append(f"{shown(found.value, 6, language)} ± {number(found.error, 6, language)}")
        rows.append(tuple(row))
    return [Paragraph(title), Table(tuple(head), tuple(rows), frozenset({0}))]
