"""The recipes of docs/extending.md work as they stand: what is added in one place is found in every surface."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.command import yatzy
from helpers.recipes import TEXT, recipe

from yatzy import Game, Position, load_game
from yatzy.cli import app, commands, loading
from yatzy.games import PATTERNS
from yatzy.lab import simulate
from yatzy.names import Objective, Origin, StrategyName, grammar, strategy_examples
from yatzy.report.texts import LANGUAGES
from yatzy.solver import Solver, solve
from yatzy.values.resources import Resources


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose modules can be imported, and after which everything is as before."""
    known, patterns = set(sys.modules), dict(PATTERNS)
    names = {kind: grammar.registered(kind) for kind in (Objective, StrategyName)}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        yield tmp_path
    for kind, before in names.items():
        for name in set(grammar.registered(kind)) - set(before):
            grammar.unregister(name)
    PATTERNS.clear()
    PATTERNS.update(patterns)
    for module in sorted(set(sys.modules) - known, reverse=True):
        if module.startswith(("my_", "yatzy.cli.")):  # help texts list the names that were there at import
            del sys.modules[module]
            package, _, own = module.rpartition(".")
            if package:
                delattr(sys.modules[package], own)


def write_module(folder: Path, name: str, code: str) -> None:
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    importlib.import_module(name)


TASKS = """
import glob, importlib
for path in glob.glob("{folder}/my_[!t]*.py"):
    importlib.import_module(path.rpartition("/")[2].removesuffix(".py"))
from yatzy.web.tasks import *
"""
"""The tasks of the server, in whose processes the new module is imported too."""


@pytest.fixture
def ask(folder: Path, tables: Path) -> Iterator[Any]:
    """Ask the HTTP API something."""
    testclient = pytest.importorskip("fastapi.testclient")
    server, service = importlib.import_module("yatzy.web.server"), importlib.import_module("yatzy.web.service")
    processes = importlib.import_module("yatzy.web.processes")
    (folder / "my_tasks.py").write_text(TASKS.format(folder=folder), encoding="utf-8")
    app = server.create_app(service.Settings(tables=tables, prepare=(), page=False))
    app.state.service.processes = processes.Processes(tables, module="my_tasks")
    with testclient.TestClient(app, base_url="http://127.0.0.1") as client:

        def ask(path: str, **fields: Any) -> dict[str, Any]:
            found = client.post(f"/api/{path}", json=fields)
            assert found.status_code == 200, found.text
            return dict(found.json())

        yield ask


def test_a_preset(tmp_path: Path) -> None:
    """In a copy of the package, whose other rooms are links."""
    text = recipe("A preset", "toml")
    game, package = Game.parse(text), Path(commands.__path__[0]).parents[1]
    for names in (game.names, game.notes, *(category.names for category in game.categories)):
        assert set(names) == set(LANGUAGES)
    assert solve(game).value(Position.start(game)) > 20
    copy = tmp_path / "yatzy"
    shutil.copytree(package / "games", copy / "games")
    for path in package.iterdir():
        if path.name not in ("games", "__pycache__"):
            (copy / path.name).symlink_to(path)
    (copy / "games" / "presets" / f"{game.id}.toml").write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    listed = subprocess.run([sys.executable, "-m", "yatzy", "games", "--json"], capture_output=True, env=environment)
    assert game.id in [one["id"] for one in json.loads(listed.stdout)["games"]]


def test_a_scoring_pattern(folder: Path, ask: Any) -> None:
    write_module(folder, "my_pattern", recipe("A scoring pattern"))
    category = '[[categories]]\nid = "high"\npattern = "all-at-least"\nleast = 5\n'
    text = f'id = "high"\ndice = 2\nfaces = 6\nrolls = 1\n\n{category}'
    game, words = Game.parse(text), "the sum of all dice if each shows at least 5"
    value = solve(game).value(Position.start(game))
    assert value == pytest.approx((10 + 11 + 11 + 12) / 36)
    assert "least = 5" in str(game)
    (folder / "high.toml").write_text(text, encoding="utf-8")
    assert words in " ".join(yatzy("games", folder / "high.toml").stdout.split())
    assert json.loads(yatzy("solve", folder / "high.toml", "--json").stdout)["value"] == value
    assert words in str(ask("games/read", description=text))
    assert ask("value", position="high", description=text)["value"] == value
    requests = importlib.import_module("yatzy.web.requests")  # the page reads a game file with it
    assert requests.read_game(None, text) == game


def test_a_named_strategy(folder: Path, ask: Any) -> None:
    write_module(folder, "my_first", recipe("A named strategy"))
    game = load_game("two-yatzy")
    games = simulate(Solver().strategy(game, "first"), 10, 1)
    arguments = ("--game", "two-yatzy", "--strategy", "first", "--games", "10", "--seed", "1", "--json")
    assert json.loads(yatzy("simulate", *arguments).stdout)["mean"]["value"] == games.mean.value
    assert "first" in yatzy("simulate", "--strategy", "nothing").stderr
    assert ask("simulate", game="two-yatzy", strategy="first", games=10, seed=1)["mean"]["value"] == games.mean.value
    assert "first" in strategy_examples()  # the lists of the page


def test_an_objective(folder: Path, tables: Path, ask: Any) -> None:
    write_module(folder, "my_objective", recipe("An objective"))
    game = load_game("two-yatzy")
    solver = Solver()
    value = solver.build(game, "cautious", Origin.PERSON).value(Position.start(game))
    assert value == solver.build(game, "exp:-0.02").value(Position.start(game))
    assert value < solve(game).value(Position.start(game))
    arguments = ("two-yatzy", "--objective", "cautious", "--json")
    assert json.loads(yatzy("value", *arguments).stdout)["value"] == value
    assert "cautious" in yatzy("value", "two-yatzy", "--objective", "nothing").stderr
    assert ask("value", position="two-yatzy", objective="cautious")["value"] == value
    columns = importlib.import_module("yatzy.web.page.table.columns")
    assert "cautious" in map(str, columns.offered())


def test_a_command(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        (tmp_path / "boxes.py").write_text(recipe("A command"), encoding="utf-8")
        patch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
        patch.setattr(app, "app", loading.open_group(commands, "yatzy"))
        assert yatzy("boxes", "yacht").stdout == "12\n"
        assert json.loads(yatzy("boxes", "--json").stdout) == {"game": "yatzy", "categories": 15}
        assert "Print the number of categories of a game." in yatzy("--help").stdout
        assert yatzy("boxes", "nothing").returncode == 2
        del sys.modules["yatzy.cli.commands.boxes"]


def test_a_printed_figure(folder: Path, tables: Path, tmp_path: Path) -> None:
    passages = importlib.import_module("yatzy_papers.passages")
    papers = importlib.import_module("yatzy_papers.run")
    claims = importlib.import_module("yatzy_papers.claims")
    (tmp_path / "printed").mkdir()
    printed = recipe("A printed figure", "toml")
    verdicts = {}
    for name, text in {"right": printed, "wrong": printed.replace('"5.00"', '"5.01"')}.items():
        (tmp_path / "printed" / "example.toml").write_text(text, encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(passages, "files", lambda _: tmp_path)
            passages.read_passages.cache_clear()
            write_module(folder, f"my_{name}_work", recipe("A printed figure"))
        (claim,) = sys.modules[f"my_{name}_work"].WORK.claims
        run = papers.PaperRun(tmp_path / name, Solver(tables))
        computed, evidence = run.figures(claim)
        verdicts[name] = [one.verdict.name for one in claims.compare(claim, computed, evidence).figures]
    assert verdicts == {"right": ["REPRODUCED"] * 2, "wrong": ["DIFFERS", "REPRODUCED"]}


def test_a_kind_of_table(folder: Path, tmp_path: Path) -> None:
    write_module(folder, "my_table", recipe("A kind of table, or another format"))
    game, resources = load_game("two-yatzy"), Resources(tmp_path / "tables")
    open_table = sys.modules["my_table"].open_turns_left
    built, again = open_table(game, resources), open_table(game, resources)
    assert (built.cached, again.cached) == (False, True)
    assert [again.read(layer, "value", 0, 1)[0] for layer in range(3)] == [2, 1, 0]
    assert "turns-left" in yatzy("tables", "list", "--tables", tmp_path / "tables").stdout


def test_a_faster_kernel(folder: Path) -> None:
    write_module(folder, "my_kernel", recipe("A faster kernel"))
    rolls = list(combinations_with_replacement(range(1, 7), 5))
    found = np.empty(len(rolls), np.int64)
    sys.modules["my_kernel"].sum_rolls(np.array(rolls), found)
    assert found.tolist() == [sum(roll) for roll in rolls]


def test_every_path_in_the_recipes_exists() -> None:
    root = Path(__file__).parent.parent
    for path in re.findall(r"`((?:src|tests|docs)/[\w./-]+)`", TEXT):
        if not re.search(r"[A-Z]{2}", path):
            assert (root / path).exists(), path


def test_a_view_of_the_page(tmp_path: Path) -> None:
    pytest.importorskip("nicegui")
    page, views, frame = (importlib.import_module(f"yatzy.web.{name}") for name in ("page", "page.views", "page.frame"))
    reader, texts = importlib.import_module("yatzy.web.page.reader"), importlib.import_module("yatzy.report.texts")
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / "__init__.py").touch()
    (tmp_path / "boxes" / "view.py").write_text(recipe("A view of the page"), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "__path__", [*page.__path__, str(tmp_path)])
        patch.setitem(texts.texts("sv"), "nav.categories", "Rutor")
        views.all_views.cache_clear()
        assert list(views.all_views()) == ["table", "review", "quiz", "lab", "categories"]
        shown = str(frame.header_markup(frame.Header(reader.Reader("sv"), "categories", "g1")))
        assert re.search(r'<a[^>]* href="/categories\?game=g1"[^>]* aria-current="page"[^>]*>Rutor</a>', shown), shown
        for name in ("yatzy.web.page.boxes.view", "yatzy.web.page.boxes"):
            del sys.modules[name]
    views.all_views.cache_clear()


def test_views_have_a_title_and_say_what_their_keys_do() -> None:
    pytest.importorskip("nicegui")
    views, texts = importlib.import_module("yatzy.web.page.views"), importlib.import_module("yatzy.report.texts")
    for view in views.all_views().values():
        wanted = {f"nav.{view.name}", view.introduction, *(f"help.key.{name}" for _, name in view.keys)} - {""}
        for language in texts.LANGUAGES:
            assert wanted <= set(texts.texts(language)), view
