"""Pydantic models of the HTTP API: questions, which they validate, and refusals. For answers see `report.answers`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from yatzy.coach.situation import Known, Situation
from yatzy.games import Game
from yatzy.names import MatchObjective, Objective, PayoffName, forms
from yatzy.web import limits, requests
from yatzy.web.tables import TableState

Text = Annotated[str, Field(max_length=limits.TEXT)]
Whole = Annotated[int, Field(ge=0, le=limits.NUMBER, strict=True)]
Categories = Annotated[list[Text], Field(max_length=100)]
Sheets = Annotated[
    list[Annotated[str, Field(max_length=limits.POSITION)]], Field(min_length=1, max_length=limits.PLAYERS)
]


class Question(BaseModel):
    """Base class of all questions. Unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid")


class OfGame(Question):
    """A game: the id of a preset, or a description of your own game."""

    game: Text | None = Field(None, description="The id of a preset (default: `yatzy`).", examples=["yatzy"])
    description: Annotated[str, Field(max_length=limits.DESCRIPTION)] | None = Field(
        None, description="Your own game: the text of its TOML file (docs/games.md)."
    )

    def read_game(self) -> Game:
        """The game of the request."""
        return requests.read_game(self.game, self.description)


class OfPosition(OfGame):
    """A position: one line of text, or fields for the sheet and the dice."""

    position: Annotated[str, Field(max_length=limits.POSITION)] | None = Field(
        None, description="A position as one line of text (docs/notation.md).", examples=["yatzy~d13356~r2"]
    )
    dice: Text | None = Field(None, description="The dice on the table, such as `13356`.")
    rolls_left: Whole | None = Field(None, description="Rolls left in this turn.")
    open: Categories | None = Field(None, description="Open categories.")
    filled: Categories | None = Field(None, description="Filled categories.")
    upper: Whole | None = Field(None, description="Sum of the upper categories so far.")
    points: Whole | None = Field(None, description="Points so far, including bonuses.")
    yahtzee_box: Text | None = Field(None, description="The Yahtzee box: `open`, `0` or `50`.")
    sheet: Sheets | None = Field(
        None,
        description="The sheet of each player in words, in the order of play, instead of the sums (docs/notation.md).",
        examples=[["ones 3, sixes 24", "ones 2, chance 21"]],
    )

    def read(self) -> Situation:
        """The position of the request."""
        given = self.game is not None or self.description is not None
        known = Known(
            self.dice, self.rolls_left, self.open, self.filled, self.upper, self.points, self.yahtzee_box, self.sheet
        )  # fmt: skip
        return requests.read_situation(self.position, self.read_game() if given else None, known)


class AskAdvice(OfPosition):
    """A position and one or more objectives."""

    objectives: Annotated[list[Text], Field(min_length=1, max_length=limits.OBJECTIVES)] = Field(
        ["expected"],
        description=f"Objectives to show side by side; the first one ranks the moves: {requests.forms_of(Objective)}.",
        examples=[["expected", "target:300"]],
    )
    top: Annotated[int, Field(ge=1, le=limits.NUMBER, strict=True)] | None = Field(
        None, description="Return at most this many moves."
    )

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"position": "yatzy~d13356~r2", "objectives": ["expected"]}]}
    )


class AskValue(OfPosition):
    """A position and an objective."""

    objective: Text = Field("expected", description=f"{requests.forms_of(Objective)}.")
    payoff: Text = Field("match-points", description=f"What a match pays: {', '.join(forms(PayoffName))}.")

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy", "objective": "expected"}]})


class AskChance(OfPosition):
    """A position and a final score."""

    at_least: Whole = Field(description="The final score to reach, including the points so far.", examples=[300])

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy", "at_least": 300}]})


class AskDistribution(OfPosition):
    """A position, and optionally a strategy."""

    strategy: Text | None = Field(
        None, description="The name of a strategy. Without one, the answer is the best chance of every score."
    )

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy", "strategy": "expected"}]})


class AskSimulation(OfGame):
    """A strategy and a number of games."""

    strategy: Text = Field("expected", description="The name of a strategy.")
    games: Annotated[int, Field(ge=1, le=limits.GAMES, strict=True)] = Field(10_000, description="Number of games.")
    seed: Annotated[int, Field(ge=0, le=2**64 - 1, strict=True)] = Field(1, description="Seed of the dice.")
    at_least: Annotated[list[Whole], Field(max_length=limits.SCORES)] = Field(
        [], description="Also return the share of games with at least these scores."
    )

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"game": "yatzy", "strategy": "greedy", "games": 1000, "seed": 1}]}
    )


class AskMatch(OfGame):
    """A position of several players."""

    position: Annotated[str, Field(max_length=limits.POSITION)] = Field(
        description="A position as one line of text, with a sheet for every player (docs/notation.md)."
    )
    objective: Text = Field("match:auto", description=f"{requests.forms_of(MatchObjective)}.")
    payoff: Text = Field("match-points", description=f"{', '.join(forms(PayoffName))}.")
    top: Annotated[int, Field(ge=1, le=limits.NUMBER, strict=True)] | None = Field(
        None, description="Return at most this many moves."
    )

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"position": "yatzy~s..............~s..............~d13356~r2", "objective": "match:emp:1"}]
        }
    )

    def read(self) -> Situation:
        """The position of the request."""
        given = self.game is not None or self.description is not None
        return requests.read_situation(self.position, self.read_game() if given else None, Known())


class Problem(BaseModel):
    """An error."""

    error: str = Field(description="One line: what is wrong, and what would be right.")


class NotReadyYet(Problem):
    """A table that the request needs is being built."""

    tables: list[TableState]
