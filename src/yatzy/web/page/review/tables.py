"""The parts of a review beside its charts: the sum of luck and error, the errors, the turns, one position."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from yatzy.coach.advice import Advice
from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import Decision, PlayerReview, Review
from yatzy.report.numbers import amount, loss_number, loss_text, sign_of, signed_amount
from yatzy.report.review import course_of, remarks, review_terms
from yatzy.report.words import category_name, rolls_left
from yatzy.units import Unit
from yatzy.values.evaluator import Sides
from yatzy.web.page.parts.blocks import advice_list, dice_line, grade_mark, scroll_box, sheet_list
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.moves import move_name
from yatzy.web.page.reader import Reader


def identity_line(reader: Reader, review: Review, one: PlayerReview) -> Markup:
    """Start + luck − error = final, as one line of figures."""
    t, unit, language = reader.t, review.unit, reader.language
    if one.start is None or one.final is None:
        return join()
    parts = [tag("div", tag("b", amount(one.start, unit, language), data_testid="identity-start"),
                 tag("span", t("review.start")), class_="yz-term")]  # fmt: skip
    for name, value in review_terms(review, one):
        shown = f"{sign_of(value)} {amount(abs(value), unit, language)}"
        parts.append(tag("div", tag("b", shown, data_testid=f"identity-{name}"), tag("span", t(f"review.{name}")),
                         class_="yz-term"))  # fmt: skip
    whole = review.record.over and review.sides is Sides.OWN and unit is Unit.POINTS
    final = str(review.record.scores[one.number]) if whole else amount(one.final, unit, language)
    label = t("review.final" if review.record.over else "review.now")
    parts.append(tag("div", tag("b", f"= {final}", data_testid="identity-final"), tag("span", label),
                     class_="yz-term yz-equals"))  # fmt: skip
    return tag("div", *parts, class_="yz-sumline", role="group", aria_label=t("review.identity"),
               data_testid="identity")  # fmt: skip


def remarks_of(reader: Reader, review: Review, one: PlayerReview) -> Markup:
    """Remarks about information missing from the record."""
    under_way = [] if review.record.over else [reader.t("review.under_way")]
    said = [*under_way, *remarks(review, one, reader.language)]
    return join(*(tag("p", line, class_="yz-note yz-fine") for line in said))


def tally_line(reader: Reader, review: Review, one: PlayerReview) -> Markup:
    """The number of decisions in each class, and their mean loss."""
    if one.mean_loss is None:
        return join()
    language = reader.language
    loss = loss_text(one.mean_loss, review.unit, language)
    count = tag("b", reader.t("review.tally", count=len(one.chosen), loss=loss))
    grades = [tag("span", grade_mark(grade, language), f" {one.count(grade)}") for grade in Grade]
    return tag("div", count, *grades, class_="yz-tally", data_testid="tally")


def error_list(reader: Reader, review: Review, one: PlayerReview, chosen: Decision | None) -> Markup:
    """The decisions that were not best, worst first. A click shows the position."""
    t, language = reader.t, reader.language
    if not one.errors:
        return tag("p", t("review.no_errors"), class_="yz-note") if one.decisions else join()
    number_of = {id(decision): count for count, decision in enumerate(one.decisions)}
    rows = []
    for place, wrong in enumerate(one.errors):
        button = tag("button", str(wrong.turn), type="button", data_key=f"error-{place}", data_testid=f"error-{place}",
                     aria_label=f"{t('review.turn')} {wrong.turn}")  # fmt: skip
        rows.append(tag(
            "tr", tag("td", button, class_="yz-num"), tag("td", grade_mark(wrong.grade, language)),
            tag("td", move_name(reader, wrong.position, wrong.move)),
            tag("td", move_name(reader, wrong.position, wrong.best[0])),
            tag("td", f"−{loss_number(wrong.loss, review.unit, language)}", class_="yz-num"),
            data_do="decision", data_arg=number_of[id(wrong)],
            aria_selected="true" if wrong is chosen else "false",
        ))  # fmt: skip
    names = ("turn", "class", "made", "best", "loss")
    head = [
        tag("th", tag("span", t(f"review.{name}"), class_="yz-word" if name == "class" else None), scope="col",
            class_="yz-num" if name in ("turn", "loss") else None)
        for name in names
    ]  # fmt: skip
    table = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="yz-rows", data_testid="errors")
    return tag("div", table, class_="yz-rows-box", data_list="moves")


def turn_list(reader: Reader, review: Review, one: PlayerReview) -> Markup:
    """The luck and error of every turn."""
    t, language, record, unit = reader.t, reader.language, review.record, review.unit
    rows = []
    for turn in one.turns:
        played = record.turns[turn.number]
        name = "" if played.score is None else category_name(record.game, played.score, language)
        luck = signed_amount(turn.luck, unit, language) if turn.rolls else ""
        gain = signed_amount(turn.gain, unit, language) if turn.mixed else ""
        error = amount(turn.error, unit, language) if turn.decisions else ""
        after = "" if turn.after is None else amount(turn.after, unit, language)
        points = "" if played.points is None else str(played.points)
        words = (str(turn.turn), course_of(record, turn.number), name)
        figures = (points, luck or gain, error, after)
        rows.append(tag("tr", *(tag("td", word) for word in words),
                        *(tag("td", figure, class_="yz-num") for figure in figures)))  # fmt: skip
    names = ("turn", "dice", "category", "points", "luck", "error", "value")
    head = [tag("th", t(f"review.{name}"), scope="col", class_="yz-num" if count > 2 else None)
            for count, name in enumerate(names)]  # fmt: skip
    table = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="yz-rows", data_testid="turns")
    inside = scroll_box(table)
    return tag("details", tag("summary", t("review.turn_table")), inside, class_="yz-details")


def position_panel(
    reader: Reader, one: PlayerReview, decision: Decision, advice: Advice | None, place: tuple[int, int]
) -> Markup:
    """A position of the game, with the move made and the best moves."""
    t, language, position = reader.t, reader.language, decision.position
    where = t("review.where", name=one.player.name, turn=decision.turn, rolls=rolls_left(position.rolls_left, language))
    step = [
        tag("button", sign, type="button", class_="yz-icon", data_do=name, data_key=f"step-{name}",
            data_testid=f"step-{name}", aria_label=t(f"review.{label}"), disabled=stop)
        for name, sign, label, stop in (("left", "←", "previous", place[0] == 0),
                                        ("right", "→", "next", place[0] + 1 == place[1]))
    ]  # fmt: skip
    steps = tag("span", *step, tag("span", f"{place[0] + 1} / {place[1]}", class_="yz-quiet"))
    head = tag("div", tag("h2", where, data_testid="position-where"), steps, class_="yz-spread")
    said = (move_name(reader, position, decision.move), " ", grade_mark(decision.grade, language))
    lost = _lost(reader, decision, advice)
    made = tag("p", f"{t('review.made')}: ", *said, lost, data_testid="position-made")
    address = f"/?position={quote(str(position), safe='~.-')}"
    link = tag("a", t("review.open"), href=address, class_="yz-link", data_testid="open-position")
    why = tag("button", t("analysis.view.why"), type="button", class_="yz-button", data_do="why", data_key="why",
              data_testid="why")  # fmt: skip
    table = tag("p", "…", class_="yz-note") if advice is None else advice_list(reader, advice, decision.move)
    return join(head, dice_line(position), made, scroll_box(table),
                tag("div", why, link, class_="yz-row"), sheet_list(reader, position))  # fmt: skip


def _lost(reader: Reader, decision: Decision, advice: Advice | None) -> str:
    if advice is None or decision.grade is Grade.BEST:
        return ""
    return f" −{loss_number(decision.loss, advice.unit, reader.language)}"


def player_tabs(reader: Reader, players: Sequence[PlayerReview], chosen: int) -> Markup:
    """Tabs for choosing a player."""
    if len(players) < 2:
        return join()
    buttons = [
        tag("button", one.player.name, type="button", role="radio", class_="yz-segment", data_do="reviewed",
            data_arg=one.number, aria_checked="true" if one.number == chosen else "false",
            data_key=f"reviewed-{one.number}", data_testid=f"reviewed-{one.number}")
        for one in players
    ]  # fmt: skip
    return tag("span", *buttons, role="radiogroup", aria_label=reader.t("review.players"), class_="yz-segments")


def headline(reader: Reader, review: Review) -> Markup:
    """The game and its result."""
    record = review.record
    scores = ", ".join(f"{player.name} {score}" for player, score in zip(record.players, record.scores, strict=True))
    said = reader.t("review.about", game=record.game.name(reader.language), scores=scores)
    return tag("h1", said, data_testid="review-title")
