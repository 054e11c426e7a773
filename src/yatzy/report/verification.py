"""What a verification found, in words: a row for each table, identity, or depth of a complete solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from yatzy.errors import Message
from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import bound_number, count, estimate, number, signed
from yatzy.report.problems import message_text
from yatzy.report.texts import text

if TYPE_CHECKING:
    from yatzy.verification import SolutionCheck, TableCheck
    from yatzy.verification.results import Fault, Identity
    from yatzy.verification.solutions import OptimumGames


def verification_blocks(found: Sequence[TableCheck], language: str = "en") -> list[Block]:
    """The tables, their identities, and what is wrong or was left out."""
    if not found:
        return [Paragraph(text(language, "verification.none"))]
    blocks: list[Block] = [_tables(found, language)]
    if any(one.identities for one in found):
        blocks.append(_identities(found, language))
    for one in found:
        blocks += [Paragraph(f"{one.name}: {_fault(fault, language)}") for fault in one.faults]
        if one.wrong > len(one.faults):
            more = one.wrong - len(one.faults)
            blocks.append(
                Paragraph(
                    text(
                        language,
                        "verification.more",
                        count=more,
                        name=one.name,
                        number=count(more, language),
                    )
                )
            )
        if one.reason:
            key = "verification.left_out" if one.values else "verification.reason"
            blocks.append(Paragraph(text(language, key, name=one.name, reason=_reason(one, language))))
    return blocks


def _reason(one: TableCheck, language: str) -> str:
    return message_text(one.reason, language) if isinstance(one.reason, Message) else one.reason


def _tables(found: Sequence[TableCheck], language: str) -> Table:
    rows = []
    for one in found:
        measure = "" if one.measure is None else text(language, f"verification.{one.measure.name.lower()}")
        share = f"{100 * one.values / one.of:.3g} %" if one.of else ""
        rows.append(
            (
                one.name,
                text(language, f"verification.{one.verdict.value}"),
                count(one.values, language),
                share,
                bound_number(one.difference, language) if one.values else "",
                bound_number(one.bound, language) if one.values else "",
                measure,
            )
        )
    names = ("table", "verdict", "values", "share", "difference", "bound", "measure")
    head = tuple(text(language, f"verification.{name}") for name in names)
    colours = {text(language, "verification.wrong"): "bad", text(language, "verification.sound"): "good"}
    return Table(head, tuple(rows), frozenset({0, 1, 6}), colours=colours)


def _identities(found: Sequence[TableCheck], language: str) -> Table:
    rows = [(one.name, *_identity(law, language)) for one in found for law in one.identities]
    names = ("table", "identity", "verdict", "checked", "apart", "bound")
    head = tuple(text(language, f"verification.{name}") for name in names)
    colours = {text(language, "verification.wrong"): "bad", text(language, "verification.sound"): "good"}
    return Table(head, tuple(rows), frozenset({0, 1, 2}), colours=colours)


def _identity(law: Identity, language: str) -> tuple[str, ...]:
    return (
        text(language, f"verification.law_{law.law.value}"),
        text(language, f"verification.{'sound' if law.sound else 'wrong'}"),
        count(law.checked, language),
        bound_number(law.difference, language),
        bound_number(law.bound, language),
    )


def _fault(one: Fault, language: str) -> str:
    place = one.place
    at = text(language, f"verification.at_{place.what}", number=place.number) if place.what else ""
    return text(
        language,
        "verification.fault",
        layer=place.layer,
        state=place.state,
        at=at,
        stored=f"{one.stored!r}",
        again=f"{one.again!r}",
    )


def solution_blocks(found: SolutionCheck, language: str = "en") -> list[Block]:
    """The sampled positions of a solution by depth, and the games that began from some of them."""
    title = text(
        language,
        "verification.solution",
        game=found.game.name(language),
        depth=found.depths[-1].depth,
        solved=found.solved,
        endgames=found.endgames,
    )
    rows = [
        (
            str(one.depth),
            count(one.positions, language),
            str(one.turns),
            text(language, f"verification.{'wrong' if one.wrong else 'sound'}"),
            bound_number(one.difference, language),
            bound_number(one.bound, language),
            number(one.seconds, 1, language),
        )
        for one in found.depths
    ]
    names = ("depth", "positions", "searched", "verdict", "difference", "bound", "seconds")
    head = tuple(text(language, f"verification.{name}") for name in names)
    colours = {text(language, "verification.wrong"): "bad", text(language, "verification.sound"): "good"}
    blocks: list[Block] = [Paragraph(title), Table(head, tuple(rows), frozenset({3}), colours=colours)]
    if any(one.own_table for one in found.depths):
        last = max(one.depth for one in found.depths if one.own_table)
        blocks.append(Paragraph(text(language, "verification.own_tables", depth=last)))
    if found.games is not None:
        blocks += [Paragraph(line) for line in _games(found.games, language)]
    return blocks


def _games(played: OptimumGames, language: str) -> list[str]:
    return [
        text(
            language,
            "verification.played",
            games=count(played.games, language),
            positions=count(played.positions, language),
            depth=played.depth,
            seed=played.seed,
            seconds=number(played.seconds, 1, language),
        ),
        text(
            language,
            "verification.result",
            mean=estimate(played.mean, 6, language),
            expected=number(played.expected, 6, language),
            apart=signed(played.apart.value, 6, language),
            error=number(played.apart.error, 6, language),
            errors=number(played.standard_errors, 2, language),
            verdict=text(language, f"verification.{'sound' if played.sound else 'wrong'}"),
        ),
    ]
