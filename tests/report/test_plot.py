"""Figures for notebooks and papers, and what users may change about them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.command import yatzy as command_line

import yatzy
import yatzy.plot
from yatzy import ExpectedScore, Position, load_game
from yatzy.errors import InputError
from yatzy.evaluation import Evaluation
from yatzy.lab.plots import FigureLook, figure_bytes, figure_look
from yatzy.solver import parse_strategy

GAME = load_game("two-yatzy")


@pytest.fixture(scope="module")
def best() -> Evaluation:
    return yatzy.evaluate(yatzy.solve(GAME))


@pytest.fixture(scope="module")
def greedy() -> Evaluation:
    return yatzy.evaluate(parse_strategy("greedy", GAME))


def test_every_function_draws(best: Evaluation, greedy: Evaluation) -> None:
    games = yatzy.simulate(yatzy.solve(GAME), 1000, 1)
    advice = yatzy.advise(yatzy.solve(GAME), Position.start(GAME).roll((1, 2)))
    drawn = [
        yatzy.plot.scores(best),
        yatzy.plot.scores([best, games, greedy.score]),
        yatzy.plot.curves({"best": best, "greedy": greedy}),
        yatzy.plot.categories([best, greedy], language="sv"),
        yatzy.plot.moves(advice, title="A roll"),
    ]
    labels = [[str(line.get_label()) for line in figure.axes[0].get_legend_handles_labels()[0]] for figure in drawn]
    assert "best" in "".join(labels[2])
    assert [axes.get_xlabel() for axes in drawn[3].axes] == ["medelvärde [poäng]"]
    assert drawn[4].axes[0].get_xlabel() == "loss against the best move [points]"
    assert next(text.get_text() for text in drawn[4].axes[0].get_yticklabels()) == f"keep {advice.best.move}"
    for figure in drawn:
        assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg")
        assert buffer.tell() > 1000


def test_the_look_is_that_which_was_asked_for(best: Evaluation) -> None:
    figure = yatzy.plot.scores(best, title="Mine", labels=("points", "chance"), size=(10, 5))
    assert (figure.get_suptitle(), figure.get_figwidth() * 2.54, figure.get_figheight() * 2.54) == ("Mine", 10, 5)
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("points", "chance")
    paper = yatzy.plot.scores(best, style="paper")
    assert paper.get_figwidth() * 2.54 == pytest.approx(8.5)
    assert (paper.get_suptitle(), paper.get_supxlabel()) == ("", "")
    assert paper.axes[0].xaxis.label.get_fontname() == "STIXGeneral"
    assert yatzy.plot.scores(best, title="").get_suptitle() == ""


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda best: yatzy.plot.scores(best, style="loud"),
            "'loud' is not a style of figures; styles are print, paper",
        ),
        (lambda best: yatzy.plot.scores(best, size=(1, 5)), "the sides of a figure are 4 to 60 cm"),
        (lambda best: yatzy.plot.scores([]), "draw results of evaluate"),
        (lambda best: yatzy.plot.scores([3]), "draw results of evaluate"),  # type: ignore[list-item]
        (lambda best: yatzy.plot.categories(best.score), "points of categories"),
        (lambda best: yatzy.plot.scores([best] * 6), "1 to 5 distributions, not 6"),
    ],
)
def test_what_cannot_be_drawn(make: Callable[[Evaluation], object], says: str, best: Evaluation) -> None:
    with pytest.raises(InputError, match=says):
        make(best)


def test_a_look_ends_where_it_ends(best: Evaluation) -> None:
    plain = figure_bytes(yatzy.plot.scores(best), ".svg")
    with figure_look(FigureLook(title="Other", style="paper")):
        assert figure_bytes(yatzy.plot.scores(best, title="x"), ".svg") != plain
    assert figure_bytes(yatzy.plot.scores(best), ".svg") == plain


def test_the_command_line_changes_the_look(tmp_path: Path, solved: Callable[[str], ExpectedScore]) -> None:
    def draw(name: str, *options: str) -> str:
        line = ("distribution", "--game", "two-yatzy", "--strategy", "expected", "--plot", name, *options)
        done = command_line(*line, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return (tmp_path / name).read_text(encoding="utf-8")

    look = ("--plot-size", "10x7.5", "--plot-title", "Mine", "--plot-labels", "points, chance", "--plot-style", "paper")
    plain, own = draw("a.svg"), draw("b.svg", *look)
    assert 'width="453.5' in plain
    assert 'width="283.4' in own
    assert 'height="212.5' in own


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--plot-size", "10x7"), "need --plot FILE"),
        (("--plot", "a.svg", "--plot-size", "ten"), "--plot-size ten: give width and height in centimetres"),
        (("--plot", "a.svg", "--plot-labels", "x"), "--plot-labels x: give two labels"),
        (("--plot", "a.svg", "--plot-style", "loud"), "'loud' is not a style of figures"),
        (("--plot", "a.svg", "--plot-size", "1x1"), "the sides of a figure are 4 to 60 cm"),
    ],
)
def test_options_that_are_refused(options: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = command_line("simulate", "--game", "two-yatzy", "--games", "10", *options, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert says in done.stderr
    assert not list(tmp_path.iterdir())
