"""The lines above the dice and above the list of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yatzy.coach.advice import Advice
from yatzy.games import Player, Position
from yatzy.names import parse_objective
from yatzy.report.numbers import value_text
from yatzy.report.words import objective_label
from yatzy.units import Unit
from yatzy.web.page.parts.icons import icon
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.reader import Reader
from yatzy.web.page.start_value import StartValue


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
    """Whose turn it is, or that the game is over."""
    t = reader.t
    if not position.over:
        turn = t("head.turn", turn=position.sheet.filled.bit_count() + 1, turns=len(position.game.categories))
        return turn if len(players) == 1 else t("head.mover", name=players[position.mover].name, turn=turn)
    return t("roll.over")  # the result itself is shown in place of the dice


def value_line(reader: Reader, advice: Advice | None, start: StartValue | None) -> str:
    """The value of a position: from its advice, or before a roll from its table."""
    if advice is not None:
        return named_value(reader, advice.objective, advice.value, advice.unit)
    return "" if start is None else named_value(reader, start.objective, start.value, start.unit)


def named_value(reader: Reader, objective: str, value: float, unit: Unit) -> str:
    """A value after the name of its objective."""
    name = objective_label(parse_objective(objective), reader.language, long=True)
    return reader.t("advice.value", name=name, value=value_text(value, unit, reader.language))


def head_markup(head: Head) -> Markup:
    """Render the line above the dice."""
    t = head.reader.t
    undo = _tool("undo", t("tool.undo"), "U", disabled=not head.can_undo)
    buttons = [
        _tool("redo", t("tool.redo"), "Y", disabled=not head.can_redo),
        _tool("link", t("tool.link"), ""),
        _tool("games", t("tool.games"), "O"),
        _tool("new", t("tool.new"), "N", classes="yz-new-tool"),
    ]
    # On a small screen these are a menu. The page's script opens and closes it.
    more = tag("button", icon("more"), type="button", class_="yz-icon yz-more", data_menu="tools", data_key="more",
               data_testid="more", aria_label=t("tool.more"), aria_expanded="false")  # fmt: skip
    said = tag("h1", head.said, class_="yz-said", data_testid="status")
    return join(said, tag("div", undo, more, tag("div", *buttons, class_="yz-menu"), class_="yz-tools"))


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


def _tool(action: str, label: str, key: str, *, disabled: bool = False, classes: str = "") -> Markup:
    words = tag("span", label, class_="yz-label")
    return tag("button", icon(action), words, type="button", class_=f"yz-icon {classes}".strip(), data_do=action,
               data_key=action, data_testid=action, aria_label=label, title=f"{label} ({key})" if key else label,
               disabled=disabled)  # fmt: skip
