"""A name is registered in one place, and every surface reads and lists it from there."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from helpers.command import yatzy

from yatzy import cli
from yatzy.errors import InputError
from yatzy.games import Position, load_preset
from yatzy.names import (
    Expected,
    Label,
    Name,
    Objective,
    Origin,
    PayoffName,
    StrategyName,
    base,
    check_name,
    forms,
    grammar,
    load,
    objective_examples,
    parse_objective,
    parse_strategy,
    registered,
    strategy_examples,
)
from yatzy.report.texts import LANGUAGES
from yatzy.report.words import objective_label
from yatzy.solver import Solver
from yatzy.units import Unit

KINDS: tuple[type[Name], ...] = (Objective, StrategyName, PayoffName)


@pytest.fixture(scope="module")
def new_names() -> Iterator[Any]:
    # Help texts are made when a module is imported: import them first, so that other tests see nothing new.
    for found in pkgutil.walk_packages(cli.__path__, "yatzy.cli."):
        import_module(found.name)
    before = {kind: registered(kind) for kind in KINDS}
    module = import_module("helpers.new_names")
    if "gift:POINTS" not in forms(Objective):
        module.add()
    yield module
    module.remove()
    assert {kind: registered(kind) for kind in KINDS} == before


@pytest.mark.parametrize("name", [name for kind in KINDS for name in registered(kind)], ids=lambda name: name.form)
def test_a_name_says_how_it_is_opened_and_checked(name: type[Name]) -> None:
    assert name.help
    assert "\n" not in name.help
    if not issubclass(name, PayoffName):
        assert callable(load(name.opener))
    if name.checker:
        assert callable(load(name.checker))
    for text in name.examples:
        kind = next(kind for kind in KINDS if issubclass(name, kind))
        assert type(grammar.parse(kind, text)) is name
        assert str(grammar.parse(kind, text)) == text


def test_a_form_is_registered_once() -> None:
    with pytest.raises(ValueError, match="already is a name of the form expected"):
        grammar.register(registered(Objective)[0])


def test_a_name_is_known_as_long_as_it_is_registered() -> None:
    @dataclass(frozen=True)
    class Late(Objective):
        form = "late"
        help = opener = checker = ""

    assert grammar.find(Objective, "late") is None
    grammar.register(Late)
    assert grammar.find(Objective, " late ") is Late
    grammar.unregister(Late)
    assert grammar.find(Objective, "late") is None


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("expected", (base.EXPECTED,)),
        ("target:300", (base.CURVES, base.EXPECTED)),
        ("chance:0.5", (base.CURVES,)),
        ("exp:0.02", ("exp:0.02",)),
        ("match:emp:2", (base.CURVES, base.ENDGAMES)),
        ("softened:1:target:300", (base.CURVES, base.EXPECTED)),
        ("greedy", ()),
        ("file:strategy.yz", ()),
    ],
)
def test_a_name_says_which_tables_it_needs(text: str, tables: tuple[str, ...]) -> None:
    assert parse_strategy(text).tables == tables


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("utility:worth.csv", "utility:folder/worth.csv"),
        ("softened:1:utility:worth.csv", "softened:1:utility:folder/worth.csv"),
        ("file:strategy.yz", "file:folder/strategy.yz"),
        ("mine.py:Mine", "folder/mine.py:Mine"),
        ("greedy", "greedy"),
    ],
)
def test_a_file_is_looked_for_beside_another(text: str, found: str) -> None:
    assert str(parse_strategy(text).beside(Path("folder"))) == found


@pytest.mark.parametrize("text", ["target:300", "chance:0.5", "match:emp:1", "match:dyns:1"])
def test_the_number_of_a_form_makes_the_same_objective(text: str) -> None:
    name = parse_objective(text)
    assert name.number is not None
    assert type(name).of_number(name.number) == name


def test_the_command_line_finds_new_names(new_names: Any, tables: Path, solved: Callable[[str], Any]) -> None:
    value = solved("two-yatzy").value(Position.start(solved("two-yatzy").game))
    done = yatzy("value", "two-yatzy", "--objective", "gift:1000", "--tables", tables, "--json")
    assert done.returncode == 0, done.stderr
    assert str(1000 + value)[:6] in done.stdout
    done = yatzy("solve", "two-yatzy", "--objective", "gift:1000", "--tables", tables)
    assert done.returncode == 0, done.stderr
    done = yatzy("simulate", "--game", "two-yatzy", "--strategy", "last-move", "--games", "20", "--tables", tables)
    assert done.returncode == 0, done.stderr
    assert "last-move" in done.stdout
    assert "gift:POINTS" in yatzy("solve", "two-yatzy", "--objective", "nothing").stderr
    assert "last-move" in yatzy("simulate", "--strategy", "nothing").stderr
    assert "is too much for two-yatzy" in yatzy("solve", "two-yatzy", "--objective", "gift:9999").stderr


@pytest.mark.parametrize(("command", "form"), [("solve", "gift:POINTS"), ("simulate", "last-move")])
def test_the_help_of_a_command_lists_new_names(command: str, form: str) -> None:
    start = "import sys, helpers.new_names; from yatzy.cli import main; sys.argv[0] = 'yatzy'; main()"
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "300", "TERMINAL_WIDTH": "300"}
    done = subprocess.run(
        [sys.executable, "-c", start, command, "--help"], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert form in done.stdout


def test_the_api_finds_new_names(new_names: Any, tables: Path, solved: Callable[[str], Any]) -> None:
    testclient = pytest.importorskip("fastapi.testclient")
    from yatzy.web.server import create_app
    from yatzy.web.service import Settings

    value = solved("two-yatzy").value(Position.start(solved("two-yatzy").game))
    app = create_app(Settings(tables=tables, prepare=(), page=False))
    with testclient.TestClient(app, base_url="http://127.0.0.1") as client:
        found = client.post("/api/value", json={"position": "two-yatzy", "objective": "gift:1000"})
        assert found.status_code == 200, found.text
        assert found.json()["value"] == pytest.approx(1000 + value)
        position = {"position": "two-yatzy~d12~r1", "objectives": ["gift:1000", "expected"]}
        found = client.post("/api/advise", json=position)
        assert found.status_code == 200, found.text
        assert "gift:1000" in found.text
        refused = client.post("/api/value", json={"position": "two-yatzy", "objective": "gift:9999"})
        assert refused.status_code == 422
        assert "is too much" in refused.text


def test_the_page_lists_new_names(new_names: Any) -> None:
    pytest.importorskip("nicegui")
    from yatzy.web.page.table.columns import offered

    assert "gift:1000" in map(str, offered())
    assert {"gift:1000", "last-move"} <= set(strategy_examples())
    assert objective_label(parse_objective("gift:1000")) == "gift:1000"


@pytest.mark.parametrize(
    ("text", "label", "unit"),
    [
        ("expected", Label("expected"), Unit.POINTS),
        ("target:300", Label("target", 300), Unit.CHANCE),
        ("chance:0.5", Label("chance", 50), Unit.POINTS),
        ("exp:-0.02", Label("exp", -0.02), Unit.POINTS),
        ("match:emp:2", Label("emp", 2), Unit.WORTH),
        ("match:auto:3", Label("auto"), Unit.WORTH),
        ("softened:0.5:target:300", Label("softened", 0.5), Unit.CHANCE),
        ("greedy", Label("greedy"), Unit.POINTS),
    ],
)
def test_a_name_says_its_label_and_its_unit(text: str, label: Label, unit: Unit) -> None:
    name = parse_strategy(text)
    assert (name.label, name.unit) == (label, unit)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_objective_has_a_label_in_every_language(language: str) -> None:
    texts = {str(one): objective_label(one, language) for one in objective_examples()}
    assert (texts["target:300"], texts["match:emp:1"]) == ("≥ 300", "EMP(1)")
    exponential, utility = (objective_label(parse_objective(one), language) for one in ("exp:0.02", "utility:w.csv"))
    assert exponential == {"en": "exp 0.02", "sv": "exp 0,02", "de": "exp 0,02"}[language]
    assert utility == {"en": "utility w.csv", "sv": "nytta w.csv", "de": "Nutzen w.csv"}[language]
    assert objective_label(Expected(), language) != objective_label(Expected(), language, long=True) != "expected"


@pytest.mark.parametrize(
    ("text", "players", "searched"),
    [("match:emp:2", 2, "match:emp:2"), ("softened:1:match:auto", 2, "match:auto"), ("softened:1", 1, "None")],
)
def test_a_strategy_says_what_it_searches(text: str, players: int, searched: str) -> None:
    name = parse_strategy(text)
    assert (name.fewest_players, str(name.searched)) == (players, searched)


def test_names_for_one_player_leave_out_match_objectives() -> None:
    with pytest.raises(InputError, match="there is no strategy 'nothing'; strategies are expected, target:S") as caught:
        Solver().strategy(load_preset("two-yatzy"), "nothing")
    assert "match:" not in str(caught.value)
    with pytest.raises(InputError, match="for one player") as caught:
        Solver().strategy(load_preset("two-yatzy"), "match:emp:1")
    assert "match:dyns" not in str(caught.value)
    with pytest.raises(InputError, match="match:dyns"):
        parse_strategy("nothing")


def test_new_names_round_trip_and_are_checked(new_names: Any, solved: Callable[[str], Any]) -> None:
    game = solved("two-yatzy").game
    for text in ("gift:7", "last-move", "softened:2:gift:7"):
        assert str(parse_strategy(text)) == text
        check_name(parse_strategy(text), game, origin=Origin.DATA)
    with pytest.raises(InputError, match="too much"):
        check_name(parse_strategy("softened:2:gift:9999"), game)


@pytest.mark.parametrize(
    ("text", "slow", "reads_file", "runs_code", "several"),
    [
        ("expected", False, False, False, False),
        ("target:300", False, False, False, False),
        ("chance:0.5", True, False, False, False),
        ("exp:0.02", False, False, False, False),
        ("utility:a.csv", False, True, False, False),
        ("match:emp:2", None, False, False, True),
        ("match:auto:1", None, False, False, True),
        ("softened:1:match:emp:2", None, False, False, True),
        ("file:a.bin", None, True, False, False),
        ("greedy", None, False, False, False),
    ],
)
def test_a_name_says_what_its_use_takes(
    text: str, slow: bool | None, reads_file: bool, runs_code: bool, several: bool
) -> None:
    name = parse_strategy(text)
    assert (name.reads_file, name.runs_code, name.several) == (reads_file, runs_code, several)
    if slow is not None:
        assert parse_objective(text).slow == slow
