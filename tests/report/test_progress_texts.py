"""Progress and notes in every language: each is a message with a literal template, which is translated."""

from __future__ import annotations

import ast
import pickle
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.command import yatzy
from helpers.error_templates import error_templates
from helpers.progress_templates import progress_texts, verbs

from yatzy import load_game
from yatzy.cli import terminal
from yatzy.cli.language import speaking
from yatzy.cli.progress import SENTENCES
from yatzy.errors import Message
from yatzy.report.problems import message_text
from yatzy.report.texts import LANGUAGES, read_errors

NOT_MESSAGES = {
    # Variables that hold a message.
    "cli/commands/distribution.py": {"what", "*what", "evaluation_time(player.name, seconds, language)"},
    "cli/commands/simulate.py": {"what"},
    "lab/results.py": {"what or Message"},
    "lab/studies/evaluations.py": {"what or Message"},
    "matches/fixed_opponents.py": {"what"},
    "matches/solving.py": {"line"},
    "store/locking.py": {"line"},
    # A part of an error, and no title of progress.
    "workers/running.py": {"f'{type(error).__name__}: {error}'"},
    # Already in the language of the reader.
    "cli/commands/review.py": {
        "message_text(Message('refused: {reason}', reason=reason), language)",
        "message_text(told, language)",
    },
    # About publications, in English like the report of the command.
    "cli/commands/papers.py": {"f'{finding.claim.key}: differs, and no reason that holds is known'"},
}
"""What is given to progress displays and notes, and is not itself a message made from a literal."""


def is_message(said: ast.expr) -> bool:
    if not (isinstance(said, ast.Call) and ast.unparse(said.func) == "Message"):
        return False
    return isinstance(said.args[0], ast.Constant)


def others(source: Path | None = None) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for file, said in progress_texts() if source is None else progress_texts(source):
        if isinstance(said, ast.BoolOp) and is_message(said.values[-1]):
            found.setdefault(file, set()).add(f"{ast.unparse(said.values[0])} or Message")
        elif not is_message(said):
            found.setdefault(file, set()).add(ast.unparse(said))
    return found


def test_progress_and_notes_are_messages_with_literal_templates() -> None:
    assert sum(1 for _ in progress_texts()) > 50
    assert others() == NOT_MESSAGES


def test_the_walk_finds_texts_that_cannot_be_translated(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(
        "solver.watch(f'{n} games', 'Playing')\ntell(self._report, 'done')\nterminal.note(f'{x}')\nwatch(0, total)\n"
        "resources.watch(Message(template, a=1))\nresources.watch(Message('{game}', game=game))\nreport('x')\n"
        "what = f'{n} positions'\n",
        encoding="utf-8",
    )
    assert others(tmp_path) == {
        "wrong.py": {"f'{n} games'", "'done'", "f'{x}'", "Message(template, a=1)", "'x'", "f'{n} positions'"}
    }


def test_every_verb_has_its_sentence() -> None:
    assert verbs() | {"Solving"} == set(SENTENCES)
    for verb, sentence in SENTENCES.items():
        assert sentence("it") == f"{verb} it"
        assert sentence("it").template in error_templates().literal


def test_names_of_games_follow_the_language() -> None:
    game = load_game("two-yatzy")
    line = Message("Solving {what}", what=Message("{game} for every score", game=game))
    assert line == "Solving Two Yatzy for every score"
    told = [message_text(one, "sv") for one in (line, pickle.loads(pickle.dumps(line)))]
    assert told == [f"Löser {game.name('sv')} för varje slutpoäng"] * 2
    assert game.name("sv") != game.name()


def test_a_game_without_a_name_in_the_language_has_its_english_one() -> None:
    game = replace(load_game("two-yatzy"), names={"en": "My game"})
    assert message_text(Message("the pairs of {game}", game=game), "de") == "die Paare von My game"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Solving Two Yatzy ...\nPlaying 1,000 games by expected ...\n"),
        ("sv", "Löser Två-yatzy ...\nSpelar 1 000 partier med expected ...\n"),
        ("de", "Löse Zwei-Yatzy ...\nSpiele 1.000 Partien mit expected ...\n"),
    ],
)
def test_a_command_shows_progress_in_its_language(
    language: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YATZY_TABLES", str(tmp_path))
    done = yatzy("simulate", "--game", "two-yatzy", "--games", "1000", "--language", language, "--json")
    assert (done.returncode, done.stderr) == (0, told)
    assert done.stdout.startswith("{")


def test_notes_and_progress_of_other_threads_have_the_language_too(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking("de"), terminal.watching() as watch:
        note, advance = terminal.notes(), watch(Message("{matches:,} matches", matches=2000), "Playing")
        thread = threading.Thread(
            target=lambda: (note(Message("{games}, player {player}", games="a", player=1)), advance(0, 1))
        )
        thread.start()
        thread.join()
    assert capsys.readouterr().err == "a, Spieler 1\nSpiele 2.000 Matches ...\n"


def test_texts_of_others_stay_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking("sv"), terminal.watching() as watch:
        watch("my own work", "Solving")(0, 1)
        watch(Message("{name}", name="x"), "Settling")(0, 1)
        terminal.note("a line")
    assert capsys.readouterr().err == "Solving my own work ...\nSettling x ...\na line\n"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_sentences_start_with_a_capital(language: str) -> None:
    for table in read_errors(language).values():
        for template, said in table.items():
            if template.endswith(" {what}") and template[0].isupper():
                assert said[0].isupper(), template
