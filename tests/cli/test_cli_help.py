"""Help that people can read at any width, completion in the shell, and tables that fit the terminal."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from helpers.command import yatzy
from rich.console import Console

from yatzy import PRESETS, advise, load_game
from yatzy.cli import completion
from yatzy.cli.app import app
from yatzy.cli.commands import EXAMPLES
from yatzy.cli.loading import walk
from yatzy.games import Position
from yatzy.report.advice import advice_table
from yatzy.report.document import Table
from yatzy.report.games import games_table
from yatzy.report.sheet import sheet_table
from yatzy.report.terminal import rich_table
from yatzy.solver import solve

import typer.main  # isort: skip

COMMANDS = [words for words, _ in walk(typer.main.get_command(app))]  # type: ignore[arg-type]


def narrow(width: int) -> dict[str, str]:
    return {**os.environ, "COLUMNS": str(width)}


def test_bare_yatzy_shows_help_with_examples() -> None:
    done = yatzy()
    assert (done.returncode, done.stderr) == (0, "")
    for command, what in EXAMPLES:
        assert command in done.stdout
        assert what in done.stdout
    assert yatzy("-h").stdout == yatzy("--help").stdout == done.stdout
    assert yatzy("match").returncode == 0


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("width", [40, 100])
def test_help_has_no_types_and_fits(words: tuple[str, ...], width: int) -> None:
    done = yatzy(*words, "-h", env=narrow(width))
    assert done.returncode == 0, done.stderr
    assert "--help" in done.stdout
    for sign in ("<", "x>=", "18446744073709551615", "2147483647"):
        assert sign not in done.stdout
    words_wider = [line for line in done.stdout.splitlines() if len(line) > width and len(line.split()) > 2]
    assert words_wider == []


def test_the_examples_are_commands() -> None:
    for command, _ in EXAMPLES:
        assert command.split()[1] in {words[0] for words in COMMANDS}


class Typed:
    """What the shell knows of the command line so far."""

    def __init__(self, **params: str) -> None:
        self.params = params


def test_the_shell_completes_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completion.games("yah") == [id for id in PRESETS if id.startswith("yah")]
    (tmp_path / "yahoo.toml").touch()
    assert completion.games(f"{tmp_path}/ya") == [f"{tmp_path}/yahoo.toml"]
    monkeypatch.chdir(tmp_path)
    assert "yahoo.toml" in completion.games("yaho")
    assert completion.strategies("gr") == ["greedy"]
    assert "yatzy@target:" in completion.strategies("yatzy@t")
    assert completion.computers("Bo=gr") == ["Bo=greedy"]
    assert completion.objectives("expected,tar") == ["expected,target:"]
    assert completion.match_objectives("match:e") == ["match:emp:"]
    assert completion.payoffs("wi") == ["win"]
    assert completion.languages("s") == ["sv"]


def test_the_shell_completes_categories_of_the_game() -> None:
    assert completion.categories(Typed(), "ones,si") == ["ones,sixes"]  # type: ignore[arg-type]
    assert completion.categories(Typed(game="yacht"), "ch") == ["choice"]  # type: ignore[arg-type]
    assert completion.categories(Typed(game="nothing"), "ch") == []  # type: ignore[arg-type]
    assert completion.boxes(Typed(), "ones=3,si") == ["ones=3,sixes="]  # type: ignore[arg-type]


def shown(table: Table, width: int, **settings: object) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, highlight=False, **settings)  # type: ignore[arg-type]
    console.print(rich_table(table, console))
    return file.getvalue()


ROLLED = Position.parse("yatzy~d13356~r2")
LAST = Position.parse("yatzy~s3.....24.........~d13356~r0")


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("language", ["en", "sv", "de"])
def test_tables_fit_and_break_no_word(width: int, language: str) -> None:
    game = load_game("yatzy")
    advices = [advise(solve(game), where) for where in (ROLLED, LAST)]
    tables = [advice_table([one], None, language) for one in advices]
    tables += [sheet_table(LAST, language), games_table([load_game(id) for id in PRESETS], language)]
    for table in tables:
        said = shown(table, width)
        assert max(map(len, said.splitlines())) <= width
        for row in table.rows:
            for word in row[1].split():
                assert word in said, (width, row)
    games = shown(tables[-1], width)
    for id in PRESETS:
        assert id in games


def test_colour_says_what_is_good_and_bad() -> None:
    table = advice_table([advise(solve(load_game("yatzy")), LAST)])
    coloured = shown(table, 100, force_terminal=True, color_system="standard")
    assert "\x1b[1;32m★  best" in coloured
    assert "31m?? blunder" in coloured
    plain = shown(table, 100, force_terminal=True, color_system="standard", no_color=True)
    assert "32m" not in plain
    assert "31m" not in plain
    assert "★  best" in shown(table, 100)


def test_help_names_arguments_once_and_shows_numbers_as_defaults() -> None:
    usages = {
        words: yatzy(*words.split(), "-h").stdout.splitlines()[0] for words in ("advise", "review", "tables pack")
    }
    assert usages["advise"].endswith("[OPTIONS] [POSITION]")
    assert usages["review"].endswith("[OPTIONS] FILE…")
    assert usages["tables pack"].endswith("[OPTIONS] GAME...")
    assert yatzy("solve", "-h").stdout.splitlines()[0].endswith("[OPTIONS] [GAME]"), "it has a default"
    said = yatzy("replay", "-h").stdout
    assert "Seed of the dice (default: 1)." in said
    assert "(default: 0)." in said
    assert "(default: False)" not in said
    assert "default" not in yatzy("tables", "remove", "-h").stdout.split("[NAME]...  ")[1].splitlines()[0]
