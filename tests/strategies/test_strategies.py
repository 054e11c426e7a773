"""Strategies of every kind: what they play, what their fast forms play, and what becomes of bad ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.small_games import FIXED

from yatzy import ExpectedScore, Position, load_game
from yatzy.errors import InputError, StrategyError, TableForeign
from yatzy.evaluation.distribution import Evaluation
from yatzy.evaluation.evaluating import _follow, evaluate
from yatzy.games import Game, Move, Sheet
from yatzy.lab import replay, simulate
from yatzy.lab.splits import part_of_games
from yatzy.names import Origin
from yatzy.solver import Solver, parse_strategy
from yatzy.strategies.base import Earlier, PlannedStrategy, Strategy
from yatzy.strategies.exported import FileStrategy, export_size, export_strategy
from yatzy.values.resources import Resources

SMALL = [game for game in FIXED if len(game.categories) <= 4][:10]
IDS = [game.id for game in SMALL]
BY_TIME = [
    pytest.param(game, id=id, marks=pytest.mark.slow if id.startswith("three-dice-three-faces") else ())
    for game, id in zip(SMALL, IDS, strict=True)
]
ERRORS = 4
OWN = """
from yatzy import Keep, Score

class Sixes:
    def move(self, position):
        if position.rolls_left:
            return Keep([die for die in position.dice if die == 6])
        return position.legal_moves[-1]

class Text:
    def __init__(self, game):
        self.last = game.categories[-1].id

    def move(self, position, earlier):
        assert len(earlier) == position.game.rolls - 1 - position.rolls_left
        return "-" if position.rolls_left else position.legal_moves[0].category

class Coin:
    def weights(self, position):
        return [(move, 1) for move in position.legal_moves]

class Greedy:
    def move(self, position):
        return Score("ones")

class Cheat:
    def move(self, position):
        return Keep((6, 6, 6, 6, 6))

class Broken:
    def move(self, position):
        return 1 / 0

class Silent:
    def move(self, position):
        return None

class Lost:
    pass
"""


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], str]:
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return lambda name: f"{path}:{name}"


def _same(one: Evaluation, other: Evaluation) -> None:
    length = max(len(one.score), len(other.score))
    first, second = (np.pad(e.score.mass, (0, length - len(e.score))) for e in (one, other))
    assert first == pytest.approx(second, abs=1e-12)
    assert one.bonus == pytest.approx(other.bonus, abs=1e-12)
    for mine, theirs in zip(one.categories, other.categories, strict=True):
        assert mine.mean == pytest.approx(theirs.mean, abs=1e-11)
        assert mine.hit == pytest.approx(theirs.hit, abs=1e-12)


@pytest.mark.parametrize("name", ["expected", "exp:0.1", "target:9", "greedy", "random", "softened:0.7", "softened:30"])
@pytest.mark.parametrize("game", BY_TIME)
def test_the_fast_evaluation_is_what_the_moves_say(game: Game, name: str) -> None:
    """The kernels against asking for every move, one position at a time."""
    strategy = parse_strategy(name, game)
    assert strategy.in_bulk
    _same(evaluate(strategy), _follow(strategy, Position.start(game)))


@pytest.mark.parametrize("split", ["bonus", 0, -1])
@pytest.mark.parametrize("name", ["expected", "target:9", "softened:1"])
def test_split_evaluations_add_up(name: str, split: str | int) -> None:
    game = load_game("yatzy-forced-order")
    by = split if isinstance(split, str) else game.categories[split].id
    strategy = parse_strategy(name, game)
    whole, parted = evaluate(strategy), evaluate(strategy, split=by)
    assert parted.events == (by,)
    without, having = parted.parts
    assert without + having == pytest.approx(whole.score.mass, abs=1e-14)
    share = whole.bonus if by == "bonus" else {c.category.id: c.hit for c in whole.categories}[by]
    assert having.sum() == pytest.approx(share, abs=1e-12)
    assert whole.parts == ()
    games = simulate(strategy, 20_000, 3)
    which = games.bonus if by == "bonus" else games.points[:, game.category_index[by]] > 0
    mean = having @ np.arange(len(having)) / having.sum()
    assert abs(games.total[which].mean() - mean) < ERRORS * games.total[which].std() / np.sqrt(which.sum())
    with pytest.raises(InputError, match="sevens: games are split by the bonus or by a category"):
        evaluate(strategy, split="sevens")


@pytest.mark.parametrize("name", ["expected", "target:9", "softened:1"])
def test_a_split_by_two_events_has_the_splits_by_each(name: str) -> None:
    """Four parts: neither, the first, the second, both. Each is what asking for every move says."""
    game = load_game("yatzy-forced-order")
    strategy = parse_strategy(name, game)
    both = evaluate(strategy, split=("bonus", "yatzy")).parts
    by_bonus, by_yatzy = (evaluate(strategy, split=event).parts for event in ("bonus", "yatzy"))
    assert len(both) == 4
    for parts, pairs in ((by_bonus, ((0, 2), (1, 3))), (by_yatzy, ((0, 1), (2, 3)))):
        for part, (a, b) in zip(parts, pairs, strict=True):
            assert both[a] + both[b] == pytest.approx(part, abs=1e-14)
    swapped = evaluate(strategy, split=("yatzy", "bonus")).parts
    assert [swapped[i].tolist() for i in (0, 2, 1, 3)] == [pytest.approx(part.tolist()) for part in both]
    games = simulate(strategy, 20_000, 3)
    which = part_of_games(games, ("bonus", "yatzy"))
    for number, mass in enumerate(both):
        share = mass.sum()
        assert share > 0
        assert (which == number).mean() == pytest.approx(share, abs=ERRORS * np.sqrt(share * (1 - share) / len(games)))


def test_a_split_from_the_middle_of_a_game_knows_what_has_happened() -> None:
    game = load_game("two-yatzy")
    sheet = Sheet.start(game).fill(0, 2, 0)
    strategy = parse_strategy("expected", game)
    parts = evaluate(strategy, Position((sheet,)), split=("ones", "twos")).parts
    whole = evaluate(strategy, Position((sheet,)))
    assert not parts[0].any()
    assert not parts[2].any()
    assert parts[3].sum() == pytest.approx(whole.categories[0].hit)
    last = Position((sheet,)).roll((2, 2))
    assert evaluate(strategy, last, split=("ones", "twos")).parts[3][6] == 1


@pytest.mark.parametrize(
    ("split", "says"),
    [
        (("bonus", "bonus"), "bonus: games can be split by it only once"),
        (("ones", "twos", "bonus"), "games are split by at most 2 events, not 3"),
    ],
)
def test_splits_that_are_refused(split: tuple[str, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        evaluate(parse_strategy("greedy", load_game("two-yatzy")), split=split)


@pytest.mark.parametrize(
    "name",
    [
        *("greedy", "random", "softened:0.5", "target:200"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("molinder-bonus", "molinder-lower")),
    ],
)
def test_simulations_agree_with_replays_and_exact_evaluations(name: str) -> None:
    game = load_game("yatzy" if "molinder" in name else "yacht")
    strategy = parse_strategy(name, game)
    games, exact = simulate(strategy, 40_000, 11), evaluate(strategy)
    assert abs(games.mean.value - exact.score.mean) < ERRORS * games.mean.error
    assert abs(games.sd.value - exact.score.sd) < ERRORS * games.sd.error
    assert abs(games.bonus_share.value - exact.bonus) <= ERRORS * games.bonus_share.error + 1e-12
    for result in exact.categories:
        hit = games.category_hit(result.category.id)
        assert abs(hit.value - result.hit) <= ERRORS * hit.error + 1e-4
    for row in range(25):
        assert sum(turn.points + turn.bonuses for turn in replay(strategy, 11, row)) == games.total[row]
    assert np.array_equal(simulate(strategy, 3000, 11, threads=1).points, games.points[:3000])


def test_games_and_streams_have_dice_of_their_own() -> None:
    strategy = parse_strategy("greedy", load_game("yacht"))
    whole = simulate(strategy, 500, 5)
    later = simulate(strategy, 200, 5, first=300)
    assert np.array_equal(later.points, whole.points[300:])
    other = simulate(strategy, 500, 5, stream=1)
    assert not np.array_equal(other.points, whole.points)
    assert sum(turn.points + turn.bonuses for turn in replay(strategy, 5, 7, stream=1)) == other.total[7]
    with pytest.raises(InputError, match="stream: -1"):
        simulate(strategy, 5, 5, stream=-1)


def test_a_utility_is_played_for_what_it_is_worth(tmp_path: Path) -> None:
    file = tmp_path / "jump.csv"
    file.write_text("points,worth\n" + "\n".join(f"{p},{float(p >= 180) + p / 1e4}" for p in range(300)))
    game = load_game("yacht")
    solution = Solver(tmp_path).build(game, f"utility:{file}", Origin.PERSON)
    strategy = parse_strategy(f"utility:{file}", game, origin=Origin.PERSON)
    score = evaluate(strategy).score
    worth = np.array([float(p >= 180) + p / 1e4 for p in range(len(score))])
    assert float(score.mass @ worth) == pytest.approx(solution.value(Position.start(game)), abs=1e-5)
    games = simulate(strategy, 20_000, 1)
    assert abs(games.at_least(180).value - score.at_least(180)) < ERRORS * games.at_least(180).error


@pytest.mark.parametrize("name", ["chance:0.5", "softened:20:target:9"])
def test_what_has_no_fast_form_is_played_move_by_move(name: str) -> None:
    game = SMALL[0]
    strategy = parse_strategy(name, game)
    games, exact = simulate(strategy, 400, 1), evaluate(strategy)
    assert abs(games.mean.value - exact.score.mean) <= ERRORS * games.mean.error + 1e-12


@pytest.mark.parametrize("name", ["expected", "exp:-0.02", "greedy"])
@pytest.mark.parametrize("id", ["yacht", "yatzy-forced-order", "short-pawlewicz"])
def test_an_exported_strategy_plays_the_same(id: str, name: str, tmp_path: Path) -> None:
    game = _short_pawlewicz() if id == "short-pawlewicz" else load_game(id)
    strategy = parse_strategy(name, game)
    assert isinstance(strategy, PlannedStrategy)
    path = tmp_path / "strategy.yz"
    export_strategy(strategy, path)
    assert path.stat().st_size == pytest.approx(export_size(strategy), rel=0.05, abs=20_000)
    assert [p.name for p in tmp_path.iterdir() if p.suffix in (".part", ".table")] == []
    exported = parse_strategy(f"file:{path}", game, origin=Origin.PERSON)
    assert np.array_equal(simulate(exported, 3000, 4).points, simulate(strategy, 3000, 4).points)
    assert evaluate(exported).score.mass == pytest.approx(evaluate(strategy).score.mass, abs=1e-15)
    assert sum(turn.points + turn.bonuses for turn in replay(exported, 4, 9)) == simulate(strategy, 10, 4).total[9]


def _short_pawlewicz() -> Game:
    """Yahtzee as Pawlewicz plays it, with nine of its categories: a file of 5 MB in place of 400."""
    game = load_game("yahtzee-pawlewicz")
    lower = {"full-house", "yahtzee", "chance"}
    categories = tuple(c for i, c in enumerate(game.categories) if c.id in lower or i in game.upper_categories)
    return replace(game, id="short-pawlewicz", categories=categories)


def test_exports_by_hand_keep_aims_and_strikes(tmp_path: Path) -> None:
    game = load_game("yatzy")
    strategy = parse_strategy("molinder-bonus", game)
    assert isinstance(strategy, PlannedStrategy)
    path = tmp_path / "bonus.yz"
    export_strategy(strategy, path)
    exported = FileStrategy(path, game)
    assert exported.aims == strategy.aims
    assert np.array_equal(simulate(exported, 2000, 4).points, simulate(strategy, 2000, 4).points)


def test_exports_that_cannot_be(tmp_path: Path, own: Callable[[str], str]) -> None:
    game = load_game("yacht")
    with pytest.raises(InputError, match="target:200 cannot be exported"):
        export_strategy(parse_strategy("target:200", game), tmp_path / "x")
    with pytest.raises(InputError, match="there is no such file"):
        parse_strategy(f"file:{tmp_path / 'x'}", game, origin=Origin.PERSON)
    path = tmp_path / "yacht.yz"
    export_strategy(parse_strategy("greedy", game), path)
    with pytest.raises(TableForeign, match="was exported for yacht, whose rules are not those of yatzy"):
        parse_strategy(f"file:{path}", load_game("yatzy"), origin=Origin.PERSON)
    expected = ExpectedScore(game, Resources(tmp_path))
    with pytest.raises(InputError, match="not an exported strategy"):
        parse_strategy(f"file:{expected.table.path}", game, origin=Origin.PERSON)


def test_an_interrupted_export_goes_on(tmp_path: Path) -> None:
    strategy = parse_strategy("greedy", load_game("yacht"))
    assert isinstance(strategy, PlannedStrategy)
    asked: list[int] = []
    original = strategy.plans

    def plans(layer: int, keys: object) -> object:
        asked.append(layer)
        if len(asked) == 5:
            raise KeyboardInterrupt
        return original(layer, keys)  # type: ignore[arg-type]

    strategy.plans = plans  # type: ignore[method-assign,assignment]
    with pytest.raises(KeyboardInterrupt):
        export_strategy(strategy, tmp_path / "s.yz")
    assert not (tmp_path / "s.yz").exists()
    export_strategy(strategy, tmp_path / "s.yz")
    assert asked == [0, 1, 2, 3, 4, *range(4, 12)]


def test_own_strategies_play(own: Callable[[str], str]) -> None:
    game = load_game("yacht")
    for name in ("Sixes", "Text", "Coin"):
        strategy = parse_strategy(own(name), game, origin=Origin.PERSON)
        games = simulate(strategy, 40, 2)
        assert len(games) == 40
        assert games.strategy.endswith(f"mine.py:{name}")
        assert sum(turn.points for turn in replay(strategy, 2, 5)) == games.total[5]
    coin, random = (evaluate(parse_strategy(name, SMALL[0], origin=Origin.PERSON)) for name in (own("Coin"), "random"))
    _same(coin, random)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Greedy", "illegal move ones in yacht~s3"),
        ("Cheat", "illegal move 66666 in yacht~s"),
        ("Broken", "ZeroDivisionError: division by zero in yacht~s"),
        ("Silent", "None is not a move, in yacht~s"),
    ],
)
def test_bad_own_strategies_are_named_with_position_and_move(
    name: str, message: str, own: Callable[[str], str]
) -> None:
    strategy = parse_strategy(own(name), load_game("yacht"), origin=Origin.PERSON)
    with pytest.raises(StrategyError) as caught:
        simulate(strategy, 10, 2)
    assert f"mine.py:{name}: {message.split('~')[0]}" in str(caught.value)


class Late(Strategy):
    """Goes wrong in its fourth game."""

    name = "late"

    def __init__(self, game: Game) -> None:
        self.game, self.games = game, 0

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        self.games += position.sheet.filled == 0 and not earlier
        from yatzy import Score

        return Score("nowhere") if self.games == 4 else position.legal_moves[-1]


def test_finished_games_outlive_an_illegal_move() -> None:
    game = load_game("yacht")
    with pytest.raises(
        StrategyError, match=r"late: illegal move nowhere in yacht~s\S*: nowhere cannot be filled"
    ) as caught:
        simulate(Late(game), 10, 2)
    assert len(caught.value.finished) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("best", "there is no strategy 'best'; strategies are expected, target:S"),
        ("softened:x", "softened:x: the firmness must be a number from 0 on"),
        ("softened:-1", "the firmness must be a number from 0 on"),
        ("softened:1:most", "there is no objective 'most'"),
        ("nothere.py:Mine", "nothere.py:Mine: there is no file nothere.py"),
        ("target:9999", "a target for yacht is a whole number"),
        ("molinder-bonus", "molinder-bonus plays"),
    ],
)
def test_unknown_strategies_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        parse_strategy(text, load_game("yacht"), origin=Origin.PERSON)


def test_files_without_the_class_are_refused(own: Callable[[str], str], tmp_path: Path) -> None:
    game = load_game("yacht")
    with pytest.raises(InputError, match=r"mine\.py has no class or function Nobody"):
        parse_strategy(own("Nobody"), game, origin=Origin.PERSON)
    with pytest.raises(InputError, match="must have a method move"):
        parse_strategy(own("Lost"), game, origin=Origin.PERSON)
    (tmp_path / "bad.py").write_text("def (")
    with pytest.raises(InputError, match=r"bad\.py cannot be loaded: SyntaxError"):
        parse_strategy(f"{tmp_path / 'bad.py'}:X", game, origin=Origin.PERSON)


def test_a_category_may_be_struck() -> None:
    from yatzy.errors import MoveError

    game = load_game("yatzy")
    move = game.parse_move("sixes=0")
    assert str(move) == "sixes=0"
    position = Position.start(game).roll((1, 2, 6, 6, 6))
    assert position.play(move).sheet.boxes is not None
    assert position.play(move).sheet.points == 0
    assert position.play(game.parse_move("sixes")).sheet.points == 18
    assert position.placement(move).points == 0  # type: ignore[arg-type]
    joker = Position.start(load_game("yahtzee")).roll((6,) * 5)
    with pytest.raises(MoveError, match="sixes cannot be struck"):
        joker.play(move)
