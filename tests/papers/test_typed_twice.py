"""Figures typed a second time from the publications, so that a slip in `printed/*.toml` has an opponent.

The claims listed in `ELSEWHERE` have their second typing in a test of their own, which computes the figures as well.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from yatzy_papers.works import all_works

CLAIMS = {claim.key: claim for work in all_works().values() for claim in work.claims}

TYPED = {
    "tillius.simulated": "248.4810 249 38.5504 100 348 9.973%",
    "tillius.end-position": "5555 0 .016204",
    "tillius.keeping": "666 666 666 666 666 666 666 666 666 666",
    "tillius.two-yatzy-simulated": "5.0009 1.1453 75.03% 4.7298 1.3031 77.42% 2",
    "tillius.time": "3to4",
    "pawlewicz.counts": "252 462 4368 1680 4096 2794 1640 1618 786432 314880 310656",
    "pawlewicz.window": "80 1062 1.3",
    "pawlewicz.near-the-end": "214.301 213.195 .130 .540",
    "pawlewicz.judge": "−",
    "pawlewicz.errors-by-depth": "6 .00011 <0 >0 >0 .00005 .00005 .00005 .00005 .00005 .00005 <.00003",
    "pawlewicz.erring": "<.03 <.02 <.02 <.01 >.5 >.5 >.5 >.5",
    "pawlewicz.mean-errors": ".000021 .00124 <0 >0 >0",
    "pawlewicz.emp-4": "<.00003 <.01 <.0016 <.000014",
    "pawlewicz.emp-4-worst": ".014",
    "pawlewicz.times": "6hours 150ms 35s",
    "pawlewicz.match-times": "6days 40years 0.1–0.6s 2–10s 0.6s over10s under1s",
    "pawlewicz.people": "24352929 209207 about.003 .0025 .093 under.00135 under.00123 .00095 .0347 4in100 9in100"
    " moreneartheendlesswithoneboxleft",
    "henriksson.scores": "233.00 44.82 231 280.07 41.25 312",
    "henriksson.spread": "<0",
    "henriksson.counts": "253 467 375",
    "henriksson.probabilities": "1 1",
    "henriksson.file": "1.59 2.12",
    "henriksson.times": "6.5hours 11hours",
    "molinder.scores": "193.1 321 57 .955 .164 167.6 316 70 .025 .465",
    "molinder.wins": ".667 <.01",
    "verhoeff": "254.5896 60",
    "glenn": "254.5896 59.61",
    "larsson-sjoberg": "248.63",
    "larsson-sjoberg-games": "248.92",
    "jendeberg-wiksten": "213",
    "jendeberg-wiksten-people": "253.82",
    "felldin-sood": "221.67906",
    "glenn.patterns": "6 32 60 24 60 18 60 16 30 12 30 10 6 6 1 252 6 126 21 56 56 21 126 6 252 1",
    "glenn.counts": "209193098688 524288 1681 4368 21000 1260 375 751",
    "glenn.turns": "245.87 23.3333 2.3014 93.5% 4.6%",
    "glenn.yahtzees": "171.52 68.17",
    "glenn.straights": "202.51 65.90",
    "glenn.greedy": "218.05 46.87",
    "glenn.rational": "219.86 65.99",
    "glenn.heuristic": "240.67 60.90",
    "glenn.better-heuristic": "244.87 57.39",
    "kniffel-five-as-full-house": "245.904728",
    "yacht-dice": "191.774369",
    "yacht-open-spiel": "169.798705",
    "fahlstrom-myrman": "198.6",
    "norgren-svensson": "211.04",
    "hashemi-demneh": "215.70",
    "hashemi-demneh-optimal": "189.80",
    "hafner": "236.2 241",
    "hafner-below": "5% 5%",
    "pape": "254.59 5.0%",
    "pape-agent": "241.78 24.9% 34.1%",
}
"""The figures of a claim in order, without spaces inside and without commas."""

ELSEWHERE = {
    "test_tillius_2026.py": (
        "tillius.expected", "tillius.chances", "tillius.perfect", "tillius.winner", "tillius.reaches", "tillius.fifth",
        "tillius.where-to-put", "tillius.first-turn-300", "tillius.first-turn-choice", "tillius.near-300",
        "tillius.two-yatzy",
    ),
    "test_tillius_2026_games.py": ("tillius.games",),
    "test_pawlewicz_2008.py": (
        "pawlewicz.expected", "pawlewicz.start", "pawlewicz.curve-mean", "pawlewicz.tails", "pawlewicz.tail-1000",
        "pawlewicz.four-moves", "pawlewicz.best-for-an-aim",
    ),
    "test_pawlewicz_match_counts.py": ("pawlewicz.pairs", "pawlewicz.values", "pawlewicz.bytes"),
    "test_pawlewicz_2010_search.py": ("pawlewicz.which-zero",),
    "test_pawlewicz_2010_positions.py": ("pawlewicz.last-chance",),
    "test_molinder_2025.py": ("molinder.percentiles", "molinder.shares"),
}  # fmt: skip


@pytest.mark.parametrize("key", TYPED)
def test_the_second_typing_is_the_first(key: str) -> None:
    first = [one.text.replace(" ", "").replace(",", "") for one in CLAIMS[key].printed]
    assert first == TYPED[key].split()


def test_every_claim_is_typed_twice() -> None:
    elsewhere = [key for keys in ELSEWHERE.values() for key in keys]
    assert sorted([*TYPED, *elsewhere]) == sorted(CLAIMS)
    for name in ELSEWHERE:
        assert (Path(__file__).parent / name).exists()
