"""Slips found in the works, with the figures that prove them: docs/misprints.md.

`misprints.toml` has the texts. Their figures are looked up in the printed figures and in the numbers of a full run, so
that the page cannot disagree with the program.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from yatzy import InputError
from yatzy.report import Block, Heading, Marked, Paragraph, marked_table, to_markdown
from yatzy_papers.claims import Compared, Finding, Verdict
from yatzy_papers.report import computed_text, short_text
from yatzy_papers.results import PapersResult

TITLE = "Misprints"
INTRO = (
    "Slips that we found in the works, with proofs. They could be found because these works print so many details; most"
    " of them change nothing in the conclusions. If one of them is our own mistake, please tell us. The figures are"
    " those of [results.md](results.md), which describes how they were computed."
)
OTHERS = (
    "These figures differ from ours as well. They are not listed above because the cause is not a slip, follows from"
    " one of those above, or is not known; [results.md](results.md) says what we know."
)
_PLACE = re.compile(r"\{(=?)([^/{}]+)/([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip in a work."""

    work: str
    title: str
    claim: str
    """The key of the claim that proves or quotes it."""
    figures: tuple[str, ...]
    """The figures of the claim that differ because of it."""
    text: str
    """What is wrong, and how we know; with places for figures."""


@cache
def read_slips() -> tuple[Slip, ...]:
    """All slips, in the order of the works."""
    text = (files("yatzy_papers") / "misprints.toml").read_text(encoding="utf-8")
    return tuple(
        Slip(one["work"], one["title"], one["claim"], tuple(one["figures"]), one["text"].strip())
        for one in tomllib.loads(text)["slip"]
    )


def misprints_page(result: PapersResult) -> str:
    """The page of misprints, from the results of a full run."""
    return to_markdown(misprint_blocks(result, read_slips()))


def misprint_blocks(result: PapersResult, slips: Sequence[Slip]) -> list[Block]:
    """The slips by work, and all other figures that differ."""
    findings = {finding.claim.key: finding for finding in result.findings}
    blocks: list[Block] = [Heading(TITLE, 1), Paragraph(Marked(INTRO))]
    for work in result.works:
        own = [slip for slip in slips if slip.work == work.work.id]
        blocks += [Heading(Marked(work.work.title), 2)] if own else []
        for slip in own:
            blocks += [Heading(Marked(slip.title), 3), Paragraph(Marked(fill(slip.text, findings)))]
    explained = {(slip.claim, name) for slip in slips for name in slip.figures}
    rows = [
        (
            work.work.title,
            f"{finding.claim.where}: {one.printed.name}",
            short_text(one.printed.text),
            short_text(computed_text(one.printed, one.computed)),
        )
        for work in result.works
        for finding in work.findings
        for one in finding.figures
        if one.verdict is Verdict.DIFFERS and (finding.claim.key, one.printed.name) not in explained
    ]
    if rows:
        table = marked_table(("work", "figure", "in print", "ours"), rows, words=2)
        blocks += [Heading("Other differences", 2), Paragraph(Marked(OTHERS)), table]
    return blocks


def fill(text: str, findings: Mapping[str, Finding]) -> str:
    """A text with its figures: `{claim/figure}` as printed, `{=claim/figure}` as computed."""

    def found(place: re.Match[str]) -> str:
        one = _find(findings, place[2], place[3])
        return computed_text(one.printed, one.computed) if place[1] else one.printed.text

    return _PLACE.sub(found, text)


def _find(findings: Mapping[str, Finding], key: str, name: str) -> Compared:
    known = {one.printed.name: one for one in (*findings[key].figures, *findings[key].evidence)}
    if name not in known:
        raise InputError(f"{key} has no figure {name!r}")
    return known[name]
