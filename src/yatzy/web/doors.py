"""What a request may name: presets, games of one's own as data, positions, objectives, strategies.

Nothing here opens a file or loads a class on the word of a request. The forms that would (`utility:FILE`, `file:PATH`,
`FILE.py:CLASS`, a game in a file) are not among those that are let in.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

from yatzy.coach.situation import Known, Situation, situation_of
from yatzy.errors import InputError, SizeError
from yatzy.games import PRESETS, Game, Position, load_preset, parse_game, parse_position
from yatzy.web import limits
from yatzy.web.refusals import Forbidden, TooMuch

OBJECTIVES = ("expected", "target:S", "chance:P", "exp:THETA")
MATCH_OBJECTIVES = ("match:emp:D", "match:dyns:D", "match:auto", "match:auto:SECONDS")
NAMED = ("greedy", "random", "molinder-bonus", "molinder-lower")
STRATEGIES = (*OBJECTIVES, *NAMED, "softened:FIRMNESS[:OBJECTIVE]")
_KINDS = {form.partition(":")[0] for form in OBJECTIVES}


def read_game(id: str | None = None, description: str | None = None) -> Game:
    """A preset by its id, or a game of one's own from the text of its description."""
    if description is None:
        return load_preset(id or "yatzy")
    if len(description) > limits.DESCRIPTION:
        raise TooMuch(f"a game of your own may take {limits.DESCRIPTION:,} characters, not {len(description):,}")
    game = _own_game(description)
    if id is not None and id != game.id:
        raise InputError(f"game {id!r} is not the one described, which is {game.id!r}; leave one of them out")
    return game


@lru_cache(maxsize=64)
def _own_game(description: str) -> Game:
    game = parse_game(description)
    _refuse_if_too_large(game)
    return game


def check_game(game: Game) -> None:
    """Refuse a game that came inside something else, such as a record, and is too large to be served."""
    if game.id not in PRESETS or game != load_preset(game.id):
        _refuse_if_too_large(game)


def _refuse_if_too_large(game: Game) -> None:
    """Refuse a game whose tables would keep the server busy, before anything large is counted."""
    keeps = comb(game.dice + game.faces, game.faces)
    if keeps > limits.OWN_KEEPS:
        raise SizeError(f"dice, faces: the dice can be kept in {keeps:,} ways; {limits.OWN_KEEPS:,} are served here")
    if game.rolls > limits.OWN_ROLLS:
        raise SizeError(f"rolls: {game.rolls} are more than the {limits.OWN_ROLLS} that are served here")
    if len(game.categories) > limits.OWN_CATEGORIES:
        raise SizeError(
            f"categories: {len(game.categories)} are more than the {limits.OWN_CATEGORIES} that are served here"
        )
    from yatzy.model import compile_game
    from yatzy.model.compiled import refuse_to_compile

    refuse_to_compile(game, limits.OWN_UPPER_PAIRS)
    states = len(compile_game(game).states)
    if states > limits.OWN_STATES:
        raise SizeError(f"{game.id} has {states:,} states; games of one's own are served up to {limits.OWN_STATES:,}")


def read_situation(position: str | None, game: Game | None, known: Known) -> Situation:
    """A position from one line of text, or from what is known of it; a game that is given goes before presets."""
    if position is None:
        return situation_of(game or load_preset("yatzy"), known)
    if not known.nothing:
        raise InputError("give either a position as one line of text or the fields of one, not both")
    where = read_position(position, game)
    if game is not None and where.game != game:
        raise InputError(f"the position is of {where.game.id}, not of {game.id}; leave one of them out")
    return Situation(where, ())


def read_position(text: str, own: Game | None = None) -> Position:
    """A position from one line of text, of a preset or of a game of one's own."""
    if len(text) > limits.POSITION:
        raise TooMuch(f"a position may take {limits.POSITION:,} characters, not {len(text):,}")
    where = parse_position(text, lambda id: own if own is not None and own.id == id else load_preset(id))
    if len(where.sheets) > limits.PLAYERS:
        raise TooMuch(f"a position may have {limits.PLAYERS} players, not {len(where.sheets)}")
    return where


def check_objective(text: str, game: Game) -> str:
    """An objective for one player, checked for a game."""
    from yatzy.solve.exponential import check_theta
    from yatzy.solve.objectives import Exponential, parse_objective

    kind = text.strip().partition(":")[0]
    if kind == "utility":
        raise Forbidden("utility:FILE names a file, which cannot be done here")
    if kind not in _KINDS:
        raise InputError(
            f"there is no objective {text!r}; objectives are {', '.join((*OBJECTIVES, *MATCH_OBJECTIVES))}"
        )
    wanted = parse_objective(text, game)
    if isinstance(wanted, Exponential):
        check_theta(game, wanted.theta)
    return text.strip()


def check_match_objective(text: str, where: Position) -> str:
    """An objective for several players, checked for a position and bounded."""
    from yatzy.match.objectives import Auto, parse_match_objective

    wanted, players = parse_match_objective(text), len(where.sheets)
    if players < 2:
        raise InputError(f"{text}: a match needs at least two players; this position has one")
    if isinstance(wanted, Auto):
        if wanted.seconds > limits.MATCH_SECONDS:
            raise TooMuch(f"{text}: at most {limits.MATCH_SECONDS:g} seconds are searched here")
    elif wanted.depth > (most := limits.MATCH_DEPTH.get(players, 1)):
        raise TooMuch(f"{text}: with {players} players at most {most} turns are searched here; match:auto looks itself")
    return str(wanted)


def check_any_objective(text: str, where: Position) -> str:
    """An objective for one player or for several."""
    return check_match_objective(text, where) if is_match(text) else check_objective(text, where.game)


def is_match(objective: str) -> bool:
    """Whether an objective is one for several players."""
    return objective.strip().startswith("match:")


def check_strategy(text: str, game: Game) -> str:
    """A strategy by name, checked for a game; never one from a file."""
    text = text.strip()
    kind, _, rest = text.partition(":")
    if text in NAMED:
        return text
    if kind == "file" or text.rpartition(":")[0].endswith(".py"):
        raise Forbidden("strategies from files cannot be used here; run them on the command line")
    if kind == "softened" and rest:
        objective = rest.partition(":")[2]
        if objective:
            check_objective(objective, game)
        return text
    if kind in (*_KINDS, "utility"):
        return check_objective(text, game)
    raise InputError(f"there is no strategy {text!r}; strategies are {', '.join(STRATEGIES)}")
