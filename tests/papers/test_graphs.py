"""The state graphs of two-yatzy: what they hold, and that they are drawn."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx
import pytest

from yatzy import Sheet, load_game
from yatzy.errors import InputError
from yatzy.lab.plots import write_figure
from yatzy.values.exact import ExactSolver
from yatzy_papers.graphs import KEPT, ROLLED, SHEET, Node, Reward, draw_graph, node_text, state_graph
from yatzy_papers.tillius.two_yatzy import by_state, remembering

TWO = load_game("two-yatzy")


def start(graph: Any) -> Node:
    (node,) = (node for node in graph if node.kind == SHEET and not node.sheet.filled)
    assert isinstance(node, Node)
    return node


@pytest.mark.parametrize("target", [None, 5])
def test_values_follow_from_what_comes_after(target: int | None) -> None:
    graph = state_graph(TWO, target)
    for node, value in graph.nodes(data="value"):
        ways = list(graph.out_edges(node, data=True))
        if not ways:
            assert node.sheet.over or value == 0
            continue
        reward = Reward(TWO, target)
        worth = {(after, data["label"]): graph.nodes[after]["value"] for _, after, data in ways}
        if node.kind == ROLLED:
            points = {way.after: way.points if target is None else 0 for way in reward.ways(node)}
            assert value == max(found + points[after] for (after, _), found in worth.items())
            assert any(data["best"] for _, _, data in ways)
        else:
            assert sum(data["chance"] for _, _, data in ways) == 1
            assert value == sum(data["chance"] * graph.nodes[after]["value"] for _, after, data in ways)


def test_the_graph_for_points_has_the_values_of_the_exact_solver() -> None:
    graph, judge = state_graph(TWO), ExactSolver(TWO)
    assert graph.nodes[start(graph)]["value"] == 5
    for node, value in graph.nodes(data="value"):
        if node.kind == SHEET:
            assert value == judge.value(node.sheet)
        elif node.kind == ROLLED:
            assert value == judge.roll_value(node.sheet, node.dice, node.rolls_left)
        else:
            assert value == judge.keep_value(node.sheet, node.dice, node.rolls_left)


def test_the_graph_for_points_is_whole() -> None:
    """Three sheets with a turn before them, each with its 13 states, and the end."""
    graph = state_graph(TWO)
    assert len(graph) == 3 * (1 + 3 + 6 + 3) + 1
    assert networkx.is_directed_acyclic_graph(networkx.DiGraph(graph))
    kinds = [node.kind for node in graph]
    assert (kinds.count(SHEET), kinds.count(ROLLED), kinds.count(KEPT)) == (4, 18, 18)


def test_the_graph_for_five_begins_with_the_printed_chance() -> None:
    graph = state_graph(TWO, 5)
    assert graph.nodes[start(graph)]["value"] == Fraction(99, 128)
    assert f"{99 / 128:.4f}" == "0.7734"
    hopeless = [node for node, value in graph.nodes(data="value") if not value]
    assert hopeless
    assert all(not list(graph.successors(node)) for node in hopeless)


def test_layers_follow_the_order_of_play() -> None:
    graph = state_graph(TWO, 5)
    for a, b in graph.edges():
        assert graph.nodes[b]["layer"] == graph.nodes[a]["layer"] + 1


def test_every_best_strategy_has_the_chance_of_the_graph() -> None:
    """And remembering how one came where one is gives more means, not more chance."""
    plain, every = by_state(TWO, 5), remembering(TWO, 5)
    assert {one[0] for one in plain | every} == {Fraction(99, 128)}
    assert plain < every
    assert max(one[1] for one in plain) == max(one[1] for one in every)


def test_names_of_nodes() -> None:
    sheet = Sheet.start(TWO).fill(0, 2, 0)
    assert node_text(Node(SHEET, Sheet.start(TWO)), None) == "start"
    assert node_text(Node(SHEET, sheet), None) == "twos open"
    assert node_text(Node(SHEET, sheet), 5) == "twos open\n2 points"
    assert node_text(Node(KEPT, sheet), 5) == "none"
    assert node_text(Node(ROLLED, sheet, (1, 2)), 5) == "12"


@pytest.mark.parametrize("target", [None, 5])
def test_graphs_are_drawn_the_same_each_time(target: int | None, tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_figure(draw_graph(state_graph(TWO, target), "Two-yatzy", "caption"), tmp_path / f"{name}.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def test_a_game_with_a_bonus_is_not_drawn() -> None:
    with pytest.raises(InputError, match="yatzy: only a game without bonus and Joker is drawn whole"):
        state_graph(load_game("yatzy"))
