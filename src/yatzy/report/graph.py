"""The decision graph of a small game as text and as JSON."""

from __future__ import annotations

from typing import Any

from yatzy.lab.graphs import SHEET, Node
from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import number
from yatzy.report.texts import text


def graph_blocks(graph: Any, language: str = "en") -> list[Block]:
    """The value of the start, and the number of states and edges at each step."""
    game, target = graph.graph["game"], graph.graph["target"]
    value = float(next(value for node, value in graph.nodes(data="value") if node.layer == 0))
    shown = number(value, 6, language) if target is None else number(100 * value, 4, language)
    key = "graph.expected" if target is None else "graph.target"
    said = text(language, key, game=game.name(language), value=shown, target=target)
    counts: dict[int, int] = {}
    for node in graph:
        counts[node.layer] = counts.get(node.layer, 0) + 1
    leaving: dict[int, int] = {}
    for node, _ in graph.edges():
        leaving[node.layer] = leaving.get(node.layer, 0) + 1
    rows = tuple((_step(game.rolls, len(game.categories), layer, language), f"{count:,}", f"{leaving.get(layer, 0):,}")
                 for layer, count in sorted(counts.items()))  # fmt: skip
    rows += ((text(language, "graph.all"), f"{len(graph):,}", f"{graph.number_of_edges():,}"),)
    head = tuple(text(language, f"graph.{name}") for name in ("step", "states", "edges"))
    return [Paragraph(said), Table(head, rows, frozenset({0}))]


def _step(rolls: int, turns: int, layer: int, language: str) -> str:
    turn, inside = divmod(layer, 2 * rolls)
    if inside == 0:
        return text(language, "graph.end") if turn == turns else text(language, "graph.turn", number=turn + 1)
    key = "graph.roll" if inside % 2 else "graph.keep"
    return "  " + text(language, key, number=(inside + 1) // 2)


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
                "action": data["label"] if data["chance"] is None else None,
                "best": data["best"],
            }
            for a, b, data in sorted(
                graph.edges(data=True), key=lambda edge: (numbers[edge[0]], numbers[edge[1]], edge[2]["label"])
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
