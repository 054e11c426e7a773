"""What ships and how: the groups of dependencies, the files beside the package, and the checks of a release."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata, resources
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tools import audit, check_site, group, smoke

import yatzy
from yatzy.cli.commands.serve import command as serve

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINNED = {
    line.partition("==")[0].lower().replace("_", "-"): line.partition("==")[2]
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
}


def all_requirements() -> list[str]:
    extras = [one for extra in PROJECT["project"]["optional-dependencies"].values() for one in extra]
    groups = PROJECT["dependency-groups"]
    return [
        *PROJECT["project"]["dependencies"],
        *extras,
        *(one for name in groups for one in group.requirements(groups, name)),
    ]


def test_the_pinned_versions_are_those_that_the_project_asks_for() -> None:
    wanted = [Requirement(text) for text in all_requirements() if not text.startswith("yatzy[")]
    assert len(wanted) > 20
    for one in wanted:
        assert PINNED[one.name.lower()] in one.specifier, one


def test_groups_are_listed_for_old_pips(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools/group.py", "dev", "bench"], capture_output=True, text=True, check=True
    )
    lines = done.stdout.split("\n")[:-1]
    assert lines == [*PROJECT["dependency-groups"]["dev"], *PROJECT["dependency-groups"]["bench"]]
    nested: dict[str, list[Any]] = {"a": ["x>=1", {"include-group": "b"}], "b": ["y", "x>=1"]}
    assert list(group.requirements(nested, "a")) == ["x>=1", "y", "x>=1"]
    with pytest.raises(SystemExit, match="'c'; groups are a, b"):
        list(group.requirements(nested, "c"))
    with pytest.raises(SystemExit, match="includes itself"):
        list(group.requirements({"a": [{"include-group": "a"}]}, "a"))


def test_everything_that_the_package_reads_is_package_data() -> None:
    """Every file beside the modules is in the wheel."""
    patterns = {name: PROJECT["tool"]["setuptools"]["package-data"][name] for name in ("yatzy", "yatzy_papers")}
    for name, globs in patterns.items():
        home = Path(str(resources.files(name)))
        shipped = {path for pattern in globs for path in home.glob(pattern)}
        others = {
            path
            for path in home.rglob("*")
            if path.is_file() and path.suffix not in (".py", ".pyc", ".nbi", ".nbc", ".stamp")
        }
        assert others <= shipped, others - shipped
        assert home / "py.typed" in shipped


def test_the_version_is_said_once_more_only_where_it_must_be() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == yatzy.__version__
    assert citation["license"] == PROJECT["project"]["license"]
    for document in ("README.md", "docs/install.md"):
        for version in re.findall(r"yatzy-([\d.]+)-py3", (ROOT / document).read_text(encoding="utf-8")):
            assert version == yatzy.__version__


def brought(name: str, extras: frozenset[str] = frozenset({""})) -> set[str]:
    """The distributions that an installation of this one brings, according to what is installed here."""
    found, waiting = set[str](), [(name, extras)]
    known = set[tuple[str, frozenset[str]]]()
    while waiting:
        name, extras = one = waiting.pop()
        if one in known:
            continue
        known.add(one)
        found.add(name)
        for text in metadata.requires(name) or []:
            needed = Requirement(text)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append((canonicalize_name(needed.name), frozenset({"", *needed.extras})))
    return found


def test_the_documents_say_why_each_distribution_is_there() -> None:
    text = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    table = text.partition("why each is there:")[2].partition("\n## ")[0]
    named = {name for row in re.findall(r"^\| (.*?) \|", table, re.MULTILINE) for name in row.split(", ")}
    assert brought("yatzy", frozenset({"", "web"})) - {"yatzy"} == named - {"distributions"}


def test_actions_are_pinned_by_commit() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert len(used) == text.count("uses:") > 5
    for one in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", one), one


def test_the_release_workflow_calls_what_there_is() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert set(jobs["publish"]["needs"]) == {"wheel", "test"}
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    runs = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    for line in runs:
        for target in re.findall(r"make ([a-z]+)", line):
            assert target in targets
        for path in re.findall(r"python (\S+\.py)", line):
            assert (ROOT / path).is_file()
    assert "make dist" in runs


def test_the_container_copies_and_runs_what_there_is() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE):
        for name in line.split():
            assert (ROOT / name).exists(), name
    options = re.findall(r'"--([a-z-]+)"', text.partition("CMD")[2])
    known = " ".join(str(one) for one in serve.__annotations__.values())
    assert options == ["host", "port", "no-open"]
    assert all(f"--{one.removeprefix('no-')}" in known for one in options)


CLEAN = {"name": "a", "version": "1", "vulns": []}
BAD = {"name": "b", "version": "2", "vulns": [{"id": "CVE-1"}]}
SKIPPED = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("found", "code", "says"),
    [
        ([CLEAN], 0, "1 versions checked, 0 advisories"),
        ([CLEAN, BAD], 1, "2 versions checked, 1 advisories"),
        ([CLEAN, SKIPPED], 3, "1 versions checked, 0 advisories; 1 versions could not be checked"),
        ([BAD, SKIPPED], 1, "1 versions checked, 1 advisories; 1 versions could not be checked"),
        ([SKIPPED], 3, "no advisory database can be reached from here, so nothing was checked"),
    ],
)
def test_an_audit_says_what_it_knows(found: list[dict[str, Any]], code: int, says: str) -> None:
    answer = audit.read_answer(json.dumps({"dependencies": found}))
    assert (answer.code, str(answer)) == (code, says)


def test_an_audit_without_an_answer_is_no_good_news() -> None:
    assert audit.read_answer("ConnectionError").code == audit.read_answer("{}").code == audit.UNCHECKED


def test_the_smoke_test_finds_assets() -> None:
    page = "<link href='/page-assets/page.css'><script src=\"/_nicegui/3/x.js\"></script><a href='/quiz'></a>"
    assert smoke.ASSET.findall(page) == ["/page-assets/page.css", "/_nicegui/3/x.js"]


def test_the_check_of_the_site_finds_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text("<h1 id='top'>b</h1><a href='a.html'>a</a>")
    good = "<link rel='canonical' href='https://a.org/'><a href='https://a.org'>x</a><a href='b.html#top'>b</a>"
    (tmp_path / "a.html").write_text(good)
    (tmp_path / "a.css").write_text("p { background: url('dot.png') }")
    assert check_site.problems(tmp_path) == []
    (tmp_path / "a.html").write_text(
        "<a href='c.html'></a><a href='b.html#nowhere'></a><img src='c.png'><script src='https://example.org/x.js'></script>"
    )
    (tmp_path / "a.css").write_text("@import '//example.org/x.css';")
    assert check_site.problems(tmp_path) == [
        "a.html: loads https://example.org/x.js",
        "a.html: c.html: there is no such file",
        "a.html: b.html#nowhere: there is no such place on the page",
        "a.html: c.png: there is no such file",
        "a.css: loads from another host",
    ]
    assert check_site.problems(tmp_path / "nothing") == [f"{tmp_path / 'nothing'}: there are no pages"]


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "build", "--quiet", "--outdir", tmp_path, ROOT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert len(list(tmp_path.glob("*.tar.gz"))) == 1
    assert wheel.stat().st_size < 2**21
    assert smoke.smoke(wheel, sys.executable)
