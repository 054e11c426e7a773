"""The commands in the documents: every one exists with its options, and those in blocks are run."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
import tutorials
import typer.main
from helpers.command import yatzy

from yatzy.cli.app import app
from yatzy.cli.loading import walk

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")])
FENCED = re.compile(r"^```(\w*).*?\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(yatzy(?: [^`]*)?)`")


def in_blocks(text: str) -> list[str]:
    """The commands in blocks of code, without comments."""
    shown = [
        line for kind, body in FENCED.findall(text) if kind == "console" for line in re.findall(r"^\$ (.*)", body, re.M)
    ]
    plain = [line for kind, body in FENCED.findall(text) if kind == "sh" for line in body.splitlines()]
    indented = re.findall(r"^    (\S.*)$", FENCED.sub("", text), re.MULTILINE)
    return [line for line in [*shown, *plain, *indented] if line.startswith("yatzy ")]


def commands() -> list[tuple[str, str]]:
    found = dict.fromkeys(
        (path.name, line)
        for path in DOCUMENTS
        for line in [*in_blocks(path.read_text("utf-8")), *INLINE.findall(path.read_text("utf-8").replace("\n", " "))]
    )
    return list(found)


def test_every_command_in_the_documents_is_one() -> None:
    """Its words name a command, and all its options are known; placeholders such as FILE are as good as a name."""
    known = dict(walk(typer.main.get_command(app)))  # type: ignore[arg-type]
    groups = {words[:1] for words in known if len(words) > 1}
    wrong, checked = [], 0
    for name, line in commands():
        words = tuple(word for word in shlex.split(line, comments=True)[1:] if word != "…")
        words = words[2:] if words[:1] == ("--language",) else words  # may stand before the command
        command = next((known[words[:n]] for n in (2, 1) if words[:n] in known), None)
        options = (
            {option for one in command.params for option in (*one.opts, *one.secondary_opts)} if command else set()
        )
        options |= {"-h", "--help"}
        given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        if command is None and words[:1] not in groups and words not in ((), ("--version",)):
            wrong.append(f"{name}: {line}: there is no such command")
        elif command is not None and given - options:
            wrong.append(f"{name}: {line}: there is no option {', '.join(sorted(given - options))}")
        checked += command is not None
    assert checked > 100
    assert wrong == []


LESS = {
    "target:289 --games 100000 --exact": "greedy --games 200 --exact",
    "dataset yahtzee": "dataset yacht",
    "uniform --objective target:300": "uniform --objective target:200",
    "export-decisions yatzy": "export-decisions yacht",
    "--open 13-15": "--open 10-12",
    "--games 1000000": "--games 1000",
    "--games 100000": "--games 200",
    "--rows 1000000": "--rows 1000",
    "--rows 100000": "--rows 1000",
    "yahtzee-pawlewicz --depth 4": "two-yatzy --depth 4",
    "yahtzee-pawlewicz --depths 1-8:4096": "two-yatzy --depths 1-4:16",
    "--game yahtzee-pawlewicz": "--game yacht",
    "counts yahtzee-pawlewicz": "counts two-yatzy",
    "match solve yacht": "match solve two-yatzy",
    "match regret yacht": "match regret two-yatzy",
    "expected --game": "greedy --game",
    "match answer expected": "match answer greedy --game yacht --games 0",
    "yatzy advise POSITION": "yatzy advise yacht~s3.6.9.12.15.18.0.0.30.30..0~s3.6.9.12.15.18.0.0.30.30..0~d12345~r1",
    "match advise POSITION": "match advise yacht~s3.6.9.12.15.18.0.0.30.30..0~s3.6.9.12.15.18.0.0.30.30..0~d12345~r1",
    "value POSITION": "value yacht~s3.6.9.12.15.18.0.0.30.30..0~s3.6.9.12.15.18.0.0.30.30..0",
    "explain POSITION": "explain yatzy~d13356~r0",
    "--against expected --against greedy": "--against greedy",
    "graph my-game.toml --target 5": "graph two-yatzy --target 5",
    "papers --out DIR": "papers --list",
    "papers --full --out DIR": "papers --list",
    "papers tillius cited --out DIR": "papers tillius --list",
}
"""Smaller numbers and games, and something in place of what stands for anything."""
ELSEWHERE = {
    "README.md", "i-want-to.md", "notation.md", "play.md", "scale.md",  # tests/test_docs.py
    *(f"{name}.md" for name in tutorials.PAGES),  # tests/test_tutorials.py
}  # fmt: skip
"""Documents whose commands another test runs as they stand."""
NEVER_ENDS = "yatzy serve"


def to_run() -> list[tuple[str, tuple[str, ...]]]:
    """The commands of each document, in order: later ones use what the earlier ones wrote."""
    found = [(path.name, tuple(in_blocks(path.read_text("utf-8")))) for path in DOCUMENTS]
    return [(name, lines) for name, lines in found if lines and name not in ELSEWHERE]


MATCH = """game: two-yatzy
player: Ann
player: Bo

1 Ann: 22 (2) 12 twos 2
1 Bo: 11 (11) ones 2
2 Ann: 22 (2) 22 ones 0
2 Bo: 12 (2) 22 twos 4
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the commands name."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "records").mkdir()
    for name in ("game.txt", "records/game.txt"):
        (tmp_path / name).write_text(MATCH, encoding="utf-8")
    (tmp_path / "games.csv").write_text("game,player,category,points\nyatzy,Ann,ones,3\n", encoding="utf-8")
    (evening,) = re.findall(r'title="evening.txt"\n(.*?)```', (ROOT / "docs/teach-me.md").read_text("utf-8"), re.DOTALL)
    (tmp_path / "evening.yatzy").write_text(evening, encoding="utf-8")
    blocks = [
        body for kind, body in FENCED.findall((ROOT / "docs/strategies.md").read_text("utf-8")) if kind == "python"
    ]
    (tmp_path / "my_file.py").write_text(blocks[1].partition("game =")[0] + blocks[-1], encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lines"), to_run(), ids=[name for name, _ in to_run()])
def test_commands_in_blocks_run(
    name: str, lines: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YATZY_GAMES", str(folder / "games"))
    for line in lines:
        if line.startswith(NEVER_ENDS):
            continue
        small = line
        for long, short in LESS.items():
            small = small.replace(long, short)
        done = yatzy(*shlex.split(small, comments=True)[1:], cwd=folder, input="q\n")
        assert done.returncode == 0, (line, small, done.stderr)
        assert done.stdout, line
