"""Titles and captions of figures are words that a reader of a report understands, not names that are typed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers.command import yatzy

from yatzy import Position, load_game
from yatzy.report.study_figures import cell_labels
from yatzy.report.words import position_words, strategy_label


@pytest.mark.parametrize(
    ("position", "language", "said"),
    [
        ("yatzy", "en", "From the start of the game"),
        ("yatzy", "sv", "Från partiets början"),
        ("yatzy~d13356~r2", "en", "15 categories open, 0 points so far, dice 13356, 2 rolls left"),
        ("yatzy~s3.....24.........", "en", "13 categories open, upper sum 27, 27 points so far"),
        ("two-yatzy~s2.", "de", "1 offene Kategorie, bisher 2 Punkte"),
        ("yatzy~sx..............~u3", "en", "14 categories open, upper sum 3"),
    ],
)
def test_positions_in_words(position: str, language: str, said: str) -> None:
    assert position_words(Position.parse(position), language) == said


def test_the_best_strategy_has_a_name() -> None:
    assert strategy_label("expected") == "best strategy for points"
    assert strategy_label("target:300", "sv") == "bästa strategin för minst 300 poäng"
    assert strategy_label("expected", "de") == "beste Strategie für Punkte"


def test_the_figure_of_a_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, drawn = import_module("yatzy.cli.commands.distribution"), list[Any]()
    monkeypatch.setattr(module, "plot_mass", lambda *given: drawn.append(given))
    monkeypatch.setattr(module, "plot_tails", lambda *given: drawn.append(given))
    for arguments in (("--strategy", "expected"), ("--best",)):
        done = yatzy("distribution", "--game", "two-yatzy", *arguments, "--plot", tmp_path / "figure.svg")
        assert done.returncode == 0, done.stderr
    (_, _, _, title, caption, *_), (_, best, best_caption, *_) = drawn
    assert title == "Two Yatzy, best strategy for points"
    assert caption.startswith("From the start of the game; exact, sd ")
    assert best == "Two Yatzy: the best chance of every score"
    assert best_caption.startswith("From the start of the game; ")


def test_the_cells_of_a_study_in_words() -> None:
    def cells(*choices: tuple[str, str, int]) -> list[str]:
        made = [
            SimpleNamespace(name=f"{game}/{label}/{count}", count=count,
                            choice=SimpleNamespace(game=load_game(game), label=label))
            for game, label, count in choices
        ]  # fmt: skip
        result: Any = SimpleNamespace(cells=[SimpleNamespace(cell=cell) for cell in made])
        return list(cell_labels(result).values())

    assert cells(("yatzy", "expected", 100)) == ["best strategy for points"]
    assert cells(("yatzy", "expected", 100), ("yatzy", "greedy", 100)) == ["best strategy for points", "greedy play"]
    assert cells(("yatzy", "expected", 100), ("yacht", "expected", 2000)) == ["Yatzy, 100", "Yacht, 2,000"]


def test_the_figures_of_several_strategies_name_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = list[str]()
    compare, players = (import_module(f"yatzy.cli.commands.{name}") for name in ("compare", "players"))
    monkeypatch.setattr(compare, "draw_together", lambda series, title, *given: drawn.append(title))
    monkeypatch.setattr(players, "draw_winner", lambda series, winner, title, *given: drawn.append(title))
    for module in (compare, players):
        monkeypatch.setattr(module, "write_figure", lambda *given: None)
    asked = ["--game", "two-yatzy", "--games", "10", "--plot", str(tmp_path / "figure.svg")]
    assert yatzy("compare", "greedy", "random", *asked).returncode == 0
    assert yatzy("compare", "greedy", "random", *asked, "--language", "de").returncode == 0
    assert yatzy("compare", "greedy", "yacht@greedy", *asked).returncode == 0
    assert yatzy("players", "greedy", "random", *asked).returncode == 0
    assert drawn == [
        "Two Yatzy: greedy play and random play",
        "Zwei-Yatzy: gieriges Spiel und zufälliges Spiel",
        "Two Yatzy, greedy play and Yacht, greedy play",
        "Two Yatzy: the winner of 2 players",
    ]
