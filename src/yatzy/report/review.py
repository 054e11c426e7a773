"""A review as a document: the sum of luck and errors, the list of errors, and every turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import Decision, PlayerReview, Review
from yatzy.games import Detail, Record, show_dice
from yatzy.report.document import Bars, Block, Figure, Heading, Paragraph, Table
from yatzy.report.numbers import DIGITS, amount, loss_text, plain_number, sign_of, signed_amount
from yatzy.report.texts import text
from yatzy.report.words import capital, category_name, grade_colour, grade_name, move_words, objective_phrase
from yatzy.units import Unit
from yatzy.values.evaluator import Meaning, Sides

BAR = 12
"""Characters of the longest bar of a turn."""


def review_title(review: Review, language: str = "en") -> str:
    """The title: the game and its players."""
    names = ", ".join(player.name for player in review.record.players)
    return f"{review.record.game.name(language)}: {names}"


def meaning_text(meaning: Meaning, language: str = "en") -> str:
    """The meaning of the values, in words."""
    return text(language, f"meaning.{meaning.key}", number=plain_number(meaning.number, language))


def review_blocks(
    review: Review, language: str = "en", player: str | None = None, *, pictures: bool = False, positions: bool = False
) -> list[Block]:
    """The whole review, or that of one player; optionally with figures, and with positions as text."""
    chosen = [one for one in review.players if player is None or one.player.name.casefold() == player.casefold()]
    blocks: list[Block] = [Heading(review_title(review, language), 1), Paragraph(_about(review, language))]
    if pictures:
        blocks += _pictures(review, chosen, language)
    for one in chosen:
        if len(review.players) > 1:
            blocks.append(Heading(one.player.name))
        blocks += _player_blocks(review, one, language, positions=positions)
    return blocks


def _about(review: Review, language: str) -> str:
    record, said = review.record, []
    if record.date is not None:
        said.append(text(language, "review_said.played_on", date=record.date.isoformat()))
    scores = ", ".join(f"{p.name} {s}" for p, s in zip(record.players, record.scores, strict=True))
    said.append(text(language, f"review_said.{'final_scores' if record.over else 'under_way'}", scores=scores))
    meaning = meaning_text(review.meaning, language)
    said.append(
        text(
            language,
            "review_said.reviewed_for",
            objective=objective_phrase(review.objective, language),
            meaning=meaning,
        )
    )
    return " ".join(said)


def _pictures(review: Review, chosen: Sequence[PlayerReview], language: str) -> Iterator[Block]:
    from yatzy.report.review_figures import draw_course, draw_turns, svg_of  # Matplotlib is optional

    title = review_title(review, language)
    drawn = [one for one in chosen if len(one.course) > 1]
    if drawn:
        alt = text(language, "review_said.course", meaning=meaning_text(review.meaning, language))
        yield Figure(svg_of(draw_course(review, drawn, title, language)), capital(alt))
    for one in chosen:
        if one.turns:
            alt = text(language, "review_said.turns_of", name=one.player.name)
            yield Figure(svg_of(draw_turns(review, one, language)), alt)


def _player_blocks(review: Review, one: PlayerReview, language: str, *, positions: bool) -> Iterator[Block]:
    unit = review.unit
    yield Paragraph(identity(review, one, language))
    if one.luck is not None and one.turns:
        shown = [(key, value) for key, value in review_terms(review, one) if key not in ("others", "residual")]
        yield Bars(
            tuple(
                (text(language, f"review_said.{key}"), signed_amount(value, unit, language), value)
                for key, value in shown
            )
        )
    if one.chosen:
        yield Paragraph(tally(one, unit, language))
    if one.errors:
        yield _error_table(one.errors, unit, language, positions=positions)
    if one.turns:
        yield _turn_table(review, one, language)
    yield from (Paragraph(said) for said in remarks(review, one, language))


def review_terms(review: Review, one: PlayerReview) -> list[tuple[str, float]]:
    """The terms between the value at the start and the final value: (text key, amount)."""
    if one.luck is None:
        return [("error", -float(one.error))]
    terms = [("luck", one.luck), ("error", -float(one.error))] if one.turns else []
    if one.mixed:
        terms.append(("mixed", one.mixed))
    if review.sides is Sides.BOTH:
        terms += [("others_luck", one.others.luck), ("others_errors", one.others.opponents_errors)]
        terms += [("others_mixed", one.others.mixed)] if one.others.mixed else []
    elif review.sides is Sides.MOVER:
        terms.append(("others", one.others.total))
    least = 10.0 ** -DIGITS[review.unit] / (200 if review.unit is Unit.CHANCE else 2)
    if one.residual is not None and abs(one.residual) >= least:
        terms.append(("residual", one.residual))
    return terms


def identity(review: Review, one: PlayerReview, language: str = "en") -> str:
    """The sum in one line: the value at the start, the terms, and the final value."""
    unit = review.unit
    if one.start is None or one.final is None:
        return text(language, "review_said.no_start")
    start = text(language, "review_said.start", value=amount(one.start, unit, language))
    end = _end(review, one, one.final, language)
    if one.luck is None:
        return text(language, "review_said.without_luck", start=start, end=end, error=amount(one.error, unit, language))
    said = "".join(
        f" {sign_of(value)} {amount(abs(value), unit, language)} {text(language, f'review_said.{key}')}"
        for key, value in review_terms(review, one)
    )
    return f"{start}{said} = {end}"


def _end(review: Review, one: PlayerReview, final: float, language: str) -> str:
    value = amount(final, review.unit, language)
    if not review.record.over:
        return text(language, "review_said.so_far", value=value)
    points = review.record.scores[one.number]
    if review.sides is Sides.OWN and review.unit is Unit.POINTS:
        return str(points)
    return text(language, "review_said.with_points", value=value, points=points)


def tally(one: PlayerReview, unit: Unit, language: str = "en") -> str:
    """The mean loss, and the number of decisions of each class."""
    assert one.mean_loss is not None
    counts = ", ".join(f"{grade.sign} {grade_name(grade, language)} {one.count(grade)}" for grade in Grade)
    loss = amount(one.mean_loss, unit, language, 1)
    return text(language, "review_said.tally", count=len(one.chosen), loss=loss, counts=counts)


def _error_table(errors: Sequence[Decision], unit: Unit, language: str, *, positions: bool) -> Table:
    rows = []
    for one in errors:
        made, best = (move_words(one.position, move, language) for move in (one.move, one.best[0]))
        if len(one.best) > 1:
            best = text(language, "review_said.more_best", move=best, count=len(one.best) - 1)
        row = [str(one.turn), show_dice(one.position.dice), str(one.position.rolls_left), made, best,
               amount(one.loss, unit, language), f"{one.grade.sign} {grade_name(one.grade, language)}"]  # fmt: skip
        rows.append((*row, str(one.position)) if positions else tuple(row))
    names = ["turn", "dice", "rolls_left", "made", "best", "loss", "class", *["position"] * positions]
    head = tuple(text(language, f"review_said.{name}") for name in names)
    words, code = frozenset({1, 3, 4, 6, 7}), frozenset({7})
    title = text(language, "review_said.errors")
    colours = {row[6]: grade_colour(one.grade) for one, row in zip(errors, rows, strict=True)}
    return Table(head, tuple(rows), words, title, code, colours=colours)


def _turn_table(review: Review, one: PlayerReview, language: str) -> Table:
    """Every turn, with its luck and error as numbers and as bars on one scale."""
    unit, record = review.unit, review.record
    mixed = any(turn.mixed for turn in one.turns)
    scale = max((abs(x) for turn in one.turns for x in (turn.luck, turn.error, turn.gain)), default=0.0) or 1.0
    names = ["turn", "dice", "category", "points", "luck", "", *["together"] * mixed, "error", "", "value"]
    rows = []
    for turn in one.turns:
        played = record.turns[turn.number]
        category = "" if played.score is None else category_name(record.game, played.score, language)
        points = "" if played.points is None else str(played.points)
        luck = [signed_amount(turn.luck, unit, language), _bar(turn.luck, scale)] if turn.rolls else ["", ""]
        error = [amount(turn.error, unit, language), _bar(-turn.error, scale)] if turn.decisions else ["", ""]
        gain = [signed_amount(turn.gain, unit, language) if turn.mixed else ""] * mixed
        value = "" if turn.after is None else amount(turn.after, unit, language)
        rows.append((str(turn.turn), course_of(record, turn.number), category, points, *luck, *gain, *error, value))
    head = tuple(name and text(language, f"review_said.{name}") for name in names)
    bars = frozenset({5, 7 + mixed})
    return Table(head, tuple(rows), bars | {1, 2}, text(language, "review_said.turns"), bars=bars)


def _bar(value: float, scale: float) -> str:
    return ("█" if value >= 0 else "░") * round(BAR * abs(value) / scale)


def course_of(record: Record, number: int) -> str:
    """The rolls and keeps of a turn, up to the last keep that changed something."""
    turn = record.turns[number]
    if turn.detail is Detail.DICE:
        return show_dice(turn.rolls[-1])
    said = []
    for place, dice in enumerate(turn.rolls):
        said.append(show_dice(dice))
        if place < len(turn.keeps) and (turn.keeps[place] != dice or place < len(turn.rolls) - 1):
            said.append(f"({show_dice(turn.keeps[place])})")
    return " ".join(said)


def remarks(review: Review, one: PlayerReview, language: str = "en") -> Iterator[str]:
    """Remarks on what the objective cannot measure and the record does not contain."""
    if one.luck is None:
        yield text(language, "review.no_luck", objective=objective_phrase(review.objective, language))
    if not review.record.order_known:
        yield text(language, "review.no_order")
    known = {turn.mixed.detail for turn in one.turns if turn.mixed}
    if Detail.DICE in known:
        yield text(language, "review.by_dice")
    if Detail.POINTS in known:
        yield text(language, "review.by_points")


def worst_errors(review: Review, one: PlayerReview, most: int, language: str = "en") -> Iterator[str]:
    """The worst errors of a player, one line each."""
    for wrong in one.errors[:most]:
        made, best = (move_words(wrong.position, move, language) for move in (wrong.move, wrong.best[0]))
        yield text(
            language,
            "review_said.worst",
            turn=wrong.turn,
            dice=show_dice(wrong.position.dice),
            made=made,
            best=best,
            loss=loss_text(wrong.loss, review.unit, language),
            grade=grade_name(wrong.grade, language),
        )
