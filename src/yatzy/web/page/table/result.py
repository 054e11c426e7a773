"""The end of a game: the result in words, all players side by side, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.coach.reviews.outcome import Outcome
from yatzy.games import Player
from yatzy.report.numbers import signed
from yatzy.report.outcome import outcome_sentence, result_line
from yatzy.web.page.parts.blocks import scroll_box
from yatzy.web.page.parts.icons import icon
from yatzy.web.page.parts.markup import Markup, tag
from yatzy.web.page.reader import Reader
from yatzy.web.page.table.sheets import player_name


@dataclass(frozen=True, slots=True)
class Result:
    """The view model of the end of a game."""

    reader: Reader
    game: str
    """The id of the game."""
    players: tuple[Player, ...]
    scores: tuple[int, ...]
    outcome: Outcome | None
    """None while the game is being reviewed."""
    problem: str = ""
    """Why it cannot be reviewed."""


def shared_text(model: Result, name: str) -> str:
    """The result as text to send to others; `name` is that of the game."""
    scores = ", ".join(f"{player.name} {score}" for player, score in zip(model.players, model.scores, strict=True))
    sentence = outcome_sentence(model.outcome, model.reader.language) if model.outcome is not None else ""
    return " ".join(part for part in (f"{name}: {scores}.", sentence) if part)


def result_markup(model: Result) -> Markup:
    """Render the result."""
    t, language = model.reader.t, model.reader.language
    names = [player.name for player in model.players]
    if model.outcome is not None:
        known = all(one.luck is not None for one in model.outcome.players)
        said = outcome_sentence(model.outcome, language) or ("" if known else t("result.unknown"))
    else:
        said = model.problem or t("result.waiting")
    buttons = [
        _button("rematch", t("result.rematch" if len(names) > 1 else "result.again"), "yz-primary"),
        _button("share", t("result.share"), "yz-button"),
        _button("new", t("tool.new"), "yz-button", "new-after"),
    ]
    return tag(
        "div",
        icon("cup", "yz-cup"),
        tag("h2", result_line(names, model.scores, language), class_="yz-result-title", data_testid="result",
            tabindex="-1", id="yz-result", data_key="result"),
        tag("p", said, class_="yz-result-said", data_testid="result-said"),
        _players(model),
        tag("div", *buttons, class_="yz-center"),
        class_="yz-result",
    )  # fmt: skip


def _button(action: str, label: str, classes: str, key: str = "") -> Markup:
    return tag("button", label, type="button", class_=classes, data_do=action, data_key=key or action,
               data_testid=key or action)  # fmt: skip


def _players(model: Result) -> Markup:
    t = model.reader.t
    head = tag("tr", *(tag("th", said, scope="col") for said in (
        t("result.player"), t("result.score"), t("result.luck"), t("result.errors"), t("result.review"),
    )))  # fmt: skip
    best = max(model.scores)
    rows = [
        tag("tr", tag("th", player_name(model.reader, player), scope="row"), tag("td", tag("b", score)),
            *_terms(model, seat),
            tag("td", tag("a", t("result.review"), href=f"/review?game={model.game}&player={seat + 1}",
                          class_="yz-button", data_testid=f"review-{seat + 1}",
                          aria_label=t("result.review_of", name=player.name))),
            class_="yz-winner" if score == best and len(model.players) > 1 else None)
        for seat, (player, score) in enumerate(zip(model.players, model.scores, strict=True))
    ]  # fmt: skip
    caption = tag("caption", t("result.label"), class_="yz-hidden")
    return scroll_box(tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="yz-result-players"))


def _terms(model: Result, seat: int) -> list[Markup]:
    """Luck and errors of a player, in whole points; empty while they are not known."""
    one = model.outcome.players[seat] if model.outcome is not None else None
    if one is None or one.luck is None or one.error is None:
        return [tag("td", "·", class_="yz-quiet"), tag("td", "·", class_="yz-quiet")]
    amounts = (round(one.luck), -round(one.error))
    return [tag("td", signed(amount, 0, model.reader.language) if amount else "0") for amount in amounts]
