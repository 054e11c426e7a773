"""TOML from anybody: hostile texts are read or refused in little memory."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yatzy.errors import GameError, Message
from yatzy.games import PRESETS, Game, load_game
from yatzy.games.toml import MOST_CHARACTERS, MOST_DEPTH, read_toml

DOTS = "a." * 30_000 + "a"
REFUSED = {
    "key": f"{DOTS} = 1",
    "spaced key": "a . " * 16_000 + "a = 1",
    "quoted key": "'a'.\"b\"." * 8_000 + "a = 1",
    "table": f"[{DOTS}]",
    "array of tables": f"[[{DOTS}]]",
    "inline table": f"x = {{ {DOTS} = 1 }}",
    "arrays in arrays": "x = " + "[" * 60_000,
    "tables in tables": "x = " + "{ a = " * 10_000,
    # A string that ends with quotes of its own, an escape, a comment: what comes after them is no string.
    "behind four quotes": f'x = {{ y = """a"""", {DOTS} = "b" }}',
    "behind four apostrophes": f"x = {{ y = '''a'''', {DOTS} = 'b' }}",
    "behind an escaped backslash": f'x = "\\\\"\n{DOTS} = 1',
    "behind escaped backslashes": f'x = """\\\\"""\n{DOTS} = 1',
    "behind a comment": f'# """\n{DOTS} = 1',
    "too long": "#" * (MOST_CHARACTERS + 1),
}
HARMLESS = {
    "escaped quotes": 'x = "' + '\\"' * 30_000,
    "quotes": '"' * 60_000,
    "apostrophes in a string": "x = '''" + "''\n" * 20_000,
    "digits": "x = " + "9" * 60_000,
    "a long list": "x = [" + "1," * 30_000 + "]",
    "many tables": "\n".join(f"[a.b.c.d.e.f.g.k{i}]" for i in range(2_800)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_depth_and_length_are_bounded(name: str) -> None:
    with pytest.raises(ValueError, match=r"parts|deep|characters"):
        read_toml(REFUSED[name])
    with pytest.raises(GameError, match=r"^mine\.toml: not TOML"):
        Game.parse(REFUSED[name], "mine.toml")


def test_what_stands_in_strings_and_comments_is_not_counted() -> None:
    dots = "." * 100
    assert read_toml(f'x = \'{dots}\' # {dots}\ny = """[[[[[[[[[[\n{dots}"""\n\'{dots}\' = 1')["x"] == dots
    deepest = ".".join("a" * MOST_DEPTH)
    assert read_toml(f"{deepest} = 1")
    with pytest.raises(ValueError, match="parts"):
        read_toml(f"{deepest}.a = 1")


@given(st.text(alphabet="ab.=[]{}\"'\\\n# ,1", max_size=60))
def test_short_texts_are_read_as_by_the_parser(text: str) -> None:
    """Where tomllib finds a table that is not deep, so do we."""
    try:
        wanted = tomllib.loads(text)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 (which one is tomllib's to say)
            read_toml(text)
        return
    if _depth(wanted) <= MOST_DEPTH:
        assert read_toml(text) == wanted


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def test_a_text_may_have_128_kibibytes() -> None:
    assert read_toml("#" * 128 * 1024) == {}
    with pytest.raises(ValueError, match="131"):
        read_toml("#" * (128 * 1024 + 1))


def test_where_a_text_is_wrong_can_be_said_in_another_language() -> None:
    with pytest.raises(GameError) as caught:
        Game.parse("id = 'a'\ndice = ?\n", "mine.toml")
    problem = caught.value.message.values["problem"]
    assert isinstance(problem, Message)
    assert problem.template == "{what} (at line {line}, column {column})"
    assert (problem.values["line"], problem.values["column"]) == ("2", "8")
    assert str(caught.value) == f"mine.toml: not TOML: {problem}"


def test_presets_are_far_within_the_bounds() -> None:
    for id in PRESETS:
        text = (resources.files("yatzy.games") / "presets" / f"{id}.toml").read_text(encoding="utf-8")
        assert len(text) < MOST_CHARACTERS / 10
        assert read_toml(text)["id"] == id


def test_hostile_texts_take_little_memory() -> None:
    pytest.importorskip("resource")
    code = (
        "import resource, sys\n"
        "from yatzy.games.toml import read_toml\n"
        "held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024\n"
        "texts = sys.stdin.read().split('\\0')\n"
        "for text in texts:\n"
        "    try:\n"
        "        read_toml(text)\n"
        "    except ValueError:\n"
        "        pass\n"
        "print(len(texts), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - held)\n"
    )
    texts = "\0".join([*REFUSED.values(), *HARMLESS.values()])
    done = subprocess.run([sys.executable, "-c", code], input=texts, capture_output=True, text=True, check=True)
    count, taken = map(int, done.stdout.split())
    assert count == len(REFUSED) + len(HARMLESS)
    assert taken < 50 * 2**20


def test_an_endless_file_is_not_read_and_a_long_one_to_a_bound(tmp_path: Path) -> None:
    link, long = tmp_path / "mine.toml", tmp_path / "long.toml"
    if Path("/dev/zero").exists():
        link.symlink_to("/dev/zero")
        with pytest.raises(GameError, match="it is a device"):
            load_game(link)
    long.write_bytes(b"#" * 10**6)
    with pytest.raises(GameError, match="too many for a game"):
        load_game(long)
