"""What none of the works has: every preset exactly, every target, rolls, rules, the first player, EMP against all."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from yatzy.games import PRESETS, Game, Position, Sheet, load_game
from yatzy_papers.claims import Cost, Table, Value
from yatzy_papers.desk import Desk
from yatzy_papers.works.new.games import ROLLS, with_rolls, without_bonus

LARGE = "maxi-yatzy"
LARGE_GAMES = {Cost.QUICK: 100_000, Cost.FULL: 1_000_000}
"""Games played of the one preset whose distribution is too large to follow."""
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
Rows = Sequence[Sequence[Value | None]]


@cache
def _small() -> tuple[str, ...]:
    return tuple(id for id in PRESETS if id != LARGE)


def _presets(desk: Desk) -> Rows:
    """The best strategy for points in every preset."""
    rows: list[list[Value | None]] = []
    for id in PRESETS:
        value = desk.value(id)
        if id == LARGE:
            continue
        found = desk.evaluation(id)
        score, yatzy = found.score, load_game(id).yatzy_category
        equal = None if yatzy is None else found.categories[yatzy].hit
        bonus = None if load_game(id).bonus is None else found.bonus
        rows.append([f"`{id}`", value, score.sd, score.mode, score.percentile(50), bonus, equal])
    return rows


def _large(desk: Desk) -> Rows:
    games = desk.sample(LARGE, "expected", LARGE_GAMES[desk.effort], SEED)
    assert games.yatzy_share is not None
    return [
        [
            f"`{LARGE}`",
            desk.value(LARGE),
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


def _studied(desk: Desk) -> Rows:
    """The distributions behind the samples in print."""
    rows: list[list[Value | None]] = []
    for id, name, who in STUDIED:
        score = desk.score(id, name)
        percentiles = [score.percentile(percent) for percent in (1, 10, 50, 90, 99)]
        rows.append([f"`{id}`", f"`{name}`", who, score.mean, score.sd, score.mode, *percentiles])
    return rows


def _targets(desk: Desk, id: str, first: int, last: int, step: int) -> Rows:
    curve, score = desk.chances(id).curve(Sheet.start(load_game(id))), desk.score(id)
    rows: list[list[Value | None]] = []
    for target in [*range(first, last, step), last]:
        best, reached = curve.at(target), score.at_least(target)
        rows.append([target, best, reached, best / reached if reached else None])
    return rows


def _rolls(desk: Desk) -> Rows:
    rows: list[list[Value | None]] = []
    for id in ("yatzy", "yahtzee"):
        before: float | None = None
        for rolls in ROLLS:
            game = with_rolls(id, rolls)
            found, value = desk.evaluation(game), desk.value(game)
            gained = None if before is None else value - before
            equal = found.categories[game.yatzy_category or 0].hit
            rows.append([f"`{id}`", rolls, value, gained, found.score.sd, found.score.mode, found.bonus, equal])
            before = value
    return rows


def _rules(desk: Desk) -> Rows:
    rows: list[list[Value | None]] = [
        [
            words,
            f"`{with_}`",
            f"`{without}`",
            desk.value(with_),
            desk.value(without),
            desk.value(with_) - desk.value(without),
        ]
        for words, with_, without in RULES
    ]
    for id in ("yahtzee", "yahtzee-plain", LARGE):
        with_, without = desk.value(id), desk.value(without_bonus(id))
        rows.insert(7, ["the bonus", f"`{id}`", "the same without", with_, without, with_ - without])
    return rows


def _first_player(desk: Desk, ids: Sequence[str]) -> Rows:
    """What the first player is worth when both play their best."""
    from yatzy.matches.endgames import Endgames

    rows: list[list[Value | None]] = []
    for id in ids:
        game, solver = load_game(id), desk.solver
        watch = desk.watch(f"{game.name()} for two players, completely", "Solving")
        solved = Endgames(game, 2 * len(game.categories), solver.folder, solver.threads, watch, solver.report)
        value = solved.value(Position.start(game, 2))
        counts = desk.counts(id)
        rows.append([f"`{id}`", counts.pairs, counts.values, value, 1 - value, _as_fraction(game)])
    return rows


def _as_fraction(game: Game) -> str | None:
    """The same as an exact fraction, where the game is small enough."""
    from yatzy.matches.exact import ExactMatch

    if len(game.categories) > 2:
        return None
    found: Fraction = ExactMatch(game).value(Position.start(game, 2))
    return str(found)


def _against_everything(desk: Desk) -> Rows:
    """EMP(1) in paired matches."""
    rows: list[list[Value | None]] = []
    pairs = PAIRS[desk.effort]
    for game, rivals in (("yatzy", RIVALS), ("yahtzee-pawlewicz", ("expected",))):
        for rival in rivals:
            found = desk.play_off(game, "match:emp:1", rival, pairs, SEED)
            score = found.score
            rows.append(
                [f"`{game}`", f"`{rival}`", 2 * pairs, score.value, score.error, found.wins.value, found.draws.value]
            )
    return rows


def _answers(desk: Desk) -> Rows:
    """The best answer to players who do not look at us."""
    from yatzy.matches.fixed_opponents import BestAnswer, FixedPlayer

    rows: list[list[Value | None]] = []
    game = load_game("yatzy")
    for name in ("expected", "molinder-bonus"):
        score = desk.score("yatzy", name)
        best = BestAnswer(game, [FixedPlayer(name, score)], "match-points", desk.solver)
        value, points = best.value(Position.start(game)), best.paid(desk.score("yatzy"))
        rows.append([f"`{name}`", value, points, value - points])
    return rows


def _aimed(desk: Desk) -> Rows:
    """What strategies for a target do otherwise."""
    rows: list[list[Value | None]] = []
    for id, target in (("yatzy", 289), ("yatzy", 300), ("yahtzee-pawlewicz", 300)):
        score, points = desk.score(id, f"target:{target}"), desk.score(id)
        rows.append(
            [f"`{id}`", target, score.at_least(target), points.at_least(target), score.mean, points.mean, score.sd]
        )
    return rows


TABLES = (
    Table(
        "new.presets",
        "The best strategy for points",
        "Exactly, for every preset: mean, standard deviation, most frequent score, median, chance of the upper bonus"
        " and of points for all dice equal.",
        ("game", "mean", "sd", "mode", "median", "bonus", "all equal"),
        ("", ".6f", ".4f", "d", "d", ".6f", ".6f"),
        _presets,
        _small(),
    ),
    Table(
        "new.maxi",
        "Maxi Yatzy",
        "The mean exactly; the distribution of 29 million states is played instead of followed, ± one standard error.",
        ("game", "mean", "played", "±", "sd", "±", "median", "bonus", "all equal", "games"),
        ("", ".6f", ".3f", ".3f", ".3f", ".3f", ".0f", ".4f", ".4f", ",d"),
        _large,
        (LARGE,),
        varies=True,
    ),
    Table(
        "new.studied",
        "What was simulated, exactly",
        "The distributions behind the samples in print: mean, standard deviation, most frequent score, percentiles.",
        ("game", "strategy", "studied by", "mean", "sd", "mode", "1 %", "10 %", "50 %", "90 %", "99 %"),
        ("", "", "", ".6f", ".6f", "d", "d", "d", "d", "d", "d"),
        _studied,
        ("yatzy", "two-yatzy", "yatzy-four-rolls"),
    ),
    Table(
        "new.targets-yatzy",
        "Every target: Yatzy",
        "The best chance of at least so many points, what the expected-score strategy reaches, and how many times more"
        " the first is. Every tenth score; all of them are in targets.csv of the report.",
        ("target", "best chance", "for points", "times"),
        ("d", ".6g", ".6g", ".4g"),
        lambda desk: _targets(desk, "yatzy", 100, 374, TARGET_STEP),
        ("yatzy",),
    ),
    Table(
        "new.targets-yahtzee",
        "Every target: Yahtzee",
        "The same in Pawlewicz's reading of the Joker, to the highest score there is.",
        ("target", "best chance", "for points", "times"),
        ("d", ".6g", ".6g", ".4g"),
        lambda desk: _targets(desk, "yahtzee-pawlewicz", 100, 1575, 25),
        ("yahtzee-pawlewicz",),
    ),
    Table(
        "new.aimed",
        "Playing for a target",
        "Exactly: the chance of the target, and of the expected-score strategy; the mean of both, and the spread of the"
        " first.",
        ("game", "target", "chance", "for points", "mean", "for points", "sd"),
        ("", "d", ".6f", ".6f", ".4f", ".4f", ".4f"),
        _aimed,
        ("yatzy", "yahtzee-pawlewicz"),
        Cost.FULL,
    ),
    Table(
        "new.rolls",
        "One roll to six",
        "Exactly, by the best strategy for points with so many rolls a turn, and what one roll more brings.",
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
        tuple(PRESETS),
    ),
    Table(
        "new.first-player",
        "The first player of two",
        "Match points of both players when both play their best for winning: the whole match is solved, pair of sheets"
        " by pair of sheets. Who moves second knows more.",
        ("game", "pairs of sheets", "values", "first", "second", "as a fraction"),
        ("", ",d", ",d", ".6f", ".6f", ""),
        lambda desk: _first_player(desk, ("two-yatzy", "yatzy-forced-order")),
        ("two-yatzy", "yatzy-forced-order"),
    ),
    Table(
        "new.first-player-yacht",
        "The first player of two: Yacht",
        "The same for a whole game of 1938, twelve categories each: 1.2 billion values, 5 GB.",
        ("game", "pairs of sheets", "values", "first", "second", "as a fraction"),
        ("", ",d", ",d", ".6f", ".6f", ""),
        lambda desk: _first_player(desk, ("yacht",)),
        ("yacht",),
        Cost.FULL,
    ),
    Table(
        "new.emp",
        "EMP against everything",
        "EMP(1) in matches of two, each played twice with the same dice and the players changed over: its match points"
        " a match, ± one standard error, and the shares it wins and draws.",
        ("game", "against", "matches", "match points", "±", "wins", "draws"),
        ("", "", ",d", ".5f", ".5f", ".5f", ".5f"),
        _against_everything,
        ("yatzy", "yahtzee-pawlewicz"),
        varies=True,
    ),
    Table(
        "new.answers",
        "The best answer to a known opponent",
        "Match points of the best answer to a strategy that does not look at us, and of playing for points, exactly;"
        " Yatzy. The answer knows how the opponent's final score is distributed and does not look at the opponent's"
        " sheet on the way.",
        ("against", "the best answer", "for points", "gain"),
        ("", ".6f", ".6f", "+.6f"),
        _answers,
        ("yatzy",),
        Cost.FULL,
    ),
)


def all_targets(desk: Desk) -> list[tuple[str, int, float, float]]:
    """Game, target, best chance and that of the expected-score strategy, for every target there is."""
    found = []
    for id in ("yatzy", "yahtzee-pawlewicz"):
        curve, score = desk.chances(id).curve(Sheet.start(load_game(id))), desk.score(id)
        found += [(id, target, curve.at(target), score.at_least(target)) for target in range(1, curve.high + 1)]
    return found
