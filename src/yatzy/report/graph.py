"""The decision graph of a small game as text, as a drawing and as JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from yatzy.lab.graphs import SHEET, Node, draw_graph, layer_name
from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.figures import graph_words
from yatzy.report.numbers import count, number
from yatzy.report.texts import text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def graph_blocks(graph: Any, language: str = "en") -> list[Block]:
    """The value of the start, and the number of states and edges at each step."""
    game, target = graph.graph["game"], graph.graph["target"]
    value = float(next(value for node, value in graph.nodes(data="value") if node.layer == 0))
    shown = number(value, 6, language) if target is None else number(100 * value, 4, language)
    key = "graph.expected" if target is None else "graph.target"
    said = text(language, key, game=game.name(language), value=shown, target=target)
    states = Counter(node.layer for node in graph)
    leaving = Counter(node.layer for node, _ in graph.edges())
    words, rows = graph_words(language), list[tuple[str, str, str]]()
    for layer, many in sorted(states.items()):
        name = ("  " if layer % (2 * game.rolls) else "") + layer_name(game, layer, words)
        rows.append((name, count(many, language), count(leaving[layer], language)))
    rows.append((text(language, "graph.all"), count(len(graph), language), count(graph.number_of_edges(), language)))
    head = tuple(text(language, f"graph.{name}") for name in ("step", "states", "edges"))
    return [Paragraph(said), Table(head, tuple(rows), frozenset({0}))]


def graph_figure(graph: Any, language: str = "en") -> Figure:
    """The drawing of the graph."""
    game, target = graph.graph["game"], graph.graph["target"]
    aim = "expected" if target is None else "target"
    title = text(language, f"graph.{aim}_title", game=game.name(language), target=target)
    caption = text(language, f"graph.{aim}_caption", target=target)
    return draw_graph(graph, title, caption, graph_words(language))


def graph_fields(graph: Any) -> dict[str, Any]:
    """The graph for JSON: states and edges, each state with a number by which edges name it."""
    game, target = graph.graph["game"], graph.graph["target"]
    nodes = sorted(
        graph, key=lambda node: (node.layer, node.sheet.filled, node.sheet.points, node.sheet.upper, node.dice)
    )
    numbers = {node: number for number, node in enumerate(nodes)}
    return {
        "game": game.id,
        "hash": game.hash,
        "target": target,
        "states": [{"state": numbers[node], **_state(graph, node, target)} for node in nodes],
        "edges": [
            {
                "from": numbers[a],
                "to": numbers[b],
                "chance": None if data["chance"] is None else str(data["chance"]),
                "move": None if data["move"] is None else str(data["move"]),
                "points": data["points"],
                "best": data["best"],
            }
            for a, b, data in sorted(
                graph.edges(data=True), key=lambda edge: (numbers[edge[0]], numbers[edge[1]], str(edge[2]["move"]))
            )
        ],
    }


def _state(graph: Any, node: Node, target: int | None) -> dict[str, Any]:
    sheet, value = node.sheet, graph.nodes[node]["value"]
    found: dict[str, Any] = {
        "kind": node.kind,
        "step": node.layer,
        "open": [sheet.game.categories[i].id for i in sheet.open],
        "value": float(value),
        "fraction": str(value),
    }
    if target is not None:
        found["points"] = sheet.points
    if sheet.game.bonus is not None:
        found["upper"] = sheet.upper
    if node.kind != SHEET:
        found |= {"dice": list(node.dice), "rolls_left": node.rolls_left}
    return found
