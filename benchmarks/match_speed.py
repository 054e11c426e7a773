"""Matches: the time of a search at the start of a game, and of an exact answer from endgame tables."""

from __future__ import annotations

from benchmarks.report import Grid, Result, Settings, Value, seconds
from benchmarks.timing import Times
from yatzy.games import Position, Sheet, load_game
from yatzy.lab.duel import EmpPlayer, SoloPlayer, play_off
from yatzy.matches.search import MatchSearch
from yatzy.solver import Solver, parse_strategy
from yatzy.values.curves import BestChances

GAME = "yahtzee-pawlewicz"
QUESTIONS = (("match:emp:1", 2, ""), ("match:emp:2", 2, "0.1 s"), ("match:emp:3", 2, "1 s"), ("match:emp:4", 2, "5 s"),
             ("match:emp:1", 4, "0.1 s"))  # fmt: skip
"""Objective, number of players, time limit."""


def run(settings: Settings) -> Result:
    game, solver = load_game(GAME), Solver()
    chances, endgames = BestChances(game), solver.endgames(game)
    rows: list[list[str]] = []
    data: dict[str, Value] = {}
    for objective, players, aim in QUESTIONS:
        position, times = Position.start(game, players), Times()
        for _ in range(settings.repeats(3, 1) + 1):  # the first run compiles or loads the kernels
            search = MatchSearch(chances, objective)
            times.add(lambda search=search, position=position: search.value(position))  # type: ignore[misc]
        times.all = times.all[1:]
        rows.append([f"{objective}, {players} players, at the start", seconds(times.best), aim])
        data[f"{objective} {players}"] = times.data
    times, depth = Times(), solver.endgame_depth(game)
    for _ in range(settings.repeats(3, 1) + 1):
        exact = MatchSearch(chances, "match:emp:26", exact=endgames)
        times.add(lambda exact=exact: exact.value(_depth_8()))  # type: ignore[misc]
    rows.append([f"exact at depth 8, tables to depth {depth}, first time", seconds(times.all[0]), "2 s with depth 4"])
    rows.append(["the same again", seconds(times.best), ""])
    data["exact 8"] = {"tables": depth, **dict(times.data)} if isinstance(times.data, dict) else times.data
    pairs, playing = settings.repeats(10_000, 1000), Times()
    best, expected = EmpPlayer(chances), SoloPlayer(parse_strategy("expected", game, solver))
    play_off(best, expected, 50, 1)
    playing.add(lambda: play_off(best, expected, pairs, 1))
    rows.append([f"{2 * pairs:,} matches of match:emp:1 and expected", seconds(playing.best), ""])
    data["play-off"] = {"matches": 2 * pairs, "time": playing.data}
    return Result([Grid(f"Several players, {game.name()}", ("", "time", "the aim"), rows)], data)


def _depth_8() -> Position:
    game = load_game(GAME)
    every = set(game.category_index)
    mine = {"threes", "three-of-a-kind", "full-house", "chance"}
    theirs = {"sixes", "four-of-a-kind", "small-straight", "yahtzee"}
    sheets = (
        Sheet.of_sums(game, every - mine, upper=54, points=151),
        Sheet.of_sums(game, every - theirs, upper=34, points=142),
    )
    return Position(sheets, (1, 1, 2, 4, 6), 2)
