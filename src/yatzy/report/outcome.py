"""The end of a game in words: who won, and how much of it was luck."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy.coach.reviews.outcome import Outcome
from yatzy.report.numbers import number
from yatzy.report.texts import LANGUAGES, text


def is_you(name: str) -> bool:
    """Whether a player is called "You", in any language."""
    return name in {text(language, "outcome.you") for language in LANGUAGES}


def result_line(names: Sequence[str], scores: Sequence[int], language: str = "en") -> str:
    """The result of a finished game: "Ann wins with 251", "You win with 251"."""
    best = max(scores)
    if len(scores) == 1:
        return text(language, "outcome.alone", score=best)
    first = [name for name, score in zip(names, scores, strict=True) if score == best]
    if len(first) > 1:
        joined = text(language, "outcome.and", first=", ".join(first[:-1]), last=first[-1])
        return text(language, "outcome.tied", names=joined, score=best)
    return text(language, "outcome.you_win" if is_you(first[0]) else "outcome.wins", name=first[0], score=best)


def outcome_sentence(one: Outcome, language: str = "en") -> str:
    """One sentence about skill and luck; "" if the game is not known well enough."""
    if one.second is None:
        return _alone(one, language)
    if one.luck is None:
        return ""
    luck = round(one.luck)
    key = _kind(one.margin, luck)
    better = abs(luck) if not one.margin else luck - one.margin
    return text(
        language, f"outcome.{key}", winner=_name(one, one.winner, language, inside=False),
        second=_name(one, one.second, language, inside=True), margin=_points(one.margin, language),
        luck=_points(abs(luck), language) if key in ("against_luck", "tied_luck", "tied_skill") else luck,
        better=_points(abs(better), language), count=abs(luck),
    )  # fmt: skip


def _kind(margin: int, luck: int) -> str:
    """Which sentence fits."""
    if not margin:
        return "tied_even" if not luck else "tied_luck" if luck > 0 else "tied_skill"
    if luck < 0:
        return "against_luck"
    if not luck:
        return "no_luck"
    return "part_luck" if luck < margin else "all_luck" if luck == margin else "more_luck"


def _alone(one: Outcome, language: str) -> str:
    player = one.players[0]
    if one.start is None or player.luck is None or player.error is None:
        return ""
    kind = "alone_lucky" if player.luck >= 0 else "alone_unlucky"
    return text(language, f"outcome.{kind}", start=number(one.start, 0, language),
                luck=_points(round(abs(player.luck)), language),
                error=_points(round(player.error), language))  # fmt: skip


def _points(count: int, language: str) -> str:
    return text(language, "outcome.points", count=count)


def _name(one: Outcome, seat: int, language: str, *, inside: bool) -> str:
    """A name in the sentence; "you" within it."""
    name = one.players[seat].name
    return text(language, "outcome.you_inside") if inside and is_you(name) else name
