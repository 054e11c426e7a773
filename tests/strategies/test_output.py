"""What a strategy of a person's own prints goes to standard error, and nothing else does."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from yatzy import Position, load_game
from yatzy.names import Origin
from yatzy.solver import parse_strategy
from yatzy.strategies.output import printing_to_stderr

CODE = """
import sys
print("loaded")
class Own:
    def __init__(self):
        print("made")
    def move(self, position):
        print("asked")
        sys.stdout.write("written\\n")
        return position.game.categories[position.sheet.open[0]].id
"""


def test_a_custom_strategy_prints_to_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.py"
    file.write_text(CODE, encoding="utf-8")
    game, before = load_game("two-yatzy"), sys.stdout
    strategy = parse_strategy(f"{file}:Own", game, origin=Origin.PERSON)
    strategy.move(Position.start(game))
    assert sys.stdout is before
    assert capsys.readouterr() == ("", "loaded\nmade\nasked\nwritten\n")


def test_other_threads_print_where_they_did(capsys: pytest.CaptureFixture[str]) -> None:
    inside, printed = threading.Event(), threading.Event()

    def redirected() -> None:
        with printing_to_stderr(), printing_to_stderr():
            print("in the strategy")
            inside.set()
            assert printed.wait(30)

    before = sys.stdout
    thread = threading.Thread(target=redirected)
    thread.start()
    assert inside.wait(30)
    print("the answer", flush=True)
    with printing_to_stderr():
        print("mine")
    print("more")
    printed.set()
    thread.join()
    assert sys.stdout is before
    assert capsys.readouterr() == ("the answer\nmore\n", "in the strategy\nmine\n")


def test_a_stream_that_somebody_else_put_there_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = sys.stderr
    with printing_to_stderr():
        monkeypatch.setattr(sys, "stdout", mine)
    assert sys.stdout is mine


def test_without_standard_output_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with printing_to_stderr():
        print("nowhere")
    assert sys.stdout is None
