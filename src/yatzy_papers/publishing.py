"""The report in the documentation: docs/results.md, and the table of the readme.

Both are made only from the numbers of a full run (`results.json`) and of one measurement of whole games
(`regret.json`). So the texts can be checked against the numbers without computing anything, and the numbers against
the program without any text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yatzy.report import Block, Heading, Marked, Paragraph, marked_table, to_markdown
from yatzy_papers.claims import Cause, Finding, Verdict
from yatzy_papers.inventory import Status, read_inventories
from yatzy_papers.misprints import misprints_page
from yatzy_papers.passages import read_passages
from yatzy_papers.report import report_blocks
from yatzy_papers.results import PapersResult, from_json
from yatzy_papers.works import find_works

HOW = (
    "The results of `yatzy papers --full` ([papers.md](papers.md)): the figures of the publications on these games"
    " beside ours, and new results. The [inventory](#inventory) says what else is in print, as far as we know, and"
    " [misprints.md](misprints.md) lists the slips. The run covers these presets: {}."
)
README_ROWS: dict[str, tuple[str, str, str, str] | None] = {
    "yatzy": ("tillius", "tillius.expected", "yatzy", "Tillius 2026"),
    "yatzy-no-bonus": ("tillius", "tillius.expected", "yatzy-no-bonus", "Tillius 2026"),
    "yatzy-lenient-two-pairs": ("tillius", "tillius.expected", "yatzy-lenient-two-pairs", "Tillius 2026"),
    "yahtzee": None,
    "yahtzee-free-joker": ("cited", "verhoeff", "expected score", "Verhoeff 1999, Glenn 2006"),
    "yahtzee-pawlewicz": ("pawlewicz", "pawlewicz.expected", "expected score", "Pawlewicz 2008"),
    "maxi-yatzy": None,
}
"""The games that the readme shows, and where their expected score is printed: work, claim, figure, authors."""
REGRET = (
    "What strategies lose in whole games of `{game}` against the optimum, in match points, {games:,} games each, half"
    " of them as first player; ± is one standard error. The player who begins has {value:.6f} under optimal play."
    " *Errors* are the decisions that lose more than 0.000002; the last columns split the loss by the roll before the"
    " decision. All rolls of a turn are weighted with their chances, so only the positions are a sample"
    " ([match.md](match.md#whole-games)).\n"
    "To reproduce it: `yatzy match solve {game} --keep all`, then `{command}`; both resume after an interruption, the"
    " second with `--out FOLDER`. `python docs/make.py regret` does the same and writes this part of the page from"
    " `docs/regret.json`."
)
REGRET_TURNS = "The loss of a move, which is a decision after a roll, by turn:"
REGRET_CHECK = (
    "The mean result of the games, once as it was, once without the luck of the dice, and once as the value at the"
    " start minus the losses. All three estimate the same number. *Apart* is the first minus the third in standard"
    " errors; all strategies have the same dice, so these differences go together."
)
BEGIN, END = "<!-- made by docs/make.py -->", "<!-- until here -->"


def whole_result(numbers: Mapping[str, Any], pictures: Mapping[str, Path]) -> PapersResult:
    """Rebuild the result of all works from its numbers."""
    return from_json(numbers, find_works([]), pictures)


def results_page(numbers: Mapping[str, Any], pictures: Mapping[str, Path], regret: Mapping[str, Any]) -> str:
    """The results page: the report with some of its figures, and what strategies lose over whole games."""
    result = whole_result(numbers, pictures)
    head = HOW.format(", ".join(f"`{id}`" for id in numbers["games"]))
    blocks = report_blocks(result, "Results", [Paragraph(Marked(head))])
    return f"{BEGIN}\n" + to_markdown([*blocks, *regret_blocks(regret)])


def regret_blocks(found: Mapping[str, Any]) -> list[Block]:
    """What strategies lose over whole games: the numbers that `yatzy match regret --json` printed."""
    strategies: Mapping[str, Any] = found["strategies"]
    about = REGRET.format(
        command=f"yatzy match regret {found['game']} --games {found['games']} --seed {found['seed']}"
        f" --strategies {','.join(strategies)}",
        **{name: found[name] for name in ("game", "games", "value")},
    )
    lost = [
        [f"`{name}`", *(_shown(part["loss"], 6) for part in (one, one["first"], one["second"])),
         f"{100 * one['erring']['value']:.2f} %", *(_shown(loss, 6) for loss in one["rolls"])]
        for name, one in strategies.items()
    ]  # fmt: skip
    rolls = [f"after roll {number + 1}" for number in range(len(next(iter(strategies.values()))["rolls"]))]
    checked = [
        [f"`{name}`", *(_shown(one[key], 6) for key in ("result", "without_luck", "foreseen")), f"{one['apart']:.1f}"]
        for name, one in strategies.items()
    ]
    turns = range(len(next(iter(strategies.values()))["moves"]))
    by_turn = [[str(turn + 1), *(_small(one["moves"][turn]) for one in strategies.values())] for turn in turns]
    return [
        Heading("Whole games of two", 2),
        *(Paragraph(Marked(text)) for text in about.split("\n")),
        marked_table(("strategy", "lost in a game", "as first", "as second", "errors", *rolls), lost),
        Paragraph(Marked(REGRET_TURNS)),
        marked_table(("turn", *(f"`{name}`" for name in strategies)), by_turn),
        Paragraph(Marked(REGRET_CHECK)),
        marked_table(("strategy", "result", "without luck", "by the losses", "apart"), checked),
    ]


def _shown(found: Mapping[str, float], digits: int) -> str:
    return f"{found['value']:.{digits}f} ± {found['error']:.{digits}f}"


def _small(found: Mapping[str, float]) -> str:
    return f"{found['value']:.2e} ± {found['error']:.0e}"


def misprints_text(numbers: Mapping[str, Any]) -> str:
    """The page of misprints."""
    return f"{BEGIN}\n{misprints_page(whole_result(numbers, {}))}"


def readme_table(numbers: Mapping[str, Any]) -> str:
    """The table of the readme, between its markers."""
    means = {row[0]: row[1] for key in ("new.presets", "new.maxi") for row in numbers["tables"][key]}
    rows = tuple((f"`{id}`", f"{means[f'`{id}`']:.6f}", _in_print(place)) for id, place in README_ROWS.items())
    grid = marked_table(("game", "expected score", "in print"), rows, words=3)
    summary = f"{verdicts(whole_result(numbers, {}).findings)}:"
    made_by = Marked(f"{summary}\n[docs/results.md](docs/results.md), made by `yatzy papers`. {in_print()}.")
    text = to_markdown([grid, Paragraph(made_by)])
    return f"{BEGIN}\n{text}{END}"


def _in_print(place: tuple[str, str, str, str] | None) -> str:
    if place is None:
        return ""
    work, claim, figure, authors = place
    return f"{read_passages(work)[claim].figure(figure).text}, {authors}"


def verdicts(findings: Sequence[Finding]) -> str:
    """The number of printed figures with each verdict, in words."""
    figures = [one for finding in findings for one in finding.figures]
    counts = {verdict: sum(one.verdict is verdict for one in figures) for verdict in Verdict}
    causes = [one.reason.cause for one in figures if one.reason is not None]
    return (
        f"Of {len(figures)} published figures, {counts[Verdict.REPRODUCED]} are reproduced, {counts[Verdict.DIFFERS]}"
        f" differ and {counts[Verdict.UNCHECKED]} cannot be checked (times of other programs, games between people,"
        f" strategies and networks that are not described). We explain {causes.count(Cause.FOUND)} of the differences,"
        f" and {causes.count(Cause.PARTLY)} in part; the cause of the others was not found"
    )


def in_print() -> str:
    """The number of printed things that we know of, and of those whose content we do not know, in words."""
    inventories = read_inventories(find_works([]))
    total = sum(one.total for one in inventories)
    missing = sum(one.count(Status.NOT_AT_HAND) for one in inventories)
    return (
        f"`yatzy papers --list` lists {total} figures, drawings, games and rules in print; {missing} of them are not at"
        " hand"
    )


def with_table(readme: str, table: str) -> str:
    """The readme with its table replaced."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + table + after
