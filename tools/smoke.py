"""Install a wheel into an empty environment with pip alone, and see whether it works there.

    python tools/smoke.py dist/yatzy-0.2.0-py3-none-any.whl [PYTHON ...]

For each Python (by default the one that runs this): `import yatzy` with its data and type information, `yatzy advise`,
`yatzy serve`, and the page with all of its assets. Prints the time and size of the installation and what it brought.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

ASSET = re.compile(r"""(?:href|src)=["'](/[^"'?#]+\.(?:css|js|svg|png|woff2))""")
IMPORT = """
import json, importlib.resources, yatzy
games = [yatzy.load_game(id).id for id in yatzy.PRESETS]
typed = all((importlib.resources.files(one) / "py.typed").is_file() for one in ("yatzy", "yatzy_papers"))
print(json.dumps({"version": yatzy.__version__, "games": len(games), "typed": typed, "file": yatzy.__file__}))
"""


class SmokeError(Exception):
    """Something that does not work."""


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Run a command and return what it prints."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SmokeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_import(python: Path, home: Path, env: dict[str, str]) -> str:
    """The package is imported from the environment, with its data."""
    found = json.loads(run(python, "-c", IMPORT, cwd=home, env=env))
    if not found["typed"] or not found["games"] or not Path(found["file"]).is_relative_to(home):
        raise SmokeError(f"import yatzy: {found}")
    return f"yatzy {found['version']}, {found['games']} presets, typed"


def check_advise(python: Path, home: Path, env: dict[str, str]) -> str:
    """The command solves Yatzy and knows the best move."""
    command = python.with_name("yatzy")
    answer = json.loads(run(command, "advise", "--dice", "13356", "--rolls-left", "2", "--json", cwd=home, env=env))
    best = answer["moves"][0]["move"]
    if best != "33":
        raise SmokeError(f"yatzy advise: the best move is {best}, not 33")
    return f"best move {best}"


def check_serve(python: Path, home: Path, env: dict[str, str]) -> str:
    """The server starts, and sends the page, everything that the page names, and the documentation of the API."""
    command = [str(python.with_name("yatzy")), "serve", "--no-open", "--port", "0", "--prepare", "none"]
    server = subprocess.Popen(command, cwd=home, env=env, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        address = re.search(r"http://[^ ]+:\d+", line)
        if address is None:
            raise SmokeError(f"yatzy serve: {line}{server.stderr.read()}")
        page = get(f"{address[0]}/")
        assets = sorted(set(ASSET.findall(page)))
        own = [path for path in assets if path.startswith("/page-assets/")]
        if not own:
            raise SmokeError("yatzy serve: the page names none of its own assets")
        size = sum(len(get(address[0] + path)) for path in [*assets, "/api/docs", "/api/openapi.json"])
    finally:
        server.terminate()
        server.communicate(timeout=30)  # closes its pipe, too
    return f"page and {len(assets)} assets ({len(own)} of its own), {size:,} bytes"


def get(address: str) -> str:
    """What a server sends; an error if it is not there or empty."""
    with urlopen(address, timeout=120) as answer:
        text: str = answer.read().decode("utf-8", "replace")
    if not text:
        raise SmokeError(f"{address}: is empty")
    return text


def installed(python: Path, home: Path) -> list[str]:
    """The distributions in an environment, with their versions."""
    found = json.loads(run(python, "-m", "pip", "list", "--format", "json", cwd=home))
    return [f"{one['name']} {one['version']}" for one in found if one["name"] not in ("pip", "setuptools")]


def smoke(wheel: Path, chosen: str) -> bool:
    """Install a wheel for one Python and check it; whether everything works."""
    version = run(chosen, "-c", "import sys; print(sys.version.split()[0])", cwd=Path.cwd()).strip()
    print(f"Python {version}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        python = home / "env" / "bin" / "python"
        env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        env |= {"YATZY_TABLES": str(home / "tables"), "YATZY_GAMES": str(home / "games")}
        try:
            run(chosen, "-m", "venv", home / "env", cwd=home)
            before, begin = folder_size(home), time.perf_counter()
            run(python, "-m", "pip", "install", "--quiet", f"{wheel}[web]", cwd=home, env=env)
            seconds, size = time.perf_counter() - begin, folder_size(home) - before
            brought = installed(python, home)
            print(f"  installed in {seconds:.0f} s, {size / 2**20:.0f} MiB, {len(brought)} distributions")
            for name, check in (("import", check_import), ("advise", check_advise), ("serve", check_serve)):
                begin = time.perf_counter()
                said = check(python, home, env)
                print(f"  {name}: {said} ({time.perf_counter() - begin:.1f} s)", flush=True)
            print(f"  {', '.join(brought)}")
        except (SmokeError, OSError, subprocess.SubprocessError) as error:
            print(f"  failed: {error}", flush=True)
            return False
    return True


def folder_size(folder: Path) -> int:
    """The size of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def main() -> None:
    """Check the wheel named on the command line."""
    if len(sys.argv) < 2:
        sys.exit("usage: smoke.py WHEEL [PYTHON ...]")
    wheel = Path(sys.argv[1]).resolve()
    results = [smoke(wheel, python) for python in sys.argv[2:] or [sys.executable]]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
