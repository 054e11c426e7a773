"""A family of games small enough to be solved in fractions, for the judge and the fast solver alike."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from yatzy.games import (
    Bonus,
    Category,
    Chance,
    Face,
    Game,
    Groups,
    Joker,
    JokerReading,
    Pays,
    Straight,
)


def _upper(faces: int) -> list[Category]:
    return [Category(f"face-{face}", Face(face)) for face in range(1, faces + 1)]


def _game(id: str, dice: int, faces: int, rolls: int, lower: list[Category], threshold: int = 0) -> Game:
    bonus = Bonus(points=7, threshold=threshold) if threshold else None
    return Game(id, dice, faces, rolls, (*_upper(faces), *lower), bonus)


PAIR = Category("pair", Groups((2,)))
PAIR_FIXED = Category("pair-fixed", Groups((2,), points=4))
CHANCE = Category("chance", Chance())
RUN = Category("run", Straight(length=2, points=6))
RUN_EXACT = Category("run-exact", Straight(faces=(1, 2), points=5))


def _joker(reading: JokerReading, dice: int = 2, faces: int = 2, rolls: int = 2, threshold: int = 4) -> Game:
    box = Category("box", Groups((dice,), points=9))
    game = _game(f"joker-{reading.value}", dice, faces, rolls, [RUN, box, CHANCE], threshold)
    return replace(game, joker=Joker("box", reading, points=11))


FIXED: tuple[Game, ...] = (
    _game("one-roll", 2, 3, 1, [PAIR, CHANCE]),
    _game("two-rolls", 2, 3, 2, [PAIR, RUN], threshold=7),
    _game("three-rolls", 2, 2, 3, [PAIR, CHANCE, RUN], threshold=4),
    _game("four-faces", 2, 4, 2, [RUN_EXACT], threshold=10),
    _game("three-dice", 3, 2, 2, [Category("triple", Groups((3,), points=8)), CHANCE], threshold=6),
    _game("three-dice-three-faces", 3, 3, 3, [Category("house", Groups((2, 1)))]),
    replace(_game("forced", 2, 3, 2, [PAIR, CHANCE], threshold=7), forced_order=True),
    replace(
        _game("forced-mixed", 2, 2, 2, [PAIR], threshold=3),
        categories=(Category("face-1", Face(1)), PAIR, Category("face-2", Face(2)), CHANCE),
        forced_order=True,
    ),
    _game("bonus-out-of-reach", 2, 3, 2, [PAIR], threshold=40),
    Game("no-upper", 2, 3, 2, (PAIR, CHANCE, RUN)),
    *(_joker(reading) for reading in JokerReading),
    _joker(JokerReading.FORCED, faces=3, threshold=8),
    _joker(JokerReading.PAWLEWICZ, faces=3, threshold=8),
    _joker(JokerReading.FREE, dice=3, rolls=2, threshold=6),
    replace(_joker(JokerReading.FORCED), forced_order=True),
    replace(_joker(JokerReading.FREE), bonus=None),
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Any game of two or three dice, two to four faces, one to three rolls, with few categories."""
    dice = draw(st.integers(2, 3))
    faces = draw(st.integers(2, 4 if dice == 2 else 3))
    rolls = draw(st.integers(1, 3))
    points = st.integers(0, 12)
    pays = st.sampled_from(Pays)
    sizes = st.sampled_from([s for s in ((2,), (2, 1), (1, 1), (3,), (1,)) if sum(s) <= dice])
    groups = st.one_of(
        st.builds(Groups, sizes, points=points, same_face=st.booleans(), partial=st.booleans()),
        st.builds(Groups, sizes, pays=pays, same_face=st.booleans(), partial=st.booleans()),
    )
    run = st.builds(Straight, length=st.integers(2, min(dice, faces)), points=st.none() | points)
    patterns = draw(st.lists(st.one_of(groups, run, st.just(Chance())), min_size=0, max_size=2))
    lower = [Category(f"lower-{i}", pattern) for i, pattern in enumerate(patterns)]
    upper = draw(st.lists(st.integers(1, faces), unique=True, min_size=0 if lower else 1, max_size=2))
    categories = [*(Category(f"face-{face}", Face(face)) for face in upper), *lower]
    joker = None
    coin = st.booleans()
    if draw(coin):
        categories.append(Category("box", Groups((dice,), points=draw(st.integers(1, 12)))))
        joker = Joker("box", draw(st.sampled_from(JokerReading)), points=draw(points))
    bonus = Bonus(draw(st.integers(1, 12)), draw(st.integers(1, 12))) if bool(upper) and draw(coin) else None
    forced = draw(coin)
    order = tuple(draw(st.permutations(categories)))
    return Game("generated", dice, faces, rolls, order, bonus, joker, forced_order=forced)
