"""`yatzy papers` from outside: answers, goes on after an interruption, and refuses in one line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy


@pytest.mark.slow
def test_cited_results(tmp_path: Path) -> None:
    """Interrupted while it computes, then once to the end, then again without computing."""
    out = tmp_path / "out"
    command = [sys.executable, "-c", "from yatzy.cli import main; main()", "papers", "cited", "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if "Evaluating" in line:
                running.send_signal(signal.SIGINT)
                break
        assert "the same command resumes" in running.stderr.read()
    assert running.returncode == 130
    assert not (out / "report.md").exists()

    found = answer("papers", "cited", "--out", out)
    verdicts = {key: entry["verdict"] for key, entry in found["verdicts"].items()}
    assert verdicts == {
        "verhoeff": "reproduced",
        "glenn": "reproduced",
        "larsson-sjoberg": "differs",
        "larsson-sjoberg-games": "reproduced",
        "jendeberg-wiksten": "differs",
        "jendeberg-wiksten-people": "cannot be checked",
        "felldin-sood": "differs",
    }
    assert all(entry["settled"] for entry in found["verdicts"].values())
    assert found["effort"] == "quick"
    written = json.loads((out / "results.json").read_text("utf-8"))
    assert {key: found[key] for key in written} == written

    done = yatzy("papers", "cited", "--out", out, "--quick")
    assert done.returncode == 0, done.stderr
    assert "Evaluating" not in done.stderr
    assert "Results cited in these works" in done.stdout
    assert "248.63" in done.stdout
    assert f"report: {out / 'report.html'}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ("nobody",),
            "there is no work 'nobody'; works are tillius, pawlewicz, henriksson-engstrom, molinder, cited, glenn,"
            " beside, new",
        ),
        (("--quick", "--full"), "give only one of --quick and --full"),
    ],
)
def test_wrong_input(arguments: tuple[str, ...], line: str, tmp_path: Path) -> None:
    assert line in refusal("papers", *arguments, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_list_computes_nothing(tmp_path: Path) -> None:
    found = answer("papers", "molinder", "--list", "--out", tmp_path / "out")
    assert set(found) == {"molinder"}
    shares = next(one for one in found["molinder"]["entries"] if one.get("claim") == "molinder.shares")
    assert (shares["status"], shares["figures"]) == ("claim", 28)
    assert found["molinder"]["counts"]["claim"] == sum(
        one["figures"] for one in found["molinder"]["entries"] if one["status"] == "claim"
    )
    done = yatzy("papers", "--list", "--out", tmp_path / "out")
    assert "page not at hand" in done.stdout
    assert "Counts" in done.stdout
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refusal("papers", "cited", "--out", tmp_path / "file" / "out")
