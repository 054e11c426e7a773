"""The options --moves and --plot of `yatzy advise`: which moves are compared, and where their figure is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from yatzy.coach.advice import Advice
from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.coach.selected_moves import SelectedMoves, best_moves, parse_moves, select_moves
from yatzy.games import Move, Position
from yatzy.lab.plots import check_format, write_figure
from yatzy.report.selected_moves_figure import draw_selected_moves
from yatzy.solver import Solver


@dataclass(frozen=True, slots=True)
class Selection:
    """The moves to compare, and the file of their figure."""

    moves: tuple[Move, ...]
    """Empty for the best few."""
    plot: Path | None

    @classmethod
    def parse(cls, where: Position, moves: str | None, plot: Path | None) -> Selection:
        """Parse both options. Refuses what is not a legal move, or a figure that could not be written."""
        if plot is not None:
            check_format(plot)
        return cls(() if moves is None else parse_moves(where, moves.split(",")), plot)

    def find(self, solver: Solver, advice: Advice) -> SelectedMoves:
        """The chances of all final scores after these moves."""
        where = advice.position
        chances, outlooks = solver.chances(where.game), open_outlooks(solver, where.game)
        return select_moves(chances, outlooks, where, self.moves or best_moves(advice))

    def draw(self, selected: SelectedMoves, language: str) -> None:
        """Write the figure, if one was asked for."""
        if self.plot is not None:
            write_figure(draw_selected_moves(selected, language), self.plot)
