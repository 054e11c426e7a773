"""Studies: what their files may say, that a run goes on where it stopped, and what stands in the report."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from helpers.command import refusal, yatzy

from yatzy import load_game
from yatzy.cli import app as cli
from yatzy.cli.commands.study import write_study
from yatzy.errors import InputError, StrategyError
from yatzy.evaluation.evaluating import EVALUATION, evaluate
from yatzy.lab import plots, results, simulate
from yatzy.lab.comparison import compare, compare_exactly
from yatzy.lab.results import read_games
from yatzy.lab.sample import Estimate
from yatzy.lab.studies import evaluations
from yatzy.lab.studies.reading import Allowed, Study, read_study
from yatzy.lab.studies.running import StudyResult, file_names, run_study
from yatzy.lab.studies.summary import Kind, Measure, cell_measures, study_fields
from yatzy.names import Origin
from yatzy.report.study import exact_text, simulated_text
from yatzy.solver import Solver, parse_strategy
from yatzy.store import Report
from yatzy.values.resources import Progress, Resources

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = """\
title = "Small | study"
games = ["small.toml"]
strategies = ["expected", "greedy"]
count = 600
seed = 4
at_least = [5, 12]

[[players]]
name = "Three"
game = "small.toml"
strategies = ["2*expected", "random"]
"""
GAME = """\
id = "small"
dice = 2
faces = 3
rolls = 2
bonus = { points = 5, threshold = 8 }

[[categories]]
id = "twos"
pattern = "face"
face = 2

[[categories]]
id = "threes"
pattern = "face"
face = 3

[[categories]]
id = "pair"
name = "A pair"
pattern = "groups"
groups = [2]

[[categories]]
id = "chance"
pattern = "chance"
"""

SPLIT = 'games = ["small.toml"]\nstrategies = ["greedy"]\ncount = 5\nsplit = '
TRUSTED = Allowed(files=True, code=True)


def written(folder: Path, text: str = SMALL) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "small.toml").write_text(GAME, encoding="utf-8")
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def study_of(folder: Path, text: str = SMALL) -> Study:
    return read_study(written(folder, text), TRUSTED)


def run_and_write(
    study: Study,
    folder: Path,
    threads: int | None = None,
    progress: Callable[..., Progress] | None = None,
    report: Report | None = None,
) -> StudyResult:
    """Run a study and write its report, as `yatzy study` does."""
    solver = Solver(None, threads, progress, report)
    result = run_study(study, folder, solver)
    write_study(result, "en", solver.watch("the figures", "Drawing"), report)
    return result


def table_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module", autouse=True)
def coarse_figures() -> Iterator[None]:
    """Fine pictures take most of the time of a small study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(plots.PRINT, "savefig.dpi", 40)
        yield


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """The small study, run once."""
    folder = tmp_path_factory.mktemp("study")
    return run_and_write(study_of(folder), folder / "out")


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yatzy.report.study.study_pictures", lambda result, language: [])


def test_cells_and_their_names(tmp_path: Path) -> None:
    one = study_of(tmp_path, 'games = ["two-yatzy"]\nstrategies = ["random"]\ncount = 5')
    assert [cell.name for cell in one.cells] == ["random"]
    assert (one.title, one.seed, one.same_dice, one.exact) == ("study", 1, True, True)
    text = 'games = ["two-yatzy", "yatzy"]\nstrategies = ["random", "greedy"]\ncounts = [5, 7]\ndice = "independent"'
    many = study_of(tmp_path, text)
    assert [cell.name for cell in many.cells][:3] == ["two-yatzy/random/5", "two-yatzy/random/7", "two-yatzy/greedy/5"]
    assert [cell.stream for cell in many.cells] == list(range(8))
    assert many.pairs == ()
    games = study_of(tmp_path, 'games = ["two-yatzy", "yatzy"]\nstrategies = ["random"]\ncount = 5\nexact = false')
    assert [cell.name for cell in games.cells] == ["two-yatzy", "yatzy"]
    assert [(a.name, b.name) for a, b in games.pairs] == [("two-yatzy", "yatzy")]
    assert not games.exact


def test_pairs_by_name(tmp_path: Path) -> None:
    text = 'games = ["two-yatzy"]\nstrategies = ["random", "greedy", "expected"]\ncounts = [5, 7]\n'
    named = study_of(tmp_path, text + 'compare = [["random/5", "greedy/5"], ["two-yatzy/expected/7", "random/7"]]')
    assert [(a.name, b.name) for a, b in named.pairs] == [("random/5", "greedy/5"), ("expected/7", "random/7")]
    everything = study_of(tmp_path, text + 'compare = "all"')
    assert len(everything.pairs) == 6
    assert study_of(tmp_path, text + 'compare = "none"').pairs == ()


def test_players_and_their_seats(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    (table,) = study.players
    assert [seat.label for seat in table.seats] == ["expected", "expected", "random"]
    assert (table.count, table.seed) == (600, 4)
    alone = '[[players]]\ngame = "two-yatzy"\nstrategies = ["4 * random"]\ncount = 9\nseed = 3'
    (table,) = study_of(tmp_path, alone).players
    assert (table.name, len(table.seats), table.count, table.seed) == ("table 1", 4, 9, 3)


def test_the_limits_of_a_study_are_allowed_themselves(tmp_path: Path) -> None:
    for count, seed, players in ((1, 0, 2), (100_000_000, 2**64 - 1, 64)):
        head = f'games = ["two-yatzy"]\nstrategies = ["random"]\ncount = {count}\nseed = {seed}\n'
        seats = f'[[players]]\ngame = "two-yatzy"\nstrategies = ["{players}*random"]\n'
        study = study_of(tmp_path, head + seats)
        assert (study.seed, study.cells[0].count) == (seed, count)
        assert (len(study.players[0].seats), study.players[0].count) == (players, count)
    for wrong in ("count = 1\nseed = 18446744073709551616", "count = 100000001"):
        with pytest.raises(InputError, match=r" is not from [01] to "):
            study_of(tmp_path, f'games = ["two-yatzy"]\nstrategies = ["random"]\n{wrong}\n')
    with pytest.raises(InputError, match="a table has 2 to 64 players, not more than 64"):
        study_of(tmp_path, '[[players]]\ngame = "two-yatzy"\ncount = 1\nstrategies = ["65*random"]\n')


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_read(path: Path) -> None:
    if "categories" in path.read_text(encoding="utf-8"):
        pytest.skip("a game")
    study = read_study(path)
    assert study.cells or study.players


PLAIN = 'games = ["two-yatzy"]\nstrategies = ["random", "greedy"]\ncount = 5\n'
TABLE = '[[players]]\ngame = "two-yatzy"\nstrategies = ["2*random"]\ncount = 5\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title =", "not TOML"),
        ("", "games: is missing; it must be a list of texts in quotes"),
        ('games = ["yatzy"]', "strategies: is missing"),
        ('games = "yatzy"', "games: must be a list of texts in quotes, not 'yatzy'"),
        (PLAIN.replace('["two-yatzy"]', "[]"), "games: must be a list of at least one name"),
        (PLAIN.replace("two-yatzy", "two-yatsy"), "games: there is no game 'two-yatsy'; did you mean two-yatzy?"),
        (PLAIN.replace("two-yatzy", "none.toml"), "none.toml: cannot be read"),
        (PLAIN.replace('"two-yatzy"', '"yatzy", "yatzy"'), "games: 'yatzy' appears twice"),
        (PLAIN.replace("greedy", "greedi"), "strategies: there is no strategy 'greedi'; strategies are expected"),
        (
            PLAIN.replace("greedy", "target:99"),
            "strategies: target:99: a target for two-yatzy is a whole number from 1",
        ),
        (PLAIN.replace("greedy", "softened:x"), "strategies: softened:x: the firmness must be"),
        (PLAIN.replace("greedy", "softened:1:exp:0"), "strategies: exp:0: must be a number other than 0"),
        (PLAIN.replace("greedy", "molinder-bonus"), "strategies: molinder-bonus plays games with the categories"),
        (PLAIN.replace("greedy", "own.py:Own"), "own.py:Own: there is no file"),
        (PLAIN.replace("greedy", "file:none"), "there is no such file"),
        (PLAIN.replace("greedy", "random"), "strategies: 'random' appears twice"),
        (PLAIN.replace("count = 5", ""), "count: is missing; it must be a whole number"),
        (PLAIN.replace("count = 5", "count = 0"), "count: 0 is not from 1 to 100,000,000"),
        (PLAIN.replace("count = 5", "count = -3"), "count: -3 is not from 1"),
        (PLAIN.replace("count = 5", "count = 1.5"), "count: must be a whole number, not 1.5"),
        (PLAIN.replace("count = 5", "count = true"), "count: must be a whole number, not True"),
        (PLAIN.replace("count = 5", "counts = []"), "counts: must be a list of at least one whole number"),
        (PLAIN.replace("count = 5", "counts = [5, 0]"), "counts: 0 is not from 1"),
        (PLAIN + "counts = [5]", "counts: goes without count"),
        (PLAIN + "sead = 5", "sead: is not a key; did you mean 'seed'?"),
        (PLAIN + "zzz = 5", "zzz: is not a key; known are title"),
        (PLAIN + "title = 5", "title: must be a text in quotes, not 5"),
        (PLAIN + "seed = -1", "seed: -1 is not from 0 to 2^64 - 1"),
        (PLAIN + 'seed = "x"', "seed: must be a whole number, not 'x'"),
        (PLAIN + 'dice = "loaded"', "dice: 'loaded' is not one of same, independent"),
        (PLAIN + "exact = 1", "exact: must be true or false, not 1"),
        (PLAIN + "at_least = 5", "at_least: must be a list of whole numbers, not 5"),
        (PLAIN + "at_least = [-1]", "at_least: must be a list of whole numbers from 0 on"),
        (PLAIN + 'compare = "some"', 'compare: must be "all", "none" or a list of pairs'),
        (PLAIN + 'compare = [["random"]]', 'compare: must be "all", "none" or a list of pairs'),
        (PLAIN + 'compare = [["random", "best"]]', "compare: there is no cell 'best'; cells are random, greedy"),
        (PLAIN + 'compare = [["random", "random"]]', "compare: 'random' is compared with itself"),
        (
            PLAIN.replace("count = 5", "counts = [5, 6]") + 'compare = [["random/5", "greedy/6"]]',
            "compare: random/5 and greedy/6 have different numbers of games",
        ),
        ("players = 5", "players: must be tables written [[players]]"),
        (TABLE + "seats = 5", "players 1: seats: is not a key; known are name, game, strategies, count, seed"),
        (TABLE.replace("2*random", "random"), "players 1: strategies: a table has 2 to 64 players, not 1"),
        (
            TABLE.replace("2*random", "99999*random"),
            "players 1: strategies: a table has 2 to 64 players, not more than 64",
        ),
        (TABLE.replace("2*random", "0*random"), "players 1: strategies: '0*random' is not a player"),
        (TABLE.replace("2*random", "2*rendom"), "players 1: strategies: there is no strategy 'rendom'"),
        (TABLE.replace("two-yatzy", "tree"), "players 1: game: there is no game 'tree'"),
        (TABLE.replace("count = 5", ""), "players 1: count: is missing"),
        (TABLE.replace("count = 5", "count = 0"), "players 1: count: 0 is not from 1"),
        (
            TABLE + TABLE.replace("[[players]]", '[[players]]\nname = "table 1"'),
            "players: name: 'table 1' appears twice",
        ),
        (f'{SPLIT}"bonus"', 'split: must be a list of lists of one or two events such as [["bonus", "yatzy"]'),
        (f'{SPLIT}[["bonus"], ["pips"]]', "split: no game of the study has pips; events are bonus, twos, threes"),
        (f'{SPLIT}[["twos", "bonus", "pair"]]', "split: ['twos', 'bonus', 'pair'] has 3 events; games are split by 1"),
        (f"{SPLIT}[[]]", "split: [] has 0 events"),
        (f'{SPLIT}[["twos", "twos"]]', "split: 'twos' appears twice"),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_study(path, TRUSTED)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert says in message
    assert "\n" not in message


def test_a_study_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_study(tmp_path / "none.toml")
    (tmp_path / "study.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_study(tmp_path / "study.toml")


def test_cells_hold_the_simulated_and_exact_numbers(run: StudyResult, tmp_path: Path) -> None:
    game = run.cells[0].games.game
    for entry, name in zip(run.cells, ("expected", "greedy"), strict=True):
        strategy = parse_strategy(name, game)
        games, exact = simulate(strategy, 600, 4), evaluate(strategy)
        assert entry.games.total.tolist() == games.total.tolist()
        assert entry.exact is not None
        assert entry.exact.score.mass == pytest.approx(exact.score.mass)
        assert entry.exact.evaluation.bonus == pytest.approx(exact.bonus)
        assert entry.splits == list(entry.exact.parts) == [("bonus",), ("pair",)]
        assert entry.exact.parts["bonus",][1].sum() == pytest.approx(exact.bonus)
        assert entry.exact.parts["pair",][1].sum() == pytest.approx(entry.exact.yatzy)
        assert entry.exact.yatzy == pytest.approx(exact.categories[2].hit)
        found = {measure.id: measure for measure in cell_measures(entry, (5, 12))}
        assert found["mean"].simulated == games.mean
        assert found["at_least_12"].exact == pytest.approx(exact.score.at_least(12))
        assert found["p90"].exact == exact.score.percentile(90)
        points = np.arange(len(exact.score.mass))
        assert found["mean"].exact == pytest.approx(exact.score.mass @ points)
        variance = exact.score.mass @ (points - exact.score.mass @ points) ** 2
        assert found["variance"].exact == pytest.approx(variance)
        assert found["sd"].exact == pytest.approx(variance**0.5)
        reached = np.flatnonzero(exact.score.mass)
        assert (found["min"].exact, found["max"].exact) == (reached[0], reached[-1])
        assert found["mode"].exact == np.argmax(exact.score.mass)
    (pair,) = run.pairs
    first, second = run.cells
    assert pair.comparison.wins == compare(first.games, second.games, paired=True).wins
    assert first.exact is not None
    assert second.exact is not None
    assert pair.exact == compare_exactly(first.exact.score, second.exact.score)
    (table,) = run.players
    assert [seat.games.stream for seat in table.table.seats] == [0, 1, 2]
    assert table.exact is not None
    assert sum(seat.wins for seat in table.exact.seats) == pytest.approx(1)
    for seat, known in zip(table.table.seats, table.exact.seats, strict=True):
        assert seat.wins.value == pytest.approx(known.wins, abs=5 * seat.wins.error)


def test_a_study_splits_its_games_by_the_events_it_names(tmp_path: Path) -> None:
    text = SMALL.split("[[players]]")[0] + 'split = [["bonus", "chance"], ["twos"]]'
    result = run_and_write(study_of(tmp_path, text), tmp_path / "out")
    expected, _ = result.cells
    assert expected.exact is not None
    exact = evaluate(parse_strategy("expected", expected.games.game), split=("bonus", "chance")).parts
    assert [part.tolist() for part in expected.exact.parts["bonus", "chance"]] == [part.tolist() for part in exact]
    figures = {path.stem for path in (tmp_path / "out" / "figures").glob("*.svg")}
    assert {"bonus-chance-expected", "twos-greedy"} <= figures
    assert not {"bonus-expected", "yatzy-expected"} & figures
    rows = table_of(tmp_path / "out" / "splits.csv")
    shares = [row for row in rows if (row["cell"], row["measure"]) == ("expected", "share")]
    assert [row["events"] for row in shares] == ["bonus chance"] * 4 + ["twos"] * 2
    assert [row["happened"] for row in shares] == ["", "bonus", "chance", "bonus chance", "", "twos"]
    for number, share in enumerate(shares[:4]):
        assert float(share["exact"]) == pytest.approx(exact[number].sum())
        assert float(share["simulated"]) == pytest.approx(exact[number].sum(), abs=5 * float(share["error"]) + 1e-9)
    fields = study_fields(result)["cells"][0]["splits"]
    assert [split["events"] for split in fields] == [["bonus", "chance"], ["twos"]]
    assert [part["happened"] for part in fields[0]["parts"]] == [[], ["bonus"], ["chance"], ["bonus", "chance"]]
    report = result.report.read_text("utf-8")
    assert "neither the upper bonus nor Chance" in report
    assert "## Parts of the games" in report
    assert "Small: the upper bonus and Chance" in report


def test_the_folder_has_everything(run: StudyResult) -> None:
    folder = run.folder
    names = {path.name for path in folder.iterdir()}
    tables = {f"{name}.csv" for name in ("summary", "categories", "distributions", "comparisons", "players")}
    assert names == {"report.md", "tables.tex", "figures", "games", "parts", *tables}
    for name, entry in zip(("expected", "greedy"), run.cells, strict=True):
        path = folder / "games" / f"{name}.parquet"
        assert read_games(path, entry.games.game).total.tolist() == entry.games.total.tolist()
        assert len(pl.read_parquet(path)) == 600
    drawn = {path.name for path in (folder / "figures").iterdir()}
    kinds = [f"{kind}-{name}" for kind in ("scores", "bonus", "yatzy") for name in ("expected", "greedy")]
    kinds += ["together", "curves", "points-small", "shares-small", "outcomes-expected-greedy", "winner-Three"]
    assert drawn == {f"{kind}.{ending}" for kind in kinds for ending in ("svg", "png")}
    report = run.report.read_text(encoding="utf-8")
    shown = re.findall(r"\]\((figures/[^)]+)\)", report)
    assert sorted(shown) == sorted(f"figures/{kind}.svg" for kind in kinds)
    assert report.startswith("# Small \\| study\n")
    assert "seed 4" in report
    assert "`yatzy study study.toml`" in report
    assert SMALL in report
    assert str(folder) not in report


def test_tables_of_the_report_are_whole(run: StudyResult) -> None:
    report = run.report.read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^\|.*\|\n)+", report, re.MULTILINE)
    assert len(blocks) == 6
    for block in blocks:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1, block
    assert "nan" not in report


def test_csv_holds_the_numbers(run: StudyResult) -> None:
    first, second = run.cells
    summary = table_of(run.folder / "summary.csv")
    (mean,) = (row for row in summary if (row["cell"], row["measure"]) == ("expected", "mean"))
    assert first.exact is not None
    assert float(mean["simulated"]) == pytest.approx(first.games.mean.value)
    assert float(mean["error"]) == pytest.approx(first.games.mean.error)
    assert float(mean["exact"]) == pytest.approx(first.exact.score.mean)
    categories = table_of(run.folder / "categories.csv")
    assert len(categories) == 8
    assert float(categories[6]["share"]) == second.games.category_hit("pair").value
    (pair,) = table_of(run.folder / "comparisons.csv")
    outcomes = [float(pair[name]) for name in ("wins", "draws", "losses")]
    assert sum(outcomes) == pytest.approx(1)
    assert sum(float(pair[f"{name}_exact"]) for name in ("wins", "draws", "losses")) == pytest.approx(1)
    scores = [row for row in table_of(run.folder / "distributions.csv") if row["cell"] == "greedy"]
    assert sum(int(row["games"]) for row in scores) == 600
    assert sum(float(row["exact"]) for row in scores) == pytest.approx(1)
    players = table_of(run.folder / "players.csv")
    assert sum(float(row["exact"]) for row in players if row["measure"] == "wins") == pytest.approx(1)
    assert {row["player"] for row in players} == {"winner", "1", "2", "3"}


def test_all_numbers_fit_json(run: StudyResult) -> None:
    fields = json.loads(json.dumps(study_fields(run), allow_nan=False))
    assert fields["cells"][0]["measures"]["mean"]["exact"] == pytest.approx(evaluate_mean(run))
    assert (
        fields["cells"][1]["categories"]["pair"]["share"]["simulated"] == run.cells[1].games.category_hit("pair").value
    )
    assert [seat["strategy"] for seat in fields["players"][0]["seats"]] == ["expected", "expected", "random"]


def evaluate_mean(run: StudyResult) -> float:
    return evaluate(parse_strategy("expected", run.cells[0].games.game)).score.mean


def test_twice_the_same_bytes(run: StudyResult, tmp_path: Path) -> None:
    again = run_and_write(study_of(tmp_path), tmp_path / "elsewhere", threads=1)
    files = [path for path in run.folder.rglob("*") if path.suffix in (".md", ".csv", ".svg", ".png")]
    assert len(files) == 6 + 24
    for path in files:
        assert (again.folder / path.relative_to(run.folder)).read_bytes() == path.read_bytes(), path.name


@pytest.mark.usefixtures("no_figures")
def test_interrupted_it_goes_on(run: StudyResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "BATCH", 200)
    study, folder = study_of(tmp_path), tmp_path / "out"
    told: list[tuple[str, str]] = []

    def watcher(stop_at: str) -> Callable[..., Progress]:
        def watch(what: str, verb: str = "Solving") -> Progress:
            def advance(done: int, total: int) -> None:
                told.append((verb, what))
                if stop_at and f"{verb} {what}".startswith(stop_at) and done > total / 2:
                    raise KeyboardInterrupt

            return advance

        return watch

    stops = [
        "Playing 600 games of Small by greedy",
        "Evaluating Small by greedy",
        "Playing 600 games of Small by random",
    ]
    for stop in stops:
        with pytest.raises(KeyboardInterrupt):
            run_and_write(study, folder, progress=watcher(stop))
        assert not (folder / "report.md").exists()
    told.clear()
    again = run_and_write(study, folder, progress=watcher(""))
    assert {what for verb, what in told} <= {
        "600 games of Small by random, player 3",
        "Small by random, exactly",
        "the figures",
    }
    for one, other in zip(again.cells, run.cells, strict=True):
        assert one.games.total.tolist() == other.games.total.tolist()
    for name in ("summary", "categories", "comparisons", "players", "distributions"):
        assert (folder / f"{name}.csv").read_bytes() == (run.folder / f"{name}.csv").read_bytes()
    told.clear()
    run_and_write(study, folder, progress=watcher(""))
    assert not told, "something was done again"


@pytest.mark.usefixtures("no_figures")
def test_damage_is_noticed_and_mended(run: StudyResult, tmp_path: Path) -> None:
    study, folder = study_of(tmp_path), tmp_path / "out"
    shutil.copytree(run.folder, folder)
    told: list[str] = []
    run_and_write(study, folder, report=told.append)
    assert not told
    exact = sorted((folder / "parts").glob("evaluation-*.kept"))
    assert len(exact) == 5  # two splits of two strategies, and random as a player
    for number, path in enumerate(exact):
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2] if number % 2 else data[:150] + bytes([data[150] ^ 1]) + data[151:])
    part = next((folder / "parts").glob("games-*/games-*.parquet"))
    part.write_bytes(part.read_bytes()[:-9])
    again = run_and_write(study, folder, report=told.append)
    assert len([line for line in told if "is damaged; it is computed again" in line]) == 5
    assert len([line for line in told if "played again" in line]) == 1
    assert again.cells[0].games.total.tolist() == run.cells[0].games.total.tolist()
    assert (folder / "summary.csv").read_bytes() == (run.folder / "summary.csv").read_bytes()


def test_an_evaluation_of_another_revision_is_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = parse_strategy("greedy", load_game("two-yatzy"))
    sound = evaluations.evaluate_once(strategy, tmp_path).score.mass
    monkeypatch.setattr(evaluations, "EVALUATION", replace(EVALUATION, revision=EVALUATION.revision + 1))
    told: list[str] = []
    for _ in range(2):
        assert (
            evaluations.evaluate_once(strategy, tmp_path, resources=Resources(report=told.append)).score.mass.tolist()
            == sound.tolist()
        )
    (line,) = told
    assert line.endswith("was computed by another version of the program; it is computed again")


def test_no_flipped_bit_of_an_evaluation_goes_unnoticed(tmp_path: Path) -> None:
    strategy = parse_strategy("greedy", load_game("two-yatzy"))
    sound = evaluations.evaluate_once(strategy, tmp_path).score.mass
    (path,) = tmp_path.glob("evaluation-*.kept")
    data = path.read_bytes()
    for place in range(0, len(data), 17):
        path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        assert evaluations.evaluate_once(strategy, tmp_path).score.mass.tolist() == sound.tolist()


@pytest.mark.usefixtures("no_figures")
def test_a_changed_study_uses_what_still_holds(run: StudyResult, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    shutil.copytree(run.folder, folder)
    told: list[str] = []

    def watch(what: str, verb: str = "Solving") -> Progress:
        return lambda done, total: told.append(f"{verb} {what}")

    changed = SMALL.replace("count = 600", "count = 900").replace('"greedy"]', '"greedy", "random"]')
    result = run_and_write(study_of(tmp_path, changed), folder, progress=watch)
    assert not [line for line in told if "Evaluating" in line and "random" not in line]
    game = result.cells[0].games.game
    for entry, name in zip(result.cells, ("expected", "greedy", "random"), strict=True):
        assert entry.games.total.tolist() == simulate(parse_strategy(name, game), 900, 4).total.tolist()


@pytest.mark.usefixtures("no_figures")
def test_independent_dice_and_no_exact_numbers(tmp_path: Path) -> None:
    text = SMALL.replace("count = 600", 'count = 600\ndice = "independent"\nexact = false')
    result = run_and_write(study_of(tmp_path, text), tmp_path / "out")
    assert [entry.games.stream for entry in result.cells] == [0, 1]
    assert not result.pairs[0].comparison.paired
    assert all(entry.exact is None for entry in result.cells)
    assert result.pairs[0].exact is None
    assert result.players[0].exact is None
    assert not list((tmp_path / "out" / "parts").glob("evaluation-*.kept"))
    assert "independent dice" in result.report.read_text(encoding="utf-8")


JOKER = """\
id = "joker"
dice = 2
faces = 3
rolls = 2
joker = { category = "box", reading = "bonus-only", points = 5 }

[[categories]]
id = "threes"
pattern = "face"
face = 3

[[categories]]
id = "box"
pattern = "groups"
groups = [2]
points = 9

[[categories]]
id = "chance"
pattern = "chance"
"""


@pytest.mark.usefixtures("no_figures")
def test_joker_bonuses_are_told(tmp_path: Path) -> None:
    text = 'games = ["joker.toml", "small.toml"]\nstrategies = ["greedy"]\ncount = 5000\n'
    path = written(tmp_path, text)
    (tmp_path / "joker.toml").write_text(JOKER, encoding="utf-8")
    result = run_and_write(read_study(path), tmp_path / "out")
    jokers = {measure.id: measure for measure in cell_measures(result.cells[0])}["jokers"]
    assert jokers.exact is not None
    assert jokers.exact > 0.1
    assert jokers.simulated.value == pytest.approx(jokers.exact, abs=4 * jokers.simulated.error)
    assert "jokers" not in {measure.id for measure in cell_measures(result.cells[1])}
    assert [len(sheet) for sheet in result.sheets] == [1, 1]


@pytest.mark.usefixtures("no_figures")
def test_the_points_of_jokers_are_without_those_of_the_bonus(tmp_path: Path) -> None:
    """Random moves are the same with and without a bonus, and so are their Jokers."""
    path = written(tmp_path, 'games = ["joker.toml", "both.toml"]\nstrategies = ["random"]\ncount = 5\n')
    both = JOKER.replace('"joker"\n', '"both"\nbonus = { points = 7, threshold = 3 }\n', 1)
    for name, text in (("joker", JOKER), ("both", both)):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    cells = run_study(read_study(path), tmp_path / "out", Solver()).cells
    plain, with_bonus = ({one.id: one.exact for one in cell_measures(cell)} for cell in cells)
    assert with_bonus["bonus"]
    assert plain["jokers"]
    assert with_bonus["jokers"] == pytest.approx(plain["jokers"])


OWN = """\
class Own:
    games = 0

    def move(self, position):
        Own.games += position.sheet.filled == 0
        if Own.games > {wrong} and position.sheet.filled:
            return position.game.categories[0].id
        return position.game.categories[position.sheet.open[0]].id
"""


@pytest.mark.usefixtures("no_figures")
def test_a_strategy_of_ones_own_beside_the_study(tmp_path: Path) -> None:
    text = 'games = ["small.toml"]\nstrategies = ["own.py:Own"]\ncount = 12\n'
    (tmp_path / "own.py").write_text(OWN.format(wrong=7), encoding="utf-8")
    study = study_of(tmp_path, text)
    with pytest.raises(StrategyError, match=r"illegal move .* are kept in .*: 7$"):
        run_and_write(study, tmp_path / "out")
    assert len(list((tmp_path / "out" / "parts").glob("games-*/*.parquet"))) == 1
    (tmp_path / "own.py").write_text(OWN.format(wrong=99), encoding="utf-8")
    result = run_and_write(study, tmp_path / "out")
    assert len(result.cells[0].games) == 12
    assert result.cells[0].exact is None
    assert (tmp_path / "out" / "games" / "own.py-Own.parquet").exists()


@pytest.mark.parametrize(
    ("kind", "simulated", "exact", "texts"),
    [
        (Kind.NUMBER, Estimate(193.1234, 0.1449), 193.08241, ("193.12 ± 0.14", "193.0824")),
        (Kind.NUMBER, Estimate(1550.0, 12.0), None, ("1550 ± 12", "–")),
        (Kind.NUMBER, Estimate(3.0, 0.0), 3.0, ("3.0000", "3.0000")),
        (Kind.SHARE, Estimate(0.9551, 0.00066), 0.955, ("95.510 ± 0.066", "95.5000")),
        (Kind.SHARE, Estimate(0.0, 0.0), 1.25e-9, ("0.00", "1.25e-07")),
        (Kind.SCORE, Estimate(92, 0.5), 92, ("92 ± 0.5", "92")),
        (Kind.SCORE, Estimate(321, 0.0), 374, ("321", "374")),
    ],
)
def test_numbers_as_text(kind: Kind, simulated: Estimate, exact: float | None, texts: tuple[str, str]) -> None:
    measure = Measure("id", kind, simulated, exact)
    assert (simulated_text(measure), exact_text(measure)) == texts


def test_file_names_are_plain_and_differ() -> None:
    names = ["yatzy/softened:1", "yatzy/softened/1", "../x", "YATZY/softened:1", "…"]
    assert file_names(names) == ["yatzy-softened-1", "yatzy-softened-1-2", "x", "YATZY-softened-1-3", "cell"]


def test_without_its_extras_a_study_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module, extra in (("polars", "lab"), ("matplotlib", "plots")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(SystemExit):
                cli.run(["study", str(written(tmp_path)), "--out", str(tmp_path / "out")])
            assert f"pip install 'PATH[{extra}]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, 'games = ["two-yatzy"]\nstrategies = ["random"]\ncount = 50\n')
    done = yatzy("study", path, "--threads", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "report: study-report/report.md" in done.stdout
    assert "random" in done.stdout
    assert "Playing 50 games of Two Yatzy by random ..." in done.stderr
    report = tmp_path / "study-report" / "report.md"
    before = report.read_bytes()
    with pytest.raises(SystemExit):
        cli.run(["study", str(path), "--out", str(tmp_path / "study-report"), "--json"])
    fields: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert fields["report"] == str(report)
    assert report.read_bytes() == before
    mean = fields["cells"][0]["measures"]["mean"]
    assert mean["simulated"] == pytest.approx(mean["exact"], abs=4 * mean["error"])


def test_command_refuses_in_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL.replace("count = 600", "count = 0"))
    assert "count: 0 is not from 1 to 100,000,000" in refusal("study", path, "--out", tmp_path / "out")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        run_and_write(study_of(tmp_path), tmp_path / "file")


def test_a_game_outside_the_folder_needs_permission(tmp_path: Path) -> None:
    path = written(tmp_path / "inside", SMALL.replace("small.toml", "../small.toml"))
    assert "../small.toml" in path.read_text(encoding="utf-8")
    (tmp_path / "small.toml").write_text(GAME, encoding="utf-8")
    with pytest.raises(InputError, match="outside the folder of the study; if you trust it, add --allow-files"):
        read_study(path, Allowed())
    assert read_study(path, Allowed(files=True)).cells
    assert read_study(written(tmp_path / "other"), Allowed()).cells


@pytest.mark.parametrize(
    ("strategy", "flag", "enough"),
    [
        ("own.py:Own", "--allow-code", Allowed(code=True)),
        ("utility:own.csv", "--allow-files", Allowed(files=True)),
        ("../own.py:Own", "--allow-code", Allowed(code=True)),
    ],
)
def test_a_study_runs_and_reads_nothing_without_permission(
    strategy: str, flag: str, enough: Allowed, tmp_path: Path
) -> None:
    text = f'games = ["small.toml"]\nstrategies = ["{strategy}"]\ncount = 5\n'
    path, ran = written(tmp_path / "study", text), tmp_path / "ran"
    code = "class Own:\n    def move(self, position):\n        return position.legal_moves[0]\n"
    code += f"open({str(ran)!r}, 'w').close()\n"
    for folder in (tmp_path, path.parent):
        (folder / "own.py").write_text(code)
        (folder / "own.csv").write_text("points,worth\n0,0\n1,1\n")
    other = Allowed(files=not enough.files, code=not enough.code)
    for allowed in (None, Allowed(), other):
        with pytest.raises(InputError, match=f"if you trust it, add {flag}"):
            read_study(path) if allowed is None else read_study(path, allowed)
    assert not ran.exists()
    assert read_study(path, enough).cells[0].choice.origin is Origin.PERSON
    assert ran.exists() == enough.code
