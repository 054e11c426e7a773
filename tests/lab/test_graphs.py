"""The state graphs of two-yatzy: what they hold, and that they are drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import BytesIO
from itertools import combinations, product
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

from yatzy import Game, Position, Sheet, load_game
from yatzy.errors import InputError
from yatzy.games import Category, Chance, Score
from yatzy.lab.graphs import (
    ENGLISH,
    HEIGHT,
    KEPT,
    LABEL_WAYS,
    ROLLED,
    SHEET,
    Node,
    Reward,
    _edge_text,
    _places,
    _size,
    draw_graph,
    layer_name,
    node_text,
    state_graph,
)
from yatzy.lab.plots import write_figure
from yatzy.report.figures import graph_words
from yatzy.values.exact import ExactSolver
from yatzy_papers.tillius.two_yatzy import by_state, chance_of, mean_of, remembering

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
        worth = {(after, data["move"]): graph.nodes[after]["value"] for _, after, data in ways}
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


@pytest.mark.parametrize("target", [None, 5])
def test_an_edge_that_scores_carries_the_points_of_its_move(target: int | None) -> None:
    scored = 0
    for node, _, data in state_graph(TWO, target).edges(data=True):
        if node.kind == ROLLED and isinstance(data["move"], Score):
            position = Position((node.sheet,), node.dice, node.rolls_left)
            assert data["points"] == position.play(data["move"]).sheets[0].points - node.sheet.points
            scored += node.sheet.points > 0
    assert scored > 0 or target is None


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
    plain, every = frozenset(by_state(TWO, 5)), remembering(TWO, 5)
    assert {chance_of(one, 5) for one in plain | every} == {Fraction(99, 128)}
    assert all(sum(one) == 1 for one in every)
    assert plain < every
    assert max(map(mean_of, plain)) == max(map(mean_of, every))


def test_names_of_nodes() -> None:
    sheet = Sheet.start(TWO).fill(0, 2, 0)
    assert node_text(Node(SHEET, Sheet.start(TWO)), None) == "start"
    assert node_text(Node(SHEET, sheet), None) == "twos open"
    assert node_text(Node(SHEET, sheet), 5) == "twos open\n2 points"
    assert node_text(Node(KEPT, sheet), 5) == "none"
    assert node_text(Node(ROLLED, sheet, (1, 2)), 5) == "12"


def test_columns_are_named_after_the_steps_of_a_turn() -> None:
    turn = ["roll 1", "keep", "roll 2"]
    assert [layer_name(TWO, layer) for layer in range(9)] == ["turn 1", *turn, "turn 2", *turn, "the end"]


@pytest.mark.parametrize("target", [None, 5])
def test_graphs_are_drawn_the_same_each_time(target: int | None, tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_figure(draw_graph(state_graph(TWO, target), "Two-yatzy", "caption"), tmp_path / f"{name}.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def test_the_nodes_of_a_layer_are_spread_over_the_height() -> None:
    graph = state_graph(TWO)
    layers: dict[int, list[tuple[float, float]]] = {}
    for node, place in _places(graph).items():
        layers.setdefault(graph.nodes[node]["layer"], []).append(place)
    assert len(layers) > 3
    for places in layers.values():
        assert len({across for across, _ in places}) == 1
        heights = sorted(height for _, height in places)
        assert heights == pytest.approx([(row + 0.5) / len(places) for row in range(len(places))])


def test_nodes_of_a_sheet_stand_in_the_order_of_the_sum_that_their_dice_will_have() -> None:
    graph = state_graph(Game("three-faces", 3, 3, 2, (Category("all", Chance()),)))
    rows: dict[Any, list[tuple[float, float]]] = {}
    for node, (_, height) in _places(graph).items():
        more = list(product(range(1, 4), repeat=3 - len(node.dice)))
        mean = sum(sum(node.dice) + sum(roll) for roll in more) / len(more)
        rows.setdefault((graph.nodes[node]["layer"], node.sheet.filled, node.sheet.points), []).append((height, mean))
    assert max(map(len, rows.values())) > 5
    for found in rows.values():  # from the top
        means = [mean for _, mean in sorted(found, reverse=True)]
        assert means == sorted(means)


@pytest.mark.parametrize("faces", [2, 4, 6])
def test_the_nodes_of_a_column_do_not_cover_each_other(faces: int) -> None:
    graph = state_graph(Game("chance", 2, faces, 2, (Category("all", Chance()),)))
    columns = Counter((layer, node.kind) for node, layer in graph.nodes(data="layer"))
    for (_, kind), count in columns.items():
        assert count * _size(kind, graph) ** 0.5 < 72 * HEIGHT, "points along the height of the figure"
    assert _size(ROLLED, graph) <= _size(SHEET, graph)


def test_letters_in_crowded_columns_are_smaller_but_legible() -> None:
    sizes = {}
    for faces in (2, 6):
        graph = state_graph(Game("chance", 2, faces, 2, (Category("all", Chance()),)))
        texts = draw_graph(graph, "title", "caption").axes[0].texts
        sizes[faces] = {float(text.get_fontsize()) for text in texts if text.get_zorder() == 4}
    assert max(sizes[2]) == max(sizes[6]), "of sheets"
    assert 5 < min(sizes[6]) < min(sizes[2])


def test_what_an_edge_says_stands_near_its_start_in_its_colour() -> None:
    graph = state_graph(TWO)
    places, axes = _places(graph), draw_graph(graph, "Two-yatzy", "caption").axes[0]
    drawn = {(text.get_text(), *(round(float(part), 6) for part in text.get_position())): text for text in axes.texts}
    colours, ways = set(), []
    for a, b, data in graph.edges(data=True):
        if label := _edge_text(TWO, data, ENGLISH):
            first, last = np.array(places[a]), np.array(places[b])
            tried = {way: (label, *((1 - way) * first + way * last).round(6).tolist()) for way in LABEL_WAYS}
            (way,) = (way for way, key in tried.items() if key in drawn)
            kind = "roll" if data["chance"] is not None else "best" if data["best"] else "other"
            colours.add((kind, drawn[tried[way]].get_color()))
            ways.append(way)
    assert max(set(ways), key=ways.count) == LABEL_WAYS[0] == 0.28
    assert ways.count(0.28) > 0.9 * len(ways)  # only labels that would cover others stand elsewhere
    assert len(colours) == len(dict(colours)) == len(set(dict(colours).values())) == 3


def test_arrows_are_drawn_as_the_line_below_says() -> None:
    """Thin grey ones for dice, thick ones for the best actions, dashed ones for the others."""
    graph = state_graph(TWO, 5)
    arrows = [arrow for arrow in draw_graph(graph, "", "").axes[0].patches if isinstance(arrow, FancyArrowPatch)]
    drawn = Counter((arrow.get_linestyle() == "dashed", arrow.get_linewidth() > 1) for arrow in arrows)
    edges = [data for _, _, data in graph.edges(data=True)]
    rolls, best = sum(data["chance"] is not None for data in edges), sum(data["best"] for data in edges)
    others = len(edges) - rolls - best
    assert others not in (0, rolls)
    assert drawn == {(False, False): rolls, (False, True): best, (True, False): others}


BONUS = Game.parse("""
id = "two-with-bonus"
dice = 2
faces = 2
rolls = 2
bonus = { points = 3, threshold = 4 }
[[categories]]
id = "ones"
pattern = "face"
face = 1
[[categories]]
id = "twos"
pattern = "face"
face = 2
""")


def test_a_game_with_a_bonus_is_drawn_with_what_the_bonus_needs() -> None:
    graph, judge = state_graph(BONUS), ExactSolver(BONUS)
    assert graph.nodes[start(graph)]["value"] == judge.value(Sheet.start(BONUS))
    texts = {node_text(node, None) for node in graph if node.kind == SHEET}
    waiting = {
        "twos open\nbonus: 4 more",
        "twos open\nbonus: 2 more",
        "ones open\nno bonus",
        "ones open\nbonus: 2 more",
    }
    assert texts == {"start", *waiting, "ones open\nbonus won", "end\nno bonus", "end\nbonus won"}
    chance = state_graph(BONUS, 7)
    assert chance.nodes[start(chance)]["value"] == best_chance(BONUS, 7)


def best_chance(game: Game, target: int) -> Fraction:
    """The best chance of a final score, by trying everything."""

    @cache
    def value(position: Position) -> Fraction:
        sheet = position.sheet
        if sheet.over:
            return Fraction(sheet.points >= target)
        if position.awaits_roll:
            more = list(product(range(1, game.faces + 1), repeat=game.dice - len(position.dice)))
            return sum((value(position.roll(position.dice + dice)) for dice in more), Fraction(0)) / len(more)
        return max(value(position.play(move)) for move in position.legal_moves)

    return value(Position.start(game))


def test_best_chances_are_those_of_trying_everything() -> None:
    for target in (4, 5, 6):
        graph = state_graph(TWO, target)
        assert graph.nodes[start(graph)]["value"] == best_chance(TWO, target)


def test_a_target_out_of_reach_is_drawn_as_a_start_without_chance() -> None:
    graph = state_graph(TWO, 7)
    assert (len(graph), graph.nodes[start(graph)]["value"], graph.number_of_edges()) == (1, 0, 0)
    assert {"start\n", "\n0"} <= {text.get_text() for text in draw_graph(graph, "", "").axes[0].texts}


def test_large_faces_small_chances_and_other_languages_are_legible() -> None:
    sheet, german = Sheet.start(TWO).fill(0, 2, 0), graph_words("de")
    assert node_text(Node(ROLLED, sheet, (3, 12)), None) == "3-12"
    assert node_text(Node(SHEET, sheet), 5, german) == "offen: Zweier\n2 Punkte"
    assert [german.number(Fraction(*one)) for one in ((1, 2), (3, 1), (1, 40_000))] == ["0,5", "3", "2,5e-05"]


def test_only_values_that_four_decimals_cannot_show_are_powers_of_ten() -> None:
    below = (10_000, 12_500, 26**7)
    assert [ENGLISH.number(Fraction(1, number)) for number in below] == ["0.0001", "8.0e-05", "1.2e-10"]


SEVEN = Game("seven", 12, 2, 1, tuple(Category(f"c{n}", Chance()) for n in range(7)))
"""As many columns as a page has, few rolls, and very many sums of points."""


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("yatzy", "yatzy: the graph has 91 columns; a page has room for 15"),
        (replace(load_game("yatzy"), rolls=1, categories=load_game("yatzy").categories[:3], bonus=None),
         "yatzy: the graph has 252 states in one column; a page has room for 30"),
        (replace(TWO, dice=5), "two-yatzy: the graph has 42 states in one column; a page has room for 30"),
    ],
)  # fmt: skip
def test_a_graph_that_does_not_fit_on_a_page_is_refused(game: Game | str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        state_graph(load_game(game) if isinstance(game, str) else game)
    assert str(caught.value) == says


def test_a_target_is_not_evaluated_where_there_are_too_many_states() -> None:
    with pytest.raises(InputError, match="seven: the game has more than 10,000 states; a page has no room for them"):
        state_graph(SEVEN, 50)


@pytest.mark.parametrize("target", [None, 5])
def test_labels_of_edges_do_not_cover_each_other(target: int | None) -> None:
    figure = draw_graph(state_graph(TWO, target), "title", "caption")
    figure.savefig(BytesIO())  # lays the texts out
    labels = [text for text in figure.axes[0].texts if "/" in text.get_text() or text.get_text()[-1:].isdigit()]
    boxes = [text.get_window_extent() for text in labels if "\n" not in text.get_text()]
    assert len(boxes) > 30
    covered = [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]
    assert covered == []
