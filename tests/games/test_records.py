"""Records: what is checked when one is made, and what it tells of a game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from helpers.random_records import GAMES, random_record
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy.errors import InputError, RecordError
from yatzy.games import (
    Category,
    Chance,
    Detail,
    Dice,
    Game,
    Keep,
    Player,
    Position,
    Record,
    Roll,
    Score,
    Turn,
    load_preset,
)
from yatzy.games.record import TurnRefused, check_name, name_from
from yatzy.games.turn import _last_dice, possible_placements, walk_turn

YATZY = load_preset("yatzy")
ANN, BO = Player("Ann"), Player("Bo")
TILLIUS = sorted((Path(__file__).parents[2] / "src/yatzy_papers/data").glob("*.txt"))


@pytest.mark.parametrize(("path", "points"), list(zip(TILLIUS, (255, 257), strict=True)), ids=("6", "7"))
def test_the_games_that_tillius_prints(path: Path, points: int) -> None:
    text = path.read_text(encoding="utf-8")
    record = Record.parse(text, source=path.name)
    assert record.scores == (points,)
    assert all(turn.detail is Detail.FULL for turn in record.turns)
    assert str(record) == text


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_steps_of_a_record_lead_through_it(game: Game, rng: random.Random) -> None:
    record = random_record(game, rng)
    for number, turn in enumerate(record.turns):
        before, position = record.positions[number], None
        for here, step in record.steps(number):
            assert position in (None, here)
            position = here.roll(step.dice) if isinstance(step, Roll) else here.play(step)
            if isinstance(step, Score):
                place = here.placement(step)
                assert (place.points, place.joker_bonus) == (turn.points, turn.joker_bonus)
        if position is not None:
            assert position == (*record.positions[number + 1 :], record.position)[0]
            assert before.sheets == record.positions[number].sheets
        else:
            assert turn.detail is Detail.POINTS or turn == Turn()


def mutated(dice: Dice, game: Game, rng: random.Random) -> Dice:
    """The dice, or some of them, or with another face."""
    faces = list(dice)
    if faces and rng.random() < 0.5:
        faces[rng.randrange(len(faces))] = rng.randint(0, game.faces + 1)
    if faces and rng.random() < 0.3:
        faces.pop()
    return tuple(faces)


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_the_short_way_to_the_last_dice_is_the_long_one(game: Game, rng: random.Random) -> None:
    """`_last_dice` never takes a turn that a look at every position refuses, and agrees on the dice."""
    record = random_record(game, rng)
    for number, turn in enumerate(record.turns):
        if turn.score is None:
            continue
        rolls, keeps = list(turn.rolls), list(turn.keeps)
        for part in (rolls, keeps):
            if part and rng.random() < 0.4:
                at = rng.randrange(len(part))
                part[at : at + rng.randrange(2)] = [mutated(part[at], game, rng)] * rng.randrange(3)
        broken = Turn(tuple(rolls), tuple(keeps), turn.score)
        short = _last_dice(broken, record.positions[number])
        try:
            _, end = walk_turn(broken, record.positions[number])
        except InputError:
            assert short is None
        else:
            assert short in (None, end.dice)


def test_ordinary_turns_go_the_short_way() -> None:
    turn = Turn(((1, 2, 3, 6, 6), (2, 4, 4, 6, 6), (4, 4, 5, 6, 6)), ((6, 6), (4, 4, 6, 6)), Score("two-pairs"))
    start = Position.start(YATZY)
    assert _last_dice(turn, start) == (4, 4, 5, 6, 6)
    stopped = Turn(turn.rolls[:2], ((6, 6), (2, 4, 4, 6, 6)), Score("two-pairs"))
    assert _last_dice(stopped, start) == (2, 4, 4, 6, 6)


def test_no_short_way_keeps_dice_when_no_rolls_are_left() -> None:
    once = Game("once", 2, 6, 1, (Category("chance", Chance()),))
    kept = Turn(((1, 2),), ((1, 2),), Score("chance"))
    assert _last_dice(kept, Position.start(once)) is None
    with pytest.raises(InputError):
        walk_turn(kept, Position.start(once))


@given(st.text())
def test_any_text_makes_a_name_that_a_record_can_hold(text: str) -> None:
    check_name(name_from(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("greedy", "greedy"),
        ("match:emp:2", "match emp 2"),
        (" a  b\n", "a b"),
        ("7", "Player 7"),
        ("#", "Player"),
        ("x" * 41, "x" * 40),
    ],
)
def test_names_made_of_texts(text: str, name: str) -> None:
    assert name_from(text) == name


def test_points_that_some_roll_can_bring() -> None:
    """Against the rolls one by one: every way to end a turn, struck or not."""
    game, sheet = YATZY, Position.start(YATZY).sheet
    pair = game.category_index["one-pair"]
    assert possible_placements(sheet, pair) == {(2 * face, 0) for face in range(7)}
    assert possible_placements(sheet, pair, (3, 3)) == {(points, 0) for points in (0, 6, 8, 10, 12)}


def test_turns_are_numbered_from_where_the_game_was_taken_up() -> None:
    start = Record(YATZY, (ANN, BO), (Turn(score=Score("ones"), points=3),)).position
    turns = (Turn(score=Score("ones"), points=2), Turn(score=Score("twos"), points=2))
    record = Record(YATZY, (ANN, BO), turns, start=start)
    assert [(record.number_of(i), record.player_of(i)) for i in range(3)] == [(1, 1), (2, 0), (2, 1)]
    with pytest.raises(TurnRefused, match="turn 2 of Ann: ones cannot be filled here"):
        Record(YATZY, (ANN, BO), (Turn(score=Score("ones"), points=2),) * 2, start=start)


def test_what_a_record_does_not_hold() -> None:
    for wrong in (
        {"notes": ("two\nlines",)},
        {"notes": (" blank",)},
        {"notes": ("",)},
        {"notes": ("x",) * 201},
        {"seed": -1},
        {"seed": 2**128},
        {"players": ()},
        {"players": (Player("Ann#"),)},
        {"players": (Player("Ann", " x"),)},
        {"players": (ANN, BO), "start": Position.start(YATZY)},
        {"start": Position.start(load_preset("yahtzee"))},
        {"turns": (Turn(points=3),)},
        {"undone": (Keep((1,)),)},
    ):
        with pytest.raises(RecordError):
            Record(**{"game": YATZY, "players": (ANN,), **wrong})  # type: ignore[arg-type]


def test_the_dice_of_steps_are_sorted() -> None:
    undone = (Roll((5, 1, 4, 1, 5)), Keep((5, 5)))
    assert Record(YATZY, (ANN,), undone=undone).undone == (Roll((1, 1, 4, 5, 5)), Keep((5, 5)))


# The limits that errors name are allowed themselves


@pytest.mark.parametrize(
    ("most", "more", "told"),
    [
        ({"players": 20}, {"players": 21}, "21 players; a game has from 1 to 20"),
        ({"letters": 40}, {"letters": 41}, "a name has from 1 to 40 letters"),
        ({"seed": 2**128 - 1}, {"seed": 2**128}, "at most 128 bits"),
        ({"seed": 0}, {"seed": -1}, "seed: must be a whole number from 0"),
        ({"notes": 200}, {"notes": 201}, "201 notes; a record has at most 200"),
        ({"note": 500}, {"note": 501}, "note: must be one line of from 1 to 500 letters"),
        ({"note": 1}, {"note": 0}, "note: must be one line of from 1 to 500 letters"),
    ],
)
def test_a_record_may_be_as_large_as_its_limits(most: dict[str, int], more: dict[str, int], told: str) -> None:
    def made(players: int = 1, letters: int = 3, seed: int = 1, notes: int = 1, note: int = 5) -> Record:
        names = [Player(f"{number}".rjust(letters, "x")) for number in range(players)]
        return Record(YATZY, tuple(names), seed=seed, notes=("n" * note,) * notes)

    record = made(**most)
    assert Record.parse(str(record)) == record
    with pytest.raises(RecordError, match=told):
        made(**more)
