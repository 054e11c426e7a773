"""What a review says, as blocks of a report: the sum of luck and error, the errors, and every turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import copysign

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import Decision, PlayerReview, Review
from yatzy.coach.reviews.views import Sides
from yatzy.games import Detail, Keep, Move, Position, Record, format_position, placement_of, show_dice
from yatzy.report.document import Bars, Block, Heading, Paragraph, Picture, Table
from yatzy.report.words import category_name, grade_name
from yatzy.units import Unit

MINUS = "−"
BAR = 12
"""Letters of the longest bar of a turn."""


def review_title(review: Review, language: str = "en") -> str:
    """The game and who played it."""
    names = ", ".join(player.name for player in review.record.players)
    return f"{review.record.game.name(language)}: {names}"


def review_blocks(
    review: Review, language: str = "en", player: str | None = None, *, pictures: bool = False, positions: bool = False
) -> list[Block]:
    """The whole review, of one player if named; with figures, and with positions as text, if asked for."""
    chosen = [one for one in review.players if player is None or one.player.name.casefold() == player.casefold()]
    blocks: list[Block] = [Heading(review_title(review, language), 1), Paragraph(_about(review))]
    if pictures:
        blocks += _pictures(review, chosen, language)
    for one in chosen:
        if len(review.players) > 1:
            blocks.append(Heading(one.player.name))
        blocks += _player_blocks(review, one, language, positions=positions)
    return blocks


def _about(review: Review) -> str:
    record, said = review.record, []
    if record.date is not None:
        said.append(f"Played on {record.date.isoformat()}.")
    scores = ", ".join(f"{p.name} {s}" for p, s in zip(record.players, record.scores, strict=True))
    said.append(f"{'Final scores' if record.over else 'The game is under way; points so far'}: {scores}.")
    said.append(f"Reviewed for {review.objective}: values are the {review.label}.")
    return " ".join(said)


def _pictures(review: Review, chosen: Sequence[PlayerReview], language: str) -> Iterator[Block]:
    from yatzy.report.review_figures import draw_course, draw_turns, svg_of

    title = review_title(review, language)
    drawn = [one for one in chosen if len(one.course) > 1]
    if drawn:
        yield Picture(svg_of(draw_course(review, drawn, title)), f"{review.label} through the game".capitalize())
    for one in chosen:
        if one.turns:
            yield Picture(svg_of(draw_turns(review, one)), f"Luck and error of {one.player.name}, turn by turn")


def _player_blocks(review: Review, one: PlayerReview, language: str, *, positions: bool) -> Iterator[Block]:
    unit = review.unit
    yield Paragraph(identity(review, one))
    if one.luck is not None and one.turns:
        parts = [("luck", one.luck), ("error", -one.error)]
        parts += [("luck and skill, not told apart", one.mixed)] if one.mixed else []
        parts += [("the other's luck", one.others.luck), ("the other's errors", one.others.gifts)] * bool(
            review.sides is Sides.BOTH
        )
        yield Bars(tuple((name, signed(unit, value), value) for name, value in parts))
    elif one.luck is None:
        yield Paragraph(f"Luck cannot be told in values of {review.objective}: they are no means of what may come.")
    if one.chosen:
        yield Paragraph(tally(one, unit, language))
    if one.errors:
        yield _error_table(one.errors, unit, language, positions=positions)
    if one.turns:
        yield _turn_table(review, one, language)
    yield from (Paragraph(text) for text in _notes(review, one))


def identity(review: Review, one: PlayerReview) -> str:
    """The sum in one line: the value at the start, what was added and lost, and what came out."""
    unit = review.unit
    if one.start is None or one.final is None:
        return "The value at the start is not known."
    end = _end(review, one)
    if one.luck is None:
        return f"{amount(unit, one.start)} at the start, {end}; {amount(unit, one.error)} error."
    terms = [(one.luck, "luck"), (-one.error, "error")] if one.turns else []
    if one.mixed:
        terms.append((one.mixed, "luck and skill that cannot be told apart"))
    if review.sides is Sides.BOTH:
        terms += [(one.others.luck, "the other's luck"), (one.others.gifts, "the other's errors")]
        terms += [(one.others.mixed, "the other's luck and skill, not told apart")] * bool(one.others.mixed)
    elif review.sides is Sides.MOVER:
        terms.append((one.others.total, "what the others did"))
    if one.residual is not None and abs(one.residual) >= 10 ** -_DIGITS[unit] / (200 if unit is Unit.CHANCE else 2):
        terms.append((one.residual, "corrections of the judge"))
    said = "".join(f" {MINUS if _takes(value) else '+'} {amount(unit, abs(value))} {name}" for value, name in terms)
    return f"{amount(unit, one.start)} at the start{said} = {end}"


def _end(review: Review, one: PlayerReview) -> str:
    assert one.final is not None
    if not review.record.over:
        return f"{amount(review.unit, one.final)} where the game stands"
    points = review.record.scores[one.number]
    if review.sides is Sides.OWN and review.unit is Unit.POINTS:
        return f"{points}"
    return f"{amount(review.unit, one.final)} with {points} points"


def tally(one: PlayerReview, unit: Unit, language: str = "en") -> str:
    """The mean loss and the number of decisions of every class."""
    assert one.mean_loss is not None
    counts = ", ".join(f"{grade.sign} {grade_name(grade, language)} {one.count(grade)}" for grade in Grade)
    number = len(one.chosen)
    return (
        f"{number} decision{'' if number == 1 else 's'} that {'was' if number == 1 else 'were'} not forced,"
        f" mean loss {amount(unit, one.mean_loss, 1)}: {counts}."
    )


def _error_table(errors: Sequence[Decision], unit: Unit, language: str, *, positions: bool) -> Table:
    rows = []
    for one in errors:
        made, best = (move_words(one.position, move, language) for move in (one.move, one.best[0]))
        equal = f" (or {len(one.best) - 1} more)" if len(one.best) > 1 else ""
        row = [str(one.turn), show_dice(one.position.dice), str(one.position.rolls_left), made, best + equal,
               amount(unit, one.loss), f"{one.grade.sign} {grade_name(one.grade, language)}"]  # fmt: skip
        rows.append((*row, format_position(one.position)) if positions else tuple(row))
    head = ("turn", "dice", "rolls left", "made", "best", "loss", "class")
    words, code = frozenset({1, 3, 4, 6, 7}), frozenset({7})
    return Table((*head, "position") if positions else head, tuple(rows), words, "Errors", code)


def _turn_table(review: Review, one: PlayerReview, language: str) -> Table:
    """Every turn, with its luck and error as numbers and as bars of one scale."""
    unit, record = review.unit, review.record
    mixed = any(turn.mixed for turn in one.turns)
    scale = max((abs(x) for turn in one.turns for x in (turn.luck, turn.error, turn.gain)), default=0.0) or 1.0
    head = ["turn", "dice", "category", "points", "luck", "", "error", ""]
    head[6:6] = ["together"] * mixed
    rows = []
    for turn in one.turns:
        played = record.turns[turn.number]
        category = "" if played.score is None else category_name(record.game, played.score, language)
        points = "" if played.points is None else str(played.points)
        luck = [signed(unit, turn.luck), _bar(turn.luck, scale)] if turn.rolls else ["", ""]
        error = [amount(unit, turn.error), _bar(-turn.error, scale)] if turn.decisions else ["", ""]
        gain = [signed(unit, turn.gain) if turn.mixed else ""] * mixed
        value = "" if turn.after is None else amount(unit, turn.after)
        rows.append((str(turn.turn), course_of(record, turn.number), category, points, *luck, *gain, *error, value))
    return Table((*head, "value"), tuple(rows), frozenset({1, 2, 5, 7 + mixed}), "Turns")


def _bar(value: float, scale: float) -> str:
    return ("█" if value >= 0 else "░") * round(BAR * abs(value) / scale)


def course_of(record: Record, number: int) -> str:
    """The rolls and keeps of a turn up to the last that changed anything."""
    turn = record.turns[number]
    if turn.detail is Detail.DICE:
        return show_dice(turn.rolls[-1])
    said = []
    for place, dice in enumerate(turn.rolls):
        said.append(show_dice(dice))
        if place < len(turn.keeps) and (turn.keeps[place] != dice or place < len(turn.rolls) - 1):
            said.append(f"({show_dice(turn.keeps[place])})")
    return " ".join(said)


def _notes(review: Review, one: PlayerReview) -> Iterator[str]:
    if not review.record.order_known:
        yield "The order of the turns is not known, so only the whole game can be weighed."
    known = {turn.mixed.detail for turn in one.turns if turn.mixed}
    if Detail.DICE in known:
        yield "Of turns known by their last dice, luck and keeps are weighed together; the category is graded."
    if Detail.POINTS in known:
        yield "Of turns known by their points, luck, keeps and category are weighed together."


def move_words(position: Position, move: Move, language: str = "en") -> str:
    """A move in a few words."""
    if isinstance(move, Keep):
        if not move.dice:
            return "keep nothing"
        return "keep all" if len(move.dice) == position.game.dice else f"keep {show_dice(move.dice)}"
    name = category_name(position.game, move, language)
    return f"{name} {placement_of(position, move).points}"


_DIGITS = {Unit.POINTS: 2, Unit.CHANCE: 2, Unit.WORTH: 4}


def amount(unit: Unit, value: float, more: int = 0) -> str:
    """A value for people, with so many digits more than usual."""
    digits = _DIGITS[unit] + more
    shown = round(100 * value if unit is Unit.CHANCE else value, digits) + 0.0  # no negative nothing
    return f"{shown:.{digits}f}".replace("-", MINUS) + (" %" if unit is Unit.CHANCE else "")


def signed(unit: Unit, value: float) -> str:
    """A value with its sign."""
    return f"{MINUS if _takes(value) else '+'}{amount(unit, abs(value))}"


def _takes(value: float) -> bool:
    """Whether a part of the sum is taken away; an error is, even one of nothing."""
    return copysign(1.0, value) < 0
