"""New results: every preset, every target, rolls, rules, the first player's advantage, EMP against other strategies."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from yatzy import PRESETS, Game, Position, Sheet, load_game
from yatzy.lab import COLOURS, Series, add_legend, draw_together, new_figure, print_style
from yatzy.matches import BestAnswer, Endgames, ExactMatch, FixedPlayer
from yatzy_papers.claims import Cost, Drawing, Table, Value, Work
from yatzy_papers.run import PaperRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LARGE = "maxi-yatzy"
SMALL = tuple(id for id in PRESETS if id != LARGE)
LARGE_GAMES = {Cost.QUICK: 100_000, Cost.FULL: 1_000_000}
"""Simulated games of the one preset that is too large for an exact distribution."""
SEED = 1
TARGET_STEP = 10
RIVALS = ("expected", "target:250", "softened:1", "greedy", "molinder-bonus", "molinder-lower", "random")
PAIRS = {Cost.QUICK: 2_000, Cost.FULL: 20_000}
STUDIED: tuple[tuple[str, str, str], ...] = (
    ("yatzy", "expected", "Tillius, Larsson & Sjöberg"),
    ("two-yatzy", "expected", "Tillius"),
    ("two-yatzy", "target:5", "Tillius"),
    ("yatzy", "molinder-bonus", "Molinder"),
    ("yatzy", "molinder-lower", "Molinder"),
    ("yatzy-four-rolls", "expected", "Henriksson & Engström"),
)
RULES: tuple[tuple[str, str, str], ...] = (
    ("the bonus of Yatzy", "yatzy", "yatzy-no-bonus"),
    ("a fourth roll", "yatzy-four-rolls", "yatzy"),
    ("two pairs paid for a single pair", "yatzy-lenient-two-pairs", "yatzy"),
    ("five equal dice as a full house", "yatzy-five-as-full-house", "yatzy"),
    ("four equal dice as two pairs", "yatzy-four-as-two-pairs", "yatzy"),
    ("both of these", "yatzy-lenient-kinds", "yatzy"),
    ("choosing the order of the categories", "yatzy", "yatzy-forced-order"),
    ("100 for every further Yahtzee, without a Joker", "yahtzee-no-joker", "yahtzee-plain"),
    ("the Joker of the box, forced", "yahtzee", "yahtzee-no-joker"),
    ("the Joker, free", "yahtzee-free-joker", "yahtzee-no-joker"),
    ("the Joker as Pawlewicz reads it", "yahtzee-pawlewicz", "yahtzee-no-joker"),
)
BONUS_GAMES = ("yahtzee", "yahtzee-plain", LARGE)
RULE_GAMES = tuple(dict.fromkeys([*(id for _, *pair in RULES for id in pair), *BONUS_GAMES]))
ROLLS = (1, 2, 3, 4, 5, 6)
Rows = Sequence[Sequence[Value | None]]


# Variants of presets


@cache
def with_rolls(id: str, rolls: int) -> Game:
    """A preset with `rolls` rolls per turn."""
    game = load_game(id)
    if rolls == game.rolls:
        return game
    return replace(game, id=f"{id}-{rolls}-rolls", rolls=rolls, names={"en": f"{game.name()}, {rolls} rolls a turn"})


@cache
def without_bonus(id: str) -> Game:
    """A preset without its upper bonus."""
    game = load_game(id)
    return replace(game, id=f"{id}-without-bonus", bonus=None, names={"en": f"{game.name()} without bonus"})


# Tables


def _presets(run: PaperRun) -> Rows:
    """The best strategy for points in every preset."""
    rows: list[list[Value | None]] = []
    for id in SMALL:
        value = run.value(id)
        found = run.evaluation(id)
        score, yatzy = found.score, load_game(id).yatzy_category
        equal = None if yatzy is None else found.categories[yatzy].hit
        bonus = None if load_game(id).bonus is None else found.bonus
        rows.append([f"`{id}`", value, score.sd, score.mode, score.percentile(50), bonus, equal])
    return rows


def _large(run: PaperRun) -> Rows:
    games = run.sample(LARGE, "expected", LARGE_GAMES[run.effort], SEED)
    assert games.yatzy_share is not None
    return [
        [
            f"`{LARGE}`",
            run.value(LARGE),
            games.mean.value,
            games.mean.error,
            games.sd.value,
            games.sd.error,
            games.percentile(50).value,
            games.bonus_share.value,
            games.yatzy_share.value,
            len(games),
        ]
    ]


def _studied(run: PaperRun) -> Rows:
    """The exact distributions of the samples in print."""
    rows: list[list[Value | None]] = []
    for id, name, who in STUDIED:
        score = run.score(id, name)
        percentiles = [score.percentile(percent) for percent in (1, 10, 50, 90, 99)]
        rows.append([f"`{id}`", f"`{name}`", who, score.mean, score.sd, score.mode, *percentiles])
    return rows


def _targets(run: PaperRun, id: str, first: int, last: int, step: int) -> Rows:
    curve, score = run.chances(id).curve(Sheet.start(load_game(id))), run.score(id)
    rows: list[list[Value | None]] = []
    for target in [*range(first, last, step), last]:
        best, reached = curve.at(target), score.at_least(target)
        rows.append([target, best, reached, best / reached if reached else None])
    return rows


def _rolls(run: PaperRun) -> Rows:
    rows: list[list[Value | None]] = []
    for id in ("yatzy", "yahtzee"):
        before: float | None = None
        for rolls in ROLLS:
            game = with_rolls(id, rolls)
            found, value = run.evaluation(game), run.value(game)
            gained = None if before is None else value - before
            equal = found.categories[game.yatzy_category or 0].hit
            rows.append([f"`{id}`", rolls, value, gained, found.score.sd, found.score.mode, found.bonus, equal])
            before = value
    return rows


def _rules(run: PaperRun) -> Rows:
    rows: list[list[Value | None]] = [
        [
            words,
            f"`{with_}`",
            f"`{without}`",
            run.value(with_),
            run.value(without),
            run.value(with_) - run.value(without),
        ]
        for words, with_, without in RULES
    ]
    for id in BONUS_GAMES:
        with_, without = run.value(id), run.value(without_bonus(id))
        rows.insert(7, ["the bonus", f"`{id}`", "the same without", with_, without, with_ - without])
    return rows


def _first_player(run: PaperRun, ids: Sequence[str]) -> Rows:
    """The value of moving first when both play optimally."""
    rows: list[list[Value | None]] = []
    for id in ids:
        game = load_game(id)
        solved = Endgames(game, 2 * len(game.categories), run.solver)
        value = solved.value(Position.start(game, 2))
        counts = run.counts(id)
        rows.append([f"`{id}`", counts.pairs, counts.values, value, 1 - value, _as_fraction(game)])
    return rows


def _as_fraction(game: Game) -> str | None:
    """The same as an exact fraction, if the game is small enough."""
    if len(game.categories) > 2:
        return None
    found: Fraction = ExactMatch(game).value(Position.start(game, 2))
    return str(found)


def _against_everything(run: PaperRun) -> Rows:
    """EMP(1) in paired matches."""
    rows: list[list[Value | None]] = []
    pairs = PAIRS[run.effort]
    for game, rivals in (("yatzy", RIVALS), ("yahtzee-pawlewicz", ("expected",))):
        for rival in rivals:
            found = run.play_off(game, "match:emp:1", rival, pairs, SEED)
            score = found.score
            rows.append(
                [f"`{game}`", f"`{rival}`", 2 * pairs, score.value, score.error, found.wins.value, found.draws.value]
            )
    return rows


def _answers(run: PaperRun) -> Rows:
    """The best answer to strategies that ignore the opponent."""
    rows: list[list[Value | None]] = []
    game = load_game("yatzy")
    for name in ("expected", "molinder-bonus"):
        score = run.score("yatzy", name)
        best = BestAnswer(game, [FixedPlayer(name, score)], "match-points", run.solver)
        value, points = best.value(Position.start(game)), best.paid(run.score("yatzy"))
        rows.append([f"`{name}`", value, points, value - points])
    return rows


def _aimed(run: PaperRun) -> Rows:
    """Strategies for a target, compared with the expected-score strategy."""
    rows: list[list[Value | None]] = []
    for id, target in (("yatzy", 289), ("yatzy", 300), ("yahtzee-pawlewicz", 300)):
        score, points = run.score(id, f"target:{target}"), run.score(id)
        rows.append(
            [f"`{id}`", target, score.at_least(target), points.at_least(target), score.mean, points.mean, score.sd]
        )
    return rows


TABLES = (
    Table(
        "new.presets",
        "The best strategy for points",
        "Exact figures for the presets of this run: mean, standard deviation, most frequent score, median, and the"
        " chances of the upper bonus and of scoring five equal dice.",
        ("game", "mean", "sd", "mode", "median", "bonus", "all equal"),
        ("", ".6f", ".4f", "d", "d", ".6f", ".6f"),
        _presets,
        SMALL,
    ),
    Table(
        "new.maxi",
        "Maxi Yatzy",
        "The mean is exact. With 29 million states, the distribution is simulated; ± is one standard error.",
        ("game", "mean", "played", "±", "sd", "±", "median", "bonus", "all equal", "games"),
        ("", ".6f", ".3f", ".3f", ".3f", ".3f", ".0f", ".4f", ".4f", ",d"),
        _large,
        (LARGE,),
        varies=True,
    ),
    Table(
        "new.studied",
        "Simulated in print, here exact",
        "The exact distributions of the strategies that were simulated in print: mean, standard deviation, most"
        " frequent score, percentiles.",
        ("game", "strategy", "studied by", "mean", "sd", "mode", "1 %", "10 %", "50 %", "90 %", "99 %"),
        ("", "", "", ".6f", ".6f", "d", "d", "d", "d", "d", "d"),
        _studied,
        ("yatzy", "two-yatzy", "yatzy-four-rolls"),
    ),
    Table(
        "new.targets-yatzy",
        "Every target: Yatzy",
        "The best chance of reaching each target, the chance with the expected-score strategy, and the ratio of the"
        " two. The table shows every tenth score; targets.csv of the report has all of them.",
        ("target", "best chance", "for points", "times"),
        ("d", ".6g", ".6g", ".4g"),
        lambda run: _targets(run, "yatzy", 100, 374, TARGET_STEP),
        ("yatzy",),
    ),
    Table(
        "new.targets-yahtzee",
        "Every target: Yahtzee",
        "The same with Pawlewicz's Joker rule, up to the highest possible score.",
        ("target", "best chance", "for points", "times"),
        ("d", ".6g", ".6g", ".4g"),
        lambda run: _targets(run, "yahtzee-pawlewicz", 100, 1575, 25),
        ("yahtzee-pawlewicz",),
    ),
    Table(
        "new.aimed",
        "Playing for a target",
        "Exact figures: the chance of the target when playing for it and when playing for points, the mean of both"
        " strategies, and the standard deviation of the first.",
        ("game", "target", "chance", "for points", "mean", "for points", "sd"),
        ("", "d", ".6f", ".6f", ".4f", ".4f", ".4f"),
        _aimed,
        ("yatzy", "yahtzee-pawlewicz"),
        Cost.FULL,
    ),
    Table(
        "new.rolls",
        "One roll to six",
        "Exact figures for the best strategy for points with this number of rolls per turn, and the gain from one"
        " more roll.",
        ("game", "rolls", "mean", "more by", "sd", "mode", "bonus", "all equal"),
        ("", "d", ".6f", ".4f", ".4f", "d", ".4f", ".4f"),
        _rolls,
        ("yatzy", "yahtzee"),
    ),
    Table(
        "new.rules",
        "What a rule is worth",
        "The expected score of the best strategy with a rule, without it, and the difference.",
        ("rule", "with it", "without", "mean", "mean", "worth"),
        ("", "", "", ".4f", ".4f", "+.4f"),
        _rules,
        RULE_GAMES,
    ),
    Table(
        "new.first-player",
        "The first player of two",
        "Match points of both players when both play perfectly to win, from the exact solution of the whole match."
        " The second player has an advantage, because that player knows the opponent's last score.",
        ("game", "pairs of sheets", "values", "first", "second", "as a fraction"),
        ("", ",d", ",d", ".6f", ".6f", ""),
        lambda run: _first_player(run, ("two-yatzy", "yatzy-forced-order")),
        ("two-yatzy", "yatzy-forced-order"),
    ),
    Table(
        "new.first-player-yacht",
        "The first player of two: Yacht",
        "The same for Yacht, a game from 1938 with twelve categories: 1.2 billion values, 5 GB.",
        ("game", "pairs of sheets", "values", "first", "second", "as a fraction"),
        ("", ",d", ",d", ".6f", ".6f", ""),
        lambda run: _first_player(run, ("yacht",)),
        ("yacht",),
        Cost.FULL,
    ),
    Table(
        "new.emp",
        "EMP against everything",
        "EMP(1) in two-player matches, each played twice with the same dice and the players swapped: its match points"
        " per match, ± one standard error, and the shares of matches won and drawn.",
        ("game", "against", "matches", "match points", "±", "wins", "draws"),
        ("", "", ",d", ".5f", ".5f", ".5f", ".5f"),
        _against_everything,
        ("yatzy", "yahtzee-pawlewicz"),
        varies=True,
    ),
    Table(
        "new.answers",
        "The best response to a known opponent",
        "Exact match points in Yatzy of the best response to a strategy that ignores our sheet, and of playing for"
        " points. The response knows the distribution of the opponent's final score, but ignores the opponent's sheet"
        " during the game.",
        ("against", "the best answer", "for points", "gain"),
        ("", ".6f", ".6f", "+.6f"),
        _answers,
        ("yatzy",),
        Cost.FULL,
    ),
)


def all_targets(run: PaperRun) -> str:
    """The best chance of every target and that of the expected-score strategy, as CSV."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["game", "target", "best chance", "expected-score strategy"])
    for id in ("yatzy", "yahtzee-pawlewicz"):
        curve, score = run.chances(id).curve(Sheet.start(load_game(id))), run.score(id)
        for target in range(1, curve.high + 1):
            writer.writerow([id, target, f"{curve.at(target):.9g}", f"{score.at_least(target):.9g}"])
    return text.getvalue()


# Figures

SHOWN = (2, 3, 4, 5, 6)
STEEP = 5.0
"""The ratio of chances above which the axis is logarithmic."""


def _draw_rolls(run: PaperRun) -> Figure:
    series = [Series(f"{rolls} rolls", None, run.score(with_rolls("yatzy", rolls)).mass) for rolls in SHOWN]
    return draw_together(series, "Yatzy: two rolls a turn to six", "Exact, by the best strategy for points of each.")


def _draw_targets(id: str, last: int) -> Callable[[PaperRun], Figure]:
    def draw(run: PaperRun) -> Figure:
        with print_style():
            game = load_game(id)
            title = f"{game.name()}: the best chance of every target"
            figure = new_figure(title, "Exact. Below: the first chance divided by the second.", height=5.6, panels=2)
            above, below = figure.axes
            scores = np.arange(100, last + 1)
            best = run.chances(id).curve(Sheet.start(game)).take(scores)
            reached = np.array([run.score(id).at_least(int(score)) for score in scores])
            above.plot(scores, 100 * best, color=COLOURS[0], label="best chance of each target")
            above.plot(scores, 100 * reached, color=COLOURS[1], linestyle="--", label="expected-score strategy")
            above.set(ylabel="chance of at least\nthis score [%]", ylim=(0, 102))
            below.plot(scores, best / reached, color=COLOURS[2])
            below.set(xlabel="target [points]", ylabel="ratio")
            if (best / reached).max() > STEEP:
                below.set_yscale("log")
                below.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
            figure.align_ylabels()
            add_legend(above)
        return figure

    return draw


DRAWINGS = (
    Drawing(
        "new-targets-yatzy",
        "Every target: Yatzy",
        "",
        _draw_targets("yatzy", 370),
        before="new.targets-yahtzee",
        revision=2,
    ),
    Drawing(
        "new-targets-yahtzee",
        "Every target: Yahtzee",
        "",
        _draw_targets("yahtzee-pawlewicz", 600),
        before="new.aimed",
        revision=2,
    ),
    Drawing("new-rolls", "Two rolls to six", "", _draw_rolls, before="new.rules"),
)


WORK = Work(
    "new",
    "New results",
    "Results that are in none of these works.",
    tables=TABLES,
    drawings=DRAWINGS,
    files={"targets.csv": all_targets},
)
