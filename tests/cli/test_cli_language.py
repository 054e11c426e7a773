"""The language of commands: help in every language, `--language` before and after the command, and YATZY_LANGUAGE."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from helpers.command import refusal, yatzy

from yatzy.cli import help as formatter
from yatzy.cli.app import app
from yatzy.cli.commands import EXAMPLES
from yatzy.cli.language import current_language, speaking, without_language
from yatzy.cli.loading import CommandGroup
from yatzy.names import Objective, PayoffName, StrategyName, forms
from yatzy.report import help as home
from yatzy.report.help import GAP, HelpTexts
from yatzy.workers.places import FORMS

OTHERS = ("sv", "de")
TYPED = re.compile(
    r"`[^`]+`|(?<!\w)'[^']+'(?!\w)"  # commands in quotes
    r"|(?<!\w)--?[a-z][a-z-]*|\$[A-Z_]+|\.[a-z]{2,}"  # options, variables, endings of files
    r"|[^\s,;()]*[:=@*/][^\s,;()]+"  # names with parts, such as target:S
    r"|\b[A-Z]{2,}\b|\d[\d.,x-]*\d|\d"  # placeholders and numbers
)
"""What people type as it is written."""
VALUES = {
    "The Yahtzee box": ["open"],
    "print: with title": ["print:", "paper:"],
    "rolled: by the program": ["rolled:", "typed:", ": rolled"],
    "Warn before moves": ["inaccuracy", "mistake", "blunder"],
    "Presets whose tables": ["none"],
    "Only this table": ["expected", "chances"],
    "match:emp:1, softened": ["expected", "greedy"],
    "Where to compute": [": local;"],
    "Where the values": ["local"],
    "Write every game turn by turn": ["yatzy review"],
    "Write the game as a record": ["yatzy review"],
    "Whose dice to use": ["yatzy players"],
}
"""Values and commands that look like other words, by the beginning of the text."""

_BOTH = {"byte", "numpy", "parquet", "port", "python", "standard", "text", "yahtzee", "chance", "report"}
SHARED = {
    "sv": _BOTH | {"ctrl", "per"},
    "de": _BOTH | {"also", "browser", "cache", "computer", "graph", "matches", "version", "was"},
}
"""Words that are written as in English, and the names in `33,chance,-` and `FILE-report`."""


def all_commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every group and every command, with the words that call it."""
    yield words, group
    for name in group.commands:
        command = group.load(name)
        if isinstance(command, CommandGroup):
            yield from all_commands(command, (*words, name))
        else:
            yield (*words, name), command


COMMANDS = dict(all_commands(typer.main.get_command(app)))


def shown(words: tuple[str, ...], language: str, width: int = 80) -> str:
    """The help of a command, as it is printed."""
    command = COMMANDS[words]
    context = command.make_context(" ".join(("yatzy", *words)), [], resilient_parsing=True)
    with pytest.MonkeyPatch.context() as patch, speaking(language):
        patch.setenv("COLUMNS", str(width))
        return str(context.get_help())


class Recording(HelpTexts):
    """Help texts that note which of them are shown."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.language = language
        self.asked: dict[str, str] = {}
        self.used: set[str | None] = set()

    def translate(self, said: str) -> str:
        """Note the text and its translation."""
        self.used.add(self.find(said))
        self.asked[said] = super().translate(said)
        return self.asked[said]

    def _names(self, part: str) -> str:
        self.used |= {*part.split(", ")}
        return super()._names(part)


@pytest.fixture(params=OTHERS)
def recorded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Recording:
    """All texts of the help of all commands, in a language."""
    texts = Recording(request.param)
    monkeypatch.setattr(home, "help_texts", lambda language: texts)
    for words in COMMANDS:
        shown(words, request.param)
    return texts


def test_every_help_text_is_translated(recorded: Recording) -> None:
    assert len(COMMANDS) > 35
    assert len(recorded.asked) > 150
    assert {what for _, what in EXAMPLES} <= recorded.asked.keys()
    assert [said for said in recorded.asked if recorded.find(said) is None] == []
    assert [said for said, other in recorded.asked.items() if said == other] == []


def test_no_translation_of_help_is_left_over(recorded: Recording) -> None:
    assert recorded.texts.keys() - recorded.used == set()


def test_what_people_type_is_the_same_in_every_language(recorded: Recording) -> None:
    for said, other in recorded.asked.items():
        if said not in ("[OPTIONS]", "COMMAND [ARGS]..."):  # these refer to the headings of the lists
            assert [word for word in TYPED.findall(said) if word not in other] == [], said
    for start, words in VALUES.items():
        found = [other for said, other in recorded.asked.items() if said.startswith(start)]
        assert found, start
        for other in found:
            assert [word for word in words if word not in other] == [], other
    for key, other in recorded.texts.items():
        assert key.count(GAP) == other.count(GAP), key


def plain_words(said: str) -> set[str]:
    return {*re.findall(r"[^\W\d_]{3,}", TYPED.sub(" ", said).lower())}


def test_translations_have_no_english_words(recorded: Recording) -> None:
    lists = plain_words(" ".join([*forms(Objective), *forms(StrategyName), *forms(PayoffName), *FORMS]))
    typed = lists | {word for words in VALUES.values() for word in plain_words(" ".join(words))} | {"sample", "all"}
    works = plain_words(next(said for said in recorded.asked if said.startswith("Works: ")))
    english = {word for said in recorded.asked for word in plain_words(said)}
    own = {word for other in recorded.texts.values() for word in plain_words(other)}
    assert {"game", "which", "strategy", "table", "the"} <= english
    assert english & own - typed - works == SHARED[recorded.language]


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("language", OTHERS)
def test_shown_help_has_no_english_line(language: str, width: int) -> None:
    names = {word for words in COMMANDS for name in words for word in name.split("-")}
    names |= plain_words(" ".join([*forms(Objective), *forms(StrategyName), *FORMS, "match-points"]))
    names |= {word for line, _ in EXAMPLES for word in re.findall(r"[a-z]{3,}", line)}
    for words, command in COMMANDS.items():
        metavars = {word for one in command.params for word in plain_words(str(one.metavar))}
        values = plain_words("same independent tillius pawlewicz henriksson engstrom molinder cited glenn beside new")
        english = {line.strip() for line in shown(words, "en", width).splitlines()}
        for line in shown(words, language, width).splitlines():
            assert line.strip() not in english or plain_words(line) <= names | metavars | values, line
            assert len(line) <= width or len(line.split()) <= 2, line


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help", "--language", "sv"],
        ["--language", "sv", "--help"],
        ["--language=sv", "-h"],
        ["-h", "--language=sv"],
        ["--language", "sv"],
        ["--language", "de", "--language", "sv"],
    ],
)
def test_bare_yatzy_shows_help_in_the_language_asked_for(arguments: list[str]) -> None:
    done = yatzy(*arguments, env=os.environ | {"COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == shown((), "sv") + "\n"
    assert "Användning: yatzy [FLAGGOR] KOMMANDO [ARGUMENT]..." in done.stdout
    assert "allt detta i en webbläsare" in done.stdout
    assert "Visa den här hjälpen och avsluta." in done.stdout


@pytest.mark.parametrize(
    "words", [("advise",), ("papers",), ("serve",), ("match", "play-off"), ("tables",), ("match",)]
)
def test_help_of_commands_follows_language(words: tuple[str, ...]) -> None:
    """Also that of commands which do not take --language themselves."""
    wanted, env = shown(words, "de") + "\n", os.environ | {"COLUMNS": "80"}
    ways = [(*words, "--help", "--language", "de"), ("--language", "de", *words, "-h"), (*words, "--language=de", "-h")]
    for arguments in ways:
        done = yatzy(*arguments, env=env)
        assert (done.returncode, done.stderr, done.stdout) == (0, "", wanted)
    assert yatzy(*words, "-h", env=env | {"YATZY_LANGUAGE": "de"}).stdout == wanted
    assert yatzy(*words, "-h", "--language", "en", env=env | {"YATZY_LANGUAGE": "de"}).stdout != wanted


def test_defaults_are_named_in_the_language() -> None:
    for language, word in (("en", "default"), ("sv", "standard"), ("de", "Standard")):
        assert f"({word}: 127.0.0.1)" in " ".join(shown(("serve",), language).split())


def test_the_environment_and_the_words_before_the_command_choose_the_language() -> None:
    swedish, env = yatzy("games", "--language", "sv").stdout, os.environ | {"YATZY_LANGUAGE": "sv"}
    assert "tärningar" in swedish
    assert yatzy("games", env=env).stdout == swedish
    assert yatzy("--language", "sv", "games").stdout == swedish
    assert yatzy("--language", "sv", "games", env=env | {"YATZY_LANGUAGE": "de"}).stdout == swedish
    assert yatzy("--language", "de", "games", "--language", "sv").stdout == swedish
    assert yatzy("games", env=env | {"YATZY_LANGUAGE": ""}).stdout == yatzy("games").stdout != swedish
    assert current_language() == "en", "nothing is left behind"


def test_a_group_takes_the_language_too(tmp_path: Path) -> None:
    env = os.environ | {"YATZY_TABLES": str(tmp_path)}  # other tests make tables meanwhile
    swedish = yatzy("tables", "list", "--language", "sv", env=env).stdout
    assert swedish != yatzy("tables", "list", env=env).stdout
    for words in (
        ("--language", "sv", "tables"),
        ("tables", "--language", "sv"),
        ("tables", "--language", "sv", "list"),
    ):
        assert yatzy(*words, env=env).stdout == swedish


def test_errors_follow_the_environment() -> None:
    told = yatzy("games", "nothing", "--language", "sv").stderr
    assert told != yatzy("games", "nothing").stderr
    assert yatzy("games", "nothing", env=os.environ | {"YATZY_LANGUAGE": "sv"}).stderr == told
    assert yatzy("--language", "sv", "games", "nothing").stderr == told


@pytest.mark.parametrize("arguments", [(), ("--help",), ("games",), ("papers", "--list"), ("--version",)])
def test_an_unknown_language_is_refused_in_one_line(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refusal("--language", "fr", *arguments) == "yatzy: --language fr: must be one of en, sv, de\n"
    monkeypatch.setenv("YATZY_LANGUAGE", "fr")
    assert refusal(*arguments) == "yatzy: YATZY_LANGUAGE=fr: must be one of en, sv, de\n"
    assert yatzy("--language", "sv", "--version").returncode == 0


def test_words_without_the_language() -> None:
    assert without_language(["--language", "sv", "a", "--language=de", "--json"]) == ["a", "--json"]
    assert without_language(["a", "--language"]) == ["a", "--language"]


def test_english_help_reads_no_translations() -> None:
    """And imports nothing that it does not need."""
    code = "import sys; sys.argv = ['yatzy', '--help', '--language', 'en']\nfrom yatzy.cli import main\n"
    code += "try: main()\nexcept SystemExit: print([one for one in sys.modules if one.startswith('yatzy.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: ")
    loaded = done.stdout.splitlines()[-1]
    assert "yatzy.cli.language" in loaded
    for room in ("report", "games", "names", "store"):
        assert f"yatzy.{room}" not in loaded
    assert formatter.paragraphs("a\nb\n\nc") == ["a b", "c"]
