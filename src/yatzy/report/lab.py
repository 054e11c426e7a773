"""Simulations, comparisons, tables of players, replays, distributions and play-offs as documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from yatzy.evaluation.distribution import PERCENTILES, Evaluation
from yatzy.games import Game, Position, show_dice
from yatzy.lab import Comparison, ExactComparison, ExactTable, PlayedTurn, SimulatedGames, TableResult
from yatzy.report.document import Block, Code, Paragraph, Table
from yatzy.report.numbers import count, estimate, number, plain_number, share, signed
from yatzy.report.texts import text
from yatzy.report.words import category_name, move_name, strategy_label

CHANCES = (99, 90, 75, 50, 25, 10, 1)
"""Chances in percent, for which the score is shown that they reach."""
LEVELS = " ▁▂▃▄▅▆▇█"


def score_bars(values: npt.NDArray[np.float64], first: int, width: int = 60, height: int = 6) -> Code:
    """A curve over scores from `first` on as a block of characters, with its scale."""
    groups = np.array_split(values, min(width, len(values)))
    tops = np.array([group.mean() for group in groups])
    levels = np.round(tops / tops.max() * height * 8).astype(int)
    rows = [
        "".join(LEVELS[int(np.clip(level - 8 * row, 0, 8))] for level in levels) for row in range(height - 1, -1, -1)
    ]
    last = str(first + len(values) - 1)
    return Code("\n".join([*rows, str(first).ljust(len(groups) - len(last)) + last]))


def sample_blocks(games: SimulatedGames, at_least: Sequence[int] = (), language: str = "en") -> list[Block]:
    """The results of many games by one strategy, with standard errors."""
    lines = [_moments(games, language), _scores(games, language)]
    lines.append(_percentiles([plain_number(games.percentile(p).value, language) for p in PERCENTILES], language))
    lines += (
        text(language, "sample.at_least", score=score, share=share(games.at_least(score), language))
        for score in at_least
    )
    if games.game.bonus:
        lines.append(text(language, "sample.bonus", share=share(games.bonus_share, language)))
    rows = []
    for category in games.game.categories:
        mean, hit = games.category_mean(category.id), games.category_hit(category.id)
        rows.append((category.name(language), estimate(mean, 3, language), share(hit, language)))
    strategy = strategy_label(games.strategy, language)
    names = {"game": games.game.name(language), "strategy": strategy, "seed": games.seed}
    return [
        Paragraph(text(language, "sample.title", games=count(len(games), language), **names)),
        *([score_bars(games.mass[games.lowest :], games.lowest)] if games.highest > games.lowest else []),
        *map(Paragraph, lines),
        _table(language, ("sample.category", "sample.mean_points", "sample.games_with_points"), rows),
    ]


def _moments(games: SimulatedGames, language: str) -> str:
    mean, sd = (estimate(found, 3, language) for found in (games.mean, games.sd))
    return text(language, "sample.moments", mean=mean, sd=sd)


def _scores(games: SimulatedGames, language: str) -> str:
    median = plain_number(games.percentile(50).value, language)
    return text(language, "sample.scores", median=median, mode=games.mode, min=games.lowest, max=games.highest)


def _percentiles(scores: Sequence[str], language: str) -> str:
    said = "  ".join(f"{percent} %: {score}" for percent, score in zip(PERCENTILES, scores, strict=True))
    return f"{text(language, 'sample.percentiles')}  {said}"


# Comparisons


def comparison_labels(found: Comparison, language: str = "en") -> tuple[str, str]:
    """The two strategies in words, with their games if these differ."""
    first, second = found.first, found.second
    labels = strategy_label(first.strategy, language), strategy_label(second.strategy, language)
    if first.game == second.game:
        return labels
    return f"{first.game.name(language)}, {labels[0]}", f"{second.game.name(language)}, {labels[1]}"


def comparison_title(found: Comparison, language: str = "en") -> str:
    """The heading of a figure: the game, or both games, and the two strategies."""
    first, second = comparison_labels(found, language)
    if found.first.game != found.second.game:
        return text(language, "figure_caption.both", first=first, second=second)
    game = found.first.game.name(language)
    return text(language, "figure_caption.both_of_game", game=game, first=first, second=second)


def comparison_blocks(found: Comparison, exactly: ExactComparison | None = None, language: str = "en") -> list[Block]:
    """Two strategies side by side: their scores, who wins, and how far apart they are."""
    labels, samples = comparison_labels(found, language), (found.first, found.second)
    rows = [
        ("mean", *(estimate(one.mean, 3, language) for one in samples)),
        ("sd", *(estimate(one.sd, 3, language) for one in samples)),
        ("median", *(plain_number(one.percentile(50).value, language) for one in samples)),
        ("mode", *(str(one.mode) for one in samples)),
        ("bonus", *(share(one.bonus_share, language) for one in samples)),
        ("equal", *("–" if one.yatzy_share is None else share(one.yatzy_share, language) for one in samples)),
    ]
    named = tuple((text(language, f"compare.{name}"), *cells) for name, *cells in rows)
    title = text(
        language,
        "compare.title",
        first=labels[0],
        second=labels[1],
        games=count(len(found.first), language),
        seed=found.first.seed,
        dice=text(language, "compare.same" if found.paired else "compare.independent"),
    )
    blocks: list[Block] = [Paragraph(title), Table(("", *labels), named, frozenset({0}))]
    blocks += map(Paragraph, _compared(found, language))
    if exactly is not None:
        blocks.append(Paragraph(_compared_exactly(exactly, language)))
    return blocks


def _compared(found: Comparison, language: str) -> Iterator[str]:
    shares = {name: share(getattr(found, name), language) for name in ("wins", "draws", "losses")}
    yield text(language, "compare.outcomes", **shares)
    difference = f"{signed(found.difference.value, 3, language)} ± {number(found.difference.error, 3, language)}"
    yield text(language, "compare.difference", difference=difference, sd=number(found.difference_sd, 2, language))
    yield text(
        language,
        "compare.variation",
        variation=estimate(found.total_variation, 4, language),
        noise=number(found.noise, 4, language),
        overlap=number(found.overlap.value, 4, language),
    )


def _compared_exactly(found: ExactComparison, language: str) -> str:
    shares = {name: _exact_share(getattr(found, name), language) for name in ("wins", "draws", "losses")}
    return text(
        language,
        "compare.exactly",
        outcomes=text(language, "compare.outcomes", **shares),
        difference=signed(found.difference, 4, language),
        variation=number(found.total_variation, 6, language),
    )


def _exact_share(chance: float, language: str) -> str:
    return f"{number(100 * chance, 4, language)} %"


# Several players


def players_blocks(result: TableResult, exactly: ExactTable | None = None, language: str = "en") -> list[Block]:
    """Several players at one table: the score that wins, and what each of them reaches."""
    winner, one = result.winner_games, result.seats[0].games
    title = text(
        language,
        "players.title",
        game=one.game.name(language),
        games=count(len(one), language),
        players=len(result.seats),
        seed=one.seed,
    )
    median, mean = plain_number(winner.percentile(50).value, language), estimate(winner.mean, 3, language)
    lines = [title, text(language, "players.winner", median=median, mean=mean)]
    if exactly is not None:
        median, mean = str(exactly.winner.percentile(50)), number(exactly.winner.mean, 4, language)
        lines.append(text(language, "players.winner_exactly", median=median, mean=mean))
    rows = [
        (
            str(place + 1),
            strategy_label(seat.games.strategy, language),
            share(seat.wins, language),
            _exact_share(exactly.seats[place].wins, language) if exactly else "–",
            share(seat.outright, language),
            estimate(seat.match_points, 4, language),
            estimate(seat.games.mean, 3, language),
        )
        for place, seat in enumerate(result.seats)
    ]
    names = ("player", "strategy", "share", "exactly", "alone", "beaten", "mean")
    return [*map(Paragraph, lines), _table(language, [f"players.{name}" for name in names], rows, words=2)]


# One game


def replay_blocks(
    game: Game, strategy: str, seed: int, place: int, turns: Sequence[PlayedTurn], language: str = "en"
) -> list[Block]:
    """One simulated game, turn by turn."""
    rows, total = [], 0
    for round_, turn in enumerate(turns, 1):
        total += turn.points + turn.bonuses
        category = category_name(game, turn.score, language)
        points = (str(turn.points), str(turn.bonuses or ""), str(total))
        rows.append((str(round_), _course(game, turn, language), category, *points))
    title = text(
        language,
        "replay.title",
        game=game.name(language),
        strategy=strategy_label(strategy, language),
        number=place,
        seed=seed,
    )
    names = [f"replay.{name}" for name in ("turn", "dice", "category", "points", "bonuses", "total")]
    return [Paragraph(title), _table(language, names, rows, words=3)]


def _course(game: Game, turn: PlayedTurn, language: str) -> str:
    """Rolls and keeps, up to the last keep that changed something."""
    steps = []
    for roll, keep in zip(turn.rolls, turn.keeps, strict=False):
        if keep.dice == roll:
            break
        steps.append(f"{show_dice(roll)} {move_name(game, keep, language)}")
    return "  ".join([*steps, show_dice(turn.rolls[len(steps)])])


# Exact distributions


def best_chance_blocks(
    where: Position, first: int, chances: npt.NDArray[np.float64], language: str = "en"
) -> list[Block]:
    """The best chance of at least each score from `first` on."""
    reached = [(percent, first + int((chances >= percent / 100).sum()) - 1) for percent in CHANCES]
    return [
        Paragraph(text(language, "distribution.best", game=where.game.name(language), position=where)),
        score_bars(chances, first),
        Code("\n".join(f"{percent:3d} %  {score}" for percent, score in reached)),
        Paragraph(text(language, "distribution.best_note")),
    ]


def evaluation_time(strategy: str, seconds: float, language: str = "en") -> str:
    """How long an exact distribution takes, in one sentence."""
    minutes = number(seconds / 60, 1 if seconds < 600 else 0, language)
    return text(language, "distribution.takes", strategy=strategy_label(strategy, language), minutes=minutes)


def evaluation_blocks(where: Position, result: Evaluation, language: str = "en") -> list[Block]:
    """The exact results of a strategy from a position on."""
    score = result.score
    title = text(
        language,
        "distribution.title",
        game=where.game.name(language),
        strategy=strategy_label(result.strategy, language),
        position=where,
    )
    summary = text(
        language,
        "distribution.summary",
        mean=number(score.mean, 4, language),
        sd=number(score.sd, 4, language),
        mode=score.mode,
        bonus=number(100 * result.bonus, 2, language),
    )
    rows = [
        (one.category.name(language), number(one.mean, 3, language), f"{number(100 * one.hit, 2, language)} %")
        for one in result.categories
    ]
    return [
        Paragraph(title),
        score_bars(score.mass[score.lowest :], score.lowest),
        Paragraph(summary),
        Paragraph(_percentiles([str(score.percentile(p)) for p in PERCENTILES], language)),
        _table(language, ("sample.category", "sample.mean_points", "distribution.chance_of_points"), rows),
    ]


def _table(language: str, keys: Sequence[str], rows: Sequence[tuple[str, ...]], words: int = 1) -> Table:
    """A table with these headings, whose first columns are words."""
    return Table(tuple(text(language, key) for key in keys), tuple(rows), frozenset(range(words)))
