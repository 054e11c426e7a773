"""Strategy files and tables that were changed under right checksums: what is refused, and where it says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.crafted import Layers, document, encode, read_layers, use_objective, use_strategy
from helpers.small_games import FIXED

from yatzy.errors import TableDamaged
from yatzy.games import Game, Position, Score, Sheet, placements
from yatzy.lab import simulate
from yatzy.model import compile_game
from yatzy.solver import parse_strategy
from yatzy.store import TableKey
from yatzy.strategies import exported as exporting
from yatzy.strategies.exported import FileStrategy, export_strategy

BY_ID = {game.id: game for game in FIXED}
PLAIN, FORCED, JOKER = BY_ID["three-rolls"], BY_ID["forced"], BY_ID["joker-forced"]

Change = Callable[[Layers], None]


def exported(game: Game, folder: Path) -> Layers:
    export_strategy(parse_strategy("greedy", game), folder / "sound")
    return read_layers(folder / "sound")[1]


def crafted(game: Game, layers: Layers, folder: Path) -> Path:
    path = folder / "crafted"
    path.write_bytes(encode(document(TableKey(game.id, game.hash, "strategy:x", len(layers)), layers)))
    return path


def put(layer: int, name: str, place: tuple[int, ...], value: int) -> Change:
    def change(layers: Layers) -> None:
        layers[layer][name][place] = value

    return change


def drop(layer: int, name: str) -> Change:
    return lambda layers: layers[layer].__delitem__(name) if name in layers[layer] else None


def shape(layer: int, name: str, rows: int) -> Change:
    def change(layers: Layers) -> None:
        layers[layer][name] = layers[layer][name][:rows]

    return change


def retype(layer: int, name: str, dtype: str) -> Change:
    def change(layers: Layers) -> None:
        layers[layer][name] = layers[layer][name].astype(dtype)

    return change


def aims(count: int) -> Change:
    """All arrays for more aims, and aims that go one too far in the last row of layer 2."""

    def change(layers: Layers) -> None:
        for arrays in layers:
            rolls = arrays["keep"].shape[-1]
            arrays["aim"] = np.zeros((len(arrays["keep"]), rolls), np.uint8)
            arrays["keep"] = arrays["keep"].repeat(count, axis=2)
            arrays["category"] = arrays["category"].repeat(count, axis=1)
        layers[2]["aim"][-1, -1] = min(count, 255)

    return change


def refill(struck: int) -> Change:
    """A category that is filled, in row 0 of layer 4."""

    def change(layers: Layers) -> None:
        filled = int(layers[4]["filled"][0])
        layers[4]["category"][0, 0, 0] = (filled & -filled).bit_length() - 1 | struck

    return change


def shorten(layers: Layers) -> None:
    del layers[-1]


NO_CATEGORY = "fills a category that is not from 0 to 4"
CLOSED = "fills a category that may not be filled there"
AIMS = "array 'keep' has shape .* which does not fit the array 'aim'"
WRONG: dict[str, tuple[Game, Change, str]] = {
    "no such category": (PLAIN, put(1, "category", (0, 0, 0), 77), f"layer 1, row 0: {NO_CATEGORY}"),
    "all bits": (PLAIN, put(0, "category", (0, 0, 2), 255), f"layer 0, row 0: {NO_CATEGORY}"),
    "a filled category": (PLAIN, refill(0), f"layer 4, row 0: {CLOSED}"),
    "a filled one struck": (PLAIN, refill(0x80), f"layer 4, row 0: {CLOSED}"),
    "out of order": (FORCED, put(0, "category", (0, 0, 0), 1), f"layer 0, row 0: {CLOSED}"),
    "a Joker that is struck": (JOKER, put(0, "category", (0, 0, 0), 0x80), "layer 0, row 0: gives equal dice to"),
    "too many dice": (PLAIN, put(2, "keep", (1, 0, 0, 0), 4), "layer 2, row 1: keeps more than 2 dice"),
    "filled": (PLAIN, put(3, "filled", (2,), 1), "layer 3, row 2: array 'filled' is not that of the sheet"),
    "missing": (PLAIN, put(1, "missing", (1,), 99), "layer 1, row 1: array 'missing' is not that of the sheet"),
    "box": (JOKER, put(1, "box", (0,), 2), "layer 1, row 0: array 'box' is not that of the sheet"),
    "an aim too far": (PLAIN, aims(2), "layer 2, row [0-9]+: has an aim that is not from 0 to 1"),
    "no aims": (PLAIN, aims(0), AIMS),
    "300 aims": (PLAIN, aims(300), AIMS),
    "no keeps": (PLAIN, drop(0, "keep"), "layer 0: must have the arrays filled, missing, box, keep, category and no"),
    "no categories": (PLAIN, drop(3, "category"), "layer 3: must have the arrays"),
    "rows too few": (PLAIN, shape(2, "category", 1), r"layer 2: array 'category' is \|u1 \(1, 1, 3\), but must be"),
    "another type": (PLAIN, retype(2, "keep", "<i2"), "layer 2: array 'keep' is <i2"),
    "a layer too few": (PLAIN, shorten, "has 4 layers, but three-rolls has 5 turns"),
}


@pytest.mark.parametrize("at_once", [True, False], ids=["when opened", "when used"])
@pytest.mark.parametrize("name", WRONG)
def test_a_choice_against_the_rules_is_named(
    name: str, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, change, message = WRONG[name]
    layers = exported(game, tmp_path)
    use_strategy(FileStrategy(crafted(game, layers, tmp_path), game))
    change(layers)
    monkeypatch.setattr(exporting, "CHECKED_AT_ONCE", 2**24 if at_once else 0)
    with pytest.raises(TableDamaged, match=f"^file:{tmp_path}.*{message}") as caught:
        simulate(FileStrategy(crafted(game, layers, tmp_path), game), 10, 1)
    assert "\n" not in str(caught.value)


CHECKED = [
    PLAIN,
    JOKER,
    *(
        pytest.param(game, marks=pytest.mark.slow)
        for game in (FORCED, *(BY_ID[f"joker-{reading}"] for reading in ("free", "pawlewicz", "bonus-only")))
    ),
]


@pytest.mark.parametrize("near", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["near", "all"])
@pytest.mark.parametrize("game", CHECKED, ids=lambda game: game.id)
def test_every_legal_choice_passes(game: Game, near: bool, tmp_path: Path) -> None:
    """The check refuses what the rules refuse, and nothing else: the codes of a row, asked of the rules.

    Codes near those of categories and strikes, or all that there are.
    """
    codes = [code for code in range(256) if not near or (code + 1) & 0x7F <= len(game.categories) + 1]
    layers = exported(game, tmp_path)
    states, lattice = compile_game(game).states, compile_game(game).lattice
    sheets = _sheets(game)
    for layer in range(1, 3):
        row = len(layers[layer]["filled"]) // 2
        sheet = sheets[int(states.layer_start[layer]) + row]
        for roll, dice in enumerate(lattice.rolls):
            position = replace(Position((sheet,)), dice=dice, rolls_left=0)
            legal = {move for move in position.legal_moves if isinstance(move, Score)}
            before = layers[layer]["category"][row, 0, roll]
            for code in codes:
                category = code & 0x7F
                named = category < len(game.categories)
                move = Score(game.categories[category].id, code >= 0x80) if named else None
                joker = game.joker is not None and len(set(dice)) == 1
                # Striking where the dice pay nothing is the same as scoring there.
                plain = Score(move.category) if move is not None else None
                right = plain in legal and not (joker and code >= 0x80)
                layers[layer]["category"][row, 0, roll] = code
                assert _opens(game, layers, tmp_path) == right, (game.id, layer, sheet, dice, move)
            layers[layer]["category"][row, 0, roll] = before


def _opens(game: Game, layers: Layers, folder: Path) -> bool:
    try:
        FileStrategy(crafted(game, layers, folder), game)
    except TableDamaged:
        return False
    return True


def _sheets(game: Game) -> dict[int, Sheet]:
    """A sheet for every state that play leads to."""
    compiled = compile_game(game)
    found, new = dict[int, Sheet](), [Sheet.start(game)]
    while new:
        sheet = new.pop()
        if (state := compiled.states.find(sheet)) in found:
            continue
        found[state] = sheet
        if sheet.open:
            for dice in compiled.lattice.rolls:
                new += [sheet.fill(p.category, p.points, p.joker_bonus) for p in placements(sheet, dice)]
    return found


def _nan(layers: Layers) -> None:
    layers[1]["value"][0] = np.nan


def _minus_infinity(layers: Layers) -> None:
    layers[1]["value"][0] = -np.inf


def _far(name: str, value: int) -> Change:
    def change(layers: Layers) -> None:
        layers[2][name][-1] = value

    return change


def _masses(value: float) -> Change:
    def change(layers: Layers) -> None:
        layers[1]["mass"][:] = value

    return change


def _backwards(layers: Layers) -> None:
    layers[2]["offset"] = layers[2]["offset"][::-1].copy()


CONTENTS: dict[str, tuple[str, str, Change, str]] = {
    "values that are no numbers": ("expected", "expected", _nan, "layer 1, array 'value', holds numbers that are not"),
    "values without end": ("exp:-0.1", "exp:-0.1", _minus_infinity, "layer 1, array 'value', holds numbers"),
    "values of another type": ("expected", "expected", retype(2, "value", "<f4"), "array 'value', is <f4"),
    "values too few": ("expected", "expected", shape(2, "value", 1), r"array 'value', is <f8 \(1\), but must be <f8"),
    "no values": ("expected", "expected", drop(2, "value"), "layer 2, array 'value', is missing"),
    "curves that begin far off": ("target:9", "chances", _far("low", 10**9), "layer 2, array 'low', holds numbers"),
    "curves that begin below 0": ("target:9", "chances", _far("low", -5), "layer 2, array 'low', holds numbers"),
    "offsets behind the end": ("target:9", "chances", _far("offset", 10**15), "layer 2, array 'offset', holds offsets"),
    "offsets that go back": ("target:9", "chances", _backwards, "layer 2, array 'offset', holds offsets"),
    "offsets of another type": ("target:9", "chances", retype(2, "offset", "<i4"), "array 'offset', is <i4"),
    "chances of 7": ("target:9", "chances", _far("chance", 7), "layer 2, array 'chance', holds numbers"),
    "worths without an offset": ("utility", "utility", _far("offset", 0), "layer 2, array 'offset', holds offsets"),
    "masses below 0": ("outlook", "outlook", _masses(-3.0), "layer 1, array 'mass', holds numbers"),
    "masses of nothing": ("outlook", "outlook", _masses(0.0), "layer 1, array 'mass', has no chance of anything"),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_table_with_wrong_contents_is_refused(name: str, tmp_path: Path) -> None:
    objective, changed, change, message = CONTENTS[name]
    use_objective(PLAIN, objective, tmp_path)
    (path,) = tmp_path.glob(f"*-{changed.replace(':', '=').replace('.', ',')}*.table")
    key, layers = read_layers(path)
    change(layers)
    path.write_bytes(encode(document(key, layers)))
    with pytest.raises(TableDamaged, match=message) as caught:
        use_objective(PLAIN, objective, tmp_path)
    assert f"yatzy tables remove {path.stem}" in str(caught.value)
    path.unlink()
    use_objective(PLAIN, objective, tmp_path)


def test_an_unfinished_table_with_wrong_contents_is_not_built_on(tmp_path: Path) -> None:
    use_objective(PLAIN, "target:9", tmp_path)
    (path,) = tmp_path.glob("*-chances.table")
    key, layers = read_layers(path)
    layers[3]["offset"][-1] = 10**12
    whole = document(key, layers, finished=False)
    path.unlink()
    part = path.with_suffix(".part")
    part.write_bytes(encode(replace(whole, records=whole.records[:2:-1])))
    with pytest.raises(TableDamaged, match=f"{part}: layer 3, array 'offset', holds offsets"):
        use_objective(PLAIN, "target:9", tmp_path)
