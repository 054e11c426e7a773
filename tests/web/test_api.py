"""Every route of the API answers what the library answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from helpers.plain import plain

from yatzy import coach
from yatzy.evaluation.evaluating import evaluate
from yatzy.games import PRESETS, Position, Sheet, load_preset
from yatzy.lab import simulate
from yatzy.report.answers.advice import advice_answer
from yatzy.report.answers.games import game_answer
from yatzy.report.answers.samples import sample_answer
from yatzy.report.answers.values import strategy_distribution
from yatzy.solver import Solver, parse_strategy
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.targets import position_curve
from yatzy.web import limits, models
from yatzy.web.service import Settings, is_short

if TYPE_CHECKING:
    from web.conftest import Running

Solve = Callable[[str], ExpectedScore]
FIRST_ROLL = "yatzy~s..............~d13356~r2"
OWN = """
id = "cottage"
name = { en = "Cottage dice", sv = "Stugtärningar" }
dice = 2
faces = 3
rolls = 2
[[categories]]
id = "pair"
pattern = "groups"
groups = [2]
[[categories]]
id = "chance"
pattern = "chance"
"""
PATIENCE = 300.0
"""Seconds for tables: each is made by a process of its own at low priority, which a busy machine keeps waiting."""


def test_games(web: Running) -> None:
    found = web.got("games")
    assert [game["id"] for game in found["games"]] == list(PRESETS)
    one = web.got("games/yatzy", "games/{id}")
    assert one == plain(game_answer(load_preset("yatzy")))
    assert one["categories"][0]["names"]["sv"] == load_preset("yatzy").categories[0].name("sv")
    assert web.client.get("/api/games/ludo").status_code == 404


def test_a_game_of_ones_own_is_read(web: Running) -> None:
    found = web.answer("games/read", description=OWN)
    assert found["names"] == {"en": "Cottage dice", "sv": "Stugtärningar"}
    assert [category["id"] for category in found["categories"]] == ["pair", "chance"]


@pytest.mark.parametrize(
    "text", [FIRST_ROLL, "yatzy~s3..9............~d13356~r1", "yatzy~s..6..........15..~d22255~r0"]
)
def test_advice_is_the_librarys(web: Running, solved: Solve, text: str) -> None:
    found = web.answer("advise", position=text)
    advice = coach.advise(solved("yatzy"), Position.parse(text))
    assert found == plain(advice_answer([advice]))
    assert found["moves"][0]["grade"] == "best"
    assert all(move["loss"] == pytest.approx(found["value"] - move["value"]) for move in found["moves"])


def test_advice_from_fields_and_the_best_few(web: Running) -> None:
    by_text = web.answer("advise", position=FIRST_ROLL, top=3)
    assert web.answer("advise", dice="53361", rolls_left=2, top=3) == by_text
    assert len(by_text["moves"]) == 3
    late = web.answer("advise", open=["chance", "Yatzy"], upper=70, points=200, dice="66666", rolls_left=0)
    assert late["best"] == "yatzy"
    assert late["points"] == 200


def test_several_objectives_side_by_side(web: Running) -> None:
    game = load_preset("two-yatzy")
    where = Position.start(game).roll((1,) * game.dice)
    names = ["target:6", "expected", "chance:0.5"]
    found = web.answer("advise", position=str(where), objectives=names)
    solver = Solver()
    advices = [coach.advise(solver.build(game, name), where) for name in names]
    assert found == plain(advice_answer(advices))
    assert set(found["moves"][0]["values"]) == set(names)


def test_value(web: Running, solved: Solve) -> None:
    start = web.answer("value", game="yatzy")
    assert start["value"] == solved("yatzy").value(Position.start(load_preset("yatzy")))
    assert start["to_come"] == start["value"]
    kept = web.answer("value", position="yatzy~s..............~d33~r2")
    assert kept["value"] == solved("yatzy").value(Position.parse(kept["position"]))


def test_chance(web: Running, chances: Callable[[str], BestChances]) -> None:
    game = load_preset("two-yatzy")
    found = web.answer("chance", game="two-yatzy", at_least=6)
    assert found["probability"] == chances("two-yatzy").curve(Sheet.start(game)).at(6)


def test_distributions(web: Running, chances: Callable[[str], BestChances]) -> None:
    start = Position.start(load_preset("two-yatzy"))
    best = web.answer("distribution", game="two-yatzy")
    first, at_least = position_curve(chances("two-yatzy"), start)
    assert (best["first"], best["at_least"]) == (first, at_least.tolist())
    for name in ("expected", "target:6", "greedy", "random", "softened:1"):
        found = web.answer("distribution", game="two-yatzy", strategy=name)
        result = evaluate(parse_strategy(name, start.game, Solver()), start)
        assert found == plain(strategy_distribution(start, result, ()))
        assert sum(found["mass"]) == pytest.approx(1)


def test_simulation(web: Running) -> None:
    found = web.answer("simulate", game="two-yatzy", strategy="greedy", games=500, seed=2**64 - 1, at_least=[5])
    played = simulate(parse_strategy("greedy", load_preset("two-yatzy"), Solver()), 500, 2**64 - 1)
    assert found == plain(sample_answer(played, [5]))


@pytest.mark.parametrize("objective", ["match:emp:1", "match:dyns:0", "match:auto"])
def test_match_advice(web: Running, objective: str) -> None:
    game = load_preset("two-yatzy")
    where = Position.start(game, 2).roll((1,) * game.dice)
    found = web.answer("match/advise", position=str(where), objective=objective, payoff="win")
    search = Solver().search(game, objective, "win")
    advice = coach.advise(search, where)
    assert found["value"] == pytest.approx(advice.value)
    assert [move["move"] for move in found["moves"]] == [str(move.move) for move in advice.moves]
    assert (found["player"], found["payoff"]) == (1, "win")
    side_by_side = web.answer("advise", position=str(where), objectives=["expected", objective])
    assert objective in side_by_side["moves"][0]["values"]


@pytest.mark.parametrize(
    ("objective", "products", "tasks"),
    [
        ("match:emp:1", limits.SHORT_PRODUCTS, []),
        ("match:dyns:2", limits.SHORT_PRODUCTS, []),
        ("match:emp:3", limits.SHORT_PRODUCTS, ["match", "match_value"]),
        ("match:auto:0.5", limits.SHORT_PRODUCTS, ["match", "match_value"]),
        ("match:emp:1:against-you", 0, ["match", "match_value"]),
    ],
)
def test_only_long_searches_are_tasks_of_a_child_process(
    web: Running, objective: str, products: float, tasks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, run = list[str](), web.service.processes.run

    async def watch(task: str, *arguments: object) -> Any:
        asked.append(task)
        return await run(task, *arguments)

    monkeypatch.setattr(web.service.processes, "run", watch)
    monkeypatch.setattr(limits, "SHORT_PRODUCTS", products)
    start = Position.start(load_preset("two-yatzy"), 2)
    where = Position(start.sheets, (1, 2), 0)
    search = Solver().search(start.game, objective)
    found = web.answer("match/advise", position=str(where), objective=objective)
    assert {one["move"]: one["value"] for one in found["moves"]} == {
        str(one.move): one.value for one in search.moves(where)
    }
    assert web.answer("value", position=str(start), objective=objective)["value"] == search.value(start)
    assert asked == tasks


def test_a_prompt_search_waits_for_no_worker(web: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, run = list[str](), web.service.workers.run

    async def watch(work: Callable[[], Any]) -> Any:
        asked.append(where)
        return await run(work)

    monkeypatch.setattr(web.service.workers, "run", watch)
    start = Position.start(load_preset("two-yatzy"), 2)
    first, second, early = (str(Position(start.sheets, *turn)) for turn in (((1, 1), 0), ((1, 2), 0), ((1, 2), 1)))
    search = Solver().search(start.game, "match:emp:1", "3,1")
    for where in (first, second, early):  # the first loads the kernels
        found = web.answer("match/advise", position=where, objective="match:emp:1", payoff="3,1")
        assert found["value"] == max(one.value for one in search.moves(Position.parse(where)))
    assert set(asked) == {first, early}


def test_the_value_of_a_match_before_the_roll(web: Running) -> None:
    game = load_preset("two-yatzy")
    where, objective = Position.start(game, 3), "match:emp:2:against-you"
    found = web.answer("value", position=str(where), objective=objective, payoff="win")
    assert found["value"] == pytest.approx(Solver().search(game, objective, "win").value(where))
    assert (found["turns"], found["exact"], found["others"]) == (2, False, "against-you")
    assert (found["player"], found["payoff"], found["unit"]) == (1, "win", "chance")
    assert web.answer("value", position=str(where.roll((1, 2))), objective=objective)["turns"] == 2


def test_tables_that_are_missing_are_made_and_told_of(web: Running, tables: Path) -> None:
    asked: dict[str, Any] = {"description": OWN, "objective": "target:4"}
    response = web.ask("value", **asked)
    assert response.status_code == 409
    assert response.headers["retry-after"]
    assert "cottage" in response.json()["error"]
    models.NotReadyYet.model_validate(response.json())
    end = time.monotonic() + PATIENCE
    while response.status_code == 409 and time.monotonic() < end:
        time.sleep(0.05)
        response = web.ask("value", **asked)
    assert response.status_code == 200, response.text
    # Two dice of three faces: 1 to 6 by chance, 2, 4 or 6 by a pair; the judge is the library's own table.
    from yatzy.games import Game

    solution = Solver(tables).build(Game.parse(OWN), "target:4")
    assert response.json()["value"] == solution.value(Position.start(solution.game))
    status = web.got("tables")
    ours = {entry["table"]: entry["state"] for entry in status["tables"] if entry["game"] == "cottage"}
    assert ours == {"expected": "ready", "distributions": "ready"}


def test_a_server_prepares_its_game_in_the_background(tmp_path: Path) -> None:
    from web.conftest import running

    with running(Settings(tables=tmp_path, prepare=("two-yatzy",))) as server:
        end = time.monotonic() + PATIENCE
        states: dict[str, str] = {}
        while set(states.values()) != {"ready"} and time.monotonic() < end:
            time.sleep(0.05)
            found = server.client.get("/api/tables").json()["tables"]
            states = {entry["table"]: entry["state"] for entry in found if entry["game"] == "two-yatzy"}
        assert states == dict.fromkeys(("expected", "outlook", "distributions", "endgames"), "ready")
        assert server.answer("value", game="two-yatzy")["value"] == pytest.approx(5)


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("advise", {"position": "yatzy"}, "no move to choose"),
        ("advise", {"position": "yatzy~d13357~r2"}, "7"),
        ("advise", {"position": "yatsy~d13356"}, "did you mean yatzy"),
        ("advise", {"position": FIRST_ROLL, "dice": "13356"}, "not both"),
        ("advise", {"position": FIRST_ROLL, "game": "yahtzee"}, "yahtzee"),
        ("advise", {"position": FIRST_ROLL, "objectives": ["most"]}, "objectives are expected"),
        ("advise", {"position": FIRST_ROLL, "objectives": []}, "objectives"),
        ("advise", {"position": FIRST_ROLL, "objectives": ["match:emp:1"]}, "at least two players"),
        ("advise", {"position": FIRST_ROLL, "top": 0}, "top"),
        ("advise", {"positoin": FIRST_ROLL}, "positoin"),
        ("advise", {"dice": "13356", "rolls_left": "two"}, "rolls_left"),
        ("advise", {"rolls_left": 1}, "rolls_left 1 needs dice"),
        ("value", {"game": "yatzy", "objective": "exp:9"}, "exp:9"),
        ("value", {"game": "yatzy", "objective": "match:auto"}, "at least two players"),
        ("chance", {"game": "yatzy"}, "at_least"),
        ("chance", {"game": "two-yatzy", "at_least": 0}, "target:0"),
        ("distribution", {"game": "two-yatzy", "strategy": "brilliant"}, "strategies are"),
        ("simulate", {"game": "two-yatzy", "games": 0}, "games"),
        ("simulate", {"description": "id = 3"}, "id"),
        ("match/advise", {"position": FIRST_ROLL}, "two players"),
        ("match/advise", {"position": "two-yatzy~s.~s.~d11~r0", "payoff": "all"}, "payoff"),
        ("games/read", {"description": "dice ="}, "not TOML"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_one_line(web: Running, path: str, fields: dict[str, Any], said: str) -> None:
    status, line = web.refusal(path, **fields)
    assert status == 422
    assert said in line
    assert "--" not in line


def test_a_paper_sheet_in_words_is_a_position(web: Running) -> None:
    said = web.answer("advise", sheet=["ones 3, sixes 24"], dice="13356", top=3)
    assert said == web.answer("advise", position="yatzy~s3.....24.........~d13356~r2", top=3)
    both = {"game": "two-yatzy", "sheet": ["ones 1", "twos 2"], "dice": "12", "rolls_left": 1}
    match = web.answer("advise", objectives=["match:emp:0"], **both)
    assert match["position"] == "two-yatzy~s1.~s.2~d12~r1"
    status, line = web.refusal("advise", sheet=["ones 7"], dice="13356")
    assert (status, "7 points cannot be made" in line) == (422, True)
    assert web.refusal("advise", sheet=["ones 3"], upper=3)[0] == 422
    assert web.refusal("advise", sheet=[])[0] == 422
    assert web.refusal("advise", sheet=["ones 3"] * 9)[0] == 422


def test_only_searches_of_little_memory_are_made_in_the_server() -> None:
    searches = ("match:emp:0", "match:dyns:0", "match:emp:1", "match:emp:2", "match:emp:3", "match:auto")
    assert [one for one in searches if is_short(load_preset("yatzy"), one)] == ["match:emp:1", "match:emp:2"]
