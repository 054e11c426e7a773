"""The documents break the build: their code runs, their commands exist, their numbers are computed."""

from __future__ import annotations

import importlib.util
import inspect
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
import pytest
import reference
import typer.main
from _pytest.mark import ParameterSet
from dask import config as dask_config
from helpers.command import yatzy as command_line
from helpers.command import yatzy_process

import yatzy
from yatzy import PRESETS, ExpectedScore, Game, Position, load_game
from yatzy.cli.app import app
from yatzy.cli.loading import walk
from yatzy.coach.sampled_outlook import GAMES as SAMPLED_GAMES
from yatzy.evaluation.checkpoints import EVERY
from yatzy.evaluation.outlook import MOST_BYTES, estimated_bytes
from yatzy.lab.studies import read_study
from yatzy.matches.counting import count_match
from yatzy.matches.solving import SolvedMatch, solve_match
from yatzy.model import compile_game
from yatzy.strategies import molinder
from yatzy.values.curves import BestChances
from yatzy.values.resources import Resources
from yatzy.workers import parse_place
from yatzy_papers.results import read_numbers
from yatzy_papers.works import all_works

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])


def code_blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def load_make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_make", ROOT / "docs" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_readme_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = code_blocks(README, "python")
    exec(compile(code, "README.md", "exec"), {})
    promised = [text.strip() for text in re.findall(r"print\(.*\)\s+# (.*)", code)]
    assert capsys.readouterr().out.splitlines() == promised


def test_lab_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    splitting, comparing = code_blocks((ROOT / "docs/lab.md").read_text("utf-8"), "python")
    names: dict[str, Any] = {}
    exec(compile(splitting, "lab.md", "exec"), names)
    assert float(capsys.readouterr().out) == pytest.approx(names["both"].sum(), abs=1e-4)
    parts = (names["neither"], names["only_yacht"], names["only_straight"], names["both"])
    assert sum(part.sum() for part in parts) == pytest.approx(1)
    exec(compile(comparing, "lab.md", "exec"), {})
    assert 0 < float(capsys.readouterr().out) < 50


def test_the_strategy_in_the_documents_plays(tmp_path: Path) -> None:
    code, *_ = code_blocks((ROOT / "docs/strategies.md").read_text("utf-8"), "python")
    (tmp_path / "my_file.py").write_text(code, encoding="utf-8")
    strategy = yatzy.parse_strategy(f"{tmp_path / 'my_file.py'}:Sixes", load_game("yacht"), origin=yatzy.Origin.PERSON)
    assert len(yatzy.simulate(strategy, 10, 1)) == 10


@pytest.mark.parametrize("game", ["yatzy-forced-order", pytest.param("yatzy", marks=pytest.mark.slow)])
def test_strategies_evaluated_exactly_in_the_documents(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As written in the slow test; otherwise in a game with few states."""
    text = (ROOT / "docs/strategies.md").read_text("utf-8")
    _, *blocks = code_blocks(text, "python")
    known: dict[str, Any] = {}
    strategies = []
    for number, code in enumerate(blocks):
        exec(compile(code.replace('"yatzy"', f'"{game}"'), f"strategies.md, block {number}", "exec"), known)
        strategies += [known.pop("strategy")] if "strategy" in known else []
    made = float(capsys.readouterr().out)
    best = yatzy.evaluate(known["best"]).score.mean
    assert [one.name for one in strategies] == ["expected+strike_ones_first", "sixes"]
    means = [yatzy.evaluate(one).score.mean for one in strategies]
    assert all(0 < mean < best + 1e-9 for mean in (made, *means))
    assert yatzy.evaluate(known["pairs"](load_game(game))).score.mean == pytest.approx(made, abs=1e-4)
    if game == "yatzy":
        assert f"score.mean, 4))  # {made:g}\n" in text
        assert (
            f"The best strategy makes {best:.4f} points, so this habit costs {best - made:.2f} points a game." in text
        )
        states = compile_game(load_game(game)).states
        last = int(states.layer_start[-2])
        assert f"each of the {last:,} states between turns" in text
        assert f"each of the {len(np.unique(states.filled(np.arange(last)))):,} sets of open categories" in text
        assert f"every {EVERY:g} seconds" in text


def test_the_study_in_the_documents_is_one(tmp_path: Path) -> None:
    (text,) = code_blocks((ROOT / "docs/lab.md").read_text("utf-8"), "toml")
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    assert read_study(tmp_path / "study.toml").title == "Two strategies by hand"


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.toml")), ids=lambda path: path.stem)
def test_examples_are_read(path: Path) -> None:
    if path.stem == "cottage-yatzy":
        load_game(str(path))
    else:
        read_study(path)


def test_objectives_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = code_blocks((ROOT / "docs/objectives.md").read_text("utf-8"), "python")
    exec(compile(code, "objectives.md", "exec"), {})
    assert capsys.readouterr().out.split() == re.findall(r"# (0\.\d+)", code)


def readme_commands() -> Iterator[ParameterSet]:
    for command in code_blocks(README, "sh")[0].splitlines():
        long = any(word in command for word in ("target:", "1000000", "distribution"))  # ten seconds or more
        yield pytest.param(command, marks=[pytest.mark.slow] if long else [])


@pytest.mark.parametrize("command", list(readme_commands()))
def test_readme_commands_run(command: str, tmp_path: Path) -> None:
    done = command_line(*shlex.split(command)[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def document_commands(name: str) -> list[str]:
    blocks = code_blocks((ROOT / "docs" / name).read_text("utf-8"), "sh")
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("command", [*document_commands("i-want-to.md"), *document_commands("notation.md")])
def test_commands_in_documents_run(command: str, tmp_path: Path) -> None:
    done = command_line(*shlex.split(command)[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("command", document_commands("play.md"))
def test_games_in_the_document_start(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path))
    done = command_line(*shlex.split(command, comments=True)[1:], input="q\n")
    assert done.returncode == 0, done.stderr
    assert "(? help)> " in done.stdout


def test_the_promise_of_json_is_exact() -> None:
    root = typer.main.get_command(app)
    without = {words[0] for words, one in walk(root) if "--json" not in {o for p in one.params for o in p.opts}}  # type: ignore[arg-type]
    assert without == {"play", "serve"}
    for text in (README, (ROOT / "docs/commands.md").read_text("utf-8")):
        assert "except `play` and `serve`" in text
        assert "`quiz` needs `--answers` or `--results`" in text


def test_every_cited_work_has_an_entry() -> None:
    entries = (ROOT / "docs/bibliography.md").read_text("utf-8")
    cited = {
        name for work in all_works().values() for name in re.findall(r"[A-Z]\w+(?: & [A-Z]\w+)? \d{4}", work.title)
    }
    assert cited
    for name in cited:
        assert f"| {name} |" in entries, name


def means_shown() -> list[tuple[str, str]]:
    """The expected scores of presets in the documents."""
    texts = [README, (ROOT / "docs/results.md").read_text("utf-8")]
    rows = [row for text in texts for row in re.findall(r"^\| `([a-z-]+)` \| (\d+\.\d{6}) \|", text, re.MULTILINE)]
    return [(id, printed) for id, printed in rows if id in PRESETS]


def test_results_show_every_preset_of_their_run() -> None:
    assert {id for id, _ in means_shown()} == set(read_numbers(ROOT / "docs/results.json")["games"])


def test_numbers_in_results_are_the_computed_ones(solved: Callable[[str], ExpectedScore]) -> None:
    """The means of all presets; tests/papers/test_documents.py has everything else."""
    for id, printed in means_shown():
        if id != "maxi-yatzy":  # takes long; `make slow` has it
            assert f"{solved(id).value(Position.start(load_game(id))):.6f}" == printed, id


def test_solve_prints_the_digits_of_the_readme(tmp_path: Path) -> None:
    done = command_line("solve", "yatzy", "--tables", tmp_path)
    value = done.stdout.partition("best play for points: ")[2].splitlines()[0]
    assert f"| `yatzy` | {value} |" in README


def test_printed_figures_in_documents_are_those_of_the_publications() -> None:
    make = load_make()
    texts = "".join((ROOT / "docs" / name).read_text("utf-8") for name in ("studies.md", "strength.md"))
    for name in make.QUOTES:
        assert "\n".join(make.quoted(name)) in texts, "run python docs/make.py studies strength"
    for name, figures in make.MOLINDER.items():
        assert f"| `{name}` | in print | {' | '.join(figures)} |" in texts, "run python docs/make.py studies"


def test_whole_games_are_measured_as_the_results_say() -> None:
    make, found = load_make(), read_numbers(ROOT / "docs/regret.json")
    assert ",".join(found["strategies"]) == make.MEASURED
    assert (make.WHOLE_GAMES, found["game"], found["seed"]) == (found["games"], "yacht", 1)


def page(name: str) -> str:
    """A page without its line breaks."""
    return " ".join((ROOT / "docs" / name).read_text("utf-8").split())


def test_the_orders_of_molinder_are_those_of_the_program() -> None:
    text, names = page("strategies.md"), {c.id: c.name().lower() for c in load_game("yatzy").categories}
    for title, order in (
        ("Lower order", molinder.LOWER_ORDER),
        ("Upper strikes", molinder.UPPER),
        ("Lower strikes", molinder.LOWER_STRIKES),
    ):
        assert f"*{title}*: {', '.join(names[id] for id in order)}." in text


@pytest.mark.parametrize("id", ["yahtzee-pawlewicz", "yatzy"])
def test_match_counts_are_the_computed_ones(id: str) -> None:
    counts = count_match(load_game(id))
    to_depth = [f"{counts.up_to_depth(d)[1]:,} ({counts.size(np.float32, d) / 10**9:.1f} GB)" for d in (4, 5)]
    assert f"| `{id}` | {' | '.join(to_depth)} | {counts.values:,} |" in page("match.md")


def test_the_match_position_has_the_computed_values() -> None:
    """tests/papers/test_documents.py compares the file with the program."""
    figures = read_numbers(ROOT / "docs/results.json")["claims"]["pawlewicz.which-zero"]["figures"]
    value = {row[0]: f"{row[1]:.3f}".lstrip("0") for row in figures}
    wrong = [value[f"full-house: EMP({depth})"] for depth in range(1, 6)]
    assert (
        f"the best move for points is worth {value['full-house: optimum']} and the best move"
        f" {value['large-straight: optimum']}; EMP(1) to EMP(5) value the wrong move at"
        f" {', '.join(wrong[:-1])} and {wrong[-1]}."
    ) in page("match.md")


def test_the_values_before_the_roll_are_the_computed_ones(chances: Callable[[str], BestChances]) -> None:
    text = page("match.md")
    chances("yacht")  # builds the curves once for all tests
    (command,) = re.findall(r"yatzy (value yacht~\S+ --objective match:auto)", text)
    mover = json.loads(command_line(*command.split(), "--json").stdout)["value"]
    assert f"The player to move has {mover:.3f}, so the one who moves second has {1 - mover:.3f}:" in text
    position = command.split()[1]
    three = f"{position}~{position.split('~')[-1]}"
    values = []
    for objective in ("match:emp:3", "match:emp:3:against-you"):
        done = command_line("value", three, "--objective", objective, "--payoff", "win", "--json")
        values.append(f"`{objective}` {json.loads(done.stdout)['value']:.4f}")
    assert values[0].replace("` ", "` is worth ") in text
    assert f"{values[1]}." in text


@pytest.mark.slow
def test_two_chances_of_yahtzee_are_worth_what_pawlewicz_prints(chances: Callable[[str], BestChances]) -> None:
    text = page("match.md")
    chances("yahtzee-pawlewicz")  # builds the curves once for all tests
    (command,) = re.findall(r"yatzy (value yahtzee-pawlewicz~\S+ --objective match:auto)", text)
    empty, full = (
        json.loads(command_line(*one.split(), "--json").stdout)
        for one in (command, command.replace(".0.~", ".50.~").replace(".0. ", ".50. "))
    )
    assert (empty["exact"], f"{1 - empty['value']:.3f}") == (True, "0.518")
    assert f"and the one who moves second has {1 - full['value']:.3f}." in text


@pytest.mark.full
@pytest.mark.parametrize(
    ("start", "opponents", "payoff"),
    [("`expected`, match points", "expected", "match-points"), ("`3*expected`, `win`", "3*expected", "win")],
)
def test_best_responses_are_the_computed_ones(start: str, opponents: str, payoff: str, tables: Path) -> None:
    done = command_line("match", "answer", opponents, "--payoff", payoff, "--games", "0", "--json", "--tables", tables)
    exact = json.loads(done.stdout)["exact"]
    numbers = " | ".join(f"{exact[name]:.6f}" for name in ("answer", "expected", "gain"))
    assert f"| {start} | {numbers} |" in page("match.md")


def test_sizes_of_outlooks_are_the_computed_ones() -> None:
    """tests/evaluation/test_outlook.py has the size of the table of Yatzy."""
    text = page("tables.md")
    assert f"Tables of more than {MOST_BYTES // 2**30} GiB are not built" in text
    assert f"Maxi Yatzy would need {estimated_bytes(load_game('maxi-yatzy')) / 2**30:.0f} GiB" in text
    assert f"estimated from {SAMPLED_GAMES:,} games" in text


def test_value_hashes_are_the_computed_ones(solved: Callable[[str], ExpectedScore]) -> None:
    text, make = (ROOT / "docs/tables.md").read_text("utf-8"), load_make()
    listed = re.findall(r"^\| `([a-z-]+)` \| `([a-z]+)` \| [\d,]+ \| `[0-9a-f]{32}` \|", text, re.MULTILINE)
    small = make.with_curves()
    assert listed == [*((id, "expected") for id in PRESETS), *((id, "chances") for id in small)]
    for id in PRESETS:
        if id != "maxi-yatzy":  # takes long
            solved(id)
            assert make.hash_row(id) in text, "run python docs/make.py hashes"
    for id in small:
        assert make.hash_row(id, "chances") in text, "run python docs/make.py hashes"


def test_scale_python_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YATZY_TABLES", str(tmp_path))
    solving, *_ = code_blocks((ROOT / "docs/scale.md").read_text("utf-8"), "python")
    names: dict[str, Any] = {}
    exec(compile(solving, "scale.md", "exec"), names)
    value, found = capsys.readouterr().out.split()
    assert float(value) == round(names["solved"].value, 6)
    assert found == names["solved"].layers[2].hash
    assert len(names["value"]) == len(names["solved"].layers[2].sample)


def test_clusters_in_the_documents_call_what_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    from dask import distributed

    _, ssh, slurm = code_blocks((ROOT / "docs/scale.md").read_text("utf-8"), "python")
    calls: list[dict[str, Any]] = []
    real = inspect.signature(distributed.SSHCluster)

    def started(*hosts: Any, **options: Any) -> mock.Mock:
        real.bind(*hosts, **options)
        assert set(options["worker_options"]) - {"n_workers"} <= set(inspect.signature(distributed.Nanny).parameters)
        calls.append(options)
        return mock.Mock()

    monkeypatch.setattr(distributed, "SSHCluster", started)
    exec(compile(ssh, "scale.md", "exec"), {})
    monkeypatch.setitem(sys.modules, "dask_jobqueue", mock.Mock(SLURMCluster=lambda **options: calls.append(options)))
    with pytest.raises(AttributeError, match="scale"):  # nothing is started
        exec(compile(slurm, "scale.md", "exec"), {})
    assert len(calls) == 2
    settings = [line.removeprefix("export ").split("=")[0] for line in calls[1]["job_script_prologue"]]
    for setting in settings:  # as Dask reads them
        assert dask_config.get(setting.removeprefix("DASK_").lower().replace("__", ".")) is not None, setting


def scale_commands() -> Iterator[ParameterSet]:
    for command in document_commands("scale.md"):
        yield pytest.param(command, marks=[pytest.mark.slow] if "dask" in command else [])


@pytest.mark.parametrize("command", list(scale_commands()))
def test_scale_commands_run(command: str, tmp_path: Path) -> None:
    done = yatzy_process(*shlex.split(command)[1:], "--tables", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_hashes_of_yacht_are_the_computed_ones(tmp_path: Path) -> None:
    """The first layers; `make full` solves all of them."""
    check_yacht(tmp_path, 4)


@pytest.mark.full
def test_hashes_of_the_whole_of_yacht_are_the_computed_ones(tmp_path: Path) -> None:
    solved = check_yacht(tmp_path, 24)
    assert f"has {solved.value:.6f} match points, with a rounding error of at most {solved.error:.6f}." in page(
        "scale.md"
    )


def check_yacht(folder: Path, depth: int) -> SolvedMatch:
    with parse_place("local").open() as executor:
        solved = solve_match(load_game("yacht"), executor, resources=Resources(folder), depth=depth)
    assert len(solved.layers) == depth + 1
    for layer in solved.layers:
        assert f"| {layer.depth} | {layer.pairs:,} | {layer.values:,} | `{layer.hash}` |" in page("scale.md")
    return solved


def test_command_reference_is_fresh() -> None:
    assert load_make().commands() == (ROOT / "docs/commands.md").read_text(encoding="utf-8"), "run python docs/make.py"


def test_the_python_interface_is_fresh_and_complete() -> None:
    written = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    assert load_make().api() == written, "run python docs/make.py api"
    entries = re.findall(r"^### `(yatzy\.\S+)`\n\n(.*?)(?=\n##|\Z)", written, re.MULTILINE | re.DOTALL)
    public = {f"{module}.{name}" for module in reference.MODULES for name in import_module(module).__all__}
    assert {name for name, _ in entries} == public
    assert [name for name, text in entries if not re.sub("^    .*", "", text, flags=re.MULTILINE).strip()] == []


def test_every_member_of_a_public_class_is_described() -> None:
    classes = [(name, one) for name, one, _ in reference.public_names() if isinstance(one, type)]
    assert len(classes) > 20
    found = {f"{name}.{member.call}": member.text for name, one in classes for member in reference.members(one)}
    assert {"yatzy.Solver.folder", "yatzy.Solver.expected(game)", "yatzy.Origin.PERSON"} <= set(found)
    assert [name for name, text in found.items() if not text] == []


def test_every_document_is_on_the_site() -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    pages = [
        page
        for part in site["nav"]
        for found in part.values()
        for page in ([found] if isinstance(found, str) else found)
    ]
    assert sorted(pages) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    assert [page for page in pages if f"({page})" not in index] == ["index.md"]


def test_toml_in_documents_is_a_game() -> None:
    blocks = [block for path in DOCUMENTS for block in code_blocks(path.read_text("utf-8"), "toml")]
    games = [Game.parse(block) for block in blocks if "id =" in block]
    assert games


def test_positions_in_documents_are_positions() -> None:
    lines = re.findall(r"^    ([a-z-]+~s\S+)$", (ROOT / "docs/notation.md").read_text("utf-8"), re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        assert str(Position.parse(line)) == line


@pytest.mark.slow
def test_luck_and_skill_are_computed(solved: Callable[[str], ExpectedScore]) -> None:
    """The table in index.md, by a simulation of the same players that knows nothing of its making."""
    text, game = (ROOT / "docs/index.md").read_text("utf-8"), load_game("yatzy")
    best, greedy = (
        yatzy.simulate(yatzy.parse_strategy(name, game), 200_000, seed).total
        for name, seed in (("expected", 5), ("greedy", 6))
    )
    row = re.search(r"\| greedy \| ([\d.]+) \| ([\d.]+) \| (\d+) %", text)
    assert row is not None
    assert float(row[1]) == pytest.approx(greedy.mean(), abs=0.5)
    assert float(row[2]) == pytest.approx(greedy.std(), abs=0.5)
    assert float(row[3]) == pytest.approx(100 * np.mean(greedy > best), abs=1)


def anchors(path: Path) -> set[str]:
    """The headings that can be linked to, as the repository's page and the site both name them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading.lower()).strip() for heading in headings]
    return {text.replace(" ", "-") for text in plain} & {re.sub(r"[-\s]+", "-", text) for text in plain}


def test_links_between_documents_hold() -> None:
    checked = 0
    for path in DOCUMENTS:
        for name, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", path.read_text(encoding="utf-8")):
            target = path.parent / name if name else path
            assert target.exists(), f"{path.name} links to {name}"
            assert not anchor or anchor in anchors(target), f"{path.name} links to {name}#{anchor}"
            checked += bool(anchor)
    assert checked


def test_changelog_names_this_version() -> None:
    assert f"## {yatzy.__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f'version = "{yatzy.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
