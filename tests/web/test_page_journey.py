"""A whole visit on a phone: real dice, a game of two, its review and a quiz on the mistakes, with every tap counted."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from helpers.phone import HEIGHT, WIDTH, Phone

from web.conftest import PATIENCE, Served
from yatzy.coach import advise
from yatzy.games import Keep, Position, Score, load_preset
from yatzy.report.texts import text
from yatzy.values.expected import ExpectedScore

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from web.conftest import Running

ENGLISH = {"the", "and", "of", "with", "are", "not", "this", "which", "from", "keep", "turn", "roll", "dice", "loss"}
"""Words that the page has in English alone."""


@pytest.fixture(scope="module")
def server(web: Running, tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tables, "--prepare", "none")
    found.games = tmp_path_factory.mktemp("journey") / "games"
    found.start()
    yield found
    found.stop()
    shutil.rmtree(found.games, ignore_errors=True)


@pytest.fixture
def phone(browser: Browser, server: Served, request: pytest.FixtureRequest) -> Iterator[Phone]:
    """A phone whose owner has never been here, and whose browser asks for a language."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, reduced_motion="reduce", locale=request.param
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield Phone(page, server)
    context.close()


class Hand:
    """A player who rolls real dice and enters them: the dice in their places, and what is held."""

    def __init__(self, phone: Phone, position: Position, dice: Random) -> None:
        self.phone, self.position, self.dice = phone, position, dice
        self.slots = [0] * position.game.dice
        self.held = set[int]()

    def roll(self) -> None:
        """Roll what is not held, and enter it."""
        faces = self.position.game.faces
        for place in range(len(self.slots)):
            if place not in self.held:
                self.slots[place] = self.dice.randint(1, faces)
                self.phone.tap(f"face-{self.slots[place]}")
        self.phone.has_dice("".join(map(str, self.slots)))
        self.position = self.position.roll(self.slots)

    def keep(self, keep: Keep) -> None:
        """Hold these dice and no others, with as few taps as possible, and go on."""
        left, wanted = Counter(keep.dice), set[int]()
        for place in sorted(range(len(self.slots)), key=lambda place: place not in self.held):
            if left[self.slots[place]]:
                left[self.slots[place]] -= 1
                wanted.add(place)
        for place in sorted(wanted ^ self.held):
            self.phone.tap(f"die-{place + 1}")
            state = "true" if place in wanted else "false"
            self.phone.page.locator(f'[data-testid="die-{place + 1}"][aria-checked="{state}"]').wait_for()
        self.held = wanted
        self.phone.tap("roll")
        self.phone.page.wait_for_function(
            "count => document.querySelectorAll('.yz-tray .yz-blank').length == count",
            arg=len(self.slots) - len(wanted),
        )
        self.position = self.position.play(keep)

    def score(self, score: Score) -> None:
        """Fill a box; with rolls left it asks once."""
        if self.position.rolls_left:
            self.phone.tap(f"score-{score.category}")
            self.phone.page.locator(f'[data-testid="score-{score.category}"].yz-asked').wait_for()
            self.position = self.position.play(Keep(self.position.dice))
        self.phone.tap(f"score-{score.category}")
        self.position = self.position.play(score)


def careless(position: Position) -> Keep | Score:
    """A player who collects the most frequent face, and then takes the most points."""
    if position.rolls_left:
        face, count = max(Counter(position.dice).items(), key=lambda one: (one[1], one[0]))
        return Keep((face,) * count)
    scores = [move for move in position.legal_moves if isinstance(move, Score)]
    return max(scores, key=lambda move: position.placement(move).points)


def play_turn(phone: Phone, position: Position, dice: Random, judge: ExpectedScore) -> Position:
    """One turn: the first player plays the best moves, the second one is careless."""
    best, hand = position.mover == 0, Hand(phone, position, dice)
    while not hand.position.between_turns or hand.position == position:
        if hand.position.awaits_roll:
            hand.roll()
            continue
        move = advise(judge, hand.position).best.move if best else careless(hand.position)
        if isinstance(move, Keep) and len(move.dice) < len(hand.slots):
            hand.keep(move)
            continue
        if isinstance(move, Keep):  # the dice are kept as they are
            last = hand.position.play(move) if hand.position.rolls_left else hand.position
            move = advise(judge, last).best.move
        assert isinstance(move, Score)
        hand.score(move)
    return hand.position


def no_english(phone: Phone) -> None:
    words = set(re.findall(r"[^\W\d_]+", str(phone.page.evaluate("document.body.innerText")).casefold()))
    assert not words & ENGLISH


@pytest.mark.slow
@pytest.mark.parametrize("phone", ["sv", "de"], indirect=True)
def test_a_visit_with_real_dice_from_the_first_tap_to_the_quiz(
    phone: Phone, solved: Callable[[str], Any], request: pytest.FixtureRequest
) -> None:
    language = request.node.callspec.params["phone"]
    judge, dice = solved("yatzy"), Random(27)
    page = phone.open().page
    page.locator(f"html[lang={language}]").wait_for()
    phone.tap("typed")
    phone.shows("pad")
    phone.tap("more")
    phone.tap("new")
    phone.reach("add-player")
    page.get_by_test_id("player-2").wait_for()
    phone.reach("start")
    page.get_by_test_id("new-dialog").wait_for(state="hidden")
    begin = phone.taps, phone.scrolls
    no_english(phone)

    position = Position.start(load_preset("yatzy"), 2)
    turns = list[tuple[int, int]]()
    while not position.over:
        page.locator(f'[data-testid="seat-{position.mover + 1}"][aria-current="true"]').wait_for()
        phone.taps = phone.dice_taps = 0
        position = play_turn(phone, position, dice, judge)
        turns.append((phone.taps, phone.dice_taps))
        if not position.over:
            assert phone.scrolled == 0
    assert max(taps for taps, _ in turns) <= 4
    assert phone.scrolls == begin[1], "no scrolling within a turn"

    phone.shows("result", str(max(sheet.points for sheet in position.sheets)))
    assert phone.saved.position == position
    page.wait_for_function("document.activeElement.id == 'yz-result'")
    no_english(phone)
    phone.taps = phone.scrolls = 0
    phone.reach("review-2")
    page.get_by_test_id("identity").wait_for()
    page.locator("[data-testid=reviewed-1][aria-checked=true]").wait_for()
    no_english(phone)
    phone.reach("retry")
    page.get_by_test_id("quiz-number").wait_for()
    to_quiz = phone.taps, phone.scrolls

    phone.taps = phone.dice_taps = phone.scrolls = questions = 0
    while not page.get_by_test_id("quiz-summary").count():
        questions += 1
        page.get_by_test_id("quiz-number").get_by_text(
            text(language, "quiz.question", number=questions, total="").strip()
        ).wait_for()
        if page.get_by_test_id("quiz-keep").count():
            phone.reach("quiz-keep")
        else:
            first = page.locator("[data-testid^=answer-]").first.get_attribute("data-testid")
            assert first is not None
            phone.reach(first)
        page.get_by_test_id("quiz-verdict").wait_for()
        phone.reach("quiz-next")
        page.locator("[data-testid=quiz-verdict]").wait_for(state="detached")
    assert questions > 0
    no_english(phone)
    others, on_dice = ([turn[kind] for turn in turns] for kind in (0, 1))
    print(
        f"{language}: {begin[0]} taps and {begin[1]} scrolls to a game of two with real dice; {len(turns)} turns,"
        f" at most {max(others)} taps besides dice (mean {sum(others) / len(turns):.1f}),"
        f" at most {max(on_dice)} on dice (mean {sum(on_dice) / len(turns):.1f}), no scroll;"
        f" from the end to the quiz {to_quiz[0]} taps and {to_quiz[1]} scrolls;"
        f" {questions} questions with {phone.taps} taps and {phone.scrolls} scrolls"
    )
