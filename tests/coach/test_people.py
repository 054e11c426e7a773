"""People's games by the thousand: what a review finds of synthetic players whose strength is known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.command import answer, refusal, yatzy
from helpers.synthetic_people import csv_of, play_everyone

from yatzy import evaluate, load_game, parse_strategy
from yatzy.evaluation.reviewed_turns import TurnReviews
from yatzy.games import Game, Position
from yatzy.lab.traces import trace
from yatzy.solver import solve
from yatzy.strategies.base import MixedStrategy, Strategy

ERRORS = 4
"""The most standard errors between what is found and what is right."""
STRENGTHS = {"Ann": "softened:0.5", "Bo": "softened:1", "Cy": "softened:2", "Di": "softened:5"}
GAMES = 150


@dataclass(frozen=True)
class Right:
    """The exact expectations of a player, by the number of open categories."""

    loss: dict[int, float]
    """Per game."""
    decisions: dict[int, float]
    """Per game, without the forced ones."""

    @property
    def mean_loss(self) -> float:
        return sum(self.loss.values()) / sum(self.decisions.values())


def right_answer(game: Game, strategy: MixedStrategy) -> Right:
    """Follow every roll and every choice of a strategy with its chance."""
    values, loss, decisions = solve(game), dict[int, float](), dict[int, float]()
    waiting = {Position.start(game): 1.0}
    while waiting:
        here, mass = waiting.popitem()
        if here.sheet.over:
            continue
        if here.awaits_roll:
            more = list(product(range(1, game.faces + 1), repeat=game.dice - len(here.dice)))
            after = [(here.roll(here.dice + dice), mass / len(more)) for dice in more]
        else:
            chosen, worth = strategy.weights(here), {one.move: one.value for one in values.moves(here)}
            total, best, left = sum(weight for _, weight in chosen), max(worth.values()), len(here.sheet.open)
            after = [(here.play(move), mass * weight / total) for move, weight in chosen]
            lost = sum((best - worth[move]) * weight / total for move, weight in chosen)
            loss[left] = loss.get(left, 0.0) + mass * lost
            decisions[left] = decisions.get(left, 0.0) + mass * (len(worth) > 1)
        for position, chance in after:
            waiting[position] = waiting.get(position, 0.0) + chance
    return Right(loss, decisions)


def strength_of(game: Game, name: str) -> MixedStrategy:
    strategy = parse_strategy(name, game)
    assert isinstance(strategy, MixedStrategy)
    return strategy


def assert_right(found: dict[str, Any], right: float) -> None:
    assert abs(found["value"] - right) < ERRORS * found["error"]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("two-yatzy")


@pytest.fixture(scope="module")
def right(game: Game) -> dict[str, Right]:
    return {player: right_answer(game, strength_of(game, name)) for player, name in STRENGTHS.items()}


@pytest.fixture(scope="module")
def games(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,800 matches of four people, 900 of each, and ten of a guest."""
    people: dict[str, Strategy] = {player: strength_of(game, name) for player, name in STRENGTHS.items()}
    tables = play_everyone(people, GAMES, 3)
    tables.append([("Eve", trace(people["Bo"], 10, 4)), ("Ann", trace(people["Ann"], 10, 5))])
    path = tmp_path_factory.mktemp("people") / "games.csv"
    path.write_text(csv_of(tables), encoding="utf-8")
    return path


def test_every_player_has_the_error_of_their_strength(games: Path, game: Game, right: dict[str, Right]) -> None:
    found = answer("review", games)
    assert found["records"] == 12 * GAMES + 10
    assert [(one["name"], one["games"]) for one in found["players"]] == [
        ("Ann", 910), ("Bo", 900), ("Cy", 900), ("Di", 900), ("Eve", 10), (None, 3620)
    ]  # fmt: skip
    best = evaluate(solve(game)).score.mean
    for one in found["players"][:4]:
        known = right[one["name"]]
        mean = evaluate(parse_strategy(STRENGTHS[one["name"]], game)).score.mean
        assert sum(known.loss.values()) == pytest.approx(best - mean)  # two ways to the right answer
        assert_right(one["error"], best - mean)
        assert_right(one["final"], mean)
        assert_right(one["all"]["mean_loss"], known.mean_loss)
        assert one["all"]["mean_loss"]["error"] < 0.1 * known.mean_loss
    losses = [one["all"]["mean_loss"]["value"] for one in found["players"][:4]]
    assert losses == sorted(losses, reverse=True)


def test_errors_by_open_boxes_and_by_round_are_those_of_their_strength(games: Path, right: dict[str, Right]) -> None:
    found = answer("review", games, "--min-games", "100")
    *players, everybody = found["players"]
    assert [one["name"] for one in players] == [*STRENGTHS]
    for one in players:
        known = right[one["name"]]
        assert list(one["open"]) == ["2", "1"]
        assert list(one["rounds"]) == ["1", "2", "3", "4"]
        for left in (2, 1):
            assert_right(one["open"][str(left)]["mean_loss"], known.loss[left] / known.decisions[left])
            for seat in (0, 1):  # everyone begins as often as not
                number = (2 - left) * 2 + seat + 1
                assert_right(one["rounds"][str(number)]["mean_loss"], known.loss[left] / known.decisions[left])
    for left in (2, 1):
        loss, decisions = (sum(getattr(one, what)[left] for one in right.values()) for what in ("loss", "decisions"))
        assert_right(everybody["open"][str(left)]["mean_loss"], loss / decisions)


def test_solid_players_are_those_below_the_limit(games: Path, right: dict[str, Right]) -> None:
    limit = (right["Bo"].mean_loss + right["Cy"].mean_loss) / 2
    found = answer("review", games, "--min-games", "100", "--solid", str(limit))
    assert [one["name"] for one in found["players"]] == ["Cy", "Di", None]
    done = yatzy("review", games, "--solid", "0")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2, "yatzy: none of the 5 players has so low a mean loss"
    )  # fmt: skip
    shown = yatzy("review", games, "--rounds", "--player", "cy", "--language", "sv").stdout
    assert "Förlust i snitt per omgång, alla spelares omgångar räknade" in shown
    assert "either --player, or --min-games" in refusal("review", games, "--player", "cy", "--solid", "1")


def test_one_game_has_statistics_if_they_are_asked_for(games: Path, tmp_path: Path) -> None:
    lines = games.read_text(encoding="utf-8").splitlines()
    (tmp_path / "one.csv").write_text("\n".join(lines[:5]), encoding="utf-8")
    assert "Mean loss by round" in yatzy("review", tmp_path / "one.csv", "--rounds").stdout
    assert "Mean loss by round" not in yatzy("review", tmp_path / "one.csv").stdout


@pytest.mark.slow
def test_matches_of_yahtzee_have_26_rounds_with_the_errors_of_their_strength(tmp_path: Path) -> None:
    game = load_game("yahtzee")
    names = {"Ann": "softened:0.3", "Bo": "softened:1"}
    people: dict[str, Strategy] = {player: strength_of(game, name) for player, name in names.items()}
    (tmp_path / "games.csv").write_text(csv_of(play_everyone(people, 1000, 8)), encoding="utf-8")
    found = answer("review", tmp_path / "games.csv")
    solution = solve(game)
    best = evaluate(solution).score.mean
    for one in found["players"][:2]:
        strategy = people[one["name"]]
        assert_right(one["error"], best - evaluate(strategy).score.mean)
        assert list(one["rounds"]) == [str(number) for number in range(1, 27)]
        assert list(one["open"]) == [str(number) for number in range(13, 0, -1)]
        # Luck has mean 0, so a turn loses on average what the value of the position falls by.
        sample = trace(strategy, 200_000, 9)
        value = TurnReviews(solution).review(sample.turns()).start.reshape(len(sample), -1)
        value = np.column_stack([value, sample.total])
        falls = value[:, :-1] - value[:, 1:]
        for turn, (fall, losses) in enumerate(zip(falls.T, one["open"].values(), strict=True)):
            lost = losses["mean_loss"]["value"] * losses["decisions"] / one["games"]
            error = losses["mean_loss"]["error"] * losses["decisions"] / one["games"]
            noise = (error**2 + fall.var() / len(fall)) ** 0.5
            assert abs(lost - fall.mean()) < ERRORS * noise, turn
