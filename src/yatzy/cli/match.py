"""`yatzy match`: two and more players."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from yatzy.cli import match_answer, match_strength, sampled, show, situation
from yatzy.cli.advise import advice_table
from yatzy.cli.options import GameArgument, Json, Language, Tables, Threads
from yatzy.cli.solved import open_solver
from yatzy.errors import InputError, PositionError
from yatzy.games import Game, format_position, legal_moves, load_game
from yatzy.names import Origin

if TYPE_CHECKING:
    from yatzy.lab.duel import Duellist, PlayOff
    from yatzy.matches.counting import MatchCounts
    from yatzy.solver import Solver

app = typer.Typer(
    no_args_is_help=True, help="Two and more players: counts, exact endgames, advice, strength, play-offs."
)

app.command("strength")(match_strength.strength)
app.command("answer")(match_answer.answer)

LARGE = 5 * 10**9
"""Bytes that are written only after a question."""


@app.command("counts")
def counts(
    game: GameArgument = "yatzy",
    time: Annotated[bool, typer.Option("--time", help="Measure how long it would all take here.")] = False,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Count the states and values of the two-player game by filled categories, and what solving it would take."""
    from yatzy.matches.counting import count_match

    chosen = load_game(game)
    with show.watching() as watch:
        found = count_match(chosen, watch(f"the pairs of {chosen.name()}", "Counting"))
    rate = None
    if time:
        from yatzy.lab.calibrate import values_per_second

        rate = values_per_second(chosen, threads)
    if json:
        show.print_json(_count_fields(found, rate))
    else:
        _print_counts(found, rate)


def _count_fields(found: MatchCounts, rate: float | None) -> dict[str, Any]:
    import numpy as np

    return {
        "game": found.game.id,
        "rows": [
            {"mover": r.mover, "opponent": r.opponent, "pairs": r.pairs, "values": r.values, "depth": found.depth(r)}
            for r in found.rows
        ],
        "pairs": found.pairs,
        "values": found.values,
        "bytes": found.size(np.float32),
        "values_per_second": rate,
        "seconds": found.values / rate if rate else None,
    }


def _print_counts(found: MatchCounts, rate: float | None) -> None:
    from rich.table import Table

    table = Table(title=f"{found.game.name()}, two players")
    for name in ("depth", "filled (mover, opponent)", "pairs of sheets", "values", "GiB to this depth"):
        table.add_column(name, justify="right")
    import numpy as np

    for row in found.rows:
        depth = found.depth(row)
        size = f"{found.size(np.float32, depth) / 2**30:,.2f}"
        table.add_row(str(depth), f"{row.mover}, {row.opponent}", f"{row.pairs:,}", f"{row.values:,}", size)
    table.add_row("", "all", f"{found.pairs:,}", f"{found.values:,}", f"{found.size(np.float32) / 2**30:,.2f}")
    show.print_table(table)
    if rate:
        days = found.values / rate / 86400
        print(f"This machine solves {rate:,.0f} values a second: all of them would take {days:,.1f} days.")


@app.command("tables")
def tables_(
    game: GameArgument = "yatzy",
    depth: Annotated[int, typer.Option("--depth", min=0, help="Open categories of both players together.")] = 4,
    yes: Annotated[bool, typer.Option("--yes", help="Write more than 5 GB without a question.")] = False,
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    """Make the exact two-player endgames up to a depth, or go on making them."""
    from yatzy.matches.endgames import Endgames, size_needed

    chosen = load_game(game)
    size = size_needed(chosen, min(depth, 2 * len(chosen.categories)))
    show.note(f"the endgames of {chosen.id} to depth {depth} take {size / 10**9:,.2f} GB")
    if size > LARGE and not yes:
        _ask(size)
    with open_solver(tables, threads) as solver:
        watch = solver.watch(f"the endgames of {chosen.name()} to depth {depth}")
        made = Endgames(chosen, depth, tables, threads, watch, show.note)
    if json:
        show.print_json(
            {
                "game": chosen.id,
                "depth": depth,
                "bytes": made.size,
                "values": sum(table.layout.values for table in made.tables),
                "seconds": made.seconds,
                "cached": all(table.solved.cached for table in made.tables),
            }
        )
        return
    size = made.size
    print(f"{chosen.name()}: exact endgames of two to depth {depth}, {size / 10**9:,.2f} GB, {made.seconds:.1f} s")


def _ask(size: int) -> None:
    question = f"{size / 10**9:,.1f} GB will be written; go on?"
    if not sys.stdin.isatty():
        raise InputError(f"{question} say --yes")
    if not typer.confirm(question, err=True):
        raise InputError("nothing was written")


@app.command("advise")
def advise(
    position: Annotated[str, typer.Argument(metavar="POSITION", help="A position of several players as one line.")],
    game: situation.GameOption = None,
    objective: Annotated[
        str, typer.Option("--objective", help="match:auto[:SECONDS], match:emp:D or match:dyns:D.")
    ] = "match:auto",
    payoff: Annotated[
        str, typer.Option("--payoff", help="match-points, win, or by place such as 6,3,1,0.")
    ] = "match-points",
    top: Annotated[int | None, typer.Option("--top", min=1, help="Show only so many moves.")] = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    """Rank every move of the player to move by what it is worth against the others, and say how that was found."""
    from yatzy import coach
    from yatzy.names import parse_match_objective
    from yatzy.names.payoffs import parse_payoff
    from yatzy.solver import open_match

    asked = situation.read_situation(position, game)
    where = asked.position
    parse_match_objective(objective)
    if len(where.sheets) < 2:
        raise PositionError("a match needs at least two players; this position has one")
    parse_payoff(payoff, len(where.sheets))
    if not legal_moves(where):
        raise PositionError("there is no move to choose: the dice are yet to be rolled, or the match is over")
    with open_solver(tables) as solver:
        search = open_match(solver, where.game, objective, payoff, origin=Origin.PERSON)
        answer = search.answer(where)
        advice = coach.advise(search, where)
    if json:
        from yatzy.report.fields import advice_fields, search_fields

        show.print_json({**advice_fields([advice], top), **search_fields(answer, payoff)})
        return
    show.print_table(advice_table([advice], top, language))
    print(format_position(where))
    how = "exact" if answer.exact else f"{answer.objective}, nearly optimal"
    ahead = f"{answer.depth} turns ahead, {answer.seconds:.2f} s"
    print(f"player {where.mover + 1} to move: {answer.value:.6f} ({how}, {ahead})")


@app.command("play-off")
def play_off(
    first: Annotated[str, typer.Argument(metavar="PLAYER", help="match:emp:1, softened:X:match:emp:1 or a strategy.")],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The other player.")],
    game: sampled.GameName = "yatzy",
    games: Annotated[int, typer.Option("--games", min=2, max=2**31 - 1, help="Matches, in pairs.")] = 100_000,
    seed: sampled.Seed = 1,
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    """Play many matches of two, each twice with the same dice and the players changed over."""
    from yatzy.lab.duel import play_off as play

    chosen, pairs = load_game(game), (games + 1) // 2
    with open_solver(tables, threads) as solver:
        players = [_duellist(name, chosen, solver) for name in (first, second)]
        watch = solver.watch(f"{2 * pairs:,} matches", "Playing")
        result = play(players[0], players[1], pairs, seed, threads, watch)
    if json:
        show.print_json(_play_off_fields(result))
        return
    score, advantage = result.score, result.advantage
    print(f"{chosen.name()}: {result.names[0]} against {result.names[1]}, {2 * pairs:,} matches in pairs, seed {seed}")
    print(f"match points a match {score.value:.5f} ± {score.error:.5f},", end=" ")
    print(f"advantage {advantage.value:+.5f} ± {advantage.error:.5f}")
    print(f"wins {sampled.percent(result.wins)}, draws {sampled.percent(result.draws)}")
    print(f"whoever begins has {result.moving_first.value:.5f} ± {result.moving_first.error:.5f}")
    for name, mean in zip(result.names, _means(result), strict=True):
        print(f"mean score of {name}: {mean.value:.3f} ± {mean.error:.3f}")


def _means(result: PlayOff) -> list[Any]:
    import numpy as np

    from yatzy.lab.sample import mean_of

    one, other = result.matches
    pairs = ((one.first, other.second), (one.second, other.first))
    return [mean_of(np.concatenate([a.total, b.total])) for a, b in pairs]


def _play_off_fields(result: PlayOff) -> dict[str, Any]:
    sample = result.matches[0].first
    return {
        "game": sample.game.id,
        "players": list(result.names),
        "matches": 2 * len(sample),
        "seed": sample.seed,
        **{n: sampled.estimate(getattr(result, n)) for n in ("score", "advantage", "wins", "draws", "moving_first")},
        "means": [sampled.estimate(mean) for mean in _means(result)],
    }


def _duellist(name: str, game: Game, solver: Solver) -> Duellist:
    from yatzy.lab.duel import parse_duellist

    return parse_duellist(name, game, solver, Origin.PERSON)
