"""Results that the four works cite: Verhoeff, Glenn, Larsson & Sjöberg, Jendeberg & Wiksten, Felldin & Sood."""

from __future__ import annotations

from yatzy_papers.claims import Claim, Entry, Figure, Figures, Print, Reason, Work, entries
from yatzy_papers.desk import Desk
from yatzy_papers.sampling import sampled_mean

FREE = "yahtzee-free-joker"
SLIP = "yatzy-lenient-two-pairs"


def _yahtzee(desk: Desk) -> Figures:
    return {"expected score": Figure(desk.value(FREE)), "standard deviation": Figure(desk.score(FREE).sd)}


def _yatzy(desk: Desk) -> Figures:
    return {"expected score": Figure(desk.value("yatzy"))}


def _in_games(desk: Desk) -> Figures:
    return {"mean of 20,000 games": sampled_mean(desk.score("yatzy"), 20_000)}


def _slip(desk: Desk) -> Figures:
    return {"with two pairs paid for a single pair": Figure(desk.value(SLIP))}


def _best(desk: Desk) -> Figures:
    return {"the best strategy for Yatzy": Figure(desk.value("yatzy"))}


def _best_yahtzee(desk: Desk) -> Figures:
    return {"the best strategy for Yahtzee, no Joker": Figure(desk.value("yahtzee-plain"))}


def _plain(desk: Desk) -> Figures:
    return {"expected score": Figure(desk.value("yahtzee-plain"))}


WORK = Work(
    "cited",
    "Results that they cite",
    "Verhoeff 1999 and Glenn 2006 on Yahtzee with the free Joker; Larsson & Sjöberg 2012 and Jendeberg & Wiksten 2015"
    " on Scandinavian Yatzy; Felldin & Sood 2012 on Yahtzee.",
    (
        Claim(
            "verhoeff",
            "Verhoeff 1999",
            "The expected score of the best strategy for Yahtzee, and about its standard deviation.",
            (Entry("expected score", Print("254.5896")), Entry("standard deviation", Print("60", about=0.5))),
            _yahtzee,
            (FREE,),
            how="solved and evaluated exactly",
        ),
        Claim(
            "glenn",
            "Glenn 2006",
            "The expected score of the best strategy for Yahtzee, and its standard deviation.",
            entries({"expected score": "254.5896", "standard deviation": "59.61"}),
            _yahtzee,
            (FREE,),
            how="solved and evaluated exactly",
        ),
        Claim(
            "larsson-sjoberg",
            "Larsson & Sjöberg 2012",
            "The expected score of the best strategy for Yatzy.",
            entries({"expected score": "248.63"}),
            _yatzy,
            ("yatzy", SLIP),
            reasons=(
                Reason(
                    "A slip in the rules: their two pairs are paid for a single pair as well, as Tillius 2026 found.",
                    entries({"with two pairs paid for a single pair": "248.63"}),
                    _slip,
                ),
            ),
            how="solved exactly",
        ),
        Claim(
            "larsson-sjoberg-games",
            "Larsson & Sjöberg 2012: games",
            "The mean of 20,000 games.",
            entries({"mean of 20,000 games": "248.92"}, 20_000),
            _in_games,
            ("yatzy",),
            how="the exact mean, and what a sample of that size shows of it; it cannot tell the slip from the rules",
        ),
        Claim(
            "jendeberg-wiksten",
            "Jendeberg & Wiksten 2015",
            "The mean of an optimal strategy for Yatzy.",
            entries({"expected score": "213"}),
            _yatzy,
            ("yatzy",),
            reasons=(
                Reason(
                    "Their strategy is not optimal: the best one makes more.",
                    (Entry("the best strategy for Yatzy", Print("> 213")),),
                    _best,
                ),
            ),
            how="solved exactly",
        ),
        Claim(
            "jendeberg-wiksten-people",
            "Jendeberg & Wiksten 2015: people",
            "The mean of six persons in 300 rounds.",
            entries({"mean": "253.82"}),
            unchecked="People's games, which are not published; their rules and the spread are not told either.",
        ),
        Claim(
            "felldin-sood",
            "Felldin & Sood 2012",
            "The mean of a strategy for Yahtzee.",
            entries({"expected score": "221.67906"}),
            _plain,
            ("yahtzee-plain",),
            reasons=(
                Reason(
                    "Their strategy is not the best one: without any Joker that makes more.",
                    (Entry("the best strategy for Yahtzee, no Joker", Print("> 221.67906")),),
                    _best_yahtzee,
                ),
            ),
            how="the best strategy for Yahtzee without a Joker, solved exactly",
        ),
    ),
)
