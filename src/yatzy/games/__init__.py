"""What the games are: rules as data, sheets, positions, moves, their notation, and records of games."""

from yatzy.games.dice import Dice, keeps_of, show_dice
from yatzy.games.game import Bonus, Category, Game, Joker, JokerReading
from yatzy.games.gamefile import PRESETS, load_game, load_preset, parse_game
from yatzy.games.moves import Keep, Move, Score
from yatzy.games.patterns import Chance, Face, Groups, Pattern, Pays, Straight
from yatzy.games.position import Position
from yatzy.games.record import Detail, Player, Record, Roll, Step, Turn
from yatzy.games.record_text import format_record, parse_record
from yatzy.games.rules import Placement, placements
from yatzy.games.sheet import Sheet, reachable_sums, rolls
from yatzy.games.writing import format_game

__all__ = [
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
    "format_game",
    "format_record",
    "keeps_of",
    "load_game",
    "load_preset",
    "parse_game",
    "parse_record",
    "placements",
    "reachable_sums",
    "rolls",
    "show_dice",
]
