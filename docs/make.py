"""Write the parts of the documentation that come from the program: commands.md, results.md, the pictures.

python docs/make.py              all of it: solves every preset and evaluates strategies, some minutes
python docs/make.py commands     one part
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer.main
from rich.console import Console

from yatzy import PRESETS, Position, advise, count_game, evaluate, load_game, solve_game, solve_objective
from yatzy.cli.advise import advice_table
from yatzy.cli.app import app
from yatzy.lab.plots import Line, plot_tails
from yatzy.solve import BestChances, position_curve

HERE = Path(__file__).parent
BLANK = "<!-- made by docs/make.py -->"


def commands() -> str:
    """Every command with its options, as the command line knows them."""
    root = typer.main.get_command(app)
    lines = [BLANK, "# Commands", "", str(root.help), ""]
    lines += [
        "Every command that computes takes `--json` and then prints one JSON object on standard output and nothing",
        "else; progress and notes go to standard error. Wrong input gives one line and exit code 2, a table that",
        "cannot be used 1, Ctrl-C 130.",
    ]
    for path, command in _walk("yatzy", root):
        lines += ["", f"## {path}", "", " ".join(str(command.help).split()), ""]
        lines += ["| | |", "|---|---|", *(_parameter(parameter) for parameter in command.params)]
    return "\n".join(lines) + "\n"


def _walk(path: str, command: Any) -> list[tuple[str, Any]]:
    children = getattr(command, "commands", {})
    if not children:
        return [(path, command)]
    own = [(path, command)] if getattr(command, "invoke_without_command", False) else []
    return own + [entry for name, child in children.items() for entry in _walk(f"{path} {name}", child)]


def _parameter(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
    else:
        name = " ".join(parameter.opts)
    return f"| `{name}` | {parameter.help or ''} |"


def results() -> str:
    """The value of every preset."""
    lines = [BLANK, "# Results", "", "The expected final score of the best strategy, and how large the solved game is."]
    lines += [
        "Each line is `yatzy solve GAME --json`.",
        "",
        "| game | expected score | states | what it is |",
        "|---|---|---|---|",
    ]
    for id in PRESETS:
        game = load_game(id)
        value = solve_game(game).value(Position.start(game))
        lines.append(f"| `{id}` | {value:.6f} | {count_game(game).states:,} | {game.note} |")
    lines += [
        "",
        "Set beside print: Yatzy 248.4400, without bonus 211.1487, with the single-pair slip 248.6329 (Tillius 2026;",
        "the slip is behind the 248.63 of Larsson & Sjöberg 2012); Yahtzee 254.5896 with the free Joker",
        "(Verhoeff 1999, Glenn 2006) and 254.589374 in Pawlewicz's reading (2008). These are tests in `tests/papers/`.",
        "`make bench` compares these and other variants with another solver.",
    ]
    return "\n".join(lines) + "\n"


def picture() -> str:
    """Advice for a first roll as the terminal shows it, in SVG without anything from outside."""
    game = load_game("yatzy")
    advice = advise(solve_game(game), Position.start(game).rolled((1, 3, 3, 5, 6)))
    console = Console(record=True, width=64, file=io.StringIO(), highlight=False, force_terminal=True)
    console.print("$ yatzy advise --dice 13356 --rolls-left 2 --top 8")
    console.print(advice_table([advice], top=8, language="en"))
    svg = console.export_svg(title="yatzy", unique_id="advice")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    return re.sub(r"[ \t]+\n", "\n", svg.replace("Fira Code", "ui-monospace"))


def chances() -> None:
    """The best chance of every score of Yatzy beside what strategies reach."""
    game = load_game("yatzy")
    start = Position.start(game)
    first, best = position_curve(BestChances(game), start)
    lines = [Line("best chance of each score", first, best)]
    for name in ("expected", "target:300"):
        score = evaluate(solve_objective(game, name)).score
        lines.append(Line(f"{name} (mean {score.mean:.1f})", 0, score.mass[::-1].cumsum()[::-1]))
    caption = "exact; each score of the upper curve is played for by itself"
    plot_tails(lines, "Yatzy: chances of final scores", caption, HERE / "chances.svg")


PARTS: dict[str, Callable[[], object]] = {
    "commands": lambda: (HERE / "commands.md").write_text(commands(), encoding="utf-8"),
    "results": lambda: (HERE / "results.md").write_text(results(), encoding="utf-8"),
    "advice": lambda: (HERE / "advice.svg").write_text(picture(), encoding="utf-8"),
    "chances": chances,
}


def main(names: list[str]) -> None:
    """Write the files."""
    for name in names or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
