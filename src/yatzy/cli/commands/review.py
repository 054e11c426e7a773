"""Grade every decision of recorded games, and separate luck from skill.

For one game everything is shown, for several games the statistics of the players. --min-games, --solid and --rounds ask
for statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import completion, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, PayoffOption, Tables, Threads
from yatzy.coach.reviews.bulk import review_many
from yatzy.coach.reviews.decisions import ReviewedGames, write_parquet
from yatzy.coach.reviews.files import Sourced, read_records, record_paths
from yatzy.coach.reviews.review import Review
from yatzy.coach.reviews.review import review as review_record
from yatzy.coach.reviews.statistics import PlayerStatistics, all_statistics, player_statistics
from yatzy.errors import InputError, Message, RecordError, either
from yatzy.games import Game, load_game
from yatzy.lab.results import require_polars
from yatzy.names import Objective, Origin, forms
from yatzy.report.answers.reviews import review_answer
from yatzy.report.answers.statistics import statistics_answer
from yatzy.report.document import Block, to_html, to_markdown
from yatzy.report.numbers import scale_of
from yatzy.report.problems import message_text
from yatzy.report.review import review_blocks, review_title
from yatzy.report.statistics import statistics_blocks, statistics_title
from yatzy.report.terminal import print_blocks
from yatzy.solver import Solver, check_objective
from yatzy.store.files import check_target, write_atomic
from yatzy.values.evaluator import Evaluator

OUT = (".html", ".md")


def command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Text records, CSV files with many games, or folders of both."),
    ],
    objective: Annotated[
        str,
        typer.Option(
            "--objective",
            autocompletion=completion.objectives,
            help=f"What the players played for: {', '.join(forms(Objective))}.",
        ),
    ] = "expected",
    payoff: PayoffOption = "match-points",
    game: Annotated[
        str | None, typer.Option("--game", help="A .toml file, if the records are of your own game.")
    ] = None,
    player: Annotated[str | None, typer.Option("--player", help="Show only this player.")] = None,
    min_games: Annotated[
        int, typer.Option("--min-games", min=1, help="Statistics of players with at least this many games.")
    ] = 1,
    solid: Annotated[
        float | None,
        typer.Option(
            "--solid", min=0, help="Statistics of players with at most this mean loss, in the unit of the table."
        ),
    ] = None,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Statistics with the mean loss by round and by open boxes.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="REPORT", help="Write the report as .html, with figures, or as .md.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="FILE", help="Write one row per decision to a Parquet file.")
    ] = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    if out is not None and out.suffix.lower() not in OUT:
        raise InputError("--out {out}: a report is written as {formats}", out=out, formats=either(OUT))
    for target in (out, parquet):
        if target is not None:
            check_target(target)
    if parquet is not None:
        require_polars()
    if player is not None and (min_games > 1 or solid is not None):
        raise InputError("give either --player, or --min-games and --solid, which choose players")
    asked_for_statistics = rounds or min_games > 1 or solid is not None
    own, paths = None if game is None else load_game(game), record_paths(files)
    refused: list[str] = []

    def refuse(reason: str) -> None:
        refused.append(reason)
        terminal.note(message_text(Message("refused: {reason}", reason=reason), language))

    records = read_records(paths, own, refuse if len(paths) > 1 else None)
    first = list(islice(records, 2))
    if not first:
        if refused:
            raise RecordError("no record could be read")
        raise RecordError("{path}: there is no game in it", path=paths[0])
    with open_solver(tables, threads) as solver:
        if len(first) == 1 and not asked_for_statistics:
            _one(first[0], solver, objective, payoff, player, out, parquet, language, json)
        else:
            many = _many(
                chain(first, records), solver, objective, payoff, max(len(paths), 2), threads, parquet is not None
            )
            most = None if solid is None else solid / scale_of(many.unit)
            chosen = all_statistics(many, min_games, most) if player is None else (player_statistics(many, player),)
            _show_many(many, chosen, player, rounds, out, parquet, language, json)
    if refused:
        told = Message("{count} of {total} files were refused", count=len(refused), total=len(paths))
        terminal.note(message_text(told, language))


def _open(solver: Solver, game: Game, objective: str, players: int, payoff: str) -> Evaluator:
    return solver.evaluator(game, objective, players, payoff, Origin.PERSON)


def _one(
    sourced: Sourced, solver: Solver, objective: str, payoff: str, player: str | None, out: Path | None,
    parquet: Path | None, language: str, json: bool,
) -> None:  # fmt: skip
    source, record = sourced
    names = [one.name for one in record.players]
    if player is not None and player.casefold() not in map(str.casefold, names):
        raise InputError(
            "there is no player {player!r} in {source}; there are {names}",
            player=player,
            source=source,
            names=", ".join(names),
        )
    judge = _open(solver, record.game, objective, len(record.players), payoff)
    found = review_record(record, judge)
    if parquet is not None:
        many = review_many([sourced], judge, positions=True)
        write_parquet(many if player is None else many.of_player(player), parquet)
    if out is not None:
        _write_review(found, out, player, language)
    if json:
        terminal.print_json(review_answer(found, player))
        return
    print_blocks(review_blocks(found, language, player))


def _write_review(found: Review, out: Path, player: str | None, language: str) -> None:
    pictures = out.suffix.lower() == ".html"
    blocks = review_blocks(found, language, player, pictures=pictures, positions=True)
    _write(blocks, out, review_title(found, language), language)


def _write(blocks: list[Block], out: Path, title: str, language: str) -> None:
    write_atomic(out, to_html(blocks, title, language) if out.suffix.lower() == ".html" else to_markdown(blocks))


def _many(
    records: Iterable[Sourced], solver: Solver, objective: str, payoff: str, total: int, threads: int | None,
    positions: bool,
) -> ReviewedGames:  # fmt: skip
    def checked() -> Iterator[Sourced]:
        for source, record in records:
            check_objective(record.game, objective, len(record.players), Origin.PERSON)
            yield source, record

    watch = solver.watch(Message("games for {objective}", objective=objective), "Reviewing")

    def judge(game: Game) -> Evaluator:
        return _open(solver, game, objective, 2, payoff)

    return review_many(checked(), judge, threads, watch, total, positions=positions)


def _show_many(
    many: ReviewedGames, players: Sequence[PlayerStatistics], player: str | None, rounds: bool, out: Path | None,
    parquet: Path | None, language: str, json: bool,
) -> None:  # fmt: skip
    blocks = statistics_blocks(many, players, language, rounds=rounds)
    if parquet is not None:
        write_parquet(many if player is None else many.of_player(player), parquet)
    if out is not None:
        _write(blocks, out, statistics_title(many, language), language)
    if json:
        terminal.print_json(statistics_answer(many, players))
        return
    print_blocks(blocks)
