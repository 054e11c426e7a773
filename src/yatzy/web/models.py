"""Pydantic models of the HTTP API. They validate questions, and describe answers for OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from yatzy.coach.situation import Known, Situation
from yatzy.games import Game
from yatzy.names import MatchObjective, Objective, PayoffName, forms
from yatzy.web import limits, requests

Text = Annotated[str, Field(max_length=limits.TEXT)]
Whole = Annotated[int, Field(ge=0, le=limits.NUMBER, strict=True)]
Categories = Annotated[list[Text], Field(max_length=100)]


class Question(BaseModel):
    """Base class of all questions. Unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid")


class OfGame(Question):
    """A game: a preset by its id, or one of your own as data."""

    game: Text | None = Field(None, description="The id of a preset; `yatzy` by default.", examples=["yatzy"])
    description: Annotated[str, Field(max_length=limits.DESCRIPTION)] | None = Field(
        None, description="A game of your own: the text of its TOML file (docs/games.md)."
    )

    def read_game(self) -> Game:
        """The game asked about."""
        return requests.read_game(self.game, self.description)


class OfPosition(OfGame):
    """A position: one line of text, or what is known of the sheet and the dice."""

    position: Annotated[str, Field(max_length=limits.POSITION)] | None = Field(
        None, description="A position as one line of text (docs/notation.md).", examples=["yatzy~d13356~r2"]
    )
    dice: Text | None = Field(None, description="The dice on the table, such as `13356`.")
    rolls_left: Whole | None = Field(None, description="Rolls left in this turn.")
    open: Categories | None = Field(None, description="Open categories.")
    filled: Categories | None = Field(None, description="Filled categories.")
    upper: Whole | None = Field(None, description="Sum of the upper categories so far.")
    points: Whole | None = Field(None, description="Points so far, bonuses included.")
    yahtzee_box: Text | None = Field(None, description="What the Yahtzee box holds: `open`, `0` or `50`.")

    def read(self) -> Situation:
        """The position asked about."""
        given = self.game is not None or self.description is not None
        known = Known(
            self.dice, self.rolls_left, self.open, self.filled, self.upper, self.points, self.yahtzee_box
        )  # fmt: skip
        return requests.read_situation(self.position, self.read_game() if given else None, known)


class AskAdvice(OfPosition):
    """A position and what to play for."""

    objectives: Annotated[list[Text], Field(min_length=1, max_length=limits.OBJECTIVES)] = Field(
        ["expected"],
        description=f"What to play for, side by side; the first ranks: {requests.forms_of(Objective)}.",
        examples=[["expected", "target:300"]],
    )
    top: Annotated[int, Field(ge=1, le=limits.NUMBER, strict=True)] | None = Field(
        None, description="Only so many moves."
    )

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"position": "yatzy~d13356~r2", "objectives": ["expected"]}]}
    )


class AskValue(OfPosition):
    """A position and what is played for."""

    objective: Text = Field("expected", description=f"{requests.forms_of(Objective, players=1)}.")

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy", "objective": "expected"}]})


class AskChance(OfPosition):
    """A position and a score."""

    at_least: Whole = Field(description="The final score to reach, points so far included.", examples=[300])

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy", "at_least": 300}]})


class AskDistribution(OfPosition):
    """A position, and whose distribution."""

    strategy: Text | None = Field(
        None, description="A strategy by name; without one, the best chance of every score, each played for by itself."
    )

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy", "strategy": "expected"}]})


class AskSimulation(OfGame):
    """Who plays how many games."""

    strategy: Text = Field("expected", description="A strategy by name.")
    games: Annotated[int, Field(ge=1, le=limits.GAMES, strict=True)] = Field(10_000, description="How many games.")
    seed: Annotated[int, Field(ge=0, le=2**64 - 1, strict=True)] = Field(1, description="Where the dice come from.")
    at_least: Annotated[list[Whole], Field(max_length=limits.SCORES)] = Field(
        [], description="Scores whose share of games is wanted."
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
        None, description="Only so many moves."
    )

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"position": "yatzy~s..............~s..............~d13356~r2", "objective": "match:emp:1"}]
        }
    )

    def read(self) -> Situation:
        """The position asked about."""
        given = self.game is not None or self.description is not None
        return requests.read_situation(self.position, self.read_game() if given else None, Known())


class Problem(BaseModel):
    """Why there is no answer."""

    error: str = Field(description="One line that says what is wrong and what would be right.")


class TableState(BaseModel):
    """How a table stands."""

    game: str
    hash: str
    table: str = Field(description="`expected`, `outlook`, `distributions`, `endgames` or `exp:THETA`.")
    state: Literal["ready", "making", "waiting", "missing", "failed"]
    done: float = Field(description="The share of it that is made.")
    note: str = Field(description="Why it failed.")


class NotReadyYet(Problem):
    """A table that is needed is not there yet, and is being made."""

    tables: list[TableState]


class TableStates(BaseModel):
    """How all tables stand."""

    tables: list[TableState]


class BonusRule(BaseModel):
    """Points paid once the upper categories sum to the threshold."""

    points: int
    threshold: int


class JokerRule(BaseModel):
    """The rule for repeated rolls of equal dice."""

    category: str
    reading: str
    points: int


class CategoryAnswer(BaseModel):
    """A line of the score sheet."""

    id: str
    names: dict[str, str] = Field(description="By language.")
    upper: bool
    pays: str = Field(description="What it pays, in words.")


class GameAnswer(BaseModel):
    """A game with its categories and its rules."""

    id: str
    names: dict[str, str]
    note: str
    dice: int
    faces: int
    rolls: int
    forced_order: bool
    bonus: BonusRule | None
    joker: JokerRule | None
    categories: list[CategoryAnswer]
    hash: str = Field(description="A digest of the rules; equal rules have equal digests.")


class GamesAnswer(BaseModel):
    """All presets."""

    games: list[GameAnswer]


class MoveAnswer(BaseModel):
    """A move, what it is worth, and what it loses."""

    move: str
    keep: list[int] | None = Field(None, description="The dice to keep, where it is a keep.")
    category: str | None = Field(None, description="The category to fill, where it is one.")
    value: float
    loss: float
    best: bool
    grade: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    values: dict[str, float] = Field(description="Its value by objective.")
    best_for: list[str] = Field(description="The objectives for which it is (tied for) the best.")


class AdviceAnswer(BaseModel):
    """All moves, ranked by the first objective."""

    game: str
    objective: str
    unit: Literal["points", "chance", "worth"]
    position: str
    dice: list[int]
    rolls_left: int
    points: int
    value: float
    best: str
    moves: list[MoveAnswer]
    outlook: dict[str, Any] | None = Field(None, description="What will become of the position, where that was asked.")
    notes: list[str]


class MatchAdvice(AdviceAnswer):
    """All moves, ranked by what they are worth against the others, and how that was found."""

    search: str
    turns: int
    exact: bool
    seconds: float
    player: int = Field(description="Who is to move, from 1.")
    payoff: str


class ValueAnswer(BaseModel):
    """What a position is worth."""

    game: str
    objective: str
    unit: Literal["points", "chance", "worth"]
    position: str
    points: int
    value: float
    to_come: float | None = Field(None, description="Of expected scores: the points still to come.")
    notes: list[str]


class ChanceAnswer(BaseModel):
    """The best chance of a score."""

    game: str
    objective: str
    position: str
    points: int
    at_least: int
    probability: float
    notes: list[str]


class BestChances(BaseModel):
    """The best chance of every score, each played for by itself: the distribution of no strategy."""

    game: str
    position: str
    kind: Literal["best"]
    first: int = Field(description="The score of the first entry.")
    at_least: list[float] = Field(description="The chance of at least so many points.")
    notes: list[str]


class CategoryShare(BaseModel):
    """What a strategy makes of a category."""

    mean: float
    hit: float = Field(description="The chance of any points there.")


class StrategyDistribution(BaseModel):
    """Exactly what a strategy does."""

    game: str
    position: str
    kind: Literal["strategy"]
    strategy: str
    mean: float
    sd: float
    mode: int
    lowest: int
    highest: int
    percentiles: dict[str, int]
    mass: list[float] = Field(description="The chance of just so many points, from 0 on.")
    bonus: float
    categories: dict[str, CategoryShare]
    notes: list[str]


class Measured(BaseModel):
    """A number with its standard error."""

    value: float
    error: float


class CategoryMeasured(BaseModel):
    """What games show of a category."""

    mean: Measured
    hit: Measured


class SampleAnswer(BaseModel):
    """What games that were played show."""

    game: str
    strategy: str
    games: int
    seed: int
    mean: Measured
    sd: Measured
    variance: Measured
    median: Measured
    mode: int
    min: int
    max: int
    percentiles: dict[str, Measured]
    at_least: dict[str, Measured]
    bonus: Measured | None
    yatzy: Measured | None
    categories: dict[str, CategoryMeasured]
