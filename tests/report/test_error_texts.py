"""Errors in every language: each template is a literal and is translated, and the translations are used everywhere."""

from __future__ import annotations

import copy
import io
import os
import pickle
import re
from pathlib import Path
from string import Formatter

import pytest
from helpers.command import yatzy
from helpers.error_templates import error_templates

from yatzy import load_game
from yatzy.cli.commands.match.strength import read_depths
from yatzy.cli.playing.refusals import said
from yatzy.coach.situation import Known, situation_of
from yatzy.errors import (
    GameError,
    InputError,
    Message,
    MoveError,
    SizeError,
    StrategyError,
    YatzyError,
    cause_of,
    either,
)
from yatzy.games import Game, Position, Record, parse_sheet
from yatzy.names import parse_objective, parse_strategy
from yatzy.names.payoffs import payoff_for
from yatzy.report.problems import has_words, message_text, problem_text, usage_text
from yatzy.report.texts import LANGUAGES, read_errors
from yatzy.solver import Solver
from yatzy.web.page import problems as page
from yatzy.web.refusals import Busy, NotReady, TooMuch
from yatzy.workers.places import parse_place

TRANSLATED = LANGUAGES[1:]
OF_OTHERS = {"system", "toml", "usage"}
"""Tables of texts that the operating system, tomllib and Typer make."""
Field = tuple[str, str, str]

NOT_LITERAL = {
    # Messages that a function or a constant has made from a literal.
    "coach/advice.py": {"MoveError(no_choice(self.position, move))"},
    "coach/explain.py": {"MoveError(no_choice(position, one))"},
    "coach/quizzes/sources.py": {"InputError(otherwise)"},
    "games/sheet.py": {"PositionError(_unreachable_sum(game, mask, upper))"},
    "model/compiled.py": {
        "SizeError(too_large(game, len(states), exactly=True))",
        "SizeError(too_large(game, least, exactly=False))",
    },
    "names/grammar.py": {"InputError(kind.unknown(shown, ', '.join(forms(kind, players))))"},
    "sharing/packing.py": {"InputError(problems[0])"},
    "strategies/exported.py": {"InputError(without_remedy(error))"},
    "web/processes.py": {"Busy(LEAVING)", "Busy(LEAVING if self._stopped else TOO_MANY)"},
    "web/workers.py": {"Busy(LEAVING)", "Busy(LEAVING if self._stopped else TOO_MANY)"},
    # The message of another error.
    "web/requests.py": {"Forbidden(error.message)", "TooMuch(error.message)"},
    # Texts of the operating system and of tomllib, without values: they are never filled in.
    "errors.py": {"Message(getattr(error, 'strerror', None) or str(error))"},
    "games/toml.py": {"Message(str(error))", "Message(what)"},
    "web/running.py": {"Message(reason.lower())"},
    # Classes with arguments of their own, which hand a literal or a message on.
    "games/record.py": {"TurnRefused(number)"},
    "games/record_csv.py": {"LineRefused(number)", "LineRefused(line)", "LineRefused(order[error.number][0])"},
    "games/record_text.py": {"LineRefused(1)", "LineRefused(line.number)", "LineRefused(turns[error.number][0])"},
    "games/turn_text.py": {"LineRefused(number)"},
    "web/refusals.py": {"super().__init__(template)"},
}
"""The calls whose template is not a literal."""


def fields(template: str) -> set[Field]:
    found = Formatter().parse(template)
    return {(name, conversion or "", spec or "") for _, name, spec, conversion in found if name is not None}


def worded() -> set[str]:
    """The templates that need a translation."""
    return {one for one, places in error_templates().literal.items() if no_values(places) or has_words(one)}


def no_values(places: set[str]) -> bool:
    return all(place.endswith(" ") for place in places)


def catalogue(language: str) -> dict[str, str]:
    tables = read_errors(language)
    return {template: said for name in tables.keys() - OF_OTHERS for template, said in tables[name].items()}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_template_is_translated_and_none_is_left_over(language: str) -> None:
    ours, theirs = worded(), catalogue(language).keys()
    assert len(ours) > 700
    assert sorted(ours - theirs) == []
    assert sorted(theirs - ours) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_template_is_in_two_tables(language: str) -> None:
    tables = read_errors(language)
    assert sum(len(tables[name]) for name in tables.keys() - OF_OTHERS) == len(catalogue(language))


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_fields_of_their_templates(language: str) -> None:
    for template, translation in catalogue(language).items():
        if not no_values(error_templates().literal[template]):
            assert fields(translation) == fields(template), template
    for table in OF_OTHERS:
        for template, translation in read_errors(language)[table].items():
            if table != "system":
                assert fields(translation) == fields(template), template


def test_every_template_gets_the_values_of_its_fields() -> None:
    for template, places in error_templates().literal.items():
        for place in places - {place for place in places if place.endswith((" ", "**"))}:
            where, _, values = place.partition(" ")
            assert set(values.split(",")) == {name for name, _, _ in fields(template)}, (template, where)


def test_templates_are_literals() -> None:
    found: dict[str, set[str]] = {}
    for one in error_templates().other:
        file, _, call = one.partition(" ")
        found.setdefault(file, set()).add(call)
    assert found == NOT_LITERAL


def test_no_error_is_made_of_a_formatted_text() -> None:
    """Also not by a class that is not an error of this package and is put into a message."""
    assert not [one for one in error_templates().other if re.search(r"\(f['\"]", one)]


NO_WORDS = re.compile(
    r"\{[^{}]*\}|'[^']*'|\"[^\"]*\"|--[a-z-]+(?: [A-Z]+)?|\[+[\w.]+\]+|\w+:\S*|\w+\.\w+|\w+/\w+|[a-z_]+ = \w+"
    r"|\w*[_=*]\w*|\b[A-Z]{2,}\b|\b[a-z]+(?:-[a-z]+)+\b"
)
"""Fields, quotations, options, keys, names of files and objectives."""


def words(said: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[^\W\d_]{2,}", NO_WORDS.sub(" ", said))}


TYPED = words(
    "all bo bonus box category change cm count csv cupy dask dice evaluate exp expected faces false filled gpu"
    " greedy groups install keep known layers length local match matplotlib md missing move networkx null off on"
    " open parquet pattern pays pip player points polars port position python roll simulate stream toml true tutor"
    " unknown weight weights wheel worth yatzy"
)
"""Names of commands, keys, objectives and packages, which are typed in English everywhere."""
SHARED = {
    "sv": words(
        "argument array block byte cell form format gib hand hash id index joker manifest match mib person plan port"
    )
    | words("process program revision standard text unicode version"),
    "de": words(
        "an argument array arrays block bonus byte bytes chance client form format gib graph hand hash id ids in"
    )
    | words(
        "index joker links manifest match matches name option pipe plan ports quiz revision scheduler server so text"
    )
    | words("mib threads unicode version was"),
}
"""Words that English shares with a language."""


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_word_of_every_error_is_translated(language: str) -> None:
    for table in read_errors(language).values():
        for template, translation in table.items():
            assert words(translation) & words(template) <= TYPED | SHARED[language], template


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_are_one_line_without_stray_spaces(language: str) -> None:
    for table in read_errors(language).values():
        for template, translation in table.items():
            assert translation.isprintable()
            assert translation[:1].isspace() == template[:1].isspace(), template
            assert translation == translation.rstrip()
            assert "  " not in translation


# Errors as values


def made() -> InputError:
    inner = SizeError("rolls: {rolls} are more than {most}; {how}", rolls=4, most=3, how=Message("a whole number"))
    return InputError("based_on: {error}", error=inner)


def test_the_text_of_an_error_is_its_english_template_with_its_values() -> None:
    error = InputError("there is no saved game {name!r}", name="a{b}")
    assert str(error) == "there is no saved game 'a{b}'"
    assert (error.message.template, error.message.values) == ("there is no saved game {name!r}", {"name": "a{b}"})
    assert str(made()) == "based_on: rolls: 4 are more than 3; a whole number"


def test_braces_of_people_are_never_fields() -> None:
    assert str(InputError("{0.__class__}")) == "{0.__class__}"
    error = InputError("{text!r} is not a number", text="{text.__class__}")
    assert str(error) == "'{text.__class__}' is not a number"
    assert problem_text(error, "de") == "'{text.__class__}' ist keine Zahl"


def test_values_of_other_types_are_kept_as_text() -> None:
    error = GameError("{where}{key}: must be {type}, not {value!r}", where="", key="dice", type="x", value=[1, "a"])
    assert str(error) == "dice: must be x, not [1, 'a']"
    assert problem_text(pickle.loads(pickle.dumps(error)), "sv") == "dice: måste vara x, inte [1, 'a']"
    assert all(isinstance(value, str) for value in error.message.values.values())


@pytest.mark.parametrize("again", [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy])
def test_errors_can_be_sent_to_another_process_and_copied(again: object) -> None:
    error = made()
    error.add_note("noted")
    other = again(error)  # type: ignore[operator]
    assert (type(other), str(other), other.__notes__) == (InputError, str(error), ["noted"])
    assert [problem_text(other, one) for one in LANGUAGES] == [problem_text(error, one) for one in LANGUAGES]
    told = StrategyError("{name}: there is no such file", name="x")
    told.finished = [1, 2]
    assert again(told).finished == [1, 2]  # type: ignore[operator]
    assert again(NotReady("{table}; try again in a moment", [], table="x")).statuses == []  # type: ignore[operator]


def test_a_message_can_be_changed_in_one_value() -> None:
    message = Message("{path}: there is no such file", path="a")
    assert message.but(path="b") == "b: there is no such file"
    assert message_text(message.but(path="b"), "de") == "b: diese Datei gibt es nicht"


# Translations


def test_an_error_inside_an_error_is_translated() -> None:
    assert problem_text(made(), "sv") == "based_on: rolls: 4 är fler än 3; ett heltal"
    assert problem_text(made(), "de") == "based_on: rolls: 4 sind mehr als 3; eine ganze Zahl"
    assert (
        problem_text(InputError("{first} or {last}", first=either("abc"), last=1), "sv") == "a eller b eller c eller 1"
    )


def test_amounts_have_the_marks_of_the_language_and_typed_numbers_do_not() -> None:
    values = {"game": "x", "states": 1_234_567, "size": 1.25, "command": "yatzy solve x"}
    much = TooMuch("{game} has {states:,} states, too many to solve in the background; run '{command}' first", **values)
    assert "1.234.567 Zustände" in problem_text(much, "de")
    assert "1 234 567 tillstånd" in problem_text(much, "sv")
    size = Message("; its table would have at least {states:,} states ({size:,.3f} GiB)", states=8, size=0.5)
    assert message_text(size, "de") == "; die Tabelle hätte mindestens 8 Zustände (0,500 GiB)"
    with pytest.raises(InputError) as refused:
        load_game("yatzy").parse_dice("12")
    assert problem_text(refused.value, "de") == "dice: 2 angegeben, aber yatzy wird mit 5 gespielt"


def test_an_error_of_somebodys_own_code_stays_as_it_is_and_says_so() -> None:
    assert problem_text(YatzyError("my own words"), "de") == "Etwas ist schiefgegangen: my own words"
    assert problem_text(YatzyError("my own words"), "en") == "my own words"


class OwnError(YatzyError):
    def __init__(self, number: int) -> None:
        self.number = number


def test_an_error_class_of_somebody_else_needs_no_template() -> None:
    assert problem_text(OwnError(3), "de") == "Etwas ist schiefgegangen: 3"
    assert problem_text(InputError("based_on: {error}", error=OwnError(3)), "de") == "based_on: 3"
    assert pickle.loads(pickle.dumps(OwnError(3))).number == 3


def test_causes_of_the_operating_system_are_translated() -> None:
    for number, told in ((2, "filen eller mappen finns inte"), (13, "åtkomst nekad"), (28, "disken är full")):
        cause = cause_of(OSError(number, os.strerror(number), "x"))
        assert message_text(Message("{reason}", reason=cause), "sv") == told
    assert cause_of(ValueError("something else")) == "something else"


BROKEN = ("id = ", "id", "x = [1", 'x = "a', "[a\n", "x = 1\nx = 2", "= 3", "x = 1 2", "[a]\n[a]\n", "x = 2026-13-01")


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("language", TRANSLATED)
def test_mistakes_in_toml_are_told_in_the_language(text: str, language: str) -> None:
    with pytest.raises(GameError) as refused:
        Game.parse(text, "own.toml")
    told = problem_text(refused.value, language)
    assert told.startswith("own.toml: ")
    assert not words(told) & {"at", "line", "expected", "after", "invalid", "value", "unclosed", "cannot"}, told


WRONG_RECORD = "game: two-yatzy\nplayer: Zyx\n1: 12 (1) 12 ones 5\n"


def test_a_record_names_line_and_turn_in_the_language() -> None:
    with pytest.raises(InputError) as refused:
        Record.parse(WRONG_RECORD, None, "x")
    assert str(refused.value) == "x: line 3: turn 1 of Zyx: ones gets 1 for 12, not 5"
    assert problem_text(refused.value, "sv") == "x: rad 3: omgång 1 för Zyx: ones får 1 för 12, inte 5"
    assert problem_text(refused.value, "de") == "x: Zeile 3: Runde 1 von Zyx: ones bringt 1 für 12, nicht 5"


# Where people meet them


def test_the_page_and_the_terminal_translate_errors() -> None:
    position = Position.start(load_game("two-yatzy"))
    with pytest.raises(MoveError) as refused:
        position.play(position.game.parse_move("ones"))
    assert said(refused.value, "sv") == "ones kan inte fyllas före ett kast"
    assert page.problem_text(refused.value, "de") == "ones lässt sich nicht vor einem Wurf füllen"
    busy = Busy("a table of {game} is being built; try again when it is ready", game="yatzy")
    assert page.problem_text(busy, "sv") == "en tabell för yatzy håller på att byggas; försök igen när den är klar"


COMMANDS = (
    (("advise", "--dice", "12"), "dice: 2 angegeben, aber yatzy wird mit 5 gespielt"),
    (("advise", "--game", "nothing-like-it"), "es gibt kein Spiel 'nothing-like-it'; es gibt yatzy, "),
    (("advise",), "es gibt keinen Zug zu wählen: gib --dice (und --rolls-left) an oder benutze 'yatzy value'"),
    (("review", "nofile.txt"), "nofile.txt: lässt sich nicht lesen: die Datei oder den Ordner gibt es nicht"),
    (("value", "--objective", "target:x"), "target:x: ein Ziel ist eine ganze Zahl ab 1, etwa target:300"),
    (("advise", "--nope"), "die Option --nope gibt es nicht ("),
    (("advise", "--rolls-left", "x"), "ungültiger Wert für '--rolls-left': eine ganze Zahl ist nötig ("),
    (("advise", "--top", "0"), "ungültiger Wert für '--top': "),
    (("review",), "das Argument 'FILE…' fehlt ('yatzy review --help' zeigt mehr)"),
)


@pytest.mark.parametrize(("arguments", "told"), COMMANDS)
def test_commands_tell_errors_in_the_language(arguments: tuple[str, ...], told: str) -> None:
    done = yatzy(*arguments, "--language", "de")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"yatzy: {told}")
    assert done.stderr.count("\n") == 1


def test_an_unknown_text_of_typer_stays_in_english_after_a_sentence() -> None:
    told = usage_text("Something new.", "yatzy x", "sv")
    assert told == "Kommandot går inte att förstå: Something new. ('yatzy x --help' visar mer)"


def test_typers_texts_are_translated_with_their_parts() -> None:
    said_ = "Invalid value for '--games': 'x' is not a valid integer."
    assert usage_text(said_, "yatzy", "sv").startswith("ogiltigt värde för '--games': 'x' är inget heltal (")
    assert usage_text("No such command 'x'. Did you mean 'y'?", "yatzy", "de").startswith(
        "den Befehl 'x' gibt es nicht; "
    )


def test_english_reads_no_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(io, "open", None)
    monkeypatch.setattr(Path, "read_text", None)
    assert problem_text(made(), "en") == str(made())


def test_a_game_that_cannot_be_saved_says_why_in_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path / "file" / "games"))
    done = yatzy("play", "--game", "two-yatzy", "--language", "de", "--seed", "1", input="\nones\nq\n")
    assert "das ist kein Ordner" in done.stdout
    assert "cannot be written" not in done.stdout + done.stderr


YATZY = load_game("yatzy")
OWN = 'based_on = "yahtzee"\nid = "own"\n'
ONE = 'id = "own"\ndice = {dice}\nfaces = 6\nrolls = 3\n[[categories]]\nid = "all"\npattern = "chance"\n'
REAL = (
    lambda: parse_sheet(YATZY, "ones 7"),
    lambda: parse_sheet(YATZY, "onse 3"),
    lambda: parse_sheet(YATZY, "ones x"),
    lambda: parse_sheet(YATZY, "chance 4"),
    lambda: parse_sheet(YATZY, ""),
    lambda: Game.parse(OWN + 'drop = ["yahtzee"]'),
    lambda: Game.parse(OWN + 'drop = ["nope"]'),
    lambda: Game.parse(OWN + '[[add]]\nid = "b"\npattern = "straight"\nfaces = [1]'),
    lambda: Game.parse(OWN + '[[add]]\nid = "b"\npattern = "face"\nface = 1\nlength = 3'),
    lambda: Game.parse(ONE.replace("{dice}", "99")),
    lambda: Game.parse(ONE.replace("{dice}", '"five"')),
    lambda: Game.parse("dise = 5"),
    lambda: Record.parse("game: yatzy\nplyer: B\n"),
    lambda: Record.parse("game: yatzy\nplayer: A\n1: 12345 (1) ones 1\n"),
    lambda: Record.parse("game: yatzy\nposition: yahtzee\n"),
    lambda: Position.parse("yatzy~d12345"),
    lambda: Position.parse("yatzy~q"),
    lambda: Position.start(YATZY).roll((1, 2, 3, 4, 5)).parse_move("66"),
    lambda: parse_objective("nope"),
    lambda: parse_strategy("softened:x"),
    lambda: payoff_for("1,2", 2),
    lambda: parse_place("nowhere"),
    lambda: read_depths("x"),
    lambda: Solver("nowhere").open(YATZY, "expected"),
    lambda: situation_of(YATZY, Known(filled=["ones"])),
)
"""What people may do wrong, in several rooms."""
ENGLISH = words("and are be cannot did has is it must no not of or such that the there this was which with you")


@pytest.mark.parametrize("wrong", REAL)
def test_real_errors_have_words_of_one_language(wrong: object) -> None:
    with pytest.raises(YatzyError) as refused:
        wrong()  # type: ignore[operator]
    english, *others = (problem_text(refused.value, language) for language in LANGUAGES)
    assert english == str(refused.value)
    assert words(english) & ENGLISH
    assert len({english, *others}) == len(LANGUAGES)
    for told, language in zip(others, TRANSLATED, strict=True):
        assert not (words(told) & ENGLISH) - SHARED[language], told
