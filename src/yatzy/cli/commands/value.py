"""Show the value of a situation between turns, or of a position given as text, for an objective or in a match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import completion, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import AnyObjectiveOption, Json, Language, PayoffOption, Tables
from yatzy.cli.situation import option_name, print_assumptions, takes_situation
from yatzy.coach.situation import Situation
from yatzy.errors import InputError, PositionError
from yatzy.names import Expected, MatchPoints, Origin, parse_objective, parse_payoff
from yatzy.names.payoffs import payoff_for
from yatzy.report.answers.values import match_value, response_value, value_answer
from yatzy.report.match import response_line, search_lines
from yatzy.report.situation import situation_notes
from yatzy.report.values import value_lines
from yatzy.solver import check_objective


@takes_situation("dice", "rolls_left")
def command(
    asked: Situation,
    objective: AnyObjectiveOption = "expected",
    payoff: PayoffOption = "match-points",
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="STRATEGY",
            autocompletion=completion.strategies,
            help="The strategy of an opponent, in the order of the sheets; once for each. 3*expected means three.",
        ),
    ] = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    where, players = asked.position, len(asked.position.sheets)
    if against:
        if parse_objective(objective) != Expected():
            raise InputError("give either --objective or --against: the objective is the best response to --against")
        _against(asked, against, payoff, language, tables, json)
        return
    wanted = check_objective(where.game, objective, players, Origin.PERSON)
    if wanted.several:
        _in_match(asked, str(wanted), payoff, language, tables, json)
        return
    if parse_payoff(payoff) != MatchPoints():
        raise InputError(
            "--payoff is what a match pays, but {objective} does not look at the opponents", objective=wanted
        )
    with open_solver(tables) as solver:
        solution = solver.build(where.game, wanted, Origin.PERSON)
    worth = solution.value(where)
    if json:
        terminal.print_json(value_answer(solution, where, worth, situation_notes(asked, call=option_name)))
        return
    terminal.print_lines(value_lines(solution, where, worth, language))
    print_assumptions(asked, language)


def _in_match(asked: Situation, objective: str, payoff: str, language: str, tables: Path | None, json: bool) -> None:
    """The value to the player to move, by a search."""
    where = asked.position
    payoff_for(payoff, len(where.sheets))
    with open_solver(tables) as solver:
        found = solver.search(where.game, objective, payoff, origin=Origin.PERSON).answer(where)
    if json:
        terminal.print_json(match_value(found, objective, payoff, situation_notes(asked, call=option_name)))
        return
    terminal.print_lines([*search_lines(found, language), str(where)])


def _against(asked: Situation, against: list[str], payoff: str, language: str, tables: Path | None, json: bool) -> None:
    """The value to the player to move against opponents with fixed strategies."""
    from yatzy.cli.commands.players import seats  # these load the lab and the kernels, which only --against needs
    from yatzy.matches.fixed_opponents import FixedOpponents

    where, names = asked.position, seats(against)
    if len(where.sheets) != len(names) + 1:
        raise PositionError(
            "--against: give one for each opponent, {count} here, not {given}",
            count=len(where.sheets) - 1,
            given=len(names),
        )
    with open_solver(tables) as solver:
        strategies = [solver.strategy(where.game, name, Origin.PERSON) for name in names]
        fixed = FixedOpponents(where.game, strategies, payoff, solver)
        worth = fixed.value(where)
    if json:
        terminal.print_json(response_value(fixed, where, worth, payoff, situation_notes(asked, call=option_name)))
        return
    terminal.print_lines([response_line(fixed, where, worth, language), str(where)])
