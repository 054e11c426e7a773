"""How much of the package a command or a click on the page needs: the modules it imports, and those that run.

A module runs when one of its functions is called after the imports. Decorators are called during the import and do not
count. Calls of compiled kernels cannot be observed, so kernel modules are counted separately.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yatzy
from benchmarks.report import Grid, Result, Settings, Value

QUESTIONS = {
    "advise": ["advise", "--dice", "13356"],
    "value": ["value"],
    "simulate": ["simulate", "--games", "1000000"],
}
QUICK_GAMES = "10000"
FOLDER = Path(str(yatzy.__file__)).parent.parent
BENCHMARKS = Path(__file__).parent.parent

WALK = """
import inspect, json, sys, threading
from pathlib import Path

folder, result, *arguments = sys.argv[1:]
running, importing = set(), threading.local()

def look(frame, event, _):
    code = frame.f_code
    if event not in ("call", "return") or not code.co_filename.startswith(folder):
        return
    if code.co_name == "<module>":
        importing.depth = getattr(importing, "depth", 0) + (1 if event == "call" else -1)
    elif not getattr(importing, "depth", 0) and code.co_flags & inspect.CO_OPTIMIZED:
        running.add(code.co_filename)

from yatzy.cli import main
sys.argv = ["yatzy", *arguments]
threading.setprofile(look)
sys.setprofile(look)
try:
    main()
finally:
    sys.setprofile(None)
    names = sorted(name for name in sys.modules if name.split(".")[0] in ("yatzy", "yatzy_papers"))
    files = {str(getattr(sys.modules[name], "__file__", None)): name for name in names}
    found = {"imported": names, "running": sorted(files[file] for file in running if file in files)}
    Path(result).write_text(json.dumps(found), encoding="utf-8")
"""


def walk(arguments: list[str], folder: Path = FOLDER) -> dict[str, Any]:
    """The modules of the package in a folder that a command imports, and those that run."""
    return _observe(["-c", WALK], arguments, folder)


def walk_click(folder: Path = FOLDER) -> dict[str, Any]:
    """The same for a click on a die, with the number of HTML elements shown and of those that changed."""
    return _observe(["-m", "benchmarks.page_click"], [], folder)


def _observe(program: list[str], arguments: list[str], folder: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        result = Path(place) / "walk.json"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(BENCHMARKS)])}
        command = [sys.executable, *program, f"{folder}{os.sep}", str(result), *arguments]
        subprocess.run(command, check=True, capture_output=True, env=environment)
        found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
        return found


def run(settings: Settings) -> Result:
    """Run each command twice, because its tables may be missing the first time."""
    rows, data = list[list[str]](), dict[str, Value]()
    for name, arguments in QUESTIONS.items():
        asked = [QUICK_GAMES if one.isdigit() and name == "simulate" and settings.quick else one for one in arguments]
        walk(asked)
        data[name] = found = walk(asked)
        rows.append([f"yatzy {' '.join(asked)}", *_counts(found), ""])
    data["click"] = found = walk_click()
    rows.append(["a click on a die", *_counts(found), f"{found['changed']} of {found['elements']}"])
    columns = ("question", "modules that run", "imported", "of them kernels", "elements changed")
    return Result(
        [
            Grid(
                "Walks",
                columns,
                rows,
                "a module runs when its functions are called after the imports; kernels are not seen to run",
            )
        ],
        data,
    )


def _counts(found: dict[str, Any]) -> list[str]:
    kernels = [one for one in found["imported"] if one.startswith("yatzy.kernels.")]
    return [str(len(one)) for one in (found["running"], found["imported"], kernels)]
