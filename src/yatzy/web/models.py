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

    def read(self) -> Situation:
        """The position of the request."""
        given = self.game is not None or self.description is not None
        known = Known(
            self.dice, self.rolls_left, self.open, self.filled, self.upper, self.points, self.yahtzee_box
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

    objective: Text = Field("expected", description=f"{requests.forms_of(Objective, players=1)}.")

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


class TableState(BaseModel):
    """The state of a table."""

    game: str
    hash: str
    table: str = Field(description="`expected`, `outlook`, `distributions`, `endgames` or `exp:THETA`.")
    state: Literal["ready", "making", "waiting", "missing", "failed"]
    done: float = Field(description="The share that has been built.")
    note: str = Field(description="The reason if it failed.")


class NotReadyYet(Problem):
    """A table that the request needs is being built."""

    tables: list[TableState]


class TableStates(BaseModel):
    """The states of all tables."""

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
    pays: str = Field(description="What it scores, in words.")


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
    """A move with its value and its loss against the best move."""

    move: str
    keep: list[int] | None = Field(None, description="The dice to keep, if the move is a keep.")
    category: str | None = Field(None, description="The category to fill, if the move fills one.")
    value: float
    loss: float
    best: bool
    grade: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    values: dict[str, float] = Field(description="The value for each objective.")
    best_for: list[str] = Field(description="The objectives for which it is a best move.")


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
    outlook: dict[str, Any] | None = Field(None, description="The outlook of the position, if requested.")
    notes: list[str]


class MatchAdvice(AdviceAnswer):
    """All moves, ranked by their value against the opponents, and details of the search."""

    search: str
    turns: int
    exact: bool
    seconds: float
    player: int = Field(description="The number of the player to move, from 1.")
    payoff: str


class ValueAnswer(BaseModel):
    """The value of a position."""

    game: str
    objective: str
    unit: Literal["points", "chance", "worth"]
    position: str
    points: int
    value: float
    to_come: float | None = Field(None, description="Expected points still to come, if the value is an expected score.")
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
    """The best chance of every score. Each score has its own best strategy, so this is not a distribution."""

    game: str
    position: str
    kind: Literal["best"]
    first: int = Field(description="The score of the first entry.")
    at_least: list[float] = Field(description="The chance of at least `first`, `first` + 1, … points.")
    notes: list[str]


class CategoryShare(BaseModel):
    """The results of a strategy in a category."""

    mean: float
    hit: float = Field(description="The chance of scoring in it.")


class StrategyDistribution(BaseModel):
    """The exact distribution of a strategy."""

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
    mass: list[float] = Field(description="The chance of exactly 0, 1, 2, … points.")
    bonus: float
    categories: dict[str, CategoryShare]
    notes: list[str]


class Measured(BaseModel):
    """A number with its standard error."""

    value: float
    error: float


class CategoryMeasured(BaseModel):
    """The results of simulated games in a category."""

    mean: Measured
    hit: Measured


class SampleAnswer(BaseModel):
    """The results of simulated games."""

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
