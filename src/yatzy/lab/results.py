"""Simulated games on disk: Parquet files written with Polars, and long runs in parts that survive an interruption.

A file has one row per game: its number, total, upper sum, bonus, Joker bonuses in points, then the points of each
category. The file's metadata under "yatzy" describe the games as JSON, with a checksum of all numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from yatzy.errors import InputError, Message, StrategyError, missing_extra
from yatzy.games import Game
from yatzy.lab.remote import GamesTask, check_can_travel, play_games, shared_folder, simulate_with
from yatzy.lab.sample import COLUMNS, SimulatedGames
from yatzy.lab.simulation import DICE_VERSION, SIMULATION, simulate
from yatzy.reading import read_bounded
from yatzy.store import Report
from yatzy.store.files import check_target, locked, parts_folder, private_folder, remove_locked, write_atomic
from yatzy.store.kept import digest, seal, unseal
from yatzy.store.locking import tell
from yatzy.strategies.base import Strategy
from yatzy.strategies.best import as_strategy
from yatzy.strategies.user_code import strategy_code
from yatzy.values.evaluator import Solution
from yatzy.values.resources import DEFAULTS, Progress, Resources
from yatzy.workers.running import run_tasks

BATCH, SLOW_BATCH = 2**18, 500
"""Games per part, for strategies played in bulk and for others: seconds to a few minutes of work."""

METADATA = "yatzy"
MANIFEST = "sample.json"
LOCK = "games"
MOST_MANIFEST = 2**16
_OWN_COLUMNS = ("game", "total", "upper", "bonus", "jokers")


def write_games(games: SimulatedGames, path: str | Path, key: str | None = None) -> None:
    """Write games to a Parquet file; `key` marks a part of a sample."""
    pl = _polars()
    columns: dict[str, Any] = {"game": np.arange(games.first, games.first + len(games), dtype=np.int64)}
    columns |= {name: getattr(games, name) for name in COLUMNS if name != "points"}
    for name, points in zip(_category_columns(games.game), games.points.T, strict=True):
        columns[name] = np.ascontiguousarray(points)
    buffer = BytesIO()
    pl.DataFrame(columns).write_parquet(buffer, metadata={METADATA: json.dumps(_about(games, key))})
    write_atomic(Path(path), buffer.getvalue())


def read_games(path: str | Path, game: Game) -> SimulatedGames:
    """Read games from a Parquet file, which must be complete and of this game."""
    return _read(Path(path), game)[0]


def _read(path: Path, game: Game) -> tuple[SimulatedGames, str | None]:
    """The games of a file, and the key it was written with."""
    pl = _polars()
    if not path.is_file():
        raise InputError("{path}: there is no such file", path=path)
    try:
        metadata = pl.read_parquet_metadata(path)
        about = json.loads(metadata[METADATA]) if METADATA in metadata else None
        if about is not None and about["hash"] == game.hash:
            games = _games(game, about, pl.read_parquet(path, use_pyarrow=False))
            if _about(games, about.get("key")) == about | {"game": game.id, "dice": DICE_VERSION}:
                return games, about.get("key")
    except (OSError, ValueError, LookupError, TypeError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        raise InputError("{path}: is damaged, or no Parquet file", path=path) from None
    if about is None:
        raise InputError("{path}: holds no games of this program", path=path)
    if about["hash"] != game.hash:
        raise InputError(
            "{path}: holds games of {game}, whose rules are not those of {other}",
            path=path,
            game=about["game"],
            other=game.id,
        )
    raise InputError("{path}: is damaged: its checksum does not match", path=path)


def _games(game: Game, about: Mapping[str, Any], frame: Any) -> SimulatedGames:
    return SimulatedGames(
        game,
        **{name: about[name] for name in ("strategy", "seed", "first", "stream")},
        **{name: frame[name].to_numpy(writable=True) for name in COLUMNS if name != "points"},
        points=np.stack([frame[name].to_numpy() for name in _category_columns(game)], axis=1),
    )


def _polars() -> Any:
    try:
        import polars
    except ImportError:
        raise missing_extra(Message("files of games need Polars"), "lab") from None
    return polars


def require_polars() -> None:
    """Fail early if Polars is missing, since the result could not be written."""
    _polars()


def _category_columns(game: Game) -> list[str]:
    return [f"{id}-points" if id in _OWN_COLUMNS else id for id in game.category_index]


def _about(games: SimulatedGames, key: str | None) -> dict[str, Any]:
    """The description of these games, with a checksum of it and of all numbers."""
    about: dict[str, Any] = {name: getattr(games, name) for name in ("strategy", "seed", "stream", "first")}
    about |= {"games": len(games), "hash": games.game.hash} | ({} if key is None else {"key": key})
    digest = hashlib.blake2b(json.dumps(about, sort_keys=True).encode(), digest_size=16)
    for name in COLUMNS:
        digest.update(getattr(games, name).tobytes())
    return {"game": games.game.id, "dice": DICE_VERSION, **about, "checksum": digest.hexdigest()}


def run_sample(
    strategy: Strategy | Solution,
    games: int,
    seed: int,
    folder: str | Path,
    stream: int = 0,
    resources: Resources = DEFAULTS,
    what: str = "",
) -> SimulatedGames:
    """Play games as `simulate` does, in parts that are saved in a folder; existing parts are not played again.

    A folder holds any number of games of one strategy, seed and stream. Progress counts games, and `what` is its title.
    A strategy that makes an illegal move stops the run; the games before it are saved as well.
    """
    require_polars()
    strategy = as_strategy(strategy)
    if games < 1:
        raise InputError("games: {games} is not at least 1", games=games)
    folder = Path(folder)
    with locked(folder, LOCK, resources.report):
        return _run_parts(strategy, games, seed, folder, stream, resources, what)


def _run_parts(
    strategy: Strategy, games: int, seed: int, folder: Path, stream: int, resources: Resources, what: str
) -> SimulatedGames:
    """`run_sample` in a folder whose lock is held."""
    key, progress = result_key(strategy, seed, stream), _watch(resources, strategy, games, what)
    _check_manifest(folder, key, resources.report)
    parts, done, mark = list[SimulatedGames](), 0, sample_digest(key)
    if resources.executor is not None:
        _play_elsewhere(strategy, games, seed, folder, stream, resources, progress, mark)
    while done < games:
        part = _kept_part(_part_path(folder, done), strategy, seed, stream, done, mark, resources.report)
        if part is None:
            end = min(games, _part_end(folder, done, BATCH if strategy.in_bulk else SLOW_BATCH))
            watch = _shifted(progress, done, end, games)
            try:
                part = simulate(strategy, end - done, seed, resources.threads, watch, first=done, stream=stream)
            except StrategyError as error:
                raise _kept(error, parts, folder, mark) from error
            write_games(part, _part_path(folder, done), mark)
        parts.append(part)
        done += len(part)
    return _head(SimulatedGames.join(parts), games)


def _play_elsewhere(
    strategy: Strategy, games: int, seed: int, folder: Path, stream: int, resources: Resources,
    progress: Progress | None, mark: str,
) -> None:  # fmt: skip
    """Let the executor play the parts that are missing, and save each when it is finished."""
    assert resources.executor is not None
    check_can_travel(strategy.name, strategy)
    tasks, done = list[GamesTask](), 0
    while done < games:
        part = _kept_part(_part_path(folder, done), strategy, seed, stream, done, mark, resources.report)
        end = min(games, _part_end(folder, done, BATCH if strategy.in_bulk else SLOW_BATCH))
        if part is None:
            share = (end - done, seed, done, stream, shared_folder(resources))
            tasks.append(GamesTask(strategy.game, strategy.name, *share))
        done = end if part is None else done + len(part)
    left = sum(task.games for task in tasks)

    def finish(task: GamesTask, part: SimulatedGames) -> None:
        nonlocal left
        write_games(part, _part_path(folder, task.first), mark)
        left -= task.games
        if progress is not None:
            progress(games - left, games)

    run_tasks(resources.executor, play_games, tasks, finish)


def _watch(resources: Resources, strategy: Strategy, games: int, what: str) -> Progress | None:
    return resources.watch(
        what
        or Message("{games:,} games of {game} by {strategy}", games=games, game=strategy.game, strategy=strategy.name),
        "Playing",
    )


def run_to_file(
    strategy: Strategy | Solution,
    games: int,
    seed: int,
    path: str | Path,
    resources: Resources = DEFAULTS,
    what: str = "",
) -> SimulatedGames:
    """Play games into one Parquet file; until all are finished, their parts are kept in a folder next to it.

    Several processes with the same file wait for each other and write it in turn. For a device or pipe nothing is
    kept.
    """
    require_polars()
    target = check_target(path)
    strategy = as_strategy(strategy)
    if games < 1:
        raise InputError("games: {games} is not at least 1", games=games)
    if not target.plain:
        watch = _watch(resources, strategy, games, what)
        played = simulate_with(strategy, games, seed, resources, watch)
        write_games(played, path)
        return played
    parts = private_folder(parts_folder(target))
    with locked(parts, LOCK, resources.report):
        played = _run_parts(strategy, games, seed, parts, 0, resources, what)
        write_games(played, path)
        remove_locked(parts, LOCK)
    return played


def check_out(path: Path) -> None:
    """Refuse a file that cannot be written, before any game is played."""
    require_polars()
    parts_folder(check_target(path))


def _head(games: SimulatedGames, count: int) -> SimulatedGames:
    if len(games) == count:
        return games
    return replace(games, **{name: getattr(games, name)[:count] for name in COLUMNS})


def result_key(strategy: Strategy, seed: int | None = None, stream: int | None = None) -> dict[str, Any]:
    """Everything that the results of a strategy depend on, except the code of this package, which has revisions."""
    key: dict[str, Any] = {"game": strategy.game.id, "hash": strategy.game.hash, "strategy": strategy.name}
    key["code"] = strategy_code(strategy)
    return key if seed is None else {**key, "seed": seed, "stream": stream}


def sample_digest(key: Mapping[str, Any]) -> str:
    """A hash of a key and of the revisions of the code that plays: equal if the games are the same."""
    return digest({"key": dict(key), "revisions": SIMULATION.revisions}, 8)


_WORDS = {"hash": Message("rules"), "code": Message("a strategy file with checksum")}


def _check_manifest(folder: Path, key: dict[str, Any], report: Report | None) -> None:
    """Refuse a folder with other games; write the manifest if it is missing, damaged or of another version.

    Every part describes its own games, so a missing manifest loses nothing.
    """
    path, wanted = folder / MANIFEST, {**key, "revisions": SIMULATION.revisions}
    if path.exists():
        there = _read_manifest(path)
        if there is None:
            tell(report, Message("{path}: is damaged; it is written again", path=path))
        for name, ours in key.items():
            if there is not None and there.get(name) != ours:
                what, theirs = _WORDS.get(name, name), there.get(name)
                raise InputError(
                    "{folder}: holds games of {what} {theirs}, not {ours}; take another folder or remove this one",
                    folder=folder,
                    what=what,
                    theirs=theirs,
                    ours=ours,
                )
        if there == wanted:
            return
    write_atomic(path, seal(wanted) + "\n")


def _read_manifest(path: Path) -> dict[str, Any] | None:
    try:
        return unseal(read_bounded(path, MOST_MANIFEST, Message("a manifest")).decode())
    except (InputError, ValueError):
        return None


def _part_path(folder: Path, first: int) -> Path:
    return folder / f"games-{first:010d}.parquet"


def _part_end(folder: Path, first: int, batch: int) -> int:
    """The end of a part that starts at `first`: a multiple of the batch size, or the start of another part."""
    begun = (int(path.stem.rpartition("-")[2]) for path in folder.glob(f"games-{'[0-9]' * 10}.parquet"))
    return min([(first // batch + 1) * batch, *(other for other in begun if other > first)])


def _kept_part(
    path: Path, strategy: Strategy, seed: int, stream: int, first: int, key: str, report: Report | None
) -> SimulatedGames | None:
    """The games of a part, if it exists, is complete, and matches."""
    if not path.exists():
        return None
    try:
        part, mark = _read(path, strategy.game)
    except InputError as error:
        reason: InputError | Message = error
    else:
        same = (part.strategy, part.seed, part.stream, part.first) == (strategy.name, seed, stream, first)
        if same and mark == key:
            return part
        if same:
            reason = Message("{path}: holds games of another version", path=path)
        else:
            reason = Message("{path}: holds other games", path=path)
    tell(report, Message("{reason}; they are played again", reason=reason))
    return None


def _kept(error: StrategyError, parts: list[SimulatedGames], folder: Path, key: str) -> StrategyError:
    """The same error, after saving the finished games of the part; it carries all finished games."""
    if error.finished is not None:
        write_games(error.finished, _part_path(folder, error.finished.first), key)
        parts = [*parts, error.finished]
    finished = SimulatedGames.join(parts) if parts else None
    kept = 0 if finished is None else len(finished)
    told = StrategyError(
        "{error}; the games finished before it are kept in {folder}: {kept:,}", error=error, folder=folder, kept=kept
    )
    told.finished = finished
    return told


def _shifted(progress: Progress | None, done: int, end: int, games: int) -> Progress | None:
    """The progress of a part converted to that of the whole run, in games, since fast strategies count turns."""
    if progress is None:
        return None
    tell = progress
    return lambda now, total: tell(done + now * (end - done) // total, games)
