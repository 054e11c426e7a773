"""What the page shows, as values: worked out without a browser and without NiceGUI."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from yatzy.coach import advise
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.outlook import Outlook
from yatzy.games import Keep, Player, Position, load_preset
from yatzy.units import Unit
from yatzy.web.page.analysis.model import Chart, Range, Wins, best_line, move_best_line, move_line, seat_line
from yatzy.web.page.analysis.tables import chart_table, range_line, win_table
from yatzy.web.page.lab.figures import Figure, comparison_table
from yatzy.web.page.parts.blocks import sheet_list
from yatzy.web.page.parts.charts import Line, colour_of
from yatzy.web.page.reader import Reader
from yatzy.web.page.start_value import StartValue
from yatzy.web.page.table.heads import AdviceHead, Head, advice_head_markup, head_markup, standing, value_line
from yatzy.web.page.table.moves import BY_MOVE, Column, MoveList, move_list, move_rows, ranking_of
from yatzy.web.page.table.result import Result, result_markup
from yatzy.web.page.table.sheets import Sheets, best_categories, sheets_markup
from yatzy.web.page.table.tray import Tray, roll_button, tray_markup

EN, SV = Reader("en"), Reader("sv")
TWO = load_preset("two-yatzy")
ANN, BO = Player("Ann"), Player("Bo")
PURE = (
    "yatzy.web.kept", "yatzy.web.page.reader", "yatzy.web.page.parts.markup", "yatzy.web.page.parts.dice",
    "yatzy.web.page.parts.moves", "yatzy.web.page.parts.charts", "yatzy.web.page.parts.blocks",
    "yatzy.web.page.parts.icons", "yatzy.web.page.table.heads", "yatzy.web.page.table.tray",
    "yatzy.web.page.table.moves", "yatzy.web.page.table.sheets", "yatzy.web.page.analysis.model",
    "yatzy.web.page.analysis.tables", "yatzy.web.page.review.tables", "yatzy.web.page.lab.figures",
    "yatzy.web.page.table.hand", "yatzy.web.page.table.result", "yatzy.web.page.table.announce",
)  # fmt: skip


def test_what_is_shown_needs_no_nicegui() -> None:
    code = (
        f"import sys, importlib\nfor name in {PURE!r}: importlib.import_module(name)\nprint('nicegui' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.fixture
def position() -> Position:
    """Two dice of two-yatzy after the first roll."""
    return Position.start(TWO).roll((1, 2))


@pytest.fixture
def column(solved: Callable[[str], Any], position: Position) -> Column:
    return Column("expected", advise(solved("two-yatzy"), position))


def moves_shown(position: Position, columns: tuple[Column, ...], sort: str = "") -> MoveList:
    return MoveList(EN, position, columns, sort, True, move_rows(EN, position, columns, sort, True))


def test_the_list_has_every_move_best_first(position: Position, column: Column) -> None:
    model = moves_shown(position, (column,))
    assert column.advice is not None
    assert [row.move for row in model.rows] == [str(one.move) for one in column.advice.moves]
    shown = move_list(model)
    assert shown.count("<tr") == 1 + len(column.advice.moves)
    assert model.rows[0].best
    assert model.rows[0].grade == "best"


def test_a_ticked_move_has_the_colour_of_its_lines(position: Position, column: Column) -> None:
    model = moves_shown(position, (column,))
    ticked = replace(model, compared=(model.rows[-1].move, model.rows[0].move))
    before, after = move_list(model).split("<tr"), move_list(ticked).split("<tr")
    changed = [n for n, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    assert changed == [2, len(before) - 1], "the first row and the last, below the head"
    assert after[2].count('aria-checked="true"') == after[-1].count('aria-checked="true"') == 1
    for place, row in ((0, after[-1]), (1, after[2])):
        line = move_line(EN, 1, place, position, Keep((2,)), some_outlook(20), ticked=True)
        best = move_best_line(EN, 1, place, position, Keep((2,)), 0, np.linspace(1, 0, 21))
        assert f"color:{colour_of(line)}" in row
        assert colour_of(best) == colour_of(line)
        assert best.symbol == line.symbol == place
    assert EN.t("moves.compare_move", move="keep 2") in move_list(model)


def test_a_column_without_advice_says_how_far_it_is(position: Position, column: Column) -> None:
    waiting = Column("target:9", None, " 40 %", "is being built")
    model = moves_shown(position, (waiting, column))
    assert ranking_of(model.columns, "target:9") is column
    assert " 40 %" in move_list(model)
    assert ranking_of((waiting,), "") is None
    alone = moves_shown(position, (waiting,))
    assert [row.grade for row in alone.rows] == [None] * len(alone.rows)


def test_moves_can_be_sorted_by_themselves(position: Position, column: Column) -> None:
    by_move = moves_shown(position, (column,), BY_MOVE)
    assert [row.move for row in by_move.rows] == ["-", "1", "2", "12"]
    assert 'aria-sort="ascending"' in move_list(by_move)


def test_without_dice_or_hints_a_line_says_why(position: Position) -> None:
    start = Position.start(TWO)
    assert EN.t("moves.roll_first") in move_list(MoveList(EN, start, (), "", True))
    assert EN.t("moves.hints_off") in move_list(MoveList(EN, position, (), "", True, hidden=True))


def test_a_click_on_a_die_changes_that_die_and_the_button(position: Position) -> None:
    tray = Tray(EN, position, (1, 2))
    held = replace(tray, held=frozenset({1}))
    assert roll_button(tray) == (EN.t("roll.count", count=2), True)
    assert roll_button(held) == (EN.t("roll.one", count=1), True)
    before, after = tray_markup(tray).split("<button"), tray_markup(held).split("<button")
    different = [n for n, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    assert different == [2, 3], "the second die, and the button that rolls"


def test_dice_of_another_roll_are_other_dice(position: Position) -> None:
    parts = []
    for where in (position, replace(position, rolls_left=position.rolls_left - 1)):
        shown = tray_markup(Tray(EN, where, (1, 2)))
        parts.append(shown.split('data-part="')[1].split('"')[0])
    assert parts[0] != parts[1]


@pytest.mark.parametrize(
    ("changes", "key", "enabled"),
    [
        ({"held": frozenset({0, 1})}, "roll.none", False),
        ({"computer": "Bo thinks"}, "", False),
        ({"position": replace(Position.start(TWO).roll((1, 2)), rolls_left=0)}, "roll.choose", False),
        ({"position": Position.start(TWO), "slots": ()}, "roll.all", True),
        ({"position": Position.start(TWO), "slots": (), "typed": True}, "enter.prompt", False),
        ({"typed": True}, "enter.keep", True),
    ],
)
def test_what_the_button_says(position: Position, changes: dict[str, Any], key: str, enabled: bool) -> None:
    label, can = roll_button(replace(Tray(EN, position, (1, 2)), **changes))
    assert can is enabled
    assert label == (EN.t(key, count=2) if key else "Bo thinks")


def test_equal_models_are_not_shown_again(position: Position, column: Column) -> None:
    assert moves_shown(position, (column,)) == moves_shown(position, (column,))
    assert Tray(EN, position, (1, 2)) == Tray(EN, position, (1, 2))
    assert Tray(EN, position, (1, 2)) != Tray(SV, position, (1, 2))
    assert Sheets(EN, position, (ANN,), True) == Sheets(EN, position, (ANN,), True)
    assert Head(EN, "x", True, False) != Head(EN, "x", True, True)


def test_heads_say_how_the_game_stands(position: Position, column: Column) -> None:
    assert column.advice is not None
    turns = len(TWO.categories)
    assert standing(EN, position, [ANN]) == EN.t("head.turn", turn=1, turns=turns)
    assert "Ann" in standing(EN, Position.start(TWO, 2), [ANN, BO])
    assert f"{column.advice.value:.2f}" in value_line(EN, column.advice, None)
    assert value_line(EN, None, StartValue("expected", 12.3, Unit.POINTS)) == "Expected: 12.30"
    assert value_line(EN, None, StartValue("target:301", 0.123, Unit.CHANCE)) == "At least 301 points: 12.30 %"
    assert value_line(EN, None, None) == ""
    assert " disabled" in head_markup(Head(EN, "x", True, False))
    assert " disabled" not in head_markup(Head(EN, "x", True, True))
    assert advice_head_markup(AdviceHead(EN, "v", True, False)) != advice_head_markup(AdviceHead(EN, "v", True, True))


def test_the_end_of_a_game_of_two_names_the_winner_once() -> None:
    ended = Position.parse("two-yatzy~s2.2~s1.0")
    assert ended.over
    assert standing(EN, ended, [ANN, BO]) == "The game is over"
    you = Player(EN.t("player.you"))
    for players, scores, said in (((ANN, BO), (4, 1), "Ann wins with 4"), ((you, BO), (4, 1), "You win with 4"),
                                  ((ANN, BO), (4, 4), "Ann and Bo are tied at 4")):  # fmt: skip
        assert f">{said}</h2>" in result_markup(Result(EN, "game", players, scores, None))


def test_the_best_category_has_a_star(solved: Callable[[str], Any], position: Position) -> None:
    last = replace(position, rolls_left=0)
    best = best_categories(advise(solved("two-yatzy"), last))
    assert best
    shown = sheets_markup(Sheets(EN, last, (ANN,), True, best))
    assert shown.count("★") == len(best)
    assert sheets_markup(Sheets(EN, last, (ANN,), False, best)).count("yz-offer") == 0
    assert best_categories(None) == frozenset()


def test_games_that_differ_only_in_names_share_no_pieces_of_markup(solved: Callable[[str], Any]) -> None:
    """Such games are equal, so a cache by game or by category would mix up their names."""
    renamed = replace(TWO, categories=tuple(replace(one, names={"en": f"Box {one.id}"}) for one in TWO.categories))
    assert renamed == TWO
    for game, other in ((TWO, renamed), (renamed, TWO), (TWO, renamed)):
        last = replace(Position.start(game).roll((1, 2)), rolls_left=0)
        columns = (Column("expected", advise(solved("two-yatzy"), last)),)
        rows = move_rows(EN, last, columns, "", True)
        shown = sheets_markup(Sheets(EN, last, (ANN,), True)) + "".join(row.cells + row.compare for row in rows)
        assert all(one.name("en") in shown for one in game.categories)
        assert not any(one.name("en") in shown for one in other.categories)


def some_outlook(scores: int) -> Outlook:
    mass = np.full(scores, 1 / scores)
    return Outlook((), None, 0.0, Distribution(mass))


def test_lines_of_players_and_of_a_move(position: Position) -> None:
    outlook = some_outlook(20)
    alone, first = seat_line(EN, [ANN], 0, outlook), seat_line(EN, [ANN, BO], 0, outlook)
    assert alone.name == EN.t("analysis.view.plain")
    assert first.name == "Ann"
    after = move_line(EN, 1, 0, position, Keep((2,)), outlook)
    assert (after.colour, after.dash) == (1, 2)
    chances = np.linspace(1, 0, 21)
    best = best_line(SV, [ANN, BO], 1, 0, chances)
    assert "Bo" in best.name
    chances[:] = 0
    assert best.at(0) == 1, "a copy"


def test_another_keep_changes_one_column_of_the_numbers(position: Position) -> None:
    plain = seat_line(EN, [ANN], 0, some_outlook(20))
    after = [move_line(EN, 1, 0, position, Keep(dice), some_outlook(n)) for dice, n in (((1,), 17), ((2,), 22))]
    one, other = (Chart(EN, (plain, line), None) for line in after)
    assert one != other
    assert one == Chart(EN, (plain, after[0]), None)
    rows = [chart_table(chart).split("<tr")[2:] for chart in (one, other)]
    for before, now in zip(*rows, strict=True):
        cells = [before.split("<td"), now.split("<td")]
        assert cells[0][:2] == cells[1][:2], "the line of the position stays as it is"
    assert chart_table(Chart(EN, (), None)) == ""


def test_what_is_not_known_is_not_told() -> None:
    assert EN.t("analysis.view.not_yet") in range_line(Range(EN, None, None, 300))
    line = Line("best", 0, np.linspace(1, 0.5, 400))
    assert "range-beat" in range_line(Range(EN, None, line, 300))
    assert win_table(Wins(EN, (ANN, BO), 0, (), None)) == ""
    shown = win_table(Wins(EN, (ANN, BO), 1, (0.4, 0.6), 0.75))
    assert "75.0" in shown
    assert "25.0" in shown, "of two players, the other one has the rest"


def test_chances_between_scores() -> None:
    line = Line.of("x", Distribution(np.array([0, 0, 0.5, 0.25, 0.25])))
    for exactly in (False, True):
        got = line.between(0, 6, exactly=exactly)
        wanted = (
            [line.mass[s - 2] if 2 <= s <= 4 else 0 for s in range(7)] if exactly else [line.at(s) for s in range(7)]
        )
        assert got == pytest.approx(wanted)


def test_a_sheet_beside_a_question_shows_open_boxes_as_open() -> None:
    where = Position.parse("yatzy~s3.....0.........~d13356~r0")
    shown = sheet_list(EN, where)
    cells = re.findall(r'<span class="yz-cell-name">(.*?)</span>(.*?)</div>', shown)
    assert [name for name, _ in cells] == [category.name() for category in where.game.categories]
    said = dict(cells)
    assert (said["Ones"], said["Sixes"]) == ("<b>3</b>", "<b>0</b>")
    assert 'class="yz-open-box"' in said["Fives"]
    assert "these dice would give 5" in said["Fives"]
    assert "(" not in re.sub("<.*?>", "", shown), "points in brackets look filled"
    assert '<span class="yz-open-box"></span>' in sheet_list(EN, Position.parse("yatzy"))


def test_equal_figures_of_the_lab_have_no_sign_of_a_difference() -> None:
    sides = [[Figure("mode", "Mode", one, digits=0), Figure("mean", "Mean", one + 0.001 * one)] for one in (6, 6)]
    shown = comparison_table(["A", "B"], sides, EN.t, "en")
    assert shown.count("<td>0</td>") == shown.count("<td>0.00</td>") == 1
    less = comparison_table(["A", "B"], [[Figure("mode", "Mode", 6)], [Figure("mode", "Mode", 5.5)]], EN.t, "en")
    assert "<td>−0.50</td>" in less
