"""The analysis, the review, the quiz and the lab in a real browser: what they show is what the library says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from helpers.phone import CUT
from helpers.played_records import played_record

from web.conftest import Served
from yatzy.coach.explain import explain
from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import Review, review
from yatzy.coach.selected_moves import select_moves
from yatzy.evaluation.evaluating import evaluate
from yatzy.evaluation.outlook import Outlooks
from yatzy.games import Keep, Player, Position, Record, Sheet, Turn, load_preset, show_dice
from yatzy.lab import simulate
from yatzy.report.explanation import sentences
from yatzy.report.texts import LANGUAGES
from yatzy.solver import Solver, parse_strategy
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.targets import position_curve

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from web.conftest import Visit

EVIL = "<img src=x onerror=alert(1)>"
FIRST_ROLL = "yacht~d13356~r2"
TWO_OF_YACHT = "yacht~s1.2.3.4.5.6......~s1.4.6.8.10.12......~d13356~r2"
OPTION = "element => getElement(Number(element.id.slice(1))).chart.getOption()"
TOP = """element => getElement(Number(element.id.slice(1))).chart.getModel().getComponent("yAxis", 0)
    .axis.scale.getExtent()[1]"""
"""JavaScript: the end of the vertical axis of a chart."""
BROKEN = """selector => [...document.querySelectorAll(selector)].flatMap(cell => {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), found = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode())
        for (const word of node.data.matchAll(/[\\p{L}\\d]+/gu)) {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) found.push(word[0]);
        }
    return found;
})"""
"""JavaScript that lists words broken over two lines."""
PIXEL = """([element, series, point]) =>
    getElement(Number(element.id.slice(1))).chart.convertToPixel({seriesIndex: series}, point)"""


@pytest.fixture(scope="module")
def yacht(
    solved: Callable[[str], ExpectedScore],
    outlooks: Callable[[str], Outlooks],
    chances: Callable[[str], BestChances],
) -> ExpectedScore:
    """Yacht with all its tables, which take some seconds."""
    outlooks("yacht")
    Solver().endgames(chances("yacht").game)
    return solved("yacht")


@pytest.fixture(scope="module")
def server(yacht: ExpectedScore, tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The command itself, with the tables of Yacht and a folder of games of its own."""
    served = Served(tables, "--prepare", "none")
    served.games = tmp_path_factory.mktemp("view-games")
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def record(yacht: ExpectedScore) -> Record:
    """A game of one who makes mistakes."""
    return played_record(parse_strategy("softened:0.5", yacht.game, Solver()), 3)


@pytest.fixture(scope="module")
def judged(record: Record, yacht: ExpectedScore) -> Review:
    """What the library says of it."""
    return review(record, yacht)


@pytest.fixture
def go(server: Served, visit: Visit) -> Iterator[Callable[..., Page]]:
    """Open a page of the server; it may ask nobody else for anything, and nothing in it may fail."""

    def open_page(path: str, width: int = 1400) -> Page:
        page = visit.page
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{server.address}{path}" if not server.address.endswith("/") else server.address[:-1] + path)
        page.wait_for_function("window.did_handshake")
        return page

    yield open_page
    assert visit.outside(server.address.rstrip("/")) == []
    assert visit.problems == []


def text_of(page: Page, id: str) -> str:
    """The text of an element by its test id, when it is there."""
    found = page.get_by_test_id(id)
    found.wait_for()
    return found.inner_text()


def wait_for(page: Page, id: str, text: str | re.Pattern[str]) -> None:
    """Wait until an element says something."""
    from playwright.sync_api import expect

    expect(page.get_by_test_id(id)).to_contain_text(text)


def options_of(page: Page, id: str) -> dict[str, Any]:
    """What a chart shows, once it shows anything."""
    chart = page.get_by_test_id(id)
    chart.locator("svg path").first.wait_for(state="attached")
    found: dict[str, Any] = chart.evaluate(OPTION)
    return found


def choose(page: Page, id: str, option: str) -> None:
    """Choose something from a menu."""
    page.get_by_test_id(id).locator("xpath=ancestor-or-self::label").first.click()
    page.get_by_role("option", name=option, exact=True).click()
    page.locator(".q-menu").wait_for(state="detached")  # menus fade


def paste(page: Page, text: str) -> None:
    """Have a record reviewed."""
    page.get_by_text("or paste a record").click()
    page.get_by_test_id("review-paste").fill(text)
    page.get_by_test_id("review-go").click()
    page.get_by_test_id("identity").wait_for()


def rows_of(page: Page, id: str) -> dict[str, list[str]]:
    """The rows of a table by their heads."""
    table = page.get_by_test_id(id)
    table.wait_for()
    rows = table.locator("tbody tr").evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.innerText))")
    return {row[0]: row[1:] for row in rows}


# The review


def test_a_pasted_record_is_reviewed(go: Callable[..., Page], record: Record, judged: Review) -> None:
    page = go("/review")
    paste(page, str(record))
    (one,) = judged.players
    assert one.start is not None
    assert one.luck is not None
    luck = f"{'+' if one.luck >= 0 else '−'} {abs(one.luck):.2f}"
    said = {name: text_of(page, f"identity-{name}") for name in ("start", "luck", "error", "final")}
    assert said == {"start": f"{one.start:.2f}", "luck": luck, "error": f"− {one.error:.2f}",
                    "final": f"= {record.scores[0]}"}  # fmt: skip
    shown = page.get_by_test_id("errors").locator("tbody tr")
    assert shown.count() == len(one.errors) > 3
    course = options_of(page, "course-chart")["series"]
    assert [y for _, y in course[0]["data"]] == pytest.approx([moment.value for moment in one.course], abs=1e-3)
    assert len(course[1]["data"]) == len(one.decisions)
    signs = [point["label"]["formatter"] for point in course[1]["data"] if point["label"]["show"]]
    assert signs == [decision.grade.sign for decision in one.decisions if decision.grade.rank >= 2]
    bars = options_of(page, "luck-chart")["series"]
    assert bars[0]["data"] == pytest.approx([turn.luck for turn in one.turns], abs=1e-3)
    assert bars[1]["data"] == pytest.approx([-turn.error for turn in one.turns], abs=1e-3)


def test_a_click_on_an_error_or_a_point_shows_its_position(
    go: Callable[..., Page], record: Record, judged: Review
) -> None:
    page = go("/review")
    paste(page, str(record))
    (one,) = judged.players
    wrong = one.errors[1]
    page.get_by_test_id("error-1").click()
    wait_for(page, "position-where", f"Ann, turn {wrong.turn},")
    assert page.get_by_test_id("position-dice").get_attribute("data-dice") == show_dice(wrong.position.dice)
    advice = page.get_by_test_id("advice").locator("tr.yz-best").first
    advice.wait_for()
    assert f"{wrong.value:.2f}" in advice.inner_text()
    place = one.decisions.index(wrong)
    page.get_by_test_id("step-left").click()
    wait_for(page, "position-where", f"turn {one.decisions[place - 1].turn},")
    page.keyboard.press("ArrowRight")
    wait_for(page, "position-where", f"turn {wrong.turn},")
    last = len(one.decisions) - 1
    chart = page.get_by_test_id("course-chart")
    chart.scroll_into_view_if_needed()
    point = options_of(page, "course-chart")["series"][1]["data"][last]["value"]
    x, y = page.evaluate(PIXEL, [chart.element_handle(), 1, point])
    box = chart.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + x, box["y"] + y)
    wait_for(page, "position-where", f"turn {one.decisions[last].turn}, no roll left")


def test_retrying_mistakes_asks_for_each_of_them(go: Callable[..., Page], record: Record, judged: Review) -> None:
    page = go("/review")
    paste(page, str(record))
    page.get_by_test_id("retry").click()
    wrong = [one for one in judged.players[0].decisions if one.grade.rank >= 2]
    wait_for(page, "quiz-number", f"Question 1 of {len(wrong)}")
    first = wrong[0]
    if isinstance(first.best[0], Keep):
        left = list(first.best[0].dice)
        for place, value in enumerate(first.position.dice, 1):
            if value in left:
                left.remove(value)
                page.get_by_test_id(f"die-{place}").click()
                page.locator(f'[data-testid="die-{place}"][aria-checked="true"]').wait_for()
        page.get_by_test_id("quiz-keep").click()
    else:
        page.get_by_test_id(f"answer-{first.best[0].category}").click()
    wait_for(page, "quiz-verdict", Grade.BEST.sign)
    box = page.locator(".yz-card", has=page.get_by_test_id("quiz-verdict")).bounding_box()
    assert box is not None
    assert box["width"] < 1000, "as in the quiz itself: lines as long as a wide screen are hard to read"
    page.get_by_test_id("quiz-next").click()
    wait_for(page, "quiz-number", "Question 2")


def test_names_are_text_and_every_player_is_reviewed(go: Callable[..., Page], yacht: ExpectedScore) -> None:
    both = played_record(parse_strategy("softened:0.5", yacht.game, Solver()), 5, players=2)
    both = Record(both.game, (Player("Ann"), Player(EVIL)), both.turns)
    page = go("/review")
    paste(page, str(both))
    wait_for(page, "review-title", EVIL)
    page.get_by_test_id("reviewed-1").click()
    wait_for(page, "identity-final", f"= {both.scores[1]}")
    series = options_of(page, "course-chart")["series"]
    course = next(place for place, one in enumerate(series) if one["name"] == EVIL)
    point = series[course + 1]["data"][4]["value"]
    chart = page.get_by_test_id("course-chart")
    chart.scroll_into_view_if_needed()
    x, y = page.evaluate(PIXEL, [chart.element_handle(), course + 1, point])
    box = chart.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + x, box["y"] + y)
    chart.get_by_text(EVIL).last.wait_for()
    assert page.locator('img[src="x"]').count() == 0


def test_a_record_that_tells_little_says_so_and_nonsense_is_refused(go: Callable[..., Page], record: Record) -> None:
    turns = tuple(Turn((), (), turn.score, points=turn.points) for turn in record.turns)
    page = go("/review")
    wait_for(page, "review-note", "Nothing has been played")
    paste(page, str(Record(record.game, record.players, turns)))
    page.get_by_text("Where only the points of a turn are known").wait_for()
    assert page.get_by_test_id("identity-mixed").count() == 1
    page.get_by_test_id("review-paste").fill("game: ludo")
    page.get_by_test_id("review-go").click()
    wait_for(page, "review-note", "ludo")


def test_a_saved_game_is_reviewed_in_swedish_and_reported(
    go: Callable[..., Page], server: Served, record: Record, visit: Visit
) -> None:
    (server.games / "old.yatzy").write_text(str(record), encoding="utf-8")
    visit.page.context.add_cookies([{"name": "yatzy-language", "value": "sv", "url": server.address}])
    page = go("/review?game=old")
    wait_for(page, "identity", "Tur")
    wait_for(page, "identity-final", f"= {record.scores[0]}")
    with page.expect_download() as download:
        page.get_by_test_id("reportmd").click()
    report = Path(download.value.path()).read_text(encoding="utf-8")
    assert f"= {record.scores[0]}" in report


# The analysis


def test_the_distribution_of_the_present_position(
    go: Callable[..., Page], outlooks: Callable[[str], Outlooks], chances: Callable[[str], BestChances]
) -> None:
    where = Position.start(load_preset("yacht")).roll((1, 3, 3, 5, 6))
    outlook = outlooks("yacht").at(where)
    first, best = position_curve(chances("yacht"), where)
    page = go(f"/?position={FIRST_ROLL}")
    numbers = page.get_by_test_id("analysis-numbers")
    numbers.get_by_text("best possible").wait_for()
    rows = rows_of(page, "analysis-numbers")
    assert rows["Mean"] == [f"{outlook.mean:.2f}", "–"]
    for percent in (90, 50, 10):
        reached = [
            max(score for score in range(400) if outlook.score.at_least(score) >= percent / 100),
            max(first + place for place, chance in enumerate(best) if chance >= percent / 100),
        ]
        assert rows[f"{percent} %"] == [str(score) for score in reached]
    assert text_of(page, "range-middle") == f"{outlook.low} – {outlook.high}"
    series = options_of(page, "analysis-chart")["series"]
    assert len(series) == 2
    assert dict(series[0]["data"])[150] == pytest.approx(100 * outlook.score.at_least(150), abs=1e-3)
    assert dict(series[1]["data"])[150] == pytest.approx(100 * best[150 - first], abs=1e-3)
    page.get_by_test_id("chart-exactly").click()
    page.locator('[data-testid="chart-exactly"][aria-checked="true"]').wait_for()
    page.wait_for_function(
        f"""() => ({OPTION})(document.querySelector('[data-testid="analysis-chart"]')).series.length == 1"""
    )
    just = dict(options_of(page, "analysis-chart")["series"][0]["data"])
    assert just[150] == pytest.approx(100 * outlook.score.mass[150], abs=1e-3)


def test_a_move_that_is_looked_at_has_its_distribution(
    go: Callable[..., Page], outlooks: Callable[[str], Outlooks]
) -> None:
    where = Position.start(load_preset("yacht")).roll((1, 3, 3, 5, 6))
    page = go(f"/?position={FIRST_ROLL}")
    page.get_by_test_id("analysis-numbers").wait_for()
    page.get_by_test_id("die-5").click()
    page.get_by_test_id("analysis-numbers").get_by_text("after: keep 6").wait_for()
    after = outlooks("yacht").after(where, Keep((6,)))
    assert f"{after.mean:.2f}" in rows_of(page, "analysis-numbers")["Mean"]


def test_ticked_moves_are_compared_in_the_chart(
    go: Callable[..., Page], outlooks: Callable[[str], Outlooks], chances: Callable[[str], BestChances]
) -> None:
    where = Position.start(load_preset("yacht")).roll((1, 3, 3, 5, 6))
    keeps = (Keep((3, 3)), Keep((5, 6)))
    found = select_moves(chances("yacht"), outlooks("yacht"), where, keeps)
    page = go(f"/?position={FIRST_ROLL}")
    numbers = page.get_by_test_id("analysis-numbers")
    numbers.get_by_text("best possible").wait_for()
    page.locator('tr[data-move="33"]').get_by_role("checkbox").click()
    numbers.get_by_text("after: keep 33, best possible").wait_for()
    page.locator('tr[data-move="56"] button[data-testid^="move-"]').focus()
    page.keyboard.press("x")
    numbers.get_by_text("after: keep 56, best possible").wait_for()
    assert page.locator('[role="checkbox"][aria-checked="true"]').count() == 2
    present, *moves = found.present, *found.moves
    rows = rows_of(page, "analysis-numbers")
    means = [f"{one.outlook.mean:.2f}" for one in (present, *moves)]
    assert rows["Mean"] == [*means, *("–",) * 3]
    for percent in (90, 50, 10):
        played_on = [one.played_on_score(percent / 100) for one in (present, *moves)]
        best = [one.best_score(percent / 100) for one in (present, *moves)]
        assert rows[f"{percent} %"] == [str(score) for score in (*played_on, *best)]
    series = options_of(page, "analysis-chart")["series"]
    assert [one["lineStyle"]["color"] for one in series[1:3]] == [one["lineStyle"]["color"] for one in series[4:]]
    page.get_by_test_id("untick").click()
    numbers.get_by_text("after: keep 33, best possible").wait_for(state="detached")
    assert page.locator('[role="checkbox"][aria-checked="true"]').count() == 0


def test_why_a_move_is_better(
    go: Callable[..., Page], yacht: ExpectedScore, outlooks: Callable[[str], Outlooks]
) -> None:
    where = Position.start(yacht.game).roll((1, 3, 3, 5, 6))
    page = go(f"/?position={FIRST_ROLL}")
    page.get_by_test_id("analysis-numbers").wait_for()
    page.keyboard.press("w")
    found = explain(yacht, outlooks("yacht"), where)
    for sentence in sentences(found):
        wait_for(page, "why-sentences", sentence)
    rows = rows_of(page, "why-table")
    assert rows["Value"][:2] == [f"{side.ranked.value:.2f}" for side in (found.preferred, found.other)]
    assert len(rows) == 3 + len(found.reasons)


def test_chances_to_win(go: Callable[..., Page], outlooks: Callable[[str], Outlooks]) -> None:
    game = load_preset("yacht")
    filled = list(game.category_index)[6:]
    sheets = tuple(Sheet.of_sums(game, filled, points=points) for points in (70, 40))
    where = Position(sheets).roll((1, 3, 3, 5, 6))
    mine, theirs = (outlooks("yacht").at(where, seat).score for seat in range(2))
    win = sum(float(theirs.mass[score]) * (mine.at_least(score) + mine.at_least(score + 1)) / 2
              for score in range(len(theirs.mass)))  # fmt: skip
    page = go(f"/?position={where}")
    rows = rows_of(page, "chances-to-win")
    assert [cells[0] for cells in rows.values()] == [f"{100 * win:.1f} %", f"{100 * (1 - win):.1f} %"]
    page.wait_for_function(
        """() => !document.querySelector('[data-testid="chances-to-win"]').innerText.includes("–")"""
    )
    best = [float(cells[1].removesuffix(" %")) for cells in rows_of(page, "chances-to-win").values()]
    assert sum(best) == pytest.approx(100, abs=0.11)
    assert best[0] > 50


# The quiz and the lab


def test_a_quiz_of_two_questions_is_kept(go: Callable[..., Page]) -> None:
    page = go("/quiz")
    choose(page, "quiz-game", "Yacht")
    choose(page, "quiz-count", "2")
    page.get_by_test_id("quiz-start").click()
    for number in (1, 2):
        wait_for(page, "quiz-number", f"Question {number} of 2")
        if page.get_by_test_id("quiz-keep").count():
            page.keyboard.press("1")
            page.locator('[data-testid="die-1"][aria-checked="true"]').wait_for()
            page.get_by_test_id("quiz-keep").click()
        else:
            page.locator(".yz-answer").first.click()
        page.get_by_test_id("quiz-verdict").wait_for()
        assert page.get_by_test_id("advice").locator("tr.yz-chosen").count() == 1
        page.get_by_test_id("quiz-next").click()
    assert text_of(page, "quiz-answered") == "2 / 2"
    wait_for(page, "quiz-history", "2 / 2")
    page.get_by_test_id("quiz-again").click()
    page.get_by_test_id("quiz-start").wait_for()


def test_the_lab_compares_two_strategies_exactly(go: Callable[..., Page]) -> None:
    page = go("/lab")
    game = load_preset("yacht")
    for side in ("first", "second", "sample"):
        choose(page, f"{side}-game", "Yacht")
    page.get_by_test_id("compare").click()
    rows = rows_of(page, "lab-numbers")
    exact = [evaluate(parse_strategy(name, game, Solver())) for name in ("expected", "greedy")]
    assert rows["Mean"][:2] == [f"{one.score.mean:.2f}" for one in exact]
    assert rows["Standard deviation"][:2] == [f"{one.score.sd:.2f}" for one in exact]
    series = options_of(page, "lab-chart")["series"]
    for one, line in zip(exact, series, strict=True):
        assert dict(line["data"])[120] == pytest.approx(100 * one.score.at_least(120), abs=1e-3)
    assert page.get_by_test_id("lab-chart").evaluate(TOP) == 100
    page.get_by_test_id("lab-chart-exactly").click()
    page.locator('[data-testid="lab-chart-exactly"][aria-checked="true"]').wait_for()
    page.wait_for_function(f"element => ({TOP})(element) < 20", arg=page.get_by_test_id("lab-chart").element_handle())
    with page.expect_download() as download:
        page.get_by_test_id("lab-csv").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[0] == "figure,yacht expected,yacht greedy"
    assert [float(number) for number in lines[1].split(",")[1:]] == [one.score.mean for one in exact]
    page.get_by_test_id("sample-run").click()
    sample = rows_of(page, "sample-numbers")
    played = simulate(parse_strategy("greedy", game, Solver()), 10_000, 1)
    assert sample["Mean"] == [f"{played.mean.value:.2f}", f"± {played.mean.error:.2f}", f"{exact[1].score.mean:.2f}"]


def test_what_is_too_large_to_be_exact_can_be_sampled(go: Callable[..., Page]) -> None:
    from playwright.sync_api import expect

    page = go("/lab")
    choose(page, "first-game", "Maxi Yatzy")
    strategy = page.get_by_test_id("first-strategy")
    strategy.fill("random")
    strategy.press("Enter")
    page.get_by_test_id("compare").click()
    expect(page.get_by_test_id("lab-note")).to_contain_text("would take about 30.6 GiB")
    expect(page.get_by_test_id("lab-note")).to_contain_text("in the Lab")
    expect(page.get_by_test_id("sample-strategy")).to_have_value("Random play")


def test_nothing_is_cut_off_on_a_laptop(go: Callable[..., Page], server: Served) -> None:
    record = Record(load_preset("yacht"), (Player("Annika"), Player("Computer 2")), start=Position.parse(TWO_OF_YACHT))
    (server.games / "laptop.yatzy").write_text(str(record), encoding="utf-8")
    page = go("/?game=laptop", width=1366)
    for id in ("outlook-categories", "chances-to-win"):
        page.get_by_test_id(id).wait_for()
    assert page.evaluate(CUT, ".yz-analysis, .yz-analysis .yz-scroll, .yz-player") == []
    names = page.locator(".yz-legend li")
    assert [names.nth(0).inner_text(), names.nth(1).inner_text()] == ["Annika", "Computer 2"]
    assert page.locator(".yz-chart text", has_text="Annika").count() == 0, "the legend is above the chart, all of it"


@pytest.mark.parametrize(("players", "width"), [(1, 1366), (2, 1366), (4, 1366), (1, 1920), (4, 1920)])
def test_german_words_are_whole_on_wide_screens(
    go: Callable[..., Page], visit: Visit, server: Served, players: int, width: int
) -> None:
    visit.page.context.add_cookies([{"name": "yatzy-language", "value": "de", "url": server.address}])
    page = go(f"/?position={Position.start(load_preset('yacht'), players)}~d13356~r2", width=width)
    for id in ("outlook-categories", "analysis-numbers", "move-0"):
        page.get_by_test_id(id).wait_for()
    page.locator(".yz-numbers thead", has_text="bestmöglich").wait_for()
    assert page.evaluate(CUT, ".yz-moves-box, .yz-analysis, .yz-analysis .yz-scroll, .yz-player") == []
    assert page.evaluate(BROKEN, ".yz-sheet th, .yz-moves th, .yz-moves td, .yz-data th, .yz-head") == []
    if players == 1:  # with a record to beat, there is one more column
        page.get_by_test_id("target").click()
        page.get_by_test_id("target-number").fill("100")
        page.get_by_test_id("target-set").click()
        page.locator(".yz-moves thead", has_text="101").wait_for()
        page.wait_for_function("() => !document.querySelector('.yz-moves .yz-wait')")
        assert page.evaluate(CUT, ".yz-moves-box") == []
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate(CUT, ".yz-moves-box") == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_losses_of_a_review_are_seen_on_a_small_laptop(
    go: Callable[..., Page], record: Record, visit: Visit, server: Served, language: str
) -> None:
    visit.page.context.add_cookies([{"name": "yatzy-language", "value": language, "url": server.address}])
    page = go("/review", width=1280)
    page.get_by_test_id("review-other").click()
    page.get_by_test_id("review-paste").fill(str(record))
    page.get_by_test_id("review-go").click()
    page.get_by_test_id("errors").wait_for()
    page.get_by_test_id("advice").wait_for()
    assert page.evaluate(CUT, ".yz-rows-box, .yz-position .yz-scroll") == []
    cells = page.locator(".yz-cells .yz-cell").all()[:2]
    first, second = (cell.bounding_box() for cell in cells)
    assert first is not None
    assert second is not None
    assert (second["x"], second["y"] > first["y"]) == (first["x"], True), "the sheet reads down"


@pytest.mark.parametrize("path", [f"/?position={FIRST_ROLL}", "/quiz", "/lab"])
def test_nothing_is_wider_than_a_phone(go: Callable[..., Page], path: str) -> None:
    page = go(path, width=360)
    page.get_by_role("heading").first.wait_for()
    if path.startswith("/?"):
        page.get_by_test_id("outlook-categories").wait_for()
    page.wait_for_function("() => document.documentElement.scrollWidth <= 360")  # once the fields are laid out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_fits_a_phone(
    go: Callable[..., Page], record: Record, visit: Visit, server: Served, language: str
) -> None:
    visit.page.context.add_cookies([{"name": "yatzy-language", "value": language, "url": server.address}])
    page = go("/review", width=360)
    page.get_by_test_id("review-other").click()
    page.get_by_test_id("review-paste").fill(str(Record(record.game, (Player(EVIL[:20] * 2),), record.turns)))
    page.get_by_test_id("review-go").click()
    page.get_by_test_id("advice").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(CUT, ".yz-rows-box, .yz-tab") == [], "the losses are in sight"
