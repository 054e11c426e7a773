"""The tray: the dice, which of them are kept, the roll button, and the best move."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.coach.advice import Advice
from yatzy.games import Position
from yatzy.names import parse_objective
from yatzy.report.numbers import value_text
from yatzy.report.words import objective_label, rolls_left
from yatzy.web.page.parts.dice import blank, die_button, face_pad, lying
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.moves import move_name
from yatzy.web.page.reader import Reader


@dataclass(frozen=True, slots=True)
class Tray:
    """The view model of the tray."""

    reader: Reader
    position: Position
    slots: tuple[int, ...]
    """The dice in display order."""
    held: frozenset[int] = frozenset()
    """The places of the dice to keep."""
    fresh: frozenset[int] = frozenset()
    """The places of the dice just rolled."""
    entered: tuple[int, ...] = ()
    """Real dice entered so far."""
    typed: bool = False
    """Whether the players enter real dice."""
    computer: str = ""
    """The message while a computer player moves."""
    advice: Advice | None = None
    """The advice whose best move is shown, if any."""

    @property
    def can_move(self) -> bool:
        """Whether a human is to roll or move."""
        return not self.position.over and not self.computer

    @property
    def entering(self) -> bool:
        """Whether real dice are to be entered now."""
        return self.typed and self.position.awaits_roll and self.can_move


def roll_button(tray: Tray) -> tuple[str, bool]:
    """The text of the roll button, and whether it is enabled."""
    t, position = tray.reader.t, tray.position
    if position.over:
        return t("roll.over"), False
    if tray.computer:
        return tray.computer, False
    if tray.entering:
        return t("enter.prompt", count=position.game.dice - len(position.dice) - len(tray.entered)), False
    if position.awaits_roll:
        return t("roll.again" if position.dice else "roll.all"), True
    if not position.rolls_left:
        return t("roll.choose"), False
    count = position.game.dice - len(tray.held)
    if not count:
        return t("roll.none"), False
    if tray.typed:
        return t("enter.keep", count=count), True
    return t("roll.one" if count == 1 else "roll.count", count=count), True


def tray_markup(tray: Tray) -> Markup:
    """Render the tray."""
    t, position = tray.reader.t, tray.position
    game = position.game
    box = tag("div", *_dice(tray), class_=f"yz-tray yz-dice-{game.dice}", role="group", aria_label=t("dice.label"))
    pad = face_pad(t, game.faces, idle=not tray.entering) if tray.typed and not position.over else None
    return join(box, pad, _controls(tray), _best_line(tray))


def _dice(tray: Tray) -> list[Markup]:
    t, position = tray.reader.t, tray.position
    count = position.game.dice
    if position.over:
        return [blank() for _ in range(count)]
    if position.awaits_roll:
        kept = [lying(value, t("die.kept")) for value in position.dice]
        new = [lying(value, t("die.new")) for value in tray.entered] if tray.entering else []
        return [*kept, *new, *[blank() for _ in range(count - len(kept) - len(new))]]
    choosing = tray.can_move and position.rolls_left > 0
    # `part` differs for every roll, so the browser replaces the die and the roll animation plays again.
    roll = f"{position.mover}-{position.sheet.filled}-{position.rolls_left}"
    return [
        die_button(
            t,
            place,
            value,
            kept=place in tray.held,
            fresh=place in tray.fresh,
            enabled=choosing,
            part=f"{roll}-{value}",
        )
        for place, value in enumerate(tray.slots)
    ]


def _controls(tray: Tray) -> Markup:
    position, t = tray.position, tray.reader.t
    label, enabled = roll_button(tray)
    left = "" if position.over else rolls_left(position.rolls_left, tray.reader.language)
    dots = tag("span", "●" * position.rolls_left + "○" * (position.game.rolls - position.rolls_left),
               class_="yz-dots", aria_hidden="true") if not position.over else None  # fmt: skip
    button = tag("button", label, type="button", class_="yz-roll", data_do="roll" if enabled else None,
                 data_key="roll", data_testid="roll", aria_disabled=None if enabled else "true")  # fmt: skip
    switch = tag("button", t("tool.typed"), type="button", class_="yz-switch", role="switch",
                 aria_checked="true" if tray.typed else "false", data_do="typed", data_key="typed",
                 data_testid="typed", title="(E)")  # fmt: skip
    rolls = tag("span", left, " ", dots, class_="yz-left-rolls", data_testid="rolls-left")
    return tag("div", rolls, button, switch, class_="yz-controls")


def _best_line(tray: Tray) -> Markup:
    """The best move beside the dice, for small screens where the list is further down."""
    advice = tray.advice
    if advice is None or not tray.can_move:
        return tag("div", class_="yz-best-line")
    button = tag("button", "★ ", move_name(tray.reader, advice.position, advice.best.move), type="button",
                 class_="yz-button", data_do="best", data_key="best", data_testid="best")  # fmt: skip
    value = tag("span", best_value(tray.reader, advice), class_="yz-quiet")
    return tag("div", button, value, class_="yz-best-line")


def best_value(reader: Reader, advice: Advice) -> str:
    """The value of the position in words."""
    name = objective_label(parse_objective(advice.objective), reader.language, long=True)
    return reader.t("advice.value", name=name, value=value_text(advice.value, advice.unit, reader.language))
