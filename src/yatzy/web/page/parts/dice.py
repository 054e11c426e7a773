"""Dice as pictures: pips for faces up to six, numerals above."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from yatzy.games import Dice
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.reader import Reader

_LOW, _MIDDLE, _HIGH = 28, 50, 72
_PIPS = {
    1: ((_MIDDLE, _MIDDLE),),
    2: ((_LOW, _HIGH), (_HIGH, _LOW)),
    3: ((_LOW, _HIGH), (_MIDDLE, _MIDDLE), (_HIGH, _LOW)),
    4: ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH)),
    5: ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH), (_MIDDLE, _MIDDLE)),
    6: ((_LOW, _LOW), (_LOW, _MIDDLE), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _MIDDLE), (_HIGH, _HIGH)),
}


@lru_cache(maxsize=128)
def face(value: int | None) -> Markup:
    """The picture of a die; None for one that has not been rolled."""
    body = tag("rect", x=4, y=4, width=92, height=92, rx=18, class_="yz-die-body")
    if value is None:
        inside: Sequence[Markup] = ()
    elif value in _PIPS:
        inside = [tag("circle", cx=x, cy=y, r=9.5) for x, y in _PIPS[value]]
    else:
        inside = [tag("text", value, x=50, y=66, text_anchor="middle", class_="yz-die-text")]
    return tag("svg", body, *inside, viewBox="0 0 100 100", aria_hidden="true", class_="yz-die-face")


@lru_cache(maxsize=1024)  # after a click on a die, the others are the same
def die_button(
    reader: Reader,
    place: int,
    value: int,
    *,
    kept: bool,
    fresh: bool,
    enabled: bool,
    part: str | None = None,
    action: str = "die",
    ringed: bool = False,
    changing: bool = False,
) -> Markup:
    """A die that can be clicked to keep it. `part` identifies the roll it belongs to.

    ringed: it belongs to the best keep. changing: the next face entered replaces it.
    """
    t = reader.t
    label = t("die.label_best" if ringed else "die.label", place=place + 1, value=value)
    note = join(tag("span", "★", class_="yz-die-star", aria_hidden="true") if ringed else None,
                t("die.kept") if kept else "")  # fmt: skip
    states = {"yz-kept": kept, "yz-fresh": fresh, "yz-ringed": ringed, "yz-changing": changing}
    return tag(
        "button",
        face(value),
        tag("span", note, class_="yz-die-note"),
        type="button",
        role="checkbox",
        class_=" ".join(["yz-die", *(name for name, holds in states.items() if holds)]),
        aria_checked="true" if kept else "false",
        aria_label=label,
        aria_disabled=None if enabled else "true",
        data_do=action if enabled else None,
        data_arg=place,
        data_key=f"die-{place}",
        data_testid=f"die-{place + 1}",
        data_value=value,
        data_part=part,
    )


def blank(note: str = "") -> Markup:
    """A die that has not been rolled."""
    return tag("span", face(None), tag("span", note, class_="yz-die-note"), class_="yz-die yz-blank")


def lying(value: int, note: str) -> Markup:
    """A die that cannot be clicked."""
    return tag("span", face(value), tag("span", note, class_="yz-die-note"), class_="yz-die yz-kept", role="img",
               aria_label=f"{value}: {note}")  # fmt: skip


def entered_die(t: Callable[..., str], place: int, value: int, *, changing: bool) -> Markup:
    """A real die that was entered. A click selects it, so that the next face replaces it."""
    return tag("button", face(value), tag("span", t("die.change") if changing else "", class_="yz-die-note"),
               type="button", class_=f"yz-die yz-entered{' yz-changing' if changing else ''}", data_do="die",
               data_arg=place, data_key=f"die-{place}", data_testid=f"entered-{place + 1}", data_value=value,
               aria_pressed="true" if changing else "false",
               aria_label=t("die.label_change", place=place + 1, value=value))  # fmt: skip


def face_pad(t: Callable[..., str], faces: int, *, idle: bool) -> Markup:
    """A button per face for entering real dice, and one to undo the last. Idle: a face would have no effect now."""
    buttons = [
        tag("button", face(value), type="button", class_="yz-pad", data_do="face", data_arg=value,
            data_key=f"face-{value}", data_testid=f"face-{value}", aria_label=t("enter.face", value=value))
        for value in range(1, faces + 1)
    ]  # fmt: skip
    back = tag("button", "⌫", type="button", class_="yz-pad yz-pad-back", data_do="unface", data_key="unface",
               data_testid="unface", aria_label=t("enter.back"))  # fmt: skip
    return tag("div", *buttons, back, class_="yz-pads yz-idle" if idle else "yz-pads", role="group",
               aria_label=t("enter.pad"), data_testid="pad")  # fmt: skip


@lru_cache(maxsize=4096)
def mini(dice: Dice) -> Markup:
    """Small dice within a line of text."""
    return join(*(tag("span", value, class_="yz-mini") for value in dice))


def arranged(before: Sequence[int], held: Sequence[int], dice: Dice) -> tuple[int, ...]:
    """The dice in display order: held dice keep their places, the others fill the gaps in sorted order."""
    kept = {place: before[place] for place in held if place < len(before)}
    if len(before) != len(dice) or Counter(kept.values()) - Counter(dice):
        return dice
    rest = sorted((Counter(dice) - Counter(kept.values())).elements())
    return tuple(kept[place] if place in kept else rest.pop(0) for place in range(len(dice)))


def places_of(slots: Sequence[int], dice: Dice, held: Collection[int] = ()) -> tuple[int, ...]:
    """The places of some of the dice. Among equal dice the held ones are taken, then the first."""
    wanted, places = Counter(dice), []
    for place in sorted(range(len(slots)), key=lambda place: place not in held):
        if wanted[slots[place]] > 0:
            wanted[slots[place]] -= 1
            places.append(place)
    return tuple(sorted(places))
