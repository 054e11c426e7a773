"""Rank all moves of the player to move by their value against the opponents, and say how it was computed."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy import coach
from yatzy.cli import completion, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, PayoffOption, Tables
from yatzy.cli.situation import takes_situation
from yatzy.coach.situation import Situation
from yatzy.errors import PositionError
from yatzy.games import Position
from yatzy.names import MatchObjective, Origin, forms, parse_match_objective
from yatzy.names.payoffs import payoff_for
from yatzy.report.advice import advice_table
from yatzy.report.answers.advice import match_advice
from yatzy.report.match import search_lines
from yatzy.report.terminal import print_blocks


@takes_situation("open", "filled", "upper", "points", "yahtzee_box")
def command(
    asked: Situation,
    objective: Annotated[
        str,
        typer.Option(
            "--objective",
            autocompletion=completion.match_objectives,
            help=f"What to play for: {', '.join(forms(MatchObjective))} (docs/match.md).",
        ),
    ] = "match:auto",
    payoff: PayoffOption = "match-points",
    top: Annotated[
        int | None, typer.Option("--top", min=1, help="Show only the best moves, at most this many.")
    ] = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    where = asked.position
    parse_match_objective(objective)
    if len(where.sheets) < 2:
        example = Position((where.sheet, where.sheet), where.dice, where.rolls_left)
        raise PositionError(
            "a match needs at least two players; give --sheet for each, or a position such as {example}",
            example=example,
        )
    payoff_for(payoff, len(where.sheets))
    if not where.legal_moves:
        raise PositionError("there is no move to choose: the dice have not been rolled, or the match is over")
    with open_solver(tables) as solver:
        search = solver.search(where.game, objective, payoff, origin=Origin.PERSON)
        answer = search.answer(where)
        advice = coach.advise(search, where)
    if json:
        terminal.print_json(match_advice(advice, answer, payoff, top))
        return
    print_blocks([advice_table([advice], top, language)])
    print(where)
    terminal.print_lines(search_lines(answer, language))
