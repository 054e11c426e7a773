"""Write the parts of the documentation that come from the program: commands.md, results.md, the pictures.

python docs/make.py                     all of it: solves every preset and evaluates strategies; takes hours
python docs/make.py commands            one part
python docs/make.py results glenn new   the results of some works, and the texts; the other results stay
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
from reference import BLANK, api, commands
from rich.console import Console
from tutorials import write_pages

from yatzy import PRESETS, Distribution, Position, advise, evaluate, load_game, override, parse_strategy
from yatzy.cli.commands.study import write_study
from yatzy.coach.selected_moves import parse_moves, select_moves
from yatzy.lab.figures import Series, draw_together
from yatzy.lab.plots import Line, plot_tails, write_figure
from yatzy.lab.strength import measure_strength
from yatzy.lab.strength_figures import draw_error_chances, draw_mean_errors
from yatzy.lab.studies import StudyResult, read_study, run_study
from yatzy.model import count_game
from yatzy.report.advice import advice_table
from yatzy.report.document import Table
from yatzy.report.selected_moves_figure import draw_selected_moves
from yatzy.report.strength import depth_table, overall_table
from yatzy.report.terminal import rich_table
from yatzy.report.words import strategy_label
from yatzy.sharing.manifest import count_values, value_hash
from yatzy.solver import Solver, solve
from yatzy.store import Table as StoredTable
from yatzy.values.bounds import error_bound
from yatzy.values.curves import BestChances
from yatzy.values.kinds import CURVES, EXPECTED
from yatzy.values.targets import position_curve
from yatzy_papers.claims import SIGMAS
from yatzy_papers.molinder import NAMES, PERCENTS
from yatzy_papers.pawlewicz.strength import STRENGTH
from yatzy_papers.publishing import misprints_text, readme_table, results_page, with_table
from yatzy_papers.results import merge, read_numbers, write_numbers
from yatzy_papers.run import DEEPER, STRENGTH_GAME, PaperRun, run_papers
from yatzy_papers.run import STRATEGIES as MATCH_STRATEGIES
from yatzy_papers.works import all_works, find_works

HERE = Path(__file__).parent


SHOWN = (
    "tillius-graph-points",
    "tillius-graph-five",
    "pawlewicz-tails",
    "pawlewicz-four-moves",
    "new-targets-yatzy",
    "new-rolls",
)
"""The figures of the report that the documents show."""


PAPERS = Path(tempfile.gettempdir()) / "yatzy-papers"
"""The folder of the full run, with its parts."""


def results(names: Sequence[str] = ()) -> None:
    """All numbers of the literature and ours, from a full run of all works, or of some works in place of older numbers.

    A full run of all works takes hours the first time and moments when it has been done; see docs/papers.md.
    """
    run_papers(find_works(names), PAPERS, Solver(), full=True)
    numbers = read_numbers(PAPERS / "results.json")
    if names:
        numbers = merge(read_numbers(HERE / "results.json"), numbers, find_works([]))
    write_numbers(HERE / "results.json", numbers)
    for name in SHOWN:
        picture = PAPERS / "figures" / f"{name}.svg"
        if picture.exists():
            (HERE / f"{name}.svg").write_bytes(picture.read_bytes())
    results_text()


def results_text() -> None:
    """The documents of the numbers that are there."""
    numbers, readme = read_numbers(HERE / "results.json"), HERE.parent / "README.md"
    regret = read_numbers(HERE / "regret.json")
    page = results_page(numbers, {name: Path(f"{name}.svg") for name in SHOWN}, regret)
    (HERE / "results.md").write_text(page, encoding="utf-8")
    (HERE / "misprints.md").write_text(misprints_text(numbers), encoding="utf-8")
    readme.write_text(with_table(readme.read_text(encoding="utf-8"), readme_table(numbers)), encoding="utf-8")


MEASURED = (
    "expected,match:emp:0,match:emp:1,match:emp:2,match:emp:3,match:dyns:0,match:dyns:1,match:dyns:2,match:dyns:3,"
    "match:dyns:4"
)
"""The strategies of which whole games are measured."""
WHOLE_GAMES = 131_072
REGRET = Path(tempfile.gettempdir()) / "yatzy-regret"
"""The folder of the parts of that measurement."""


def regret() -> None:
    """What strategies lose over whole games of Yacht: the complete solution, then twenty minutes of one core."""
    run = [sys.executable, "-m", "yatzy", "match"]
    subprocess.run([*run, "solve", "yacht", "--keep", "all"], check=True)
    command = [*run, "regret", "yacht", "--games", str(WHOLE_GAMES), "--strategies", MEASURED, "--out", str(REGRET)]
    done = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, check=True)
    write_numbers(HERE / "regret.json", json.loads(done.stdout))
    results_text()


def picture() -> str:
    """Advice for a first roll as the terminal shows it, in SVG without anything from outside."""
    game = load_game("yatzy")
    advice = advise(solve(game), Position.start(game).roll((1, 3, 3, 5, 6)))
    console = Console(record=True, width=64, file=io.StringIO(), highlight=False, force_terminal=True)
    console.print("$ yatzy advise --dice 13356 --rolls-left 2 --top 8")
    table = advice_table([advice], top=8)
    console.print(table.title, rich_table(table, console), sep="\n")
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
        score = evaluate(solve(game, name)).score
        label = f"{strategy_label(name)}, mean {score.mean:.1f}"
        lines.append(Line(label, 0, score.mass[::-1].cumsum()[::-1]))
    caption = "Exact. The best chance of each score has a strategy of its own."
    plot_tails(lines, "Yatzy: chances of final scores", caption, HERE / "chances.svg")


def beats(first: Distribution, second: Distribution, games: int) -> float:
    """The chance of a higher total over some games of each."""
    one, other = (reduce(np.convolve, [score.mass] * games) for score in (first, second))
    below = np.concatenate([[0.0], other.cumsum()])
    return float(one @ below[np.minimum(np.arange(len(one)), len(other))])


def keep_pair(dice: Sequence[int], rolls_left: int) -> list[int] | None:
    """The habit in docs/strategies.md."""
    return [die for die in dice if dice.count(die) == 2] if rolls_left and len(set(dice)) == 4 else None


def luck() -> None:
    """Luck and skill in index.md: the scores of three strategies, and how often the worse ones win."""
    game = load_game("yatzy")
    players = {
        "best play": solve(game),
        "always keeping a pair": override(solve(game), keep_pair),
        "greedy": parse_strategy("greedy", game),
    }
    best, *others = scores = [evaluate(player).score for player in players.values()]
    series = [Series(name, None, score.mass) for name, score in zip(players, scores, strict=True)]
    caption = "exact; each curve is as wide as luck makes it, and skill moves it to the right"
    write_figure(draw_together(series, "Yatzy: final scores of three strategies", caption), HERE / "luck.svg")
    rows = [
        "| | mean | standard deviation | wins one game | 5 games together | 20 games |",
        "|---|---|---|---|---|---|",
    ]
    rows.append(f"| {series[0].label} | {best.mean:.1f} | {best.sd:.1f} | | | |")
    for one, score in zip(series[1:], others, strict=True):
        wins = " | ".join(f"{100 * beats(score, best, games):.2g} %" for games in (1, 5, 20))
        rows.append(f"| {one.label} | {score.mean:.1f} | {score.sd:.1f} | {wins} |")
    write_between(HERE / "index.md", LUCK, rows)


def moves() -> None:
    """Three moves of a first turn: their best chances, and playing on for points."""
    position = Position.parse("yatzy~d36666~r1")
    chosen = parse_moves(position, ("sixes", "four-of-a-kind", "keep 6666"))
    solver = Solver()
    found = select_moves(solver.chances(position.game), solver.outlooks(position.game), position, chosen)
    write_figure(draw_selected_moves(found), HERE / "moves.svg")


def in_print(claim: str, figure: str) -> str:
    """A printed figure."""
    found = (one for work in all_works().values() for one in work.claims if one.key == claim)
    return next(printed.text for printed in next(found).printed if printed.name == figure)


QUOTES = {
    "rules": """
Henriksson & Engström 2013 report {henriksson.scores/three rolls: mean} ± {henriksson.scores/three rolls: standard
deviation}, most often {henriksson.scores/three rolls: most frequent}, with three rolls and
{henriksson.scores/four rolls: mean} ± {henriksson.scores/four rolls: standard deviation}, most often
{henriksson.scores/four rolls: most frequent}, with four, from 100,000 games each, and question these figures
themselves; the best strategies score more with less spread. Larsson & Sjöberg 2012 report
{larsson-sjoberg/expected score}, because their program accepts one pair as two pairs (`yatzy-lenient-two-pairs`).
Jendeberg & Wikstén 2015 report {jendeberg-wiksten/expected score} for a strategy that is not optimal and
{jendeberg-wiksten-people/mean} for six people in 300 rounds. For Yahtzee, Glenn 2006 reports a standard deviation of
{glenn/standard deviation} (free Joker), Verhoeff 1999 about {verhoeff/standard deviation}, and Felldin & Sood 2012 a
mean of {felldin-sood/expected score} for a strategy that is not optimal.""",
    "players": """
Tillius 2026 reports a median of {tillius.winner/median} and a mean of {tillius.winner/mean} for the winner of four. A
fifth player who plays for 289 reaches it with probability {tillius.reaches/reaches 289}, a little more than the fair
share of 1/5. But that is not the player's share of wins: even with 289 points another player may have more, and
trying for 289 costs points when it fails. The share of wins is less than 1/5, which the player would get by playing
like the others.""",
    "strength": """
Pawlewicz 2010 reports, from 65,536 positions per depth up to depth 8, a mean error of {pawlewicz.mean-errors/EMP(1)}
per move for EMP(1) and {pawlewicz.mean-errors/E, the solitaire strategy} for the one-player strategy. DynS(4) is
better than the latter and much worse than EMP(1). The share of moves that are errors is {pawlewicz.erring/EMP(0)} for
EMP(0), {pawlewicz.erring/EMP(1)} for EMP(1) and EMP(2), and {pawlewicz.erring/EMP(3)} for EMP(3).""",
}
"""What publications say, with the places of their figures: claim and name."""


def quoted(name: str) -> list[str]:
    """A text with its figures, in lines."""
    text = re.sub(r"\{([^/}]+)/([^}]+)\}", lambda found: in_print(*found.groups()), " ".join(QUOTES[name].split()))
    return textwrap.wrap(text, 112, break_on_hyphens=False)


def _molinder(words: str) -> list[str]:
    """What he prints: mean, highest, lowest, bonus, yatzy, percentiles."""
    scores = [in_print("molinder.scores", f"{words}: {n}") for n in ("mean", "highest", "lowest", "bonus", "yatzy")]
    return [*scores, " ".join(in_print("molinder.percentiles", f"{words}: {percent} %") for percent in PERCENTS)]


MOLINDER = {name: _molinder(words) for words, name in NAMES.items()}


def studies() -> str:
    """What the studies in examples/ find, beside print."""
    found = {
        name: _run(name) for name in ("two-by-hand", "one-more-roll", "bonus-or-not", "joker-readings", "four-players")
    }
    for study, picture, name in (
        ("two-by-hand", "together", "by-hand"),
        ("one-more-roll", "together", "rolls"),
        ("four-players", "winner", "winner"),
    ):
        (source,) = sorted((found[study].folder / "figures").glob(f"*{picture}*.svg"))[:1]
        (HERE / f"{name}.svg").write_bytes(source.read_bytes())
    lines = [BLANK, "# Studies", ""]
    lines += [
        "The results of the studies in `examples/`. `yatzy study examples/NAME.toml` runs one of them and writes its",
        "full report. Simulated figures depend only on the seed in the file; exact figures have no sampling error.",
        "",
        *_by_hand(found["two-by-hand"]),
        *_rules(found),
        *_players(found["four-players"]),
    ]
    return "\n".join(lines) + "\n"


def _run(name: str) -> StudyResult:
    folder = Path(tempfile.gettempdir()) / "yatzy-studies" / name
    result = run_study(read_study(HERE.parent / "examples" / f"{name}.toml"), folder)
    write_study(result)
    return result


def _by_hand(result: StudyResult) -> list[str]:
    lines = ["## Two strategies by hand", "", "Molinder 2025, 100,000 games each; `examples/two-by-hand.toml`.", ""]
    lines += [
        "| | | mean | highest | lowest | bonus | yatzy | percentiles " + " ".join(map(str, PERCENTS)) + " |",
        "|---|---" * 4 + "|",
    ]
    for entry in result.cells:
        games, exact = entry.games, entry.exact
        assert exact is not None
        assert games.yatzy_share is not None
        if games.strategy in MOLINDER:
            lines.append(f"| `{games.strategy}` | in print | {' | '.join(MOLINDER[games.strategy])} |")
        percentiles = " ".join(f"{games.percentile(p).value:.0f}" for p in PERCENTS)
        lines.append(
            f"| `{games.strategy}` | simulated | {games.mean.value:.2f} ± {games.mean.error:.2f}"
            f" | {games.highest} | {games.lowest} | {games.bonus_share.value:.4f} | {games.yatzy_share.value:.4f}"
            f" | {percentiles} |"
        )
        score = exact.score
        percentiles = " ".join(f"{score.percentile(p)}" for p in PERCENTS)
        lines.append(
            f"| `{games.strategy}` | exact | {score.mean:.4f} | {score.highest} | {score.lowest}"
            f" | {exact.evaluation.bonus:.6f} | {exact.yatzy:.6f} | {percentiles} |"
        )
    pair = next(p for p in result.pairs if p.first.games.strategy in MOLINDER and p.second.games.strategy in MOLINDER)
    assert pair.exact is not None
    lines += [
        "",
        f"With independent dice the first wins {100 * pair.exact.wins:.2f} % of the games and draws"
        f" {100 * pair.exact.draws:.2f} % (in print: about two thirds, draws are rare).",
        "The highest and lowest exact scores are the extremes that are possible at all.",
        "",
        "![The scores of two strategies by hand and of the best](by-hand.svg)",
        "",
    ]
    return lines


def _rules(found: dict[str, StudyResult]) -> list[str]:
    lines = [
        "## Rules",
        "",
        "The best strategy for points in each game, exactly; `examples/one-more-roll.toml`, `bonus-or-not.toml`,",
    ]
    lines += [
        "`joker-readings.toml`.",
        "",
        "| game | mean | sd | mode | median | bonus | all dice equal |",
        "|---" * 7 + "|",
    ]
    known: dict[str, Any] = {}
    for name in ("one-more-roll", "bonus-or-not", "joker-readings"):
        for entry in found[name].cells:
            known.setdefault(entry.games.game.id, entry.exact)
    for id, exact in known.items():
        score = exact.score
        lines.append(
            f"| `{id}` | {score.mean:.4f} | {score.sd:.4f} | {score.mode} | {score.percentile(50)}"
            f" | {exact.evaluation.bonus:.4f} | {exact.yatzy:.4f} |"
        )
    lines += [
        "",
        *quoted("rules"),
        "",
        "![Three rolls and four](rolls.svg)",
        "",
    ]
    return lines


def _players(result: StudyResult) -> list[str]:
    lines = [
        "## Four players, and a fifth",
        "",
        "`examples/four-players.toml`; the players' dice are independent, and tied players share the win.",
        "",
    ]
    for table in result.players:
        assert table.exact is not None
        winner, games = table.exact.winner, table.table.seats[0].games
        lines += [
            f"{table.players.name}: the winner's median is {winner.percentile(50)} and the mean {winner.mean:.4f},"
            f" simulated {float(np.median(table.table.winner)):.0f} and {table.table.winner.mean():.3f}"
            f" ({len(games):,} games).",
            "",
            "| player | share of wins, simulated | exact |",
            "|---|---|---|",
        ]
        for seat, exact in zip(table.table.seats, table.exact.seats, strict=True):
            lines.append(
                f"| `{seat.games.strategy}` | {seat.wins.value:.4f} ± {seat.wins.error:.4f} | {exact.wins:.6f} |"
            )
        lines.append("")
    lines += [
        *quoted("players"),
        "",
        "![The winner's score](winner.svg)",
    ]
    return lines


STRENGTH_TEXT = """
`yatzy match strength yahtzee-pawlewicz --depths 1-8:65536 --endgames 4 --strategies A,B,…` measures errors in typical
two-player positions, taken from matches of a softened EMP(1), one position from each match (EMP: expected match points,
see [match.md](match.md); softened: each move has the weight e^(−100 · loss)). The error of a move is the exact value of
the best move minus that of the chosen move, in match points. *Depth* is the number of open categories of both players
together. A search of as many turns as there are open categories is exact, so EMP(4) is measured from depth 5 on, with
{counts} positions per depth."""
TIMES_TEXT = """
Times: the CPU time per position, by depth, of perfect play and of each strategy alone. *All together* is less than the
sum, because they look at the same sheets. Perfect play used endgames to depth 3 here, and to depth 4 in the measurement
above; the deeper they go, the faster it is. Strategies do not use them. The time of that measurement as a whole was not
recorded."""
JUST = """
[results.md](results.md) gives every figure a verdict, by the rule of [papers.md](papers.md): two figures may differ by
four standard errors of their difference. Of those that agree, these are more than three away: {figures}."""


def strength() -> str:
    """What strategies for two players lose a move, beside print; the measurement of the full run of the papers."""
    run = PaperRun(PAPERS, Solver(), full=True)
    result, deeper = run.strength(), run.strength(DEEPER)
    drawn = {name: name for name in MATCH_STRATEGIES if name not in ("match:dyns:0", "match:dyns:2", "match:dyns:3")}
    write_figure(draw_mean_errors(result, drawn), HERE / "mean-error.svg")
    write_figure(draw_error_chances(result, labels=drawn), HERE / "error-chances.svg")
    counts = " and ".join(sorted({f"{len(judged):,}" for judged in deeper.judged.values()}))
    text = STRENGTH_TEXT.format(counts=counts)
    lines = [BLANK, "# What match strategies lose", "", *textwrap.wrap(" ".join(text.split()), 112), ""]
    lines += [
        *_rows(overall_table(result)),
        *_rows(overall_table(deeper))[2:],
        "",
        *_rows(depth_table(result, intervals=True)),
        "",
        *_rows(depth_table(deeper, intervals=True)),
        "",
        *textwrap.wrap(" ".join(TIMES_TEXT.split()), 112),
        "",
        _as_it_is(TIMES),
        "",
        *quoted("strength"),
        "",
        *_just_agreeing(run),
        "",
        _as_it_is(DEEP),
        "",
        "![Mean error by depth](mean-error.svg)",
        "",
        "![The chance of an error larger than e](error-chances.svg)",
    ]
    return "\n".join(lines) + "\n"


def _as_it_is(begin: str) -> str:
    """A part of docs/strength.md that something else makes."""
    return begin + (HERE / "strength.md").read_text(encoding="utf-8").partition(begin)[2].partition(UNTIL)[0] + UNTIL


def deep_strength() -> None:
    """Depths 9 and 10 in docs/strength.md: half an hour of two cores; an interrupted run resumes in its folder."""
    game = load_game(STRENGTH_GAME)
    result = measure_strength(game, DEEP_NAMES, dict.fromkeys((9, 10), 1024), 1, DEEP_FOLDER, Solver(), 4)
    names = ",".join(DEEP_NAMES)
    command = f"yatzy match strength {game.id} --depths 9-10:1024 --endgames 4 --strategies {names}"
    text = f"Depths 9 and 10, with 1,024 positions each: `{command}`."
    lines = [*textwrap.wrap(text, 112, break_on_hyphens=False), ""]
    lines += [*_rows(overall_table(result)), "", *_rows(depth_table(result, intervals=True))]
    write_between(HERE / "strength.md", DEEP, lines)


def _just_agreeing(run: PaperRun) -> list[str]:
    """The measured figures that agree with the print, but are more than three standard errors away."""
    found = []
    for claim in (one for one in STRENGTH if one.compute is not None):
        figures, _ = run.figures(claim) or ({}, {})
        for printed in claim.printed:
            away = printed.apart(figures[printed.name])
            if 3 < away <= SIGMAS:
                found.append(f"{printed.name} ({printed.text} in print, {away:.1f} standard errors)")
    text = JUST.format(figures="; ".join(found) or "none")
    return textwrap.wrap(" ".join(text.split()), 112)


def _rows(table: Table) -> list[str]:
    head, *rows = (f"| {' | '.join(row)} |" for row in (table.head, *table.rows))
    return [head, "|---" * len(table.head) + "|", *rows]


VERIFIED = "<!-- verified tables, made by docs/make.py -->"
HASHES = "<!-- value hashes, made by docs/make.py -->"
LUCK = "<!-- luck and skill, made by docs/make.py -->"
DEEP = "<!-- depths 9 and 10, made by docs/make.py -->"
DEEP_FOLDER = Path(tempfile.gettempdir()) / "yatzy-deep-strength"
DEEP_NAMES = ("expected", *(f"match:emp:{turns}" for turns in range(5)), "match:dyns:1", "match:dyns:4")
TIMES = "<!-- times, made by docs/strength_times.py -->"
UNTIL = "<!-- until here -->"


FEW_STATES = 2**16
"""Presets with up to this number of states have their curves in the list as well: a second each."""


def hash_row(id: str, objective: str = EXPECTED.name) -> str:
    """A table of a preset: the number of its values, their hash, and the bound of their errors."""
    game = load_game(id)
    solved = Solver().expected(game).table if objective == EXPECTED.name else Solver().chances(game).table
    bound = error_bound(game, objective)
    assert bound is not None
    with StoredTable(solved.path) as table:
        return f"| `{id}` | `{objective}` | {count_values(table):,} | `{value_hash(table)}` | {bound.shown:.1e} |"


def with_curves() -> list[str]:
    """The presets whose curves are in the list of hashes."""
    return [id for id in PRESETS if count_game(load_game(id)).states <= FEW_STATES]


def hashes() -> None:
    """The hashes in tables.md; the table of Maxi Yatzy takes about a minute."""
    head = ["| game | table | values | value hash | error bound |", "|---|---|---|---|---|"]
    curves = [hash_row(id, CURVES.name) for id in with_curves()]
    write_between(HERE / "tables.md", HASHES, [*head, *map(hash_row, PRESETS), *curves])


def verified_rows(found: Sequence[dict[str, Any]]) -> list[str]:
    """What `yatzy verify --all --json` found, with the tables in the order of the presets."""
    rows = ["| game | table | values checked | of | largest difference | bound |", "|---|---|---|---|---|---|"]
    for one in sorted(found, key=lambda one: (PRESETS.index(one["game"]), one["objective"] != EXPECTED.name)):
        numbers = f"{one['values']:,} | {one['of']:,} | {one['difference']:.1e} | {one['bound']:.1e} {one['measure']}"
        rows.append(f"| `{one['game']}` | `{one['objective']}` | {numbers} |")
    return rows


def verified() -> None:
    """The verification in tables.md, of all tables in the folder, which must be of presets; some seconds each."""
    command = [sys.executable, "-m", "yatzy", "verify", "--all", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    write_between(HERE / "tables.md", VERIFIED, verified_rows(json.loads(done.stdout)["tables"]))


def write_between(path: Path, start: str, lines: Sequence[str]) -> None:
    """Replace the lines of a document between two comments."""
    before, _, rest = path.read_text(encoding="utf-8").partition(f"{start}\n")
    path.write_text(before + "\n".join([start, *lines, UNTIL]) + rest.partition(UNTIL)[2], encoding="utf-8")


PARTS: dict[str, Callable[[], object]] = {
    "commands": lambda: (HERE / "commands.md").write_text(commands(), encoding="utf-8"),
    "hashes": hashes,
    "verified": verified,
    "api": lambda: (HERE / "api.md").write_text(api(), encoding="utf-8"),
    "results": results,
    "results-text": results_text,
    "regret": regret,
    "advice": lambda: (HERE / "advice.svg").write_text(picture(), encoding="utf-8"),
    "chances": chances,
    "moves": moves,
    "luck": luck,
    "tutorials": write_pages,
    "deep-strength": deep_strength,
    "strength": lambda: (HERE / "strength.md").write_text(strength(), encoding="utf-8"),
    "studies": lambda: (HERE / "studies.md").write_text(studies(), encoding="utf-8"),
}


def main(names: list[str]) -> None:
    """Write the files."""
    if names[:1] == ["results"]:
        results(names[1:])
        return
    for name in names or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
