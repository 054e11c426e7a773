"""Figures drawn from made-up scores: what they say, and that their files are whole and the same each time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yatzy.errors import InputError
from yatzy.lab import plots
from yatzy.lab.figures import (
    CategoryBars,
    Group,
    Series,
    _bars,
    _percent,
    draw_categories,
    draw_curves,
    draw_outcomes,
    draw_scores,
    draw_split,
    draw_together,
    draw_winner,
    write_figure,
)
from yatzy.lab.plots import (
    COLOURS,
    ENGLISH,
    LARGEST,
    LEGEND_ROOM,
    SMALLEST,
    FigureLook,
    Line,
    figure_look,
    plot_mass,
    plot_tails,
)
from yatzy.store import files

TITLE, CAPTION = "A made-up game", "400 games, seed 1; line: exact"
SCORES = np.random.default_rng(1).binomial(60, 0.5, 400)
FEWER = SCORES - 5
EXACT = np.array([comb(60, score) / 2**60 for score in range(61)])
WON = SCORES >= 32
BOTH = Series("careful", SCORES, EXACT)
NAMES = ["Ones", "Four of a kind", "A category whose long name goes on and on, as in some games of the north"]
ROWS = [
    CategoryBars("careful", np.array([90.0, 55.5, 10.0]), np.array([1.0, 2.0, 1.5])),
    CategoryBars("greedy", np.array([80.0, 70.0, 0.0])),
]

FIGURES: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "scores": (
        lambda: draw_scores(BOTH, TITLE, CAPTION),
        ["careful, simulated", "careful, exact", f"mean {SCORES.mean():.2f} (exact 30.00)", "median 30"],
    ),
    "scores-exact": (
        lambda: draw_scores(Series("careful", None, EXACT), TITLE, CAPTION),
        ["careful, exact", "mean 30.00", "median 30"],
    ),
    "split": (
        lambda: draw_split("all", SCORES, [Group("won", WON, EXACT / 4), Group("lost", ~WON)], TITLE, CAPTION),
        [
            f"won {100 * WON.mean():.1f} %, mean {SCORES[WON].mean():.1f}",
            "exact 25.0 %, mean 30.0",
            f"lost {100 * (~WON).mean():.1f} %, mean {SCORES[~WON].mean():.1f}",
        ],
    ),
    "together": (
        lambda: draw_together([BOTH, Series("greedy", FEWER)], TITLE, CAPTION),
        [f"careful: mean {SCORES.mean():.2f} (exact 30.00)", f"greedy: mean {FEWER.mean():.2f}"],
    ),
    "winner": (
        lambda: draw_winner([BOTH], Series("winner of two", SCORES + 6, np.roll(EXACT, 6)), TITLE, CAPTION),
        ["careful: mean", "winner of two: mean", "winner of two, exact"],
    ),
    "curves": (
        lambda: draw_curves([BOTH, Series("greedy", FEWER), Series("bold", None, EXACT)], TITLE, CAPTION),
        ["careful, simulated", "careful, exact", "greedy, simulated", "bold, exact"],
    ),
    "outcomes": (
        lambda: draw_outcomes("careful", "greedy", 0.6, 0.05, 0.35, (0.024, 0.011, 0.024), TITLE, CAPTION),
        ["± one standard error"],
    ),
    "categories": (
        lambda: draw_categories(NAMES, ROWS, "games with points [%]", TITLE, CAPTION),
        ["careful", "greedy", "± one standard error"],
    ),
}


@cache
def drawn(name: str) -> Any:
    return FIGURES[name][0]()


every_figure = pytest.mark.parametrize("name", FIGURES)


def legend_of(figure: Any) -> list[str]:
    return [text.get_text().replace("\n", " ") for text in figure.axes[0].get_legend().get_texts()]


@every_figure
def test_a_figure_says_what_it_shows(name: str) -> None:
    figure, entries = drawn(name), FIGURES[name][1]
    assert figure.get_suptitle() == TITLE
    assert figure.get_supxlabel() == CAPTION
    labels = legend_of(figure)
    for entry in entries:
        assert any(label.startswith(entry) for label in labels), (entry, labels)
    measured = [axes.get_ylabel() for axes in figure.axes] + [figure.axes[-1].get_xlabel()]
    unnamed = {"", "category"} if name in ("outcomes", "categories") else set()
    assert all("[" in label for label in measured if label not in unnamed), measured
    assert "[" in figure.axes[-1].get_xlabel()


@every_figure
def test_nothing_is_cut_off(name: str) -> None:
    figure = drawn(name)
    figure.draw_without_rendering()
    tight = figure.get_tightbbox().extents
    assert tight[0] >= 0, tight
    assert tight[1] >= 0, tight
    assert tight[2] <= figure.get_figwidth() + 0.01, tight
    assert tight[3] <= figure.get_figheight() + 0.01, tight


@every_figure
def test_the_same_data_give_the_same_file(name: str, tmp_path: Path) -> None:
    files = [tmp_path / "once.png", tmp_path / "once.svg", tmp_path / "again.svg"]
    figure = FIGURES[name][0]()
    write_figure(figure, files[0])
    write_figure(figure, files[1])
    write_figure(FIGURES[name][0](), files[2])
    pixels, first, again = (path.read_bytes() for path in files)
    assert first.startswith(b"<?xml")
    assert first == again
    assert pixels.startswith(b"\x89PNG")
    assert sorted(tmp_path.iterdir()) == sorted(files), "nothing else is left"


def test_other_processes_and_settings_write_the_same_bytes(tmp_path: Path) -> None:
    code = f"""
import sys, matplotlib, numpy as np
from pathlib import Path
from yatzy.lab.figures import Group, draw_split, write_figure
matplotlib.rcParams["font.size"] = 20
scores = np.arange(100)
groups = [Group("low", scores < 50), Group("high", scores >= 50)]
write_figure(draw_split("all", scores, groups, "t", "c"), Path({str(tmp_path)!r}) / sys.argv[1])
assert matplotlib.rcParams["font.size"] == 20
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code, "there.svg"], check=True)
    scores = np.arange(100)
    groups = [Group("low", scores < 50), Group("high", scores >= 50)]
    write_figure(draw_split("all", scores, groups, "t", "c"), tmp_path / "here.svg")
    assert (tmp_path / "there.svg").read_bytes() == (tmp_path / "here.svg").read_bytes()


@pytest.mark.parametrize("series", [BOTH, Series("careful", None, EXACT)])
def test_bars_stand_over_their_scores(series: Series) -> None:
    """The first edge is half a point below the lowest score, so that bars and scores have the same mean."""
    height, edges = _bars(series, 1)
    middle = (edges[1:] + edges[:-1]) / 2
    mean = SCORES.mean() if series.scores is not None else 30.0
    assert (middle * height).sum() / height.sum() == pytest.approx(mean, abs=1e-3)
    assert np.diff(edges).tolist() == [1.0] * len(height)


@pytest.mark.parametrize("name", ["scores", "split", "together"])
def test_a_legend_has_no_frame(name: str) -> None:
    assert not drawn(name).axes[0].get_legend().get_frame_on()


def test_long_labels_leave_room_for_their_markers() -> None:
    figure = draw_curves([Series("a long name " * 12, SCORES)], TITLE, CAPTION)
    legend = figure.axes[0].get_legend()
    assert legend is not None
    lines = [line for text in legend.get_texts() for line in text.get_text().splitlines()]
    assert 60 < max(map(len, lines)) <= LEGEND_ROOM - 9


def test_outcomes_are_written_with_their_errors() -> None:
    numbers = [text.get_text() for text in drawn("outcomes").axes[0].texts]
    assert numbers == ["60.00 ± 2.40 %", "5.00 ± 1.10 %", "35.00 ± 2.40 %"]


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), MemoryError()])
def test_a_failing_write_leaves_the_old_file(
    problem: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "figure.svg"
    path.write_text("old", encoding="utf-8")
    figure = drawn("outcomes")

    def fail(descriptor: int, _: bytes) -> None:
        os.write(descriptor, b"half")
        raise problem

    monkeypatch.setattr(files, "_write_all", fail)
    with pytest.raises(InputError if isinstance(problem, OSError) else MemoryError):
        write_figure(figure, path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_only_pictures_are_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.svg, \.png, \.pdf"):
        write_figure(drawn("outcomes"), tmp_path / "figure.txt")


def test_without_matplotlib_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"PATH\[plots\]"):
        draw_scores(BOTH, TITLE, CAPTION)


@pytest.mark.parametrize(("games", "bar"), [(49_999, 5), (50_000, 1)])
def test_bars_are_as_fine_as_the_games_allow(games: int, bar: int) -> None:
    scores = np.random.default_rng(3).integers(0, 100, games)
    steps: Any = draw_scores(Series("any", scores), TITLE, CAPTION).axes[0].patches[0]
    values, edges, _ = steps.get_data()
    assert np.diff(edges).tolist() == [bar] * (100 // bar)
    assert (values * np.diff(edges)).sum() == pytest.approx(100)
    assert values[0] * bar == pytest.approx(100 * (scores < bar).mean())


def test_a_small_game_has_a_bar_for_every_score() -> None:
    """Two-yatzy has 0 to 6 points: bars of five would not agree with its exact chances."""
    scores, chances = np.repeat([0, 3, 6], [1, 2, 1]), np.array([0.25, 0, 0, 0.5, 0, 0, 0.25])
    axes = draw_scores(Series("any", scores, chances), TITLE, CAPTION).axes[0]
    steps: Any = axes.patches[0]
    np.testing.assert_allclose(steps.get_data().values, 100 * chances)
    assert axes.get_xlim() == (-1, 7)


def test_the_parts_of_a_split_make_up_the_whole() -> None:
    axes = drawn("split").axes[0]
    whole, won, lost = (patch.get_data().values for patch in axes.patches)
    np.testing.assert_allclose(won + lost, whole)


def test_a_part_without_games_is_named() -> None:
    none = np.zeros(len(SCORES), np.bool_)
    figure = draw_split("all", SCORES, [Group("won", none, np.zeros(60)), Group("lost", ~none)], TITLE, CAPTION)
    assert "won 0.0 %" in legend_of(figure)


def test_four_parts_have_room_for_their_legend() -> None:
    """And a tiny share is not shown as 0.0 %."""
    tiny = np.zeros(60)
    tiny[30] = 0.0001
    parts = [Group(str(part), np.arange(len(SCORES)) % 4 == part, tiny) for part in range(4)]
    figure = draw_split("all", SCORES, parts, TITLE, CAPTION)
    assert figure.get_figheight() > drawn("split").get_figheight()
    assert "exact 0.010 %, mean 30.0" in legend_of(figure)


def test_curves_are_chances() -> None:
    at_most, at_least = (axes.lines[0].get_xydata() for axes in drawn("curves").axes)
    for score, percent in at_most:
        assert percent == pytest.approx(100 * (score >= SCORES).mean())
    for score, percent in at_least:
        assert percent == pytest.approx(100 * (score <= SCORES).mean())


def test_the_axis_of_curves_has_room_on_both_sides_of_the_scores() -> None:
    for axes in draw_curves([Series("any", np.repeat([10, 20], 50))], TITLE, CAPTION).axes:
        left, right = axes.get_xlim()
        assert left < 10 < 20 < right
        assert 10 - left == right - 20


def test_tails_are_chances_of_at_least_each_score(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = list[Any]()
    monkeypatch.setattr(plots, "write_figure", lambda figure, path: figures.append(figure))
    lines = [Line("best", 5, np.array([1.0, 0.75, 0.5])), Line("greedy", 6, np.array([1.0, 0.25]))]
    plot_tails(lines, TITLE, CAPTION, Path("tails.svg"))
    drawn = figures[0].axes[0].lines
    assert [line.get_label() for line in drawn] == ["best", "greedy"]
    assert [line.get_xydata().tolist() for line in drawn] == [
        [[5, 100], [6, 75], [7, 50]], [[6, 100], [7, 25]]
    ]  # fmt: skip


def test_chances_are_drawn_as_bars_with_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = list[Any]()
    monkeypatch.setattr(plots, "write_figure", lambda figure, path: figures.append(figure))
    mass = np.array([0.0, 0.0, 0.25, 0.5, 0.25, 0.0])
    plot_mass(mass, "best", [("mean", 3.0), ("median", 4.0)], TITLE, CAPTION, Path("mass.svg"))
    axes = figures[0].axes[0]
    assert [bar.get_height() for bar in axes.patches] == pytest.approx(100 * mass)
    assert [bar.get_x() + bar.get_width() / 2 for bar in axes.patches] == pytest.approx(list(range(6)))
    assert axes.get_xlim() == (1, 5)
    assert [line.get_xdata()[0] for line in axes.lines] == [3, 4]
    assert axes.get_legend_handles_labels()[1] == ["mean 3.00", "median 4.00", "best"]


def test_other_labels_of_the_axes() -> None:
    with figure_look(FigureLook(labels=("across", "up"))):
        figure = draw_curves([BOTH], TITLE, CAPTION)
        plots.set_labels(figure)
    assert figure.axes[-1].get_xlabel() == "across"
    assert figure.axes[0].get_ylabel() == "up"


@pytest.mark.parametrize("look", [FigureLook(), FigureLook(size=(30, 12)), FigureLook(size=(12, 12)),
                                  FigureLook(style="paper", title="A title " * 12)], ids=["usual", "wide", "narrow",
                                                                                          "paper"])  # fmt: skip
def test_titles_and_captions_are_inside_the_figure_and_use_its_width(look: FigureLook) -> None:
    long = "Some words that need more than a line. " * 8
    with figure_look(look):
        figure: Any = draw_scores(BOTH, long, long)
        figure.draw_without_rendering()
    whole, texts = figure.bbox, [figure._suptitle, figure._supxlabel]
    for text in [one for one in texts if one is not None and one.get_text()]:
        place = text.get_window_extent()
        assert whole.x0 <= place.x0 < place.x1 <= whole.x1
        assert place.width > 0.5 * whole.width
        assert whole.y0 - 1 <= place.y0 < place.y1 <= whole.y1 + 1


@pytest.mark.parametrize(
    ("winner", "lines"),
    [(Series("both", SCORES, EXACT), 2), (Series("one", SCORES), 1), (Series("exact", None, EXACT), 1)],
)
def test_the_exact_line_of_a_winner_is_drawn_beside_simulated_games_only(winner: Series, lines: int) -> None:
    figure = draw_winner([BOTH], winner, TITLE, CAPTION)
    own = [line for line in figure.axes[0].lines if line.get_color() in ("black", COLOURS[-1])]
    assert len(own) == lines, "the mean, and the exact chances where bars show others"


def test_titles_and_styles_of_a_look() -> None:
    with figure_look(FigureLook(title="Other")):
        assert draw_scores(BOTH, TITLE, CAPTION).get_suptitle() == "Other"
    with figure_look(FigureLook(style="paper")):
        assert draw_scores(BOTH, TITLE, CAPTION).get_suptitle() == ""
    with pytest.raises(InputError, match="'bold' is not a style of figures"):
        FigureLook(style="bold")


def test_the_bars_of_the_outcomes_do_not_overlap() -> None:
    bars = sorted(drawn("outcomes").axes[0].patches, key=lambda bar: float(bar.get_y()))
    assert [bar.get_width() for bar in bars] == pytest.approx([60, 5, 35])
    for one, other in pairwise(bars):
        assert one.get_y() + one.get_height() < other.get_y()


def test_a_figure_is_from_4_to_60_centimetres_wide_and_high() -> None:
    assert FigureLook(size=(4, 60)).inches(3) == pytest.approx((4 / 2.54, 60 / 2.54))
    for size in ((3.9, 10), (10, 60.1)):
        with pytest.raises(InputError, match="the sides of a figure are 4 to 60 cm"):
            FigureLook(size=size)


@pytest.mark.parametrize("side", [SMALLEST, LARGEST])
def test_sides_of_a_figure_have_limits(side: float) -> None:
    assert FigureLook(size=(side, 10)).inches(3) == pytest.approx((side / 2.54, 10 / 2.54))
    beyond = side + (0.1 if side == LARGEST else -0.1)
    for size in ((beyond, 10), (10, beyond)):
        with pytest.raises(InputError, match="the sides of a figure are"):
            FigureLook(size=size)


def test_a_figure_for_a_paper_is_narrow_and_low() -> None:
    assert FigureLook(style="paper").inches(4.0) == pytest.approx((8.5 / 2.54, 2.48))
    assert FigureLook().inches(4.0)[1] == 4.0


def test_every_bar_of_a_category_has_room_for_its_number() -> None:
    one, two = (draw_categories(NAMES, ROWS[:count], "mean [points]", TITLE, CAPTION) for count in (1, 2))
    assert two.get_figheight() - one.get_figheight() == pytest.approx(0.15 * len(NAMES))


@pytest.mark.parametrize(("share", "words"), [(0.0, "0.0"), (0.00049, "0.049"), (0.0005, "0.1"), (0.25, "25.0")])
def test_a_tiny_share_has_more_decimals(share: float, words: str) -> None:
    assert _percent(share, ENGLISH) == words


def test_input_that_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(InputError, match="neither simulated nor exact"):
        Series("nothing", None)
    with pytest.raises(InputError, match="no games"):
        Series("nothing", np.zeros(0, np.int32))
    with pytest.raises(InputError, match="not 6"):
        draw_together([BOTH] * (len(COLOURS) + 1), TITLE, CAPTION)
    with pytest.raises(InputError, match="won: 1 games marked, 400 have a score"):
        draw_split("all", SCORES, [Group("won", np.ones(1, np.bool_))], TITLE, CAPTION)
    with pytest.raises(InputError, match="careful: 3 values for 2 categories"):
        draw_categories(NAMES[:2], ROWS, "mean [points]", TITLE, CAPTION)
