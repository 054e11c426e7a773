"""Works that stand beside the others: Kniffel, two kinds of Yacht, strategies by hand and by learning."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

import numpy as np

from yatzy import Game, load_game
from yatzy.strategies import OrderedGreedy
from yatzy_papers.claims import Cause, Claim, Computed, Figures, Reason, Table, Value, Work, figures
from yatzy_papers.new import without_bonus
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun
from yatzy_papers.sampling import sampled_mean

PRINTED = read_passages("beside")
BOXED = "yahtzee"
SEED, GAMES = 2025, 100_000


@cache
def own_game(id: str) -> Game:
    """A game of a publication that is not a preset: `games/ID.toml`."""
    with as_file(files("yatzy_papers") / "games" / f"{id}.toml") as path:
        return load_game(path)


def _solved(id: str) -> Claim:
    """The claim that a game has a certain value."""

    def compute(run: PaperRun) -> Figures:
        return {"expected score": Computed(run.value(own_game(id)))}

    return Claim(*PRINTED[id], compute, how=f"solved exactly, with the rules of src/yatzy_papers/games/{id}.toml")


def _turn_by_turn(run: PaperRun) -> Figures:
    passage = PRINTED["fahlstrom-myrman"]
    return {"mean of 10,000 games": sampled_mean(run.score("yatzy", "greedy"), passage.sample)}


def _with_ties(run: PaperRun) -> Figures:
    """Playing for the most points of each turn, with orders of the categories for ties."""
    game = load_game("yatzy")
    ids = list(game.category_index)
    found = {}
    for words, order in (("in the order of the sheet", ids), ("to the last category", ids[::-1])):
        score = run.played(OrderedGreedy(game, order), f"{game.name()} for the points of a turn, ties {words}")
        found[f"ties {words}: mean"] = Computed(score.mean)
    return found


def _optimal(run: PaperRun) -> Figures:
    return {"optimal strategy: mean": Computed(run.value("yatzy"))}


def _played(run: PaperRun) -> Figures:
    found = run.sample("yatzy", "expected", GAMES, SEED).mean
    return {"the best strategy, in 100,000 games": Computed(found.value, found.error)}


def _hafner(run: PaperRun) -> Figures:
    printed = PRINTED["hafner"]
    return {
        f"{game}: below perfect play": Computed(1 - printed.figure(f"{game}: mean").value / run.value(id))
        for game, id in (("Yatzy", "yatzy"), ("Yahtzee", BOXED))
    }


def _pape(run: PaperRun) -> Figures:
    agent = PRINTED["pape-agent"].figure("score").value
    return {"optimal score": Computed(run.value(BOXED)), "below it": Computed(1 - agent / run.value(BOXED))}


def _bonus_ignored(run: PaperRun) -> list[list[Value | None]]:
    """The best strategy, and the best one that does not know about the bonus; both are paid it."""
    best = run.evaluation(BOXED)
    games = run.sample(without_bonus(BOXED), "expected", GAMES, SEED)
    rule = load_game(BOXED).bonus
    assert rule is not None
    won = games.upper >= rule.threshold
    score = games.total + rule.points * won
    error = float(score.std() / np.sqrt(len(games)))
    return [
        ["the best strategy", run.value(BOXED), 0.0, best.bonus, best.categories[-2].hit],
        ["… if the bonus is not known", float(score.mean()), error, float(won.mean()), games.yatzy_share.value
         if games.yatzy_share else None],
    ]  # fmt: skip


TRAINED = "It is a measurement of a trained network, which is not described closely enough to train it again."

WORK = Work(
    "beside",
    "Works beside these",
    "Games that other programs solve (Kniffel, two kinds of Yacht), strategies for Yatzy written by hand (Fahlström"
    " Myrman 2014, Norgren & Svensson, Hashemi Demneh 2015), and networks that learn Yahtzee (Häfner 2021, Pape 2025).",
    (
        _solved("kniffel-five-as-full-house"),
        _solved("yacht-dice"),
        _solved("yacht-open-spiel"),
        Claim(
            *PRINTED["fahlstrom-myrman"],
            _turn_by_turn,
            ("yatzy",),
            reasons=(
                Reason(
                    "How ties are broken is not at hand, and above all it decides which category is struck when none"
                    " pays. Two orders of ours lie on either side of the print, so the order of ties can make the"
                    " difference; which one he used was not found.",
                    figures(
                        {
                            "ties to the last category: mean": "< 198.6",
                            "ties in the order of the sheet: mean": "> 198.6",
                        }
                    ),
                    _with_ties,
                    cause=Cause.NOT_FOUND,
                ),
            ),
            how="the exact mean of `greedy`, which plays for the most expected points of each turn, and the error of a"
            " sample of that size",
        ),
        Claim(
            *PRINTED["norgren-svensson"],
            unchecked="The description of the strategy is not at hand. The best strategy scores 37 points more.",
        ),
        Claim(
            *PRINTED["hashemi-demneh"],
            unchecked="The description of the bonus-focused strategy is not at hand.",
        ),
        Claim(
            *PRINTED["hashemi-demneh-optimal"],
            _optimal,
            ("yatzy",),
            reasons=(
                Reason(
                    "The best strategy scores 59 points more, solved exactly and in 100,000 games. We do not know which"
                    " strategy the publication calls optimal; it withdraws the comparison itself.",
                    figures({"the best strategy, in 100,000 games": "> 215.70"}),
                    _played,
                    cause=Cause.NOT_FOUND,
                ),
            ),
            how="solved exactly",
        ),
        Claim(*PRINTED["hafner"], unchecked=TRAINED),
        Claim(*PRINTED["hafner-below"], _hafner, ("yatzy", BOXED), how="his scores, and the best ones solved exactly"),
        Claim(*PRINTED["pape"], _pape, (BOXED,), how="solved exactly; the forced Joker"),
        Claim(*PRINTED["pape-agent"], unchecked=TRAINED),
    ),
    (
        Table(
            "beside.bonus-ignored",
            "Playing as if there were no bonus",
            "What Pape's network does not learn is the bonus. The best strategy for Yahtzee, and the best one for the"
            " same game without the bonus, which wins it only by chance; both are paid it.",
            ("strategy", "mean", "±", "bonus", "Yahtzee"),
            ("", ".4f", ".4f", ".4f", ".4f"),
            _bonus_ignored,
            (BOXED,),
        ),
    ),
)
