"""Commands are found by the name of their module and imported when they are called."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from yatzy.cli.loading import open_group

CODE = "from yatzy.cli import main; main()"
FIRST = '''"""The first of them.

More about it.
"""

print("first is imported")


def command(number: int = 1) -> None:
    print(f"first got {number}")
'''


def test_commands_are_loaded_without_the_compiler() -> None:
    """Help and refusals need no kernels."""
    code = "import sys, yatzy.cli.app; from yatzy.cli.loading import walk; from typer.main import get_command\n"
    code += "for words, _ in walk(get_command(yatzy.cli.app.app)): assert 'numba' not in sys.modules, words"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with two commands and a group that can be called alone."""
    files = {
        "__init__.py": '"""All of them."""\nORDER = ("second-one",)\n',
        "first.py": FIRST,
        "second_one.py": '"""The second of them."""\n\ndef command() -> None:\n    print("second")\n',
        "more/__init__.py": '"""A group."""\nORDER = ()\n\ndef command() -> None:\n    print("the group itself")\n',
        "more/inner.py": '"""Inside."""\n\ndef command() -> None:\n    print("inner")\n',
    }
    name = f"made_{tmp_path.name.replace('-', '_')}"
    for path, text in files.items():
        (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name / path).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def call(package: str, *arguments: str) -> str:
    result = CliRunner().invoke(open_group(import_module(package), "made"), arguments)
    return result.output if result.exit_code == 0 else f"{result.exit_code} {result.output}"


def test_a_module_is_a_command(package: str) -> None:
    assert call(package, "second-one") == "second\n"
    assert call(package, "first", "--number", "3") == "first is imported\nfirst got 3\n"


def test_a_package_is_a_group(package: str) -> None:
    assert call(package, "more") == "the group itself\n"
    assert call(package, "more", "inner") == "the group itself\ninner\n"


def test_help_lists_commands_in_order_without_importing_them(package: str) -> None:
    said = call(package, "--help")
    assert "imported" not in said
    places = [said.index(text) for text in ("The second of them.", "The first of them.", "A group.")]
    assert places[0] < places[1] < places[2]
    assert "More about it." not in said
    assert f"{package}.first" not in sys.modules


def test_the_docstring_is_the_help_of_the_command(package: str) -> None:
    said = call(package, "first", "--help")
    assert "The first of them." in said
    assert "More about it." in said
    assert "--number" in said


def test_a_slip_is_told_what_was_meant(package: str) -> None:
    said = call(package, "second-on")
    assert said.startswith("2 ")
    assert "second-one" in said


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("yatzy mat", ["match"]),
        ("yatzy match play", ["play-off"]),
        ("yatzy advise --dic", ["--dice"]),
        ("yatzy advise --game yacht --open ch", ["choice"]),
    ],
)
def test_the_shell_completes_commands_and_options(
    typed: str, offered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code = f"import sys; sys.argv = ['yatzy']; {CODE}"
    monkeypatch.setenv("_YATZY_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == offered, done.stderr
