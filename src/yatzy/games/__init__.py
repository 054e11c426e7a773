"""Games: rules as data, sheets, positions, moves, their notation, and game records."""

from yatzy.games.dice import Dice, keeps_of, show_dice
from yatzy.games.game import Bonus, Category, Game, Joker, JokerReading
from yatzy.games.gamefile import PRESETS, find_game, is_preset, load_game, load_preset
from yatzy.games.moves import Keep, Move, Score
from yatzy.games.patterns import PATTERNS, Chance, Face, Groups, Pattern, Pays, Straight
from yatzy.games.position import Position
from yatzy.games.record import Detail, Player, Record, Roll, Step, Turn
from yatzy.games.rules import Placement, placements
from yatzy.games.sheet import Sheet, reachable_sums, rolls

__all__ = [
    "PATTERNS",
    "PRESETS",
    "Bonus",
    "Category",
    "Chance",
    "Detail",
    "Dice",
    "Face",
    "Game",
    "Groups",
    "Joker",
    "JokerReading",
    "Keep",
    "Move",
    "Pattern",
    "Pays",
    "Placement",
    "Player",
    "Position",
    "Record",
    "Roll",
    "Score",
    "Sheet",
    "Step",
    "Straight",
    "Turn",
    "find_game",
    "is_preset",
    "keeps_of",
    "load_game",
    "load_preset",
    "placements",
    "reachable_sums",
    "rolls",
    "show_dice",
]
