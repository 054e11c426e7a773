"""Results that the four works cite: Verhoeff, Glenn, Larsson & Sjöberg, Jendeberg & Wikstén, Felldin & Sood."""

from __future__ import annotations

from yatzy_papers.claims import Cause, Claim, Computed, Figures, Reason, Work, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun
from yatzy_papers.sampling import sampled_mean

PRINTED = read_passages("cited")
FREE = "yahtzee-free-joker"
SLIP = "yatzy-lenient-two-pairs"
PLAIN = "yahtzee-plain"


def _yahtzee(run: PaperRun) -> Figures:
    return {"expected score": Computed(run.value(FREE)), "standard deviation": Computed(run.score(FREE).sd)}


def _yatzy(run: PaperRun) -> Figures:
    return {"expected score": Computed(run.value("yatzy"))}


def _in_games(run: PaperRun) -> Figures:
    passage = PRINTED["larsson-sjoberg-games"]
    return {"mean of 20,000 games": sampled_mean(run.score("yatzy"), passage.sample)}


def _slip(run: PaperRun) -> Figures:
    return {"with two pairs paid for a single pair": Computed(run.value(SLIP))}


def _best(run: PaperRun) -> Figures:
    return {
        "the best strategy for Yatzy": Computed(run.value("yatzy")),
        "the best strategy for Yatzy without the bonus": Computed(run.value("yatzy-no-bonus")),
        "the best strategy for Yahtzee, no Joker": Computed(run.value(PLAIN)),
    }


def _best_yahtzee(run: PaperRun) -> Figures:
    return {"the best strategy for Yahtzee, no Joker": Computed(run.value(PLAIN))}


def _plain(run: PaperRun) -> Figures:
    return {"expected score": Computed(run.value(PLAIN))}


WORK = Work(
    "cited",
    "Results cited in these works",
    "Verhoeff 1999 and Glenn 2006 on Yahtzee with the free Joker; Larsson & Sjöberg 2012 and Jendeberg & Wikstén 2015"
    " on Scandinavian Yatzy; Felldin & Sood 2012 on Yahtzee.",
    (
        Claim(*PRINTED["verhoeff"], _yahtzee, (FREE,), how="solved and evaluated exactly"),
        Claim(*PRINTED["glenn"], _yahtzee, (FREE,), how="solved and evaluated exactly"),
        Claim(
            *PRINTED["larsson-sjoberg"],
            _yatzy,
            ("yatzy", SLIP),
            reasons=(
                Reason(
                    "An error in the rules: a single pair also scores as two pairs, as Tillius 2026 found.",
                    figures({"with two pairs paid for a single pair": "248.63"}),
                    _slip,
                ),
            ),
            how="solved exactly",
        ),
        Claim(
            *PRINTED["larsson-sjoberg-games"],
            _in_games,
            ("yatzy",),
            how="the exact mean, and the range for a sample of that size; the sample is too small to reveal the error"
            " in the rules",
        ),
        Claim(
            *PRINTED["jendeberg-wiksten"],
            _yatzy,
            ("yatzy", "yatzy-no-bonus", PLAIN),
            reasons=(
                Reason(
                    "The best strategy scores far more, for Yatzy as well as for Yahtzee, and we do not know how theirs"
                    " plays. Without the bonus the best strategy for Yatzy is close, but not equal to it.",
                    figures(
                        {
                            "the best strategy for Yatzy": "> 213.5",
                            "the best strategy for Yatzy without the bonus": "< 212.5",
                            "the best strategy for Yahtzee, no Joker": "> 213.5",
                        }
                    ),
                    _best,
                    cause=Cause.NOT_FOUND,
                ),
            ),
            how="solved exactly",
        ),
        Claim(
            *PRINTED["jendeberg-wiksten-people"],
            unchecked="The games are not published, and their standard deviation is not at hand. The mean is 2.4"
            " standard errors of 300 games above that of the best strategy, so there was luck in it.",
        ),
        Claim(
            *PRINTED["felldin-sood"],
            _plain,
            (PLAIN,),
            reasons=(
                Reason(
                    "Their abstract says that their strategy is not optimal. We do not know how it plays.",
                    figures({"the best strategy for Yahtzee, no Joker": "> 221.67906"}),
                    _best_yahtzee,
                    cause=Cause.NOT_FOUND,
                ),
            ),
            how="the best strategy for Yahtzee without a Joker, solved exactly",
        ),
    ),
)
