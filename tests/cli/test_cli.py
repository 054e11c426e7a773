"""The command line from outside: answers, JSON, one clear line for wrong input."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy, yatzy_process

from yatzy import PRESETS, Keep, Position, advise, load_game
from yatzy.solver import Solver, solve

EXAMPLE = Path(__file__).parents[2] / "examples" / "cottage-yatzy.toml"


def test_solve_json_and_cache(tmp_path: Path) -> None:
    first = answer("solve", "yacht", "--tables", tmp_path)
    again = answer("solve", "yacht", "--tables", tmp_path)
    assert first["game"] == "yacht"
    assert first["objective"] == "expected"
    assert first["states"] == 4096
    assert (first["cached"], again["cached"]) == (False, True)
    assert first["value"] == again["value"] == pytest.approx(166.955068, abs=1e-6)
    assert first["seconds"] > 0


def test_solve_for_people(tmp_path: Path) -> None:
    done = yatzy("solve", "two-yatzy", "--tables", tmp_path)
    assert "best play for points: 5.000000\n" in done.stdout
    assert "Solving" in done.stderr


def test_the_package_can_be_run_as_a_module() -> None:
    command = [sys.executable, "-m", "yatzy", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (yatzy("--version").stdout, "")


def test_advise_ranks_every_move() -> None:
    result = answer("advise", "--dice", "13356", "--rolls-left", "2")
    position = Position.parse(result["position"])
    assert result["game"] == "yatzy"
    assert result["best"] == "33"
    assert len(result["moves"]) == 24
    assert [move["value"] for move in result["moves"]] == sorted((m["value"] for m in result["moves"]), reverse=True)
    expected = advise(solve(load_game("yatzy")), position)
    assert expected.best.move == Keep((3, 3))
    assert result["value"] == expected.value
    assert [move["loss"] for move in result["moves"]] == [move.loss for move in expected.moves]


def test_the_same_situation_by_options_and_by_position() -> None:
    options = ("--game", "yahtzee", "--open", "ones,Chance,full house", "--upper", "50", "--points", "170",
               "--yahtzee-box", "50", "--dice", "11244", "--rolls-left", "1")  # fmt: skip
    by_options = answer("advise", *options)
    by_text = answer("advise", by_options["position"])
    assert by_options["moves"] == by_text["moves"]
    assert by_options["points"] == 170


def test_swedish_names_are_understood_and_shown() -> None:
    done = yatzy("advise", "--open", "kåk,Liten stege", "--dice", "11222", "--rolls-left", "0", "--language", "sv")
    assert "Kåk" in done.stdout
    assert "Liten stege" in done.stdout


def test_ties_are_marked() -> None:
    result = answer("advise", "--open", "small-straight,yatzy", "--dice", "11223", "--rolls-left", "0")
    assert [move["best"] for move in result["moves"]] == [True, False]
    tied = answer("advise", "--game", "two-yatzy", "--dice", "12", "--rolls-left", "0")
    assert tied["moves"][0]["best"]


def test_value_between_turns() -> None:
    assert answer("value")["value"] == pytest.approx(248.43998937785)
    result = answer("value", "--filled", "ones,twos", "--upper", "6", "--points", "6")
    assert result["value"] == pytest.approx(6 + result["to_come"])
    waiting = str(Position.start(load_game("yatzy")))
    assert answer("value", waiting)["value"] == pytest.approx(248.43998937785)


def test_counts() -> None:
    assert answer("counts", "yahtzee")["states"] == 310_656
    assert "310,656" in yatzy("counts", "yahtzee").stdout


def test_graph(tmp_path: Path) -> None:
    found = answer("graph", "two-yatzy", "--target", "5", "--plot", tmp_path / "graph.svg")
    states, edges = found["states"], found["edges"]
    assert (states[0]["fraction"], states[0]["points"]) == ("99/128", 0)
    assert [state["state"] for state in states] == list(range(len(states)))
    for state in states:  # the chances of rolls add up, and some action is best
        leaving = [edge for edge in edges if edge["from"] == state["state"]]
        if leaving and state["kind"] == "rolled":
            assert any(edge["best"] for edge in leaving)
        elif leaving:
            assert sum(Fraction(edge["chance"]) for edge in leaving) == 1
    moves = {edge["move"] for edge in edges if states[edge["from"]]["kind"] == "rolled"}
    assert moves == {"-", "1", "2", "11", "12", "22", "ones", "twos"}
    assert "playing for 5 points" in (tmp_path / "graph.svg").read_text("utf-8")
    assert yatzy("graph", "--plot", tmp_path / "graph.svg", "--language", "sv").returncode == 0
    assert "spel för poäng" in (tmp_path / "graph.svg").read_text("utf-8")
    assert "77,3438 % ist die beste Chance" in yatzy("graph", "--target", "5", "--language", "de").stdout
    assert refusal("graph", "yatzy") == "yatzy: yatzy: the graph has 91 columns; a page has room for 15\n"


def test_games() -> None:
    listed = answer("games")
    assert [game["id"] for game in listed["games"]] == list(PRESETS)
    one = answer("games", "maxi-yatzy")
    assert len(one["categories"]) == 20
    shown = yatzy("games", "yatzy", "--language", "sv").stdout
    assert "Fyrtal" in shown
    assert "50 när de övre kategorierna ger minst 63" in shown


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    result = answer("solve", EXAMPLE, "--tables", tmp_path)
    assert result["value"] > 0
    moves = answer("advise", "--game", EXAMPLE, "--dice", "1122", "--tables", tmp_path)["moves"]
    assert moves[0]["best"]


def test_tables_are_listed_verified_and_removed(tmp_path: Path) -> None:
    folder = ("--tables", tmp_path)
    path = Path(answer("solve", "two-yatzy", *folder)["path"])
    (listed,) = answer("tables", *folder)["tables"]
    assert listed["state"] == "sound"
    assert listed["name"] == path.stem
    assert answer("tables", "list", *folder)["tables"] == [listed]
    assert answer("tables", "verify", *folder)["tables"][0]["sound"]
    sound = path.read_bytes()
    path.write_bytes(sound[:200] + bytes([sound[200] ^ 1]) + sound[201:])
    damaged = yatzy("tables", "verify", *folder)
    assert damaged.returncode == 1
    assert "Traceback" not in damaged.stderr
    assert path.stem in damaged.stderr
    assert answer("solve", "two-yatzy", *folder)["value"] == 5
    assert len(answer("tables", "remove", path.stem, *folder)["removed"]) == 1
    assert answer("tables", *folder)["tables"] == []
    assert "no" in refusal("tables", "verify", "nonsense", *folder)
    refusal("tables", "remove", "nonsense", *folder)
    refusal("tables", "remove", *folder)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--dice", "1337"], "4 given, but yatzy is played with 5"),
        (["--dice", "13357"], "7 is not from 1 to 6"),
        (["--dice", "1335x"], "'x' in '1335x' is not a face from 1 to 6"),
        (["--dice", "13356", "--rolls-left", "4"], "4 is not from 0 to 2"),
        (["--dice", "13356", "--rolls-left", "-1"], "-1"),
        (["--dice", "13356", "--rolls-left", "many"], "--rolls-left"),
        (["--dice", "13356", "--open", "yatsy"], "did you mean yatzy?"),
        (["--dice", "13356", "--filled", "four of a kin"], "did you mean four-of-a-kind?"),
        (["--dice", "13356", "--open", "ones", "--filled", "ones,twos"], "ones is given as open and as filled"),
        (["--dice", "13356", "--filled", "ones", "--upper", "6"], "6 cannot be made with ones"),
        (["--dice", "13356", "--upper", "3"], "no upper category is filled"),
        (["--dice", "13356", "--filled", "ones", "--upper", "-1"], "cannot be below 0"),
        (["--dice", "13356", "--filled", "ones", "--upper", "3", "--points", "2"], "3 to 3"),
        (["--dice", "13356", "--game", "yatsy"], "did you mean yatzy"),
        (["--dice", "13356", "--game", "missing.toml"], "cannot be read"),
        (["--dice", "13356", "--yahtzee-box", "7"], "open, 0 or 50"),
        (["yatzy~zzz"], "fields start with"),
        (["yatzy~s~d13356~r1"], "15 boxes"),
        (["yatzy~d13356~r1", "--dice", "11111"], "not both"),
        ([], "give --dice"),
        (["--nonsense"], "No such option"),
        (["--dice", "13356", "--language", "xx"], "must be one of en, sv, de"),
    ],
)
def test_wrong_input_gets_one_clear_line(arguments: list[str], says: str) -> None:
    assert says in refusal("advise", *arguments)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("dice = 4", "dice = 40"), "dice: 40"),
        (("dice = 4", "dise = 4"), "dise: is not a key; did you mean 'dice'?"),
        (("[[categories]]", "[[kategories]]"), "kategories"),
        (("rolls = 2", 'rolls = "two"'), "rolls: must be a whole number"),
    ],
)
def test_a_wrong_game_file_names_the_key(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(EXAMPLE.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    message = refusal("solve", path)
    assert str(path) in message
    assert says in message


def test_a_game_file_without_categories(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own"\ndice = 2\nfaces = 6\nrolls = 2\n', encoding="utf-8")
    assert "categories: is missing" in refusal("solve", path)


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("counts", "yacht"), ("value", "--game", "two-yatzy", "--json"), ("advise", "--dice", "1"), ("x",)],
    ids=" ".join,
)
def test_a_process_answers_as_this_one_does(arguments: tuple[str, ...]) -> None:
    """The other tests of commands run inside the tests' process, without the start of an interpreter."""
    solve(load_game("two-yatzy"))
    inside, outside = yatzy(*arguments), yatzy_process(*arguments)
    assert (inside.returncode, inside.stdout, inside.stderr) == (outside.returncode, outside.stdout, outside.stderr)


def test_two_processes_solve_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from yatzy.cli import main; main()", "solve", "yatzy", "--json"]
    command += ["--tables", str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    results = [json.loads(process.communicate(timeout=300)[0]) for process in both]
    assert [round(result["value"], 4) for result in results] == [248.44, 248.44]
    assert {path.suffix for path in tmp_path.iterdir()} <= {".table", ".lock"}


def test_killed_in_the_middle_it_goes_on(tmp_path: Path) -> None:
    """kill -9 while a table grows; the next run starts from the last finished layer."""
    command = [sys.executable, "-c", "from yatzy.cli import main; main()", "solve", "maxi-yatzy"]
    process = subprocess.Popen([*command, "--tables", str(tmp_path)], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 300
        while not (
            list(tmp_path.glob("*.part")) and answer("tables", "--tables", tmp_path)["tables"][0]["layers_done"] >= 3
        ):
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    (before,) = answer("tables", "--tables", tmp_path)["tables"]
    assert before["state"] == "unfinished"
    assert 3 <= before["layers_done"] < before["layers"]
    first: list[int] = []

    class EnoughError(Exception):
        pass

    def watch(done: int, total: int) -> None:
        first.append(done)
        if len(first) == 2:
            raise EnoughError

    with pytest.raises(EnoughError):
        Solver(tmp_path, progress=lambda *_: watch).expected(load_game("maxi-yatzy"))
    from yatzy.model import compile_game

    starts = compile_game(load_game("maxi-yatzy")).states.layer_start
    kept = starts[-1] - starts[before["layers"] - before["layers_done"]]
    assert first[1] > kept, "finished layers were computed again"


def test_ctrl_c_says_one_line_and_keeps_what_is_done(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from yatzy.cli import main; main()", "solve", "maxi-yatzy"]
    process = subprocess.Popen([*command, "--tables", str(tmp_path)], stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("*.part")):
        assert process.poll() is None, "it ended before it could be interrupted"
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=300)[1].splitlines()
    assert process.returncode == 130
    assert said[-1].startswith("yatzy: interrupted")
    assert "Traceback" not in "".join(said)
    assert list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("question", "heavy"),
    [
        (["--version"], ["numba", "numpy", "rich", "filelock"]),
        (["--help"], ["numba", "numpy"]),
        (["games"], ["numpy"]),
        (["games", "yatzy", "--json"], ["numpy", "pydantic"]),
    ],
)
def test_nothing_heavy_is_imported_when_nothing_is_computed(question: list[str], heavy: list[str]) -> None:
    code = f"import sys; from yatzy.cli.app import run\ntry: run({question})\nexcept SystemExit: pass\n"
    code += f"print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "question",
    [
        ["advise", "--dice", "13356", "--json"],
        ["value", "--open", "yatzy"],
        ["advise", "--game", "two-yatzy", "--dice", "12", "--moves", "1,2"],
        ["explain", "--game", "two-yatzy", "--dice", "12"],
    ],
)
def test_a_question_about_one_turn_needs_no_compiler(question: list[str]) -> None:
    solve(load_game("yatzy"))
    Solver().outlooks(load_game("two-yatzy"))
    Solver().chances(load_game("two-yatzy"))
    code = f"import sys; from yatzy.cli.app import run\ntry: run({question})\n"
    code += "except SystemExit as left: assert left.code == 0\n"
    code += "print([name for name in ('numba', 'matplotlib') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
