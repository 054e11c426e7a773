"""The parts of the page that need no browser: its texts, its HTML, house rules, dice in their places, its games."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers.loops import run_async

pytest.importorskip("nicegui")

from yatzy import ExpectedScore
from yatzy.coach.play.saved import read_game
from yatzy.coach.play.session import Session
from yatzy.errors import YatzyError
from yatzy.games import PRESETS, Player, Position, Score, load_preset
from yatzy.lab.simulation import simulate
from yatzy.names import parse_strategy
from yatzy.report.texts import best_language, texts
from yatzy.solver import Solver
from yatzy.web.page.parts import markup
from yatzy.web.page.parts.dice import arranged, face, places_of
from yatzy.web.page.parts.markup import GAP, Markup, Template, join, tag
from yatzy.web.page.parts.ticker import Ticker
from yatzy.web.page.preferences import Preferences
from yatzy.web.page.store import GameStore
from yatzy.web.page.table.house_rules import HouseRules
from yatzy.web.page.table.strengths import STRENGTHS
from yatzy.web.page.table.view import TableView

SOURCES = sorted(Path(str(resources.files("yatzy.web") / "page")).rglob("*.py"))


def test_the_views_use_known_texts_only() -> None:
    used = {key for path in SOURCES for key in re.findall(r'\bt\(\s*"([a-z_0-9.]+)"', path.read_text("utf-8"))}
    assert len(used) > 50
    known = texts("en").keys()
    assert {key for key in used if f"{key}.other" not in known} <= known


@pytest.mark.parametrize(
    ("accepted", "language"), [("sv-SE,sv;q=0.9,en;q=0.8", "sv"), ("de, en;q=0.5", "de"), ("", "en"), ("fi", "en")]
)
def test_the_language_of_a_browser(accepted: str, language: str) -> None:
    assert best_language(accepted) == language


def test_whatever_is_text_is_escaped() -> None:
    name = "<img src=x onerror=alert(1)>\"'&"
    shown = tag("td", name, join(name), title=name, data_do=None, disabled=False, hidden=True)
    assert "<img" not in shown
    assert shown.count("&lt;img") == 3
    assert shown.startswith("<td title=")
    assert "hidden>" in shown
    assert "data-do" not in shown
    assert isinstance(shown, Markup)
    assert tag("p", shown) == f"<p>{shown}</p>"


def test_long_texts_are_not_kept() -> None:
    def put_in() -> int:
        return markup._escaped_short.cache_info().misses + markup._short_attribute.cache_info().misses

    long, before = "<" * 10_000, put_in()
    assert tag("p", long, title=long) == f'<p title="{"&lt;" * 10_000}">{"&lt;" * 10_000}</p>'
    assert put_in() == before
    tag("p", "<not seen before", title="<nor this")
    assert put_in() == before + 2


def test_a_die_has_as_many_pips_as_it_shows() -> None:
    for value in range(1, 7):
        assert face(value).count("<circle") == value
    assert ">12<" in face(12)


@pytest.mark.parametrize(
    ("before", "held", "dice", "after"),
    [
        ((1, 3, 3, 5, 6), (1, 2), (2, 3, 3, 4, 4), (2, 3, 3, 4, 4)),
        ((6, 1, 6, 2, 6), (0, 2, 4), (1, 5, 6, 6, 6), (6, 1, 6, 5, 6)),
        ((), (), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5)),
        ((1, 1, 1, 1, 1), (0,), (2, 2, 2, 2, 2), (2, 2, 2, 2, 2)),
    ],
)
def test_dice_that_are_kept_stay_where_they_lie(
    before: tuple[int, ...], held: tuple[int, ...], dice: tuple[int, ...], after: tuple[int, ...]
) -> None:
    assert arranged(before, held, dice) == after


def test_the_places_of_dice() -> None:
    assert places_of((6, 1, 6, 2, 6), (6, 6)) == (0, 2)
    assert places_of((6, 1, 6, 2, 6), ()) == ()


@pytest.mark.parametrize("id", PRESETS)
def test_no_switch_leaves_a_preset_as_it_is(id: str) -> None:
    preset = load_preset(id)
    assert HouseRules.of(preset).apply(preset) is preset


@pytest.mark.parametrize(
    ("base", "switch", "same"),
    [
        ("yatzy", {"rolls": 4}, "yatzy-four-rolls"),
        ("yatzy", {"bonus": False}, "yatzy-no-bonus"),
        ("yatzy", {"forced_order": True}, "yatzy-forced-order"),
        ("yahtzee", {"joker": False}, "yahtzee-plain"),
    ],
)
def test_switches_compose_the_games_that_are_known(base: str, switch: dict[str, int], same: str) -> None:
    preset = load_preset(base)
    game = replace(HouseRules.of(preset), **switch).apply(preset)  # type: ignore[arg-type]
    assert game.hash == load_preset(same).hash
    assert game.id == f"{base}-house"


def test_house_rules_beyond_the_bounds_are_refused() -> None:
    preset = load_preset("yatzy")
    with pytest.raises(YatzyError, match="rolls"):
        replace(HouseRules.of(preset), rolls=11).apply(preset)
    with pytest.raises(YatzyError, match="threshold"):
        replace(HouseRules.of(preset), bonus_threshold=0).apply(preset)


def test_preferences_that_make_no_sense_are_left_at_their_defaults() -> None:
    cookies = {"yatzy-language": "xx", "yatzy-target": "-5", "yatzy-dark": "?", "other": "1"}
    assert Preferences.of(cookies, "") == Preferences()
    wishes = Preferences.of(
        {"yatzy-target": "312", "yatzy-dark": "dark", "yatzy-objectives": "expected%20target:300"}, "sv"
    )
    assert (wishes.target, wishes.dark, wishes.language) == (312, True, "sv")
    assert wishes.objectives == ["expected", "target:300"]


def test_a_game_is_saved_from_its_first_change_on_and_found_again(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    first, second = (store.new(load_preset("yatzy"), [Player("Anna")]) for _ in range(2))
    assert first.id != second.id
    assert list(tmp_path.iterdir()) == []
    first.session.enter((6, 6, 6, 6, 6))
    first.session.play(Score("yatzy"))
    again = GameStore(tmp_path).find(first.id)
    assert again is not None
    assert again.session.position == first.session.position
    assert again.session.can_undo
    assert GameStore(tmp_path).find(second.id) is None


@pytest.mark.parametrize("id", ["../x", "/etc/passwd", "", "a/b", "A", ".hidden", "x" * 101, "a\x00"])
def test_an_id_names_no_file_elsewhere(tmp_path: Path, id: str) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (tmp_path / "x.yatzy").write_text("", "utf-8")
    assert GameStore(folder).find(id) is None


@pytest.mark.slow
def test_the_levels_of_computers_are_evenly_spread(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    names = [name for name in STRENGTHS.values() if not parse_strategy(name).several]
    assert names[0] == "expected"
    weaker = [Solver().strategy(solution.game, name) for name in names[1:]]
    means = [solution.value(Position.start(solution.game))]
    means += [float(simulate(one, 2000, seed=1).total.mean()) for one in weaker]
    steps = [better - worse for better, worse in itertools.pairwise(means)]
    assert all(18 < step < 32 for step in steps), means
    assert {f"strength.{name}" for name in STRENGTHS} <= texts("en").keys()


def test_a_pattern_makes_the_same_html_as_tags_and_escapes_its_values() -> None:
    def row(name: str, chance: str) -> Markup:
        return tag("tr", tag("th", name, title=chance), tag("td", tag("b", "1")))

    pattern = Template(tag("tr", tag("th", GAP, title=GAP), tag("td", GAP)))
    assert pattern.fill('"<5 %"', "<script>", tag("b", "1")) == row("<script>", '"<5 %"')
    with pytest.raises(ValueError, match="argument"):
        pattern.fill("one value")


def test_progress_never_replaces_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    timers, shown = list[Any](), list[str]()

    def timer(seconds: float, call: Callable[[], None], active: bool) -> Any:
        timers.append(SimpleNamespace(call=call, active=active))
        return timers[-1]

    monkeypatch.setattr("nicegui.ui.timer", timer)
    progress = Ticker(0.3, lambda: shown.append("50 %"))
    progress.switch(True)
    timers[0].call()
    assert shown == ["50 %"]
    progress.switch(False)
    shown.append("the result")
    timers[0].call()  # the timer had looked whether it is on just before it was switched off
    assert shown == ["50 %", "the result"]


def test_a_step_is_saved_even_if_it_cannot_be_shown(tmp_path: Path) -> None:
    session = Session.new(load_preset("two-yatzy"), [Player("Ann")], 1)
    session.save_in_new_file(tmp_path / "game.yatzy")

    def fail() -> None:
        raise ZeroDivisionError

    view: Any = SimpleNamespace(_context=SimpleNamespace(session=session), _follow=fail)
    with pytest.raises(ZeroDivisionError):
        run_async(TableView._change(view, session.roll))
    assert read_game(tmp_path / "game.yatzy").position == session.position
