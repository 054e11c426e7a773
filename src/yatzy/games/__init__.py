"""Games: rules as data, sheets, positions, moves, their notation, and game records."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.games.dice import Dice as Dice
    from yatzy.games.dice import keeps_of as keeps_of
    from yatzy.games.dice import show_dice as show_dice
    from yatzy.games.game import Bonus as Bonus
    from yatzy.games.game import Category as Category
    from yatzy.games.game import Game as Game
    from yatzy.games.game import Joker as Joker
    from yatzy.games.game import JokerReading as JokerReading
    from yatzy.games.gamefile import PRESETS as PRESETS
    from yatzy.games.gamefile import find_game as find_game
    from yatzy.games.gamefile import is_preset as is_preset
    from yatzy.games.gamefile import load_game as load_game
    from yatzy.games.gamefile import load_preset as load_preset
    from yatzy.games.moves import Keep as Keep
    from yatzy.games.moves import Move as Move
    from yatzy.games.moves import Score as Score
    from yatzy.games.patterns import PATTERNS as PATTERNS
    from yatzy.games.patterns import Chance as Chance
    from yatzy.games.patterns import Face as Face
    from yatzy.games.patterns import Groups as Groups
    from yatzy.games.patterns import Pattern as Pattern
    from yatzy.games.patterns import Pays as Pays
    from yatzy.games.patterns import Straight as Straight
    from yatzy.games.position import Position as Position
    from yatzy.games.record import Detail as Detail
    from yatzy.games.record import Player as Player
    from yatzy.games.record import Record as Record
    from yatzy.games.record import Roll as Roll
    from yatzy.games.record import Step as Step
    from yatzy.games.record import Turn as Turn
    from yatzy.games.rules import Placement as Placement
    from yatzy.games.rules import placements as placements
    from yatzy.games.sheet import Sheet as Sheet
    from yatzy.games.sheet import reachable_sums as reachable_sums
    from yatzy.games.sheet import rolls as rolls
    from yatzy.games.sheet_text import parse_sheet as parse_sheet
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
