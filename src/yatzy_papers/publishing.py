"""The report in the documentation: docs/results.md, and the table of the readme.

Both are made only from the numbers of a full run (`results.json`) and of one measurement of whole games
(`regret.json`). So the texts can be checked against the numbers without computing anything, and the numbers against
the program without any text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yatzy.report import (
    Block,
    Heading,
    Marked,
    Paragraph,
    marked_table,
    read_regret,
    regret_blocks,
    to_markdown,
)
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
    "Half of the games of each strategy are as first player; ± is one standard error. All rolls of a turn are weighted"
    " with their chances, so only the positions are a sample ([match.md](match.md#whole-games)). A move is a decision"
    " after a roll. The last table is a check: its three estimates are of the same number, and its last column is the"
    " difference of the first and the third; all strategies have the same dice, so these differences go together.\n"
    "To reproduce it: `yatzy match solve {game} --keep all`, then `{command}`; both resume after an interruption, the"
    " second with `--out FOLDER`. `python docs/make.py regret` does the same and writes this part of the page from"
    " `docs/regret.json`."
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
    return f"{BEGIN}\n" + to_markdown([*blocks, *whole_games(regret)])


def whole_games(found: Mapping[str, Any]) -> list[Block]:
    """What strategies lose over whole games: the numbers that `yatzy match regret --json` printed."""
    about = REGRET.format(
        game=found["game"],
        command=f"yatzy match regret {found['game']} --games {found['games']} --seed {found['seed']}"
        f" --strategies {','.join(found['strategies'])}",
    )
    return [
        Heading("Whole games of two", 2),
        *regret_blocks(read_regret(found), errors=True),
        *(Paragraph(Marked(text)) for text in about.split("\n")),
    ]


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
