"""The lines above the dice and above the list of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yatzy.coach.advice import Advice
from yatzy.games import Player, Position
from yatzy.report.numbers import number
from yatzy.web.page.parts.icons import icon
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.reader import Reader
from yatzy.web.page.table.tray import best_value


@dataclass(frozen=True, slots=True)
class Head:
    """The line above the dice: the state of the game, and the tools."""

    reader: Reader
    said: str
    can_undo: bool
    can_redo: bool


@dataclass(frozen=True, slots=True)
class AdviceHead:
    """The line above the list of moves: the value of the position, and the switches."""

    reader: Reader
    value: str
    hints: bool
    tutor: bool


def standing(reader: Reader, position: Position, players: Sequence[Player]) -> str:
    """Whose turn it is, or the result of the game."""
    t = reader.t
    if not position.over:
        turn = t("head.turn", turn=position.sheet.filled.bit_count() + 1, turns=len(position.game.categories))
        return turn if len(players) == 1 else t("head.mover", name=players[position.mover].name, turn=turn)
    scores = [sheet.points for sheet in position.sheets]
    if len(scores) == 1:
        return t("head.final", score=scores[0])
    names = [player.name for player, score in zip(players, scores, strict=True) if score == max(scores)]
    if len(names) > 1:
        return t("head.level", names=t("and").join(names), score=max(scores))
    return t("head.wins", name=names[0], score=max(scores))


def value_line(reader: Reader, advice: Advice | None, start: float | None) -> str:
    """The value of a position: from its advice, or before a roll its expected score."""
    if advice is not None:
        return best_value(reader, advice)
    return "" if start is None else reader.t("advice.start", value=number(start, 2, reader.language))


def head_markup(head: Head) -> Markup:
    """Render the line above the dice."""
    t = head.reader.t
    buttons = [
        _tool("undo", t("tool.undo"), "U", disabled=not head.can_undo),
        _tool("redo", t("tool.redo"), "Y", disabled=not head.can_redo),
        _tool("link", t("tool.link"), ""),
        _tool("games", t("tool.games"), "O"),
        tag("button", tag("span", t("tool.new"), class_="yz-long"), tag("span", "+", class_="yz-short"),
            type="button", class_="yz-button", data_do="new", data_key="new", data_testid="new",
            aria_label=t("tool.new"), title="(N)"),
    ]  # fmt: skip
    said = tag("h1", head.said, class_="yz-said", data_testid="status")
    return join(said, tag("div", *buttons, class_="yz-row yz-tools"))


def advice_head_markup(head: AdviceHead) -> Markup:
    """Render the line above the list of moves."""
    t = head.reader.t
    tools = [
        tag("button", t("tool.hints"), type="button", class_="yz-switch", role="switch", data_do="hints",
            aria_checked="true" if head.hints else "false", data_key="hints", data_testid="hints", title="(H)"),
        tag("button", t("tool.tutor"), type="button", class_="yz-switch", data_do="tutor", data_key="tutor",
            aria_checked="true" if head.tutor else "false", role="switch", data_testid="tutor", title="(T)"),
        tag("button", t("tool.columns"), type="button", class_="yz-button", data_do="columns", data_key="columns",
            data_testid="columns"),
    ]  # fmt: skip
    return join(tag("h2", t("moves.label")), tag("span", head.value, class_="yz-value", data_testid="value"),
                tag("div", *tools, class_="yz-row"))  # fmt: skip


def _tool(action: str, label: str, key: str, *, disabled: bool = False) -> Markup:
    return tag("button", icon(action), type="button", class_="yz-icon", data_do=action,
               data_key=action, data_testid=action, aria_label=label, title=f"{label} ({key})" if key else label,
               disabled=disabled)  # fmt: skip
