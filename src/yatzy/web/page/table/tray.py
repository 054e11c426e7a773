"""The tray: the dice, which of them are kept, the pad for real dice, and the roll button."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from yatzy.coach.advice import Advice
from yatzy.games import Keep, Position
from yatzy.report.words import rolls_left
from yatzy.web.page.parts.dice import blank, die_button, entered_die, face_pad, lying, places_of
from yatzy.web.page.parts.markup import Markup, join, tag
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
    changing: int | None = None
    """The place of the die that the next face entered replaces."""
    chosen: str = ""
    """The selected move as text."""

    @property
    def can_move(self) -> bool:
        """Whether a human is to roll or move."""
        return not self.position.over and not self.computer

    @property
    def entering(self) -> bool:
        """Whether real dice are to be entered now."""
        return self.typed and self.position.awaits_roll and self.can_move

    @property
    def ringed(self) -> frozenset[int]:
        """The places of the dice of the best keep, if it is a choice between dice."""
        best = self.advice.best.move if self.advice is not None and self.can_move else None
        if not isinstance(best, Keep) or self.position.awaits_roll or len(best.dice) == len(self.slots):
            return frozenset()
        return frozenset(places_of(self.slots, best.dice, self.held))

    @property
    def free(self) -> tuple[int, ...]:
        """The places of the dice to enter, before a roll."""
        return tuple(place for place in range(self.position.game.dice) if place not in self.held)


def roll_button(tray: Tray) -> tuple[str, bool]:
    """The text of the roll button, and whether it is enabled."""
    t, position = tray.reader.t, tray.position
    if position.over:
        return t("roll.over"), False
    if tray.computer:
        return tray.computer, False
    if tray.entering:
        count = position.game.dice - len(position.dice) - len(tray.entered)
        return t("enter.prompt_one" if count == 1 else "enter.prompt", count=count), False
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
    t, position, game = tray.reader.t, tray.position, tray.position.game
    box = tag("div", *_dice(tray), class_=f"yz-tray yz-dice-{game.dice}", role="group", aria_label=t("dice.label"),
              data_chosen=tray.chosen)  # fmt: skip
    idle = not tray.entering and (tray.changing is None or not tray.can_move)
    pad = face_pad(t, game.faces, idle=idle) if tray.typed and not tray.position.over else None
    label, enabled = roll_button(tray)
    rolls = (position.rolls_left, position.game.rolls) if not position.over else None
    there = tray.advice is not None and tray.can_move
    return join(box, pad, _controls(tray.reader, label, enabled, rolls, tray.typed, there))


def _dice(tray: Tray) -> list[Markup]:
    position = tray.position
    if position.over:
        return [blank() for _ in range(position.game.dice)]
    if position.awaits_roll:
        return _awaited(tray)
    choosing = tray.can_move and (position.rolls_left > 0 or tray.typed)
    # `part` differs for every roll, so the browser replaces the die and the roll animation plays again.
    roll = f"{position.mover}-{position.sheet.filled}-{position.rolls_left}"
    ringed = tray.ringed
    return [
        die_button(
            tray.reader,
            place,
            value,
            kept=place in tray.held,
            fresh=place in tray.fresh,
            enabled=choosing,
            part=f"{roll}-{value}",
            ringed=place in ringed,
            changing=place == tray.changing,
        )
        for place, value in enumerate(tray.slots)
    ]


def _awaited(tray: Tray) -> list[Markup]:
    """The dice before a roll: those kept in their places, then real dice entered so far, and blanks."""
    t, count = tray.reader.t, tray.position.game.dice
    shown = {place: lying(tray.slots[place], t("die.kept")) for place in tray.held if place < len(tray.slots)}
    if tray.entering:
        for place, value in zip(tray.free, tray.entered, strict=False):
            shown[place] = entered_die(t, place, value, changing=place == tray.changing)
    return [shown.get(place, blank()) for place in range(count)]


@lru_cache(maxsize=512)
def _controls(
    reader: Reader, label: str, enabled: bool, rolls: tuple[int, int] | None, typed: bool, best: bool
) -> Markup:
    """The line below the dice. rolls: those left, and all of a turn; None when the game is over."""
    t, left, dots = reader.t, "", None
    if rolls is not None:
        left = rolls_left(rolls[0], reader.language)
        dots = tag("span", "●" * rolls[0] + "○" * (rolls[1] - rolls[0]), class_="yz-dots", aria_hidden="true")
    button = tag("button", label, type="button", class_="yz-roll", data_do="roll" if enabled else None,
                 data_key="roll", data_testid="roll", aria_disabled=None if enabled else "true")  # fmt: skip
    switch = tag("button", t("tool.typed"), type="button", class_="yz-switch", role="switch",
                 aria_checked="true" if typed else "false", data_do="typed", data_key="typed",
                 data_testid="typed", title="(E)")  # fmt: skip
    shown = tag("span", tag("span", left, class_="yz-left-text"), " ", dots, class_="yz-left-rolls",
                data_testid="rolls-left")  # fmt: skip
    return tag("div", shown, button, _best_button(reader, best), switch, class_="yz-controls")


def _best_button(reader: Reader, there: bool) -> Markup:
    """Plays the best move. Without advice it still takes up its space, so that nothing moves."""
    label = reader.t("best.play")
    return tag("button", "★", type="button", class_=f"yz-icon yz-best-move{'' if there else ' yz-away'}",
               data_do="best", data_key="best", data_testid="best", aria_label=label, title=f"{label} (B)",
               disabled=not there)  # fmt: skip
