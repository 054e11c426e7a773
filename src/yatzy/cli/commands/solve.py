"""Solve a game for an objective, or open its table if it has been solved before."""

from __future__ import annotations

from yatzy.cli import terminal
from yatzy.cli.opening import check_workers, open_solver
from yatzy.cli.options import GameArgument, Json, Language, ObjectiveOption, On, Tables, Threads
from yatzy.games import Position, load_game
from yatzy.names import Origin
from yatzy.report.values import solution_lines
from yatzy.solver import parse_objective

DIGITS = 6
"""Decimals of the value, as in the table of the readme."""


def command(
    game: GameArgument = "yatzy",
    objective: ObjectiveOption = "expected",
    on: On = None,
    language: Language = "en",
    tables: Tables = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    check_workers(on, parse_objective(objective))
    with open_solver(tables, threads, on) as solver:
        solution = solver.build(chosen, objective, Origin.PERSON)
    value = solution.value(Position.start(chosen))
    if json:
        terminal.print_json(
            {
                "game": chosen.id,
                "objective": solution.objective,
                "value": value,
                "unit": solution.unit.value,
                "states": solution.states,
                "seconds": solution.table.seconds,
                "cached": solution.table.cached,
                "hash": chosen.hash,
                "path": str(solution.table.path),
            }
        )
        return
    terminal.print_lines(solution_lines(solution, value, DIGITS, language))
