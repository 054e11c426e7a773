"""A copy of the tree, in which mutants live one after another."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

from mutants.changes import Mutant
from mutants.covering import Covering

ROOT = Path(__file__).parents[2]
KILLED, TIMEOUT, SURVIVED = "killed", "timeout", "SURVIVED"
PARTS = ("src", "tests", "docs", "examples", "benchmarks")


class Copy:
    """A copy of the tree, with a server that runs its tests."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._times = folder, count(1_000_000)
        kernels = Path("src", "yatzy", "kernels")
        leave = shutil.ignore_patterns(".*", "*.egg-info", "kernels", "build", "dist")
        for name in PARTS:
            shutil.copytree(ROOT / name, folder / name, ignore=leave)
        shutil.copytree(ROOT / "tests" / "kernels", folder / "tests" / "kernels")
        (folder / kernels).symlink_to(ROOT / kernels)  # nothing is changed there, and compiled once is enough
        for file in ROOT.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        (folder / "home").mkdir()
        self._server = subprocess.Popen(
            [sys.executable, "-m", "mutants.server", str(folder)],
            cwd=folder,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        """End the server."""
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait()

    def watch(self, room: str, files: list[str], limit: float) -> tuple[dict[str, Any], dict[str, Any]]:
        """Run the tests of some files of a room; the answer, and what each test executes."""
        seen = self.folder / "watched.json"
        seen.unlink(missing_ok=True)
        answer = self._ask(watch=room, files=files, limit=limit)
        return answer, json.loads(seen.read_text(encoding="utf-8")) if seen.exists() else {}

    def run(self, tests: list[str], covering: Covering, limit: float) -> dict[str, Any]:
        """Run tests until one fails."""
        if not tests:
            return {"outcome": SURVIVED, "seconds": 0.0, "by": ""}
        return self._ask(tests={test: covering.seconds(test) for test in tests}, limit=limit)

    def try_mutant(self, mutant: Mutant, tests: list[str], covering: Covering, limit: float) -> dict[str, Any]:
        """Change the module, run tests, change it back."""
        path = self.folder / mutant.path
        before = path.stat()
        path.write_bytes(mutant.changed)
        # Python takes a compiled module for that of a source of the same size and second.
        os.utime(path, (next(self._times),) * 2)
        try:
            return self.run(tests, covering, limit)
        finally:
            path.write_bytes(mutant.source)
            os.utime(path, (before.st_atime, before.st_mtime))

    def _ask(self, **job: Any) -> dict[str, Any]:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        print(json.dumps(job), file=self._server.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._server.stdout.readline())
        return answer

    def _environment(self) -> dict[str, str]:
        path = os.pathsep.join((str(self.folder / "src"), str(self.folder / "tests")))
        own = dict.fromkeys(("HOME", "TMPDIR", "YATZY_GAMES"), str(self.folder / "home"))
        return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "", **own}
