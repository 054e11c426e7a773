"""Player statistics over many reviewed games, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.decisions import KINDS, PHASES, ReviewedGames
from yatzy.coach.reviews.statistics import Losses, PlayerStatistics
from yatzy.lab import Estimate
from yatzy.report.document import Block, Heading, Paragraph, Table
from yatzy.report.numbers import amount, count, number, signed_amount
from yatzy.report.texts import text
from yatzy.report.words import grade_name, objective_phrase
from yatzy.units import Unit


def statistics_title(reviewed: ReviewedGames, language: str = "en") -> str:
    """The title: the number of games."""
    games = reviewed.records
    return text(language, "statistics.file", count=games, number=count(games, language))


def statistics_blocks(
    reviewed: ReviewedGames, players: Sequence[PlayerStatistics], language: str = "en", *, rounds: bool = False
) -> list[Block]:
    """The losses of players: by player, by class, by phase of the game, by kind of decision.

    With `rounds` also those of all players by round and by number of open categories.
    """
    unit, games = reviewed.unit, reviewed.records
    numbers = {"count": games, "number": count(games, language)}
    decisions, objective = count(len(reviewed.decisions), language), objective_phrase(reviewed.objective, language)
    return [
        Heading(text(language, "statistics.title", objective=objective, **numbers), 1),
        Paragraph(text(language, f"statistics.about_{unit.value}", number=decisions)),
        _players(players, unit, language),
        _grades(players, language),
        *_parts(players, unit, language),
        *(_numbered(players[-1], unit, language) if rounds else ()),
    ]


def _players(players: Sequence[PlayerStatistics], unit: Unit, language: str) -> Table:
    rows = [
        (
            _name(one, language), count(one.games, language), _estimate(one.final, unit, language),
            _estimate(one.luck, unit, language, sign=True), _estimate(one.error, unit, language),
            count(one.overall.decisions, language), _loss(one.overall, unit, language),
        )
        for one in players
    ]  # fmt: skip
    names = ("player", "games", "final", "luck", "error", "decisions", "mean_loss")
    return _table(names, rows, "players", language)


def _grades(players: Sequence[PlayerStatistics], language: str) -> Table:
    head = (
        text(language, "statistics.player"),
        *(f"{grade.sign} {grade_name(grade, language)} [%]" for grade in Grade),
    )
    rows = [
        (_name(one, language), *(number(100 * one.overall.share(grade), 2, language) for grade in Grade))
        for one in players
    ]
    return Table(head, tuple(rows), frozenset({0}), text(language, "statistics.classes"))


def _parts(players: Sequence[PlayerStatistics], unit: Unit, language: str) -> Iterator[Table]:
    phases = ("player", *(f"phase.{phase}" for phase in PHASES))
    rows = [(_name(one, language), *(_loss(part, unit, language) for part in one.by_phase)) for one in players]
    yield _table(phases, rows, "by_phase", language)
    kinds = ("player", *(f"kind.{kind}" for kind in KINDS))
    rows = [(_name(one, language), *(_loss(part, unit, language) for part in one.by_kind)) for one in players]
    yield _table(kinds, rows, "by_kind", language)


def _numbered(one: PlayerStatistics, unit: Unit, language: str) -> Iterator[Table]:
    for name, parts in (("round", one.by_round), ("open", one.by_open)):
        rows = [
            (str(number), count(losses.decisions, language), _loss(losses, unit, language))
            for number, losses in parts.items()
        ]
        yield _table((name, "decisions", "mean_loss"), rows, f"by_{name}", language)


def _table(names: Sequence[str], rows: Sequence[tuple[str, ...]], title: str, language: str) -> Table:
    head = tuple(text(language, f"statistics.{name}") for name in names)
    return Table(head, tuple(rows), frozenset({0}), text(language, f"statistics.{title}"))


def _name(one: PlayerStatistics, language: str) -> str:
    return text(language, "statistics.everybody") if one.player is None else one.player


def _loss(losses: Losses, unit: Unit, language: str) -> str:
    return _estimate(losses.mean, unit, language, more=1)


def _estimate(found: Estimate | None, unit: Unit, language: str, more: int = 0, *, sign: bool = False) -> str:
    if found is None:
        return ""
    value = signed_amount(found.value, unit, language) if sign else amount(found.value, unit, language, more)
    error = "" if found.error != found.error else f" ± {amount(found.error, unit, language, more).removesuffix(' %')}"
    return value.removesuffix(" %") + error
