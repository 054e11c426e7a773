"""Ctrl-C where Python loses it: in finalisers and during imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def run(code: str, folder: Path | None = None) -> tuple[str, str, int]:
    """What a process prints, and its exit code."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, cwd=folder)
    return done.stdout, done.stderr, done.returncode


def test_an_interrupt_in_a_finaliser_is_not_lost() -> None:
    """Python prints such an exception and goes on; here it comes again a moment later."""
    code = (
        "import signal, time\n"
        "from yatzy.cli.interrupts import prepare_interrupts\n"
        "prepare_interrupts()\n"
        "class Closing:\n"
        "    def __del__(self):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "try:\n"
        "    one = Closing()\n"
        "    del one\n"
        "    time.sleep(30)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    assert run(code) == ("interrupted\n", "", 0)


def test_other_errors_in_a_finaliser_are_still_shown() -> None:
    code = (
        "from yatzy.cli.interrupts import prepare_interrupts\n"
        "prepare_interrupts()\n"
        "class Closing:\n"
        "    def __del__(self):\n"
        "        raise ValueError('in the finaliser')\n"
        "Closing()\n"
    )
    assert "ValueError: in the finaliser" in run(code)[1]


@pytest.mark.parametrize(
    "reaction",
    ["print('lost')", "raise ImportError('disguised') from None"],
)
def test_an_interrupt_during_an_import_comes_after_it(reaction: str, tmp_path: Path) -> None:
    """Compiled modules do what this module does: they clear the error, or raise another."""
    (tmp_path / "heavy.py").write_text(
        "import signal\n"
        "try:\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "except KeyboardInterrupt:\n"
        f"    {reaction}\n"
        "print('imported')\n"
    )
    code = (
        "import time\n"
        "from yatzy.cli.interrupts import prepare_interrupts\n"
        "prepare_interrupts()\n"
        "try:\n"
        "    import heavy\n"
        "    time.sleep(30)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    assert run(code, tmp_path) == ("imported\ninterrupted\n", "", 0)


def test_two_interrupts_during_an_import_are_one(tmp_path: Path) -> None:
    """The second would end the cleanup after the first."""
    (tmp_path / "heavy.py").write_text(
        "import signal, time\n"
        "signal.raise_signal(signal.SIGINT)\n"
        "time.sleep(0.1)\n"
        "signal.raise_signal(signal.SIGINT)\n"
        "print('imported')\n"
    )
    code = (
        "import signal, time\n"
        "from yatzy.cli import interrupts\n"
        "interrupts.WAIT = 0.2\n"
        "interrupts.prepare_interrupts()\n"
        "try:\n"
        "    import heavy\n"
        "    time.sleep(30)\n"
        "except KeyboardInterrupt:\n"
        "    time.sleep(0.5)\n"
        "    print('cleaned up')\n"
        "try:\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted again')\n"
    )
    assert run(code, tmp_path) == ("imported\ncleaned up\ninterrupted again\n", "", 0)


def test_an_import_that_never_ends_can_be_interrupted(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\nwhile True: pass\n")
    code = (
        "import time\n"
        "from yatzy.cli import interrupts\n"
        "interrupts.PATIENCE = 0.5\n"
        "interrupts.prepare_interrupts()\n"
        "begun = time.monotonic()\n"
        "try:\n"
        "    import endless\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', time.monotonic() - begun >= 0.5)\n"
    )
    assert run(code, tmp_path) == ("interrupted True\n", "", 0)


@pytest.mark.parametrize("place", ["asked_language", "_call"])
def test_an_interrupt_outside_a_command_ends_quietly(place: str) -> None:
    """One that was delayed may come at any moment."""
    code = (
        "import yatzy.cli.app as app\n"
        "from yatzy.cli import main\n"
        "def interrupt(*_):\n"
        "    raise KeyboardInterrupt\n"
        f"app.{place} = interrupt\n"
        "main()\n"
    )
    assert run(code) == ("", "", 130)


def test_a_file_that_is_run_can_be_interrupted(tmp_path: Path) -> None:
    """A strategy in a file is run like this; it may never end."""
    (tmp_path / "endless.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\nwhile True: pass\n")
    code = (
        "from importlib.util import module_from_spec, spec_from_file_location\n"
        "from yatzy.cli.interrupts import prepare_interrupts\n"
        "prepare_interrupts()\n"
        "spec = spec_from_file_location('endless', 'endless.py')\n"
        "try:\n"
        "    spec.loader.exec_module(module_from_spec(spec))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    assert run(code, tmp_path) == ("interrupted\n", "", 0)


def test_an_interrupt_that_is_ignored_stays_ignored() -> None:
    """As `nohup` and shells do for what they start in the background."""
    code = (
        "import signal\n"
        "from yatzy.cli.interrupts import prepare_interrupts\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "prepare_interrupts()\n"
        "signal.raise_signal(signal.SIGINT)\n"
        "print('went on')\n"
    )
    assert run(code) == ("went on\n", "", 0)
