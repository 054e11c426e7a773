"""Sessions: any way through a game leaves a valid record, and nothing taken back or saved is lost."""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from helpers.small_games import FIXED
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from yatzy import load_game
from yatzy.coach.play import dice as dice_module
from yatzy.coach.play.dice import DiceSource
from yatzy.coach.play.history import decisions_of
from yatzy.coach.play.opponents import Opponents, check_players, check_strategy
from yatzy.coach.play.saved import BACKUP, SUFFIX, new_path, read_game, save_folder, saved_games
from yatzy.coach.play.session import Session
from yatzy.errors import InputError, MoveError, NotFromData
from yatzy.games import Game, Keep, Move, Player, Position, Record, Roll, Score, Turn, keeps_of, placements
from yatzy.matches.strategies import SoftenedMatch
from yatzy.report.sheet import saved_table

PEOPLE = (Player("Ann"), Player("Bo"))
SMALL = {game.id: game for game in FIXED}
TWO, YATZY = load_game("two-yatzy"), load_game("yatzy")


def moves_of(position: Position) -> list[Move]:
    """All that may be played, categories with rolls left and strikes included."""
    if position.awaits_roll or position.over:
        return []
    found: list[Move] = [Keep(dice) for dice in keeps_of(position.dice)] if position.rolls_left else []
    ids = [position.game.categories[place.category].id for place in placements(position.sheet, position.dice)]
    for move in (Score(id, strike) for id, strike in product(ids, (False, True))):
        try:
            position.play(plain(position, move))
        except MoveError:
            continue  # a Joker roll may not be struck
        found.append(move)
    return found


def plain(position: Position, move: Score) -> Score:
    """To strike what pays nothing is to fill it."""
    return move if position.placement(Score(move.category)).points else Score(move.category)


def told(session: Session) -> tuple[Any, ...]:
    """All that a session is."""
    return session.record, session.position, session.can_undo, session.can_redo, session.earlier


class Sessions(RuleBasedStateMachine):
    """Any sequence of what can be done to a session."""

    folder: Path

    @initialize(
        game=st.sampled_from([*SMALL.values(), TWO]),
        players=st.integers(1, 3),
        seed=st.integers(0, 2**64 - 1),
    )
    def begin(self, game: Game, players: int, seed: int) -> None:
        names = (Player("Ann"), Player("Bo", "greedy"), Player("Cy"))[:players]
        self.session = Session.new(game, names, seed)

    @rule()
    @precondition(lambda self: self.session.awaits_roll)
    def roll(self) -> None:
        before = self.session.position
        played = self.session.roll()
        assert isinstance(played.step, Roll)
        assert self.session.position == before.roll(played.step.dice)

    @rule(data=st.data())
    @precondition(lambda self: self.session.awaits_roll)
    def enter(self, data: st.DataObject) -> None:
        position, game = self.session.position, self.session.game
        missing = game.dice - len(position.dice)
        dice = data.draw(st.lists(st.integers(1, game.faces), min_size=missing, max_size=missing))
        whole = data.draw(st.booleans())
        self.session.enter((*position.dice, *dice) if whole else dice)
        assert Counter(self.session.position.dice) == Counter((*position.dice, *dice))

    @rule(data=st.data())
    @precondition(lambda self: bool(moves_of(self.session.position)))
    def play(self, data: st.DataObject) -> None:
        before = self.session.position
        move = data.draw(st.sampled_from(moves_of(before)))
        played = self.session.play(move)
        assert (played.before, played.step, played.after) == (before, move, self.session.position)
        if isinstance(move, Score):
            assert self.session.position.sheets[before.mover] == before.play(plain(before, move)).sheets[before.mover]
        elif move.dice == before.dice:
            assert (self.session.position.dice, self.session.position.rolls_left) == (before.dice, 0)

    @rule(
        move=st.sampled_from([Keep((1, 1)), Keep((9,)), Score("nothing"), Score("pair"), Score("face-1", strike=True)])
    )
    def play_blindly(self, move: Move) -> None:
        allowed, before = moves_of(self.session.position), told(self.session)
        if move in allowed:
            self.session.play(move)
            return
        with pytest.raises(MoveError):
            self.session.play(move)
        assert told(self.session) == before

    @rule(dice=st.lists(st.integers(-1, 9), max_size=5))
    def enter_blindly(self, dice: list[int]) -> None:
        before = told(self.session)
        try:
            self.session.enter(dice)
        except InputError:
            assert told(self.session) == before

    @rule(times=st.integers(1, 4))
    def undo_and_redo(self, times: int) -> None:
        states = []
        for _ in range(times):
            if self.session.can_undo:
                states.append(told(self.session))
                self.session.undo()
        for state in reversed(states):
            self.session.redo()
            assert told(self.session) == state

    @rule()
    @precondition(lambda self: self.session.can_undo)
    def undo(self) -> None:
        self.session.undo()

    @rule()
    @precondition(lambda self: self.session.can_redo)
    def redo(self) -> None:
        before = told(self.session)
        self.session.redo()
        after = told(self.session)
        self.session.undo()
        assert told(self.session) == before
        self.session.redo()
        assert told(self.session) == after

    @rule(rolls=st.booleans())
    def undo_decision(self, rolls: bool) -> None:
        before = told(self.session)
        try:
            self.session.undo_decision(rolls=rolls)
        except MoveError:
            assert told(self.session) == before
            return
        assert self.session.players[self.session.mover].strategy is None
        assert rolls or not self.session.awaits_roll
        after = told(self.session)
        self.session.redo_decision(rolls=rolls)
        self.session.undo_decision(rolls=rolls)
        assert told(self.session) == after

    @rule()
    def again(self) -> None:
        """The same move made again rolls the same, and what was taken back after it is still there."""
        if not self.session.can_undo:
            return
        last = self.session.last
        assert last is not None
        state = told(self.session)
        self.session.undo()
        if isinstance(last.step, Roll):
            self.session.enter(last.step.dice)
            assert told(self.session) == state

    @rule()
    def save_and_resume(self) -> None:
        path = self.folder / f"game{SUFFIX}"
        self.session.save(path)
        resumed = Session.load(path)
        assert told(resumed) == told(self.session)
        while self.session.can_redo and resumed.can_redo:
            self.session.redo()
            resumed.redo()
            assert told(resumed) == told(self.session)
        self.session = resumed

    @invariant()
    def record_is_valid(self) -> None:
        if not hasattr(self, "session"):
            return
        record = self.session.record
        assert record.position == self.session.position
        again = replace(record)  # which plays everything again
        assert (again, again.positions, again.position) == (record, record.positions, record.position)
        assert Record.parse(str(record)) == record
        assert told(Session.of(record)) == told(self.session)


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    Sessions.folder = tmp_path_factory.mktemp("sessions")


def some(examples: int) -> settings:
    return settings(
        max_examples=examples, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
    )


TestSessions = Sessions.TestCase
TestSessions.settings = some(30)
TestManySessions = pytest.mark.slow(type("TestManySessions", (Sessions.TestCase,), {"settings": some(120)}))


def finished(session: Session, opponents: Opponents) -> Session:
    """The game played to its end by everyone's strategy."""
    while not session.over:
        assert session.autoplay_step(opponents) is not None
    return session


def test_the_same_keep_rolls_the_same_and_another_does_not() -> None:
    session = Session.new(load_game("yatzy"), PEOPLE, 7)
    session.roll()
    first = session.position
    session.play(Keep(first.dice[:2]))
    session.roll()
    second = session.position
    for _ in range(2):
        session.undo()
    assert session.position == first
    session.play(Keep(first.dice[:2]))
    session.roll()
    assert session.position == second

    rolled = set()
    for keep in keeps_of(first.dice)[:-1]:
        while session.position != first:
            session.undo()
        session.play(Keep(keep))
        session.roll()
        rolled.add(tuple((Counter(session.position.dice) - Counter(keep)).elements()))
    assert len(rolled) > len(keeps_of(first.dice)) / 2  # not one stream of dice cut to length


def test_dice_are_fair_and_differ_by_everything_they_depend_on() -> None:
    yatzy = load_game("yatzy")
    faces = Counter[int]()
    firsts = set()
    for seed in range(2000):
        dice = DiceSource(seed).roll(Position.start(yatzy, 2))
        faces.update(dice)
        firsts.add(dice)
    expected = 10_000 / 6
    assert sum((faces[face] - expected) ** 2 / expected for face in range(1, 7)) < 20.5  # chi², 5 degrees, p = .001
    assert len(firsts) > 220  # of 252; 234 are to be expected
    session = Session.new(yatzy, PEOPLE, 1)
    seen = []
    while len(session.record.turns) < 6:
        seen.append(session.roll().step)
        session.play(Score(yatzy.categories[session.position.sheet.open[0]].id))
    assert len(set(seen)) > 3


def test_dice_as_the_documentation_has_them() -> None:
    """The formula of coach/play/dice.py, written out."""
    position = Position.start(load_game("yatzy"), 2).roll((1, 3, 3, 5, 6))
    awaited = position.play(Keep((3, 3)))
    digest = hashlib.shake_128(b"yatzy-dice:7:0:0:1:3,3").digest(24)
    words = [int.from_bytes(digest[8 * k : 8 * k + 8], "little") for k in range(3)]
    assert DiceSource(7).roll(awaited) == tuple(sorted([3, 3, *(1 + word * 6 // 2**64 for word in words)]))


def test_a_seed_is_drawn_once_and_kept() -> None:
    session = Session.new(TWO, PEOPLE)
    assert session.record.seed is None
    session.roll()
    seed = session.record.seed
    assert seed is not None
    rolled = session.position
    session.undo()
    session.roll()
    assert (session.record.seed, session.position) == (seed, rolled)
    typed = Session.new(TWO, PEOPLE)
    typed.enter((1,) * TWO.dice)
    assert typed.record.seed is None


def test_typed_dice_are_told_from_rolled_ones() -> None:
    session = Session.new(load_game("yatzy"), (Player("Ann"), Player("Bo", "greedy")), 1)
    assert not session.typed
    session.roll()
    assert not session.typed
    session.undo()
    rolled = DiceSource(1).roll(session.position)
    session.enter((1, 1, 1, 1, 2) if rolled != (1, 1, 1, 1, 2) else (1, 1, 1, 1, 3))
    assert session.typed
    session.play(Score("ones"))
    list(session.autoplay(Opponents()))
    assert Session.of(session.record).typed


def test_a_category_with_rolls_left_is_one_decision() -> None:
    session = Session.new(load_game("yatzy"), (Player("Ann"),), 1)
    session.enter((1, 3, 3, 5, 6))
    before = session.position
    session.play(Score("chance"))
    assert session.record.turns == (Turn(((1, 3, 3, 5, 6),), ((1, 3, 3, 5, 6),), Score("chance"), 18, 0),)
    after = session.position
    session.undo()
    assert session.position == before
    session.redo()
    assert session.position == after


def test_decisions_of_a_move() -> None:
    position = Position.start(load_game("yatzy")).roll((1, 3, 3, 5, 6))
    assert decisions_of(position, Keep((3, 3))) == ((position, Keep((3, 3))),)
    stop = decisions_of(position, Score("chance"))
    assert [move for _, move in stop] == [Keep(position.dice), Keep(position.dice), Score("chance")]
    assert [where.rolls_left for where, _ in stop] == [2, 1, 0]
    with pytest.raises(MoveError, match="cannot be kept"):
        decisions_of(position, Keep((4,)))


def test_refused_moves_change_nothing() -> None:
    session = Session.new(load_game("yatzy"), PEOPLE, 1)
    for wrong in (Keep((1,)), Score("chance")):
        with pytest.raises(MoveError):
            session.play(wrong)
    for call in (session.undo, session.redo, session.undo_decision, session.redo_decision):
        with pytest.raises(MoveError):
            call()
    session.enter((1, 3, 3, 5, 6))
    session.play(Keep((3, 3)))
    state = told(session)
    for dice in ((1, 2, 4, 5, 6), (3, 3), (3, 3, 1, 1), (7, 1, 1), (0, 1, 1)):
        with pytest.raises(InputError):
            session.enter(dice)
        assert told(session) == state
    session.enter((2, 4, 6))
    assert session.position.dice == (2, 3, 3, 4, 6)
    with pytest.raises(MoveError, match="nothing to roll"):
        session.roll()


def test_undo_goes_back_over_computer_players_to_a_person() -> None:
    opponents = Opponents()
    session = Session.new(TWO, (Player("Ann"), Player("Bo", "greedy"), Player("Cy", "random")), 3)
    session.roll()
    choice = session.position
    session.play(Score(TWO.categories[0].id))
    steps = list(session.autoplay(opponents))
    assert {one.player for one in steps} == {1, 2}
    later = told(session)
    session.undo_decision()
    assert session.position == choice
    session.redo_decision()
    assert session.position == later[1]  # the last roll awaited is a person's
    session.undo_decision(1)
    assert session.mover == 1
    assert not session.awaits_roll
    while session.can_undo:
        session.undo()
    session.roll()
    session.play(Keep(()))
    session.roll()
    session.undo_decision()
    assert session.position.rolls_left == TWO.rolls - 1
    assert not session.awaits_roll
    session.redo()
    session.roll()
    session.undo_decision(rolls=True)
    assert session.awaits_roll


def test_a_computer_does_the_same_again_and_by_its_seed() -> None:
    opponents = Opponents()
    players = (Player("Bo", "softened:0.5"), Player("Cy", "random"))
    one, two = (finished(Session.new(TWO, players, seed), opponents) for seed in (5, 5))
    assert one.record == two.record
    others = {finished(Session.new(TWO, players, seed), opponents).record.scores for seed in range(6, 26)}
    assert len(others) > 1
    record = one.record
    for _ in range(5):
        one.undo()
    assert finished(one, opponents).record == record


def test_a_game_that_changes_while_a_computer_thinks() -> None:
    session = Session.new(TWO, (Player("Bo", "greedy"),), 5)

    class Slow(Opponents):
        def move(self, *arguments: Any) -> Move:
            session.undo()
            session.enter((1, 2))
            return super().move(*arguments)

    session.enter((1, 1))
    assert session.autoplay_step(Slow()) is None
    assert session.position.dice == (1, 2)
    assert session.autoplay_step(Opponents()) is not None


def test_the_strategy_expected_makes_its_moves(solved: Any) -> None:
    opponents, solution = Opponents(), solved("two-yatzy")
    session = Session.new(TWO, (Player("Bo", "expected"),), 11)
    moves = [one for one in session.autoplay(opponents) if not isinstance(one.step, Roll)]
    assert session.over
    assert moves
    for one in moves:
        assert one.step == solution.best(one.before)


def test_match_players_and_softened_ones() -> None:
    opponents = Opponents()
    names = ("match:emp:1", "match:auto:0.05", "softened:1000000:match:emp:1")
    session = finished(Session.new(TWO, [Player(f"P{i}", name) for i, name in enumerate(names)], 2), opponents)
    assert session.over
    search = opponents.strategy("match:emp:1", TWO, 2)
    firm = opponents.strategy("softened:1000000:match:emp:1", TWO, 2)
    position = Position.start(TWO, 2).roll((1,) * TWO.dice)
    assert isinstance(firm, SoftenedMatch)
    weights = firm.weights(position)
    top = max(weight for _, weight in weights)
    assert search.move(position) in [move for move, weight in weights if weight == top]
    assert opponents.strategy("match:emp:1", TWO, 2) is search


@pytest.mark.parametrize(
    ("name", "players", "said"),
    [
        ("nobody", 2, "there is no strategy"),
        ("softened:x", 2, "firmness"),
        ("softened:1:nobody", 2, "there is no"),
        ("match:emp:1", 1, "at least two players"),
        ("match:emp:x", 2, "turns to search"),
        ("target:x", 1, "whole number"),
        ("file:/nowhere", 1, "nowhere"),
    ],
)
def test_strategies_that_are_none(name: str, players: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_strategy(name, TWO, players)
    with pytest.raises(InputError, match=said):
        Opponents().strategy(name, TWO, players)


@pytest.mark.parametrize("name", ["expected", "softened:1", "softened:1:target:5", "greedy", "random", "match:auto"])
def test_strategies_that_are_some(name: str) -> None:
    check_strategy(name, TWO, 2)


@pytest.mark.parametrize(("source", "named"), [("", "FILE"), ("my game.yatzy", "'my game.yatzy'")])
def test_a_refused_player_of_a_record_comes_with_the_command_that_allows_it(source: str, named: str) -> None:
    players = [Player("Ann"), Player("Bo", "mine.py:Bold"), Player("Cy", "greedy")]
    command = f"yatzy play --resume {named} --computer Bo=mine.py:Bold"
    with pytest.raises(NotFromData, match=f"^Bo plays .*; if you trust it: {re.escape(command)}$"):
        check_players(players, TWO, source=source)


def test_corrections_must_fit_the_dice_kept_before() -> None:
    session = Session.new(YATZY, [Player("Ann")], seed=1)
    with pytest.raises(MoveError, match="no roll"):
        session.correct((1, 1, 1, 1, 1))
    session.enter((1, 3, 3, 5, 6))
    session.play(Keep((3, 3)))
    with pytest.raises(MoveError, match="no roll"):
        session.correct((1, 3, 3, 5, 6))
    session.enter((1, 1, 2))
    with pytest.raises(MoveError):
        session.correct((1, 1, 2, 2, 2))
    session.correct((2, 2, 2, 3, 3))
    assert session.position.dice == (2, 2, 2, 3, 3)
    session.undo()
    assert session.position == Position.parse("yatzy~d33~r2")


def test_the_program_knows_its_own_roll() -> None:
    session = Session.new(YATZY, [Player("Ann")], seed=1)
    assert not session.program_rolled
    session.roll()
    assert session.program_rolled
    dice = session.position.dice
    session.play(Keep(dice[:2]))
    assert not session.program_rolled
    session.undo()
    session.correct((*dice[:4], dice[4] % 6 + 1))
    assert not session.program_rolled


def test_every_change_is_saved_at_once(tmp_path: Path) -> None:
    session = Session.new(TWO, PEOPLE, 4)
    session.autosave = tmp_path / "deep" / f"game{SUFFIX}"
    session.roll()
    assert read_game(session.autosave) == session.record
    session.play(Keep(()))
    assert read_game(session.autosave) == session.record
    session.undo()
    assert read_game(session.autosave) == session.record
    assert read_game(session.autosave).undone == (Keep(()),)
    assert {path.name for path in session.autosave.parent.iterdir()} == {f"game{SUFFIX}", f"game{SUFFIX}{BACKUP}"}


def test_a_game_goes_on_that_cannot_be_saved(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    session = Session.new(TWO, PEOPLE, 4)
    session.autosave = tmp_path / "file" / f"game{SUFFIX}"
    session.roll()
    assert session.trouble is not None
    assert "cannot be written" in session.trouble
    assert not session.awaits_roll
    session.autosave = tmp_path / f"game{SUFFIX}"
    session.play(Keep(()))
    assert session.trouble is None


def test_two_that_go_on_with_one_file_do_not_overwrite_each_other(tmp_path: Path) -> None:
    path = tmp_path / f"game{SUFFIX}"
    Session.new(TWO, PEOPLE, 4).save(path)
    first, second = Session.load(path), Session.load(path)
    first.autosave = second.autosave = path
    first.roll()
    assert first.trouble is None
    second.enter((1, 1))
    assert second.trouble is not None
    assert "another program" in second.trouble
    with pytest.raises(InputError, match="another program"):
        second.save(path)
    assert read_game(path) == first.record
    second.save(tmp_path / "other")
    assert read_game(tmp_path / "other") == second.record
    second.play(Keep(()))  # saved there from now on
    assert read_game(tmp_path / "other") == second.record
    first.save(tmp_path / "copy")
    assert first.autosave == path  # a game without trouble stays in its file
    first.play(Keep(()))
    assert first.trouble is None
    assert read_game(path) == first.record


def test_two_new_games_with_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    first, second = Session.new(TWO, PEOPLE, 4), Session.new(TWO, PEOPLE, 5)
    first.autosave = second.autosave = tmp_path / f"game{SUFFIX}"
    first.roll()
    second.roll()
    assert second.trouble is not None
    assert read_game(first.autosave) == first.record


def test_a_file_that_was_removed_is_written_again(tmp_path: Path) -> None:
    session = Session.new(TWO, PEOPLE, 4)
    session.autosave = tmp_path / f"game{SUFFIX}"
    session.roll()
    session.autosave.unlink()
    session.play(Keep(()))
    assert session.trouble is None
    assert read_game(session.autosave) == session.record


def test_turns_known_in_part_stay() -> None:
    yatzy = load_game("yatzy")
    text = "game: yatzy\nplayer: Ann\n\n1: ones 3\n2: 22245 twos 6\n3: 13356 (33) 33345\n"
    session = Session.of(Record.parse(text))
    state = told(session)
    assert session.position.rolls_left == 1
    while session.can_undo:
        session.undo()
    assert session.position.between_turns
    assert session.position.sheet.points == 9
    with pytest.raises(MoveError, match="only written down"):
        session.undo()
    while session.can_redo:
        session.redo()
    assert told(session) == state
    assert session.game == yatzy


def test_a_position_may_be_taken_up() -> None:
    yatzy = load_game("yatzy")
    start = Position.start(yatzy, 2).roll((1, 3, 3, 5, 6))
    session = Session.new(yatzy, PEOPLE, 1, start)
    session.play(Keep((3, 3)))
    session.roll()
    session.play(Score("threes"))
    session.undo()
    session.undo()
    assert Record.parse(str(session.record)) == session.record == replace(session.record)
    session.undo()
    assert session.position == start
    assert not session.can_undo


def test_saved_games_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path / "games"))
    assert save_folder() == tmp_path / "games"
    assert saved_games() == []
    session = Session.new(TWO, (Player("Ann Ö. <b>"), Player("Bo", "random")), 4)
    first = new_path(session.record)
    session.save(first)
    second = new_path(session.record)
    assert second != first
    done = finished(Session.new(TWO, (Player("Bo", "random"),), 4), Opponents())
    done.save(second)
    (tmp_path / "games" / f"broken{SUFFIX}").write_bytes(b"\xff\xfe")
    (tmp_path / "games" / "other.txt").write_text("no game")
    found = {one.name: one for one in saved_games()}
    assert len(found) == 3
    assert found[first.stem].players == ("Ann Ö. <b>", "Bo")
    assert saved_table([found[first.stem]]).rows[0][3] == f"turn 1 of {len(TWO.categories)}"
    assert found[first.stem].date == session.record.date
    assert saved_table([found[second.stem]]).rows[0][3] == "finished"
    assert saved_table([found["broken"]]).rows[0][3] == "unreadable"
    assert first.name.isascii()


def test_many_threads_play_one_game() -> None:
    """Everyone rolls and moves as fast as they can; every step is made once, and the record is that of a game."""
    session = Session.new(load_game("yatzy"), PEOPLE, 9)
    done: list[Any] = []

    def work() -> None:
        while not session.over:
            position = session.position
            try:
                if position.awaits_roll:
                    done.append(session.roll())
                elif position.rolls_left:
                    done.append(session.play(Keep(position.dice[:1])))
                else:
                    done.append(session.play(position.legal_moves[0]))
                assert session.record.turns is not None
            except MoveError:
                continue

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replace(session.record) == session.record
    assert len(done) == len({id(one.before) for one in done})
    # Whoever is late may end a turn with rolls left, which is several steps.
    steps = sum(1 if isinstance(one.step, Roll) else len(decisions_of(one.before, one.step)) for one in done)
    assert steps == sum(len(list(session.record.steps(turn))) for turn in range(len(session.record.turns)))


def test_only_the_last_keep_is_undone_after_all_dice_were_kept() -> None:
    session = Session.of(Record.parse("game: yatzy\nplayer: Ann\n1 Ann: 12345 (12345) 12345 (1) 11666 ones 2\n"))
    seen = []
    while session.can_undo:
        session.undo()
        seen.append((session.position.dice, session.position.rolls_left))
    assert seen == [((1, 1, 6, 6, 6), 0), ((1,), 1), ((1, 2, 3, 4, 5), 1), ((1, 2, 3, 4, 5), 2), ((), 3)]


@pytest.mark.parametrize("chances", [[0.2, 0.3, 0.5], [1.0, 2.0, 7.0], [0.0, 1.0, 0.0]])
def test_moves_are_drawn_as_often_as_their_chances_say(chances: list[float]) -> None:
    position = Session.new(TWO, (Player("Ann"),), 1).position.roll((1, 2))
    moves = [(Keep(dice), chance) for dice, chance in zip(((), (1,), (2,)), chances, strict=True)]
    drawn = Counter(DiceSource(seed).draw(position, moves) for seed in range(2000))
    for move, chance in moves:
        share = chance / sum(chances)
        assert drawn[move] / 2000 == pytest.approx(share, abs=4 * (share * (1 - share) / 2000) ** 0.5)


def test_a_draw_beyond_all_chances_takes_the_likeliest_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding can leave a little after the last chance."""
    position = Session.new(TWO, (Player("Ann"),), 1).position.roll((1, 2))
    monkeypatch.setattr(DiceSource, "_words", lambda *asked: [2 ** (8 * dice_module.WORD)])
    assert DiceSource(1).draw(position, [(Keep(()), 0.2), (Keep((1,)), 0.5), (Keep((2,)), 0.3)]) == Keep((1,))


def test_games_are_saved_where_the_system_keeps_a_users_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("YATZY_GAMES", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    assert save_folder() == tmp_path / "yatzy" / "games"
    assert save_folder(tmp_path) == tmp_path
