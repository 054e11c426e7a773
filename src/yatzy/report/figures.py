"""The words of figures by language: axes, legends and captions."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from yatzy.lab.graphs import GraphWords
from yatzy.lab.plots import FigureWords
from yatzy.lab.strength_figures import StrengthWords
from yatzy.report.numbers import count
from yatzy.report.texts import text, texts

if TYPE_CHECKING:
    from yatzy.lab import SimulatedGames

W = TypeVar("W", FigureWords, StrengthWords, GraphWords)


def figure_words(language: str = "en") -> FigureWords:
    """The words of figures of scores."""
    return _words(FigureWords, "figure", language)


def strength_words(language: str = "en") -> StrengthWords:
    """The words of the figures of a strength measurement."""
    return _words(StrengthWords, "strength_figure", language)


def graph_words(language: str = "en") -> GraphWords:
    """The words of the drawing of a game."""
    return _words(GraphWords, "graph_figure", language)


def _words(kind: type[W], section: str, language: str) -> W:
    """The texts of a section whose keys are the fields of a class, with the signs of numbers."""
    known, given = texts(language), {"language": language}
    for field in fields(kind):
        if field.name != "language":
            given[field.name] = known[f"{'number' if field.name in ('decimal', 'thousands') else section}.{field.name}"]
    return kind(**{field.name: given[field.name] for field in fields(kind)})


def sample_caption(games: SimulatedGames, language: str = "en", kind: str = "sample") -> str:
    """The caption of a figure: how the sample was made. `kind`: `sample`, `exact`, `each` or `each_exact`."""
    return text(language, f"figure_caption.{kind}", games=count(len(games), language), seed=games.seed)
