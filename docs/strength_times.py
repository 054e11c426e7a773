"""Times the measurement of docs/strength.md: perfect play, each strategy alone, and all of them together.

python docs/strength_times.py    half a minute, when the tables are there
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from yatzy import load_game
from yatzy.games import Position
from yatzy.lab.bench import Bench
from yatzy.lab.strength import open_evaluator, typical_positions
from yatzy.matches.endgames import Endgames
from yatzy.solver import Solver
from yatzy_papers.claims import Cost
from yatzy_papers.run import DEEPER, ENDGAMES, STRATEGIES, STRENGTH_GAME

PAGE = Path(__file__).parent / "strength.md"
BEGIN, END = "<!-- times, made by docs/strength_times.py -->", "<!-- until here -->"
DEPTHS = (2, 4, 6, 8)
KNOWN = ENDGAMES[Cost.QUICK]
"""The depth of the endgame tables. Only perfect play uses them."""
EACH = 64
"""Positions per depth and row. Each row has its own, because a second look at a position is faster."""
SEED = 2
WARM_UP = 8
"""Positions judged before the clock runs, so that nothing is compiled or read for the first time."""


def strength_times(names: Sequence[str]) -> list[str]:
    """A table with the time per position at some depths."""
    game, solver = load_game(STRENGTH_GAME), Solver(threads=1)
    chances = solver.chances(game)
    evaluators = [open_evaluator(name, chances, solver) for name in names]
    bench = Bench(chances, Endgames(game, KNOWN, solver), evaluators)
    rows: dict[str, tuple[list[int], bool]] = {"perfect play": ([], True)}
    rows |= {name: ([number], False) for number, name in enumerate(names)}
    rows["all together"] = (list(range(len(names))), True)
    found: dict[str, list[float]] = {name: [] for name in rows}
    for depth in DEPTHS:
        share = WARM_UP + EACH
        positions = typical_positions(chances, depth, share * len(rows), SEED, 1)
        for number, (name, (wanted, perfect)) in enumerate(rows.items()):
            found[name].append(_seconds(bench, positions[share * number :][:share], wanted, perfect=perfect))
    return [
        f"| CPU ms per position, by depth | {' | '.join(map(str, DEPTHS))} |",
        "|---" * (1 + len(DEPTHS)) + "|",
        *(f"| {name} | {' | '.join(f'{1000 * one:.2f}' for one in times)} |" for name, times in found.items()),
    ]


def _seconds(bench: Bench, positions: Sequence[Position], wanted: list[int], *, perfect: bool) -> float:
    """CPU seconds per position."""
    for position in positions[:WARM_UP]:
        bench.judge(position, wanted, perfect=perfect)
    began = time.process_time()
    for position in positions[WARM_UP:]:
        bench.judge(position, wanted, perfect=perfect)
    return (time.process_time() - began) / EACH


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    made = "\n".join([BEGIN, *strength_times((*STRATEGIES, *DEEPER)), END])
    PAGE.write_text(before + made + rest.partition(END)[2], encoding="utf-8")
