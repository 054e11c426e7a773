"""Strategy files and tables with right checksums and wrong contents, each made from a seed.

    python -m helpers.crafted FOLDER FIRST COUNT

makes and uses the files of some seeds, one line each: the seed, what was done to the file, and what came of it.
`besiege` runs that in child processes, so that a signal is seen and counted.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from helpers.small_games import FIXED
from yatzy.errors import YatzyError
from yatzy.evaluation.evaluating import evaluate
from yatzy.evaluation.outlook import Outlooks
from yatzy.games import Game, Position
from yatzy.lab import replay, simulate
from yatzy.lab.duel import EmpPlayer, play_matches
from yatzy.names import Origin
from yatzy.solver import Solver, parse_strategy
from yatzy.store import Table, TableKey, list_tables
from yatzy.strategies.best import strategy_for
from yatzy.strategies.exported import FileStrategy, export_strategy
from yatzy.values.curves import BestChances
from yatzy.values.resources import Resources

Array = npt.NDArray[Any]
Layers = list[dict[str, Array]]

GAMES = tuple(game for game in FIXED if len(game.categories) <= 6)
SECONDS = 60
"""For one file; the first few of a process also compile kernels."""
MEMORY = 6 * 2**30
"""Address space of a child: a header that asks for a list of four billion does not get it."""
UTILITY = "points,worth\n" + "".join(f"{points},{points * points}\n" for points in range(60))
OBJECTIVES = ("expected", "exp:0.1", "exp:-0.1", "target:9", "utility", "outlook", "match-points")


@dataclass(frozen=True)
class Document:
    """The JSON parts of a table file and its data, before they get checksums."""

    header: Any
    records: list[tuple[int, Any, list[bytes]]]
    """Layer, description, data"""
    rows: list[dict[str, Any]] | None = None
    """The index, if it is not the one that fits"""
    finished: bool = True


def _padded(text: bytes, around: int, fill: bytes) -> bytes:
    return text.ljust(-(-(len(text) + around) // 64) * 64 - around, fill)


def _dump(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def describe(arrays: dict[str, Array]) -> tuple[list[dict[str, Any]], list[bytes]]:
    """The description of a layer and its data, as docs/tables.md has them."""
    described, data, at = [], [], 0
    for name, array in arrays.items():
        stored = _padded(array.tobytes(), 0, b"\0")
        sums = [zlib.crc32(stored[i : i + 65536]) for i in range(0, len(stored), 65536)]
        described.append(
            {"name": name, "dtype": array.dtype.str, "shape": list(array.shape), "offset": at, "crc32": sums}
        )
        data.append(stored)
        at += len(stored)
    return described, data


def encode(document: Document) -> bytes:
    """The bytes of a table file with right checksums, whatever its JSON says."""
    text = _padded(_raw(document.header), 20, b" ")
    head = struct.pack("<8sII", b"\x89YATZY\r\n", 1, len(text))
    file = head + struct.pack("<I", zlib.crc32(head + text)) + text
    stamp = hashlib.blake2b(file, digest_size=16).digest()
    rows = []
    for layer, described, data in document.records:
        offset = len(file)
        text = _padded(_raw(described), 44, b" ")
        head = struct.pack("<8s16sQII", b"\x89LAYER\r\n", stamp, offset, layer & 0xFFFFFFFF, len(text))
        file += head + struct.pack("<I", zlib.crc32(head + text)) + text
        known = None if isinstance(described, bytes) else described
        rows.append({"layer": layer, "offset": offset, "data": len(file), "arrays": known})
        file += b"".join(data)
    if not document.finished:
        return file
    offset = len(file)
    body = b"\x89INDEX\r\n" + stamp + _padded(_raw(document.rows if document.rows is not None else rows), 56, b" ")
    tail = struct.pack("<QQ", offset, offset + len(body) + 32)
    return file + body + tail + struct.pack("<I", zlib.crc32(body + tail)) + b"\x89YATZY END\r\n"


def _raw(value: Any) -> bytes:
    """JSON, or bytes that stand for it."""
    return value if isinstance(value, bytes) else _dump(value)


def document(key: TableKey, layers: Layers, *, finished: bool = True) -> Document:
    """A sound document."""
    header = {"game": key.game, "game_hash": key.game_hash, "layers": key.layers, "objective": key.objective}
    return Document(header, [(i, *describe(arrays)) for i, arrays in enumerate(layers)], None, finished)


def read_layers(path: Path) -> tuple[TableKey, Layers]:
    """The key of a table and copies of all its arrays."""
    with Table(path) as table:
        layers = [{name: np.array(table.array(i, name)) for name in table.names(i)} for i in range(table.layers)]
        return table.key, layers


# What is done to arrays


def _random_like(rng: np.random.Generator, array: Array) -> Array:
    """Random bits of the same type and shape."""
    return np.frombuffer(rng.bytes(array.nbytes), array.dtype).reshape(array.shape).copy()


def _change_some(rng: np.random.Generator, array: Array, new: Array) -> Array:
    """Some entries of an array taken from another: one, a few, or all."""
    share = rng.choice([0.0, 0.05, 1.0])
    chosen = rng.random(array.shape) < share
    if array.size:
        chosen.flat[rng.integers(array.size)] = True
    return np.where(chosen, new, array).astype(array.dtype)


def _values(rng: np.random.Generator, array: Array) -> Array:
    """Other numbers of the same type."""
    if array.dtype.kind in "iu":
        small = rng.integers(0, 40, array.shape).astype(array.dtype)
        return [small, _random_like(rng, array), array[::-1].copy()][rng.integers(3)]
    special = rng.choice([np.nan, np.inf, -np.inf, 0.0, -1.0, 1e300, -1e300], array.shape)
    with np.errstate(over="ignore"):
        return [special.astype(array.dtype), _random_like(rng, array)][rng.integers(2)]


def _shape(rng: np.random.Generator, array: Array) -> Array:
    """The same array longer, shorter, with another axis or of another type."""
    match rng.integers(5):
        case 0:
            return array[: len(array) // 2]
        case 1:
            return np.concatenate([array, array[:1]]) if len(array) else array
        case 2:
            return array[..., None]
        case 3:
            return array.reshape(-1)[:1].reshape(())
        case _:
            with np.errstate(all="ignore"):
                return array.astype(rng.choice(["|u1", "<i8", "<f8", "<f2", "|b1", "<c8"]))


def change_arrays(rng: np.random.Generator, layers: Layers) -> str:
    """Change one array of a layer, or the same array of all layers."""
    layer = int(rng.integers(len(layers)))
    name = str(rng.choice(sorted(layers[layer])))
    how = rng.choice(["values", "values", "values", "shape", "drop", "add"])
    for arrays in layers if rng.integers(2) else [layers[layer]]:
        if name not in arrays:
            continue
        match how:
            case "values":
                arrays[name] = _change_some(rng, arrays[name], _values(rng, arrays[name]))
            case "shape":
                arrays[name] = _shape(rng, arrays[name])
            case "drop":
                del arrays[name]
            case _:
                arrays["extra"] = arrays[name]
    return f"{how} of {name}"


# Strategy files


def strategy_layers(rng: np.random.Generator, game: Game, folder: Path) -> Layers:
    """A sound strategy, sometimes with several aims or told by filled categories alone."""
    path = folder / "base.strategy"
    export_strategy(parse_strategy("greedy", game), path)
    layers = read_layers(path)[1]
    if rng.integers(4) == 0:
        layers = [_by_filled(arrays) for arrays in layers]
    if rng.integers(3) == 0:
        aims = int(rng.integers(2, 5))
        layers = [_with_aims(rng, arrays, aims) for arrays in layers]
    return layers


def _by_filled(arrays: dict[str, Array]) -> dict[str, Array]:
    """The first row of every set of filled categories; against the rules where there is a Joker."""
    filled, first = np.unique(arrays["filled"], return_index=True)
    return {"filled": filled, "keep": arrays["keep"][first], "category": arrays["category"][first]}


def _with_aims(rng: np.random.Generator, arrays: dict[str, Array], aims: int) -> dict[str, Array]:
    arrays = dict(arrays)
    keep, category = arrays.pop("keep"), arrays.pop("category")
    aim = rng.integers(0, aims, (len(keep), keep.shape[-1])).astype(np.uint8)
    return {**arrays, "aim": aim, "keep": keep.repeat(aims, axis=2), "category": category.repeat(aims, axis=1)}


def _category_codes(rng: np.random.Generator, game: Game, layers: Layers) -> str:
    """Categories of the game, struck or not, wherever they come."""
    layer = int(rng.integers(len(layers)))
    code = layers[layer]["category"]
    new = rng.integers(0, len(game.categories), code.shape) + 0x80 * rng.integers(0, 2, code.shape)
    layers[layer]["category"] = _change_some(rng, code, new.astype(np.uint8))
    return "categories"


def _strategy_key(game: Game, layers: Layers) -> TableKey:
    return TableKey(game.id, game.hash, "strategy:crafted", len(layers))


def craft_strategy(rng: np.random.Generator, game: Game, folder: Path) -> tuple[str, bytes]:
    """A strategy file, and what was done to it."""
    layers = strategy_layers(rng, game, folder)
    match rng.integers(10):
        case 0:
            done = "nothing"
        case 1 | 2 | 3:
            done = _category_codes(rng, game, layers)
        case 4:
            del layers[-1]
            done = "a layer less"
        case 5:
            layers = [{name: _random_like(rng, array) for name, array in arrays.items()} for arrays in layers]
            done = "everything"
        case _:
            done = change_arrays(rng, layers)
    return f"strategy: {done}", encode(document(_strategy_key(game, layers), layers))


# Headers

_EVIL: tuple[Any, ...] = (
    None, True, -1, 0, 1, 63, 64, 2**31, 2**32 - 1, 2**32, 2**63, 2**64, 10**30, 0.5, 1e308, float("nan"),
    float("inf"), "", "x" * 300, "O", "V8", "<i4,<f8", "U5", "<M8[s]", ">f8", "<f8", "a\nb\x1b[2J", [], [2**40] * 4,
    [0, 2**62], [-1], [2**63, 2**63], [1] * 70, [True], [1.0], ["3"], {}, {"a": 1}, [[[[]]]],
)  # fmt: skip


def _nodes(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container inside a JSON value, with each of its keys."""
    keys = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ()
    for key in keys:
        yield value, key
        yield from _nodes(value[key])


def _spoil(random_: random.Random, value: Any) -> Any:
    """A JSON value with one thing in it replaced, dropped or doubled."""
    value = copy.deepcopy(value)
    nodes = list(_nodes(value))
    if not nodes or random_.random() < 0.05:
        return random_.choice([*_EVIL, b"[" * 100_000, b"{", b"1" * 10_000, b'{"layers":NaN}', b"\xff\xfe"])
    where, key = random_.choice(nodes)
    match random_.randrange(6):
        case 0:
            del where[key]
        case 1 if isinstance(where, list):
            where.append(copy.deepcopy(where[key]))
        case 1:
            where["more"] = where[key]
        case _:
            where[key] = random_.choice(_EVIL)
    return value


def craft_header(rng: np.random.Generator, game: Game, folder: Path) -> tuple[str, bytes]:
    """A strategy file with something wrong in header, descriptions or index."""
    random_ = random.Random(int(rng.integers(2**63)))
    layers = strategy_layers(rng, game, folder)
    sound = document(_strategy_key(game, layers), layers)
    header, records, rows = sound.header, sound.records, None
    what = random_.choice(["header", "header", "record", "both", "index", "layers", "number"])
    at = random_.randrange(len(records))
    layer, described, data = records[at]
    match what:
        case "header":
            header = _spoil(random_, header)
        case "layers":
            header = {**header, "layers": random_.choice([4294967295, 4294967294, len(records) + 1, 0])}
        case "number":
            records[at] = (random_.choice([2**32 - 1, len(records), 0]), described, data)
        case "record" | "both":
            records[at] = (layer, _spoil(random_, described), data)
        case _:
            rows = _spoil(random_, _index_of(sound))
    if what == "record":  # the index tells another story
        rows = _index_of(sound)
    return f"header: {what}", encode(Document(header, records, rows))


def _index_of(sound: Document) -> Any:
    file = encode(sound)
    (offset,) = struct.unpack("<Q", file[-32:-24])
    return json.loads(file[offset + 24 : -32])


# Tables


def craft_table(rng: np.random.Generator, game: Game, folder: Path) -> tuple[str, str]:
    """Tables for an objective, of which one was changed; what was done, and the objective."""
    objective = str(rng.choice(OBJECTIVES))
    if objective == "match-points":
        _match_points(game, folder)
    else:
        use_objective(game, objective, folder)
    path = sorted(folder.glob("*.table"))[int(rng.integers(len(list(folder.glob("*.table")))))]
    key, layers = read_layers(path)
    done = change_arrays(rng, layers)
    finished = bool(rng.integers(4))
    changed = document(key, layers, finished=finished)
    if not finished:
        # Built from the last layer on: an unfinished table holds the last ones.
        some = changed.records[-int(rng.integers(1, len(layers) + 1)) :]
        changed = Document(changed.header, some[::-1], None, finished=False)
        path.unlink()
        path = path.with_suffix(".part")
    path.write_bytes(encode(changed))
    return f"table {key.objective} for {objective}{'' if finished else ', unfinished'}: {done}", objective


def _match_points(game: Game, folder: Path) -> None:
    from yatzy.matches.endgames import Endgames

    endgames = Endgames(game, 2, Resources(folder))
    starts = endgames.compiled.states.layer_start
    last = np.arange(starts[-3], starts[-2])
    endgames.lookup(last, last, np.zeros((len(last), len(last)), np.int32))
    endgames.curve(int(last[0]), int(last[-1]))


def use_objective(game: Game, objective: str, folder: Path) -> None:
    """Open the tables of an objective, ask about positions and play by them."""
    if objective == "match-points":
        _match_points(game, folder)
        return
    start = Position.start(game)
    rolled = start.roll((1,) * game.dice)
    if objective == "outlook":
        outlooks = Outlooks(game, Solver(folder).expected(game), Resources(folder))
        outlooks.at(start)
        outlooks.at(rolled)
        return
    if objective == "utility":
        (folder / "worth.csv").write_text(UTILITY)
        objective = f"utility:{folder / 'worth.csv'}"
    solution = Solver(folder).build(game, objective, Origin.PERSON)
    solution.value(start)
    assert solution.best(rolled) in rolled.legal_moves
    use_strategy(strategy_for(solution))
    if objective == "expected":
        evaluate(parse_strategy("softened:1", game), threads=1)
    if objective.startswith("target:"):
        chances = BestChances(game, Resources(folder))
        play_matches(EmpPlayer(chances), EmpPlayer(chances, 2.0), 50, 1, threads=1)


def use_strategy(strategy: Any) -> None:
    """Play in bulk, evaluate, and replay some of the games under the rules."""
    games = simulate(strategy, 300, 1, threads=1)
    evaluate(strategy, threads=1)
    for number in range(3):
        assert sum(turn.points + turn.bonuses for turn in replay(strategy, 1, number)) == games.total[number]


# Running


def attempt(seed: int, folder: Path) -> tuple[str, str]:
    """Make the file of a seed and use it: what was done to it, and `played` or the one line that refused it."""
    rng = np.random.default_rng(seed)
    game = GAMES[int(rng.integers(len(GAMES)))]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ["YATZY_TABLES"] = str(folder)
    kind = int(rng.integers(3))
    if kind == 2:
        done, objective = craft_table(rng, game, folder)
        return f"{game.id}, {done}", _outcome(lambda: use_objective(game, objective, folder))
    done, file = (craft_strategy if kind else craft_header)(rng, game, folder)
    path = folder / "crafted.table"
    path.write_bytes(file)

    def use() -> None:
        list_tables(folder)
        use_strategy(FileStrategy(path, game))

    return f"{game.id}, {done}", _outcome(use)


def _outcome(use: Callable[[], None]) -> str:
    try:
        use()
    except YatzyError as error:
        line = str(error)
        return f"refused: {line}" if line and "\n" not in line and line.isprintable() else f"BAD LINE: {line!r}"
    except BaseException as error:
        return f"TRACEBACK: {type(error).__name__}: {error!r:.200}"
    return "played"


@dataclass
class Tally:
    """What came of many files."""

    counts: Counter[str]
    """played, refused, traceback, signal, hang"""
    bad: list[str]


def besiege(first: int, count: int, folder: Path, environment: dict[str, str] | None = None) -> Tally:
    """Try the files of seeds `first` to `first + count - 1` in child processes, a new one after each that died."""
    tally, seed = Tally(Counter(), []), first
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**(environment or os.environ), "PYTHONPATH": os.pathsep.join(paths)}
    while seed < first + count:
        command = [sys.executable, "-m", "helpers.crafted", str(folder), str(seed), str(first + count - seed)]
        child = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        for line in child.stdout.splitlines():
            number, _, rest = line.partition("\t")
            outcome = rest.partition("\t")[2].partition(":")[0].lower().replace(" ", "-")
            tally.counts[outcome] += 1
            if outcome not in {"played", "refused"}:
                tally.bad.append(line)
            seed = int(number) + 1
        if child.returncode:
            died = f"signal {-child.returncode}" if child.returncode < 0 else f"exit code {child.returncode}"
            hung = child.returncode in (-signal.SIGPROF, -signal.SIGALRM)
            kind = "hang" if hung else "signal" if child.returncode < 0 else "traceback"
            tally.counts[kind] += 1
            tally.bad.append(f"{seed}\t{died}\t{child.stderr[-300:]!r}")
            seed += 1
    return tally


def main(folder: Path, first: int, count: int) -> None:
    """Try the files of some seeds, a line each."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.fsync = lambda fd: None  # files that nobody needs after this
    for seed in range(first, first + count):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        signal.alarm(20 * SECONDS)
        done, outcome = attempt(seed, folder)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        print(seed, done, outcome, sep="\t", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
