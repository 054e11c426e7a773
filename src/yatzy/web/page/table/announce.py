"""What screen readers say about a roll or a move."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy.coach.play.session import Played
from yatzy.games import Player, Position, Roll, Score
from yatzy.report.words import rolls_left
from yatzy.web.page.reader import Reader
from yatzy.web.page.table.heads import standing


def announcement(reader: Reader, last: Played | None, players: Sequence[Player], position: Position) -> str:
    """The last step in words, and whose turn it is; at the beginning only the latter."""
    now = standing(reader, position, players)
    if last is None or last.after is not position:
        return now
    t, name, game = reader.t, players[last.player].name, position.game
    if isinstance(last.step, Roll):
        dice, left = " ".join(map(str, position.dice)), rolls_left(position.rolls_left, reader.language)
        return t("announce.rolled", name=name, dice=dice, left=left)
    if isinstance(last.step, Score):
        category = game.categories[game.category_index[last.step.category]].name(reader.language)
        points = position.sheets[last.player].points - last.before.sheets[last.player].points
        return t("announce.scored", name=name, category=category, points=points, now=now)
    return t("announce.kept", name=name, dice=" ".join(map(str, last.step.dice)) or "–")
