"""The complete graph of a small game: its states, actions, rolls and exact values.

A node is a sheet between turns, dice after a roll, or kept dice. From a sheet or kept dice, edges are rolls with their
chances. From rolled dice, edges are the player's actions: keeping or, with no roll left, scoring. The value of a node
is an exact fraction:

    at the end the reward; before a roll the mean over the dice; before an action the maximum over the actions

The reward is the final score, or 1 for reaching a target. If it is the score, a state does not contain the points so
far, and its value is the number of points still to come. For a target it does, and states without a chance are drawn
but not followed. In a game with a bonus it contains what the bonus still needs. Layers follow the order of play from
left to right; Networkx lays them out. A graph that would not fit on a page is refused before it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from yatzy.errors import InputError, Message, missing_extra
from yatzy.games import Dice, Game, Keep, Move, Position, Score, Sheet, reachable_sums, show_dice
from yatzy.games.dice import sorted_dice
from yatzy.lab.plots import COLOURS, print_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 17.0, 11.0
"""The size of a graph in inches: a page in landscape format."""
SHEET, ROLLED, KEPT = "sheet", "rolled", "kept"
SIZES = {SHEET: 3600, ROLLED: 1150, KEPT: 1150}
"""The sizes of nodes, in square points."""
ROOMY = 18
"""Up to this number of states in a column, nodes have their full size; above it they shrink."""
LABEL_WAYS = (0.28, 0.36, 0.2, 0.44, 0.52)
"""Places for the label of an edge, as shares of its length; the first one that is free."""
LABEL_SIZE = (0.12, 0.016)
"""Room for a label: its width as a share of that of the edge, and its height as a share of the graph's."""
MOST_LAYERS = 15
MOST_IN_LAYER = 30
"""What fits on a page: the columns, and the states in one of them."""
MOST_STATES = 10_000
"""The most states whose chances of a target are computed to find out which of them are drawn."""
SMALL = Fraction(1, 10_000)
"""Smaller values are shown as a power of ten."""


@dataclass(frozen=True, slots=True)
class GraphWords:
    """The words of a drawing, and its decimal mark. `report.figures` has other languages."""

    language: str = "en"
    decimal: str = "."
    signs: str = (
        "Squares are sheets between turns, blue circles rolled dice, white circles kept dice. Thin grey arrows: dice,"
        " with their chances. Thick arrows: best actions; dashed: others."
    )
    turn: str = "turn {number}"
    roll: str = "roll {number}"
    keep: str = "keep"
    end: str = "the end"
    start: str = "start"
    finished: str = "end"
    nothing: str = "none"
    open: str = "{categories} open"
    one_point: str = "{points} point"
    points: str = "{points} points"
    bonus_needs: str = "bonus: {points} more"
    bonus_won: str = "bonus won"
    no_bonus: str = "no bonus"
    joker: str = "Joker"

    def category(self, game: Game, index: int) -> str:
        """The name of a category inside a line; nouns keep their capital in German."""
        name = game.categories[index].name(self.language)
        return name if self.language == "de" else name.lower()

    def number(self, value: Fraction) -> str:
        """A value to four decimals; whole numbers without any."""
        if value.denominator == 1:
            return str(value)
        shown = f"{float(value):.4f}".rstrip("0") if value >= SMALL else f"{float(value):.1e}"
        return shown.replace(".", self.decimal)


ENGLISH = GraphWords()


@dataclass(frozen=True, slots=True)
class Node:
    """A state of the game."""

    kind: str
    sheet: Sheet
    dice: Dice = ()
    rolls_left: int = 0

    @property
    def layer(self) -> int:
        """The number of steps from the start."""
        game, filled = self.sheet.game, self.sheet.filled.bit_count()
        inside = 0 if self.kind == SHEET else 2 * (game.rolls - self.rolls_left) - (1 if self.kind == ROLLED else 0)
        return filled * 2 * game.rolls + inside


Place: TypeAlias = tuple[float, float]
Places: TypeAlias = dict[Node, Place]
"""The coordinates of nodes."""


@dataclass(frozen=True, slots=True)
class Way:
    """An edge from one node to another: an action, or a roll with its chance."""

    after: Node
    chance: Fraction | None = None
    """None for an action."""
    move: Move | None = None
    """None for a roll."""
    points: int = 0
    """The points that the action scores."""


class Reward:
    """The reward of a game, and the value of every node."""

    def __init__(self, game: Game, target: int | None = None) -> None:
        self.game, self.target = game, target
        self.value = cache(self._value)

    @property
    def start(self) -> Node:
        """The first node."""
        return Node(SHEET, replace(Sheet.start(self.game), boxes=None))

    def ways(self, node: Node) -> list[Way]:
        """The edges that leave a node."""
        if node.sheet.over:
            return []
        return list(self._actions(node) if node.kind == ROLLED else self._rolls(node))

    def _rolls(self, node: Node) -> Iterator[Way]:
        game = self.game
        rolls_left = (game.rolls if node.kind == SHEET else node.rolls_left) - 1
        for dice, chance in _rolled(game.faces, game.dice, node.dice):
            yield Way(Node(ROLLED, node.sheet, dice, rolls_left), chance)

    def _actions(self, node: Node) -> Iterator[Way]:
        position = Position((node.sheet,), node.dice, node.rolls_left)
        for move in position.legal_moves:
            if isinstance(move, Keep):
                yield Way(Node(KEPT, node.sheet, move.dice, node.rolls_left), move=move)
            elif isinstance(move, Score):
                after = replace(position.play(move).sheets[0], boxes=None)
                made = after.points - node.sheet.points
                if self.target is None:  # points already scored do not affect those to come
                    after = replace(after, points=0)
                after = replace(after, upper=_upper_sum_that_matters(after))
                yield Way(Node(SHEET, after), move=move, points=made)

    def worth(self, way: Way) -> Fraction:
        """The value of following an edge."""
        return self.value(way.after) + (way.points if self.target is None else 0)

    def followed(self, node: Node) -> bool:
        """Whether the graph goes on from here: not where a target is out of reach."""
        return self.target is None or self.value(node) > 0

    def _value(self, node: Node) -> Fraction:
        if node.sheet.over:
            return Fraction(0) if self.target is None else Fraction(node.sheet.points >= self.target)
        ways = self.ways(node)
        if node.kind == ROLLED:
            return max(self.worth(way) for way in ways)
        return sum((way.chance * self.worth(way) for way in ways if way.chance is not None), Fraction(0))


@cache
def _rolled(faces: int, count: int, kept: Dice) -> tuple[tuple[Dice, Fraction], ...]:
    """What the dice can show when those that are not kept are rolled, each with its chance."""
    rolls = Counter(sorted_dice(kept + more) for more in product(range(1, faces + 1), repeat=count - len(kept)))
    return tuple((dice, Fraction(ways, rolls.total())) for dice, ways in sorted(rolls.items()))


def _missing(sheet: Sheet) -> int | None:
    """The fewest points that win the bonus from here and can still be made; 0 if it is won, None if out of reach."""
    game = sheet.game
    if game.bonus is None or sheet.bonus_won:
        return 0
    sums = reachable_sums(game, sum(1 << i for i in game.upper_categories if not sheet.filled >> i & 1))
    return next((s for s in range(game.bonus.threshold - sheet.upper, sums.bit_length()) if sums >> s & 1), None)


def _upper_sum_that_matters(sheet: Sheet) -> int:
    """One upper sum for all that have the same future."""
    missing = _missing(sheet)
    return 0 if sheet.game.bonus is None or missing is None else max(sheet.game.bonus.threshold - missing, 0)


def state_graph(game: Game, target: int | None = None) -> Any:
    """The graph of a game, a `networkx.MultiDiGraph` whose nodes are `Node`s with `value` and `layer`.

    Edges have `chance` (None for an action), `move` (None for a roll), `points` and `best`, whether an action is as
    good as any. A graph that would not fit on a page is refused (`InputError`).
    """
    networkx, reward = _networkx(), Reward(game, target)
    _check_size(reward)
    graph = networkx.MultiDiGraph(target=target, game=game)
    waiting = [reward.start]
    while waiting:
        node = waiting.pop()
        if node in graph and "value" in graph.nodes[node]:
            continue
        value = reward.value(node)
        graph.add_node(node, value=value, layer=node.layer)
        if not reward.followed(node):
            continue
        for way in reward.ways(node):
            best = way.chance is None and reward.worth(way) == value
            graph.add_edge(node, way.after, chance=way.chance, move=way.move, points=way.points, best=best)
            waiting.append(way.after)
    return graph


def _check_size(reward: Reward) -> None:
    """Refuse a graph that would not fit on a page, or whose chances would take long to compute."""
    game = reward.game
    layers = 2 * game.rolls * len(game.categories) + 1
    if layers > MOST_LAYERS:
        raise InputError(
            "{game}: the graph has {layers} columns; a page has room for {most}",
            game=game.id,
            layers=layers,
            most=MOST_LAYERS,
        )
    rolls = comb(game.dice + game.faces - 1, game.dice)
    if rolls > MOST_IN_LAYER:
        _refuse_column(game, rolls)
    layer, states = {reward.start}, 0
    while reward.target is not None and layer:
        states += len(layer)
        if states > MOST_STATES:
            raise InputError(
                "{game}: the game has more than {most:,} states; a page has no room for them",
                game=game.id,
                most=MOST_STATES,
            )
        layer = {way.after for node in layer for way in reward.ways(node)}
    layer = {reward.start}
    while layer:
        if len(layer) > MOST_IN_LAYER:
            _refuse_column(game, len(layer))
        layer = {way.after for node in layer if reward.followed(node) for way in reward.ways(node)}


def _refuse_column(game: Game, states: int) -> NoReturn:
    raise InputError(
        "{game}: the graph has {states:,} states in one column; a page has room for {most}",
        game=game.id,
        states=states,
        most=MOST_IN_LAYER,
    )


def _networkx() -> Any:
    try:
        import networkx
    except ImportError:
        raise missing_extra(Message("graphs of games need Networkx"), "papers") from None
    return networkx


def node_text(node: Node, target: int | None, words: GraphWords = ENGLISH) -> str:
    """The text of a node: the dice, or the relevant part of the sheet."""
    if node.kind != SHEET:
        return show_dice(node.dice) if node.dice else words.nothing
    sheet, game, lines = node.sheet, node.sheet.game, list[str]()
    if target is not None and sheet.filled:
        lines.append((words.one_point if sheet.points == 1 else words.points).format(points=sheet.points))
    if game.bonus is not None and sheet.filled:
        missing = _missing(sheet)
        needs = words.bonus_needs.format(points=missing)
        lines.append(words.no_bonus if missing is None else needs if missing else words.bonus_won)
    if sheet.box_pays:
        lines.append(words.joker)
    open_ = [words.category(game, i) for i in sheet.open]
    first = words.open.format(categories=", ".join(open_)) if open_ else words.finished
    return "\n".join([words.start if len(open_) == len(game.categories) else first, *lines])


def layer_name(game: Game, layer: int, words: GraphWords = ENGLISH) -> str:
    """The name of a column: the turn, roll or keep."""
    turn, inside = divmod(layer, 2 * game.rolls)
    if inside == 0:
        return words.end if turn == len(game.categories) else words.turn.format(number=turn + 1)
    return words.roll.format(number=(inside + 1) // 2) if inside % 2 else words.keep


def _order(node: Node) -> tuple[int, int, float]:
    """The order of nodes in a layer, from the top: by sheet, then by the expected sum of the dice."""
    missing = node.sheet.game.dice - len(node.dice)
    return node.sheet.filled, node.sheet.points, sum(node.dice) + missing * (node.sheet.game.faces + 1) / 2


def _places(graph: Any) -> Places:
    """The coordinates of nodes: layers as Networkx places them, each spread over the whole height."""
    networkx, ordered = _networkx(), _networkx().MultiDiGraph()
    ordered.add_nodes_from(sorted(graph.nodes(data=True), key=lambda entry: (entry[1]["layer"], _order(entry[0]))))
    across = networkx.multipartite_layout(ordered, subset_key="layer")
    columns: dict[int, list[Node]] = {}
    for node, data in ordered.nodes(data=True):
        columns.setdefault(data["layer"], []).append(node)
    return {
        node: (float(across[node][0]), 1 - (row + 0.5) / len(nodes))
        for nodes in columns.values()
        for row, node in enumerate(nodes)
    }


@print_style()
def draw_graph(graph: Any, title: str, caption: str, words: GraphWords = ENGLISH) -> Figure:
    """Draw the graph: actions blue, the best ones thick; rolls grey with their chances; values in the nodes.

    `caption` says what the values are; the line above it explains the signs.
    """
    from matplotlib.figure import Figure  # Matplotlib is optional

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.subplots()
    figure.suptitle(title, x=0.01, horizontalalignment="left", fontsize=14)
    figure.supxlabel(f"{words.signs}\n{caption}", x=0.01, horizontalalignment="left", fontsize=10.5, color="#444444")
    places = _places(graph)
    _draw_edges(axes, graph, places, words)
    _draw_nodes(axes, graph, places, words)
    across = {data["layer"]: places[node][0] for node, data in graph.nodes(data=True)}
    step = (max(across.values()) - min(across.values())) / max(len(across) - 1, 1) or 1.0
    axes.set(xlim=(min(across.values()) - 0.4 * step, max(across.values()) + 0.4 * step), ylim=(-0.01, 1.06))
    for layer, at in across.items():
        axes.text(at, 1.03, layer_name(graph.graph["game"], layer, words), ha="center", fontsize=10.5, color="#444444")
    axes.axis("off")
    return figure


def _shrunk(graph: Any) -> float:
    """By how much nodes and texts are smaller, so that the longest column fits."""
    return min(1.0, ROOMY / max(Counter(layer for _, layer in graph.nodes(data="layer")).values()))


def _size(kind: str, graph: Any) -> float:
    return SIZES[kind] if kind == SHEET else SIZES[kind] * _shrunk(graph) ** 2


def _draw_edges(axes: Axes, graph: Any, places: Places, words: GraphWords) -> None:
    networkx = _networkx()
    kinds: tuple[tuple[Callable[[Any], bool], str, float, str], ...] = (
        (lambda data: data["chance"] is not None, "#a0a0a0", 0.8, "solid"),
        (lambda data: data["chance"] is None and not data["best"], COLOURS[0], 0.9, "dashed"),
        (lambda data: data["best"], COLOURS[1], 2.2, "solid"),
    )
    nodes = list(graph)
    for chosen, colour, width, style in kinds:
        edges = [(a, b, key) for a, b, key, data in graph.edges(keys=True, data=True) if chosen(data)]
        networkx.draw_networkx_edges(
            graph, places, edgelist=edges, ax=axes, edge_color=colour, width=width, style=style, arrowsize=9,
            nodelist=nodes, node_size=[_size(node.kind, graph) for node in nodes], connectionstyle="arc3",
        )  # fmt: skip
    taken: list[Place] = []
    for a, b, data in graph.edges(data=True):
        label = _edge_text(graph.graph["game"], data, words)
        if label:
            x, y = _label_place(places[a], places[b], taken)
            colour = "#666666" if data["chance"] is not None else COLOURS[1] if data["best"] else COLOURS[0]
            axes.text(x, y, label, ha="center", va="center", fontsize=8, color=colour, zorder=3,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})  # fmt: skip


def _label_place(start: Place, end: Place, taken: list[Place]) -> Place:
    """A place for the label of an edge that is not taken yet; adds it to those.

    It is near the start of the edge, to distinguish edges that end at the same node.
    """
    wide, tall = LABEL_SIZE[0] * abs(end[0] - start[0]), LABEL_SIZE[1]
    tried = [((1 - way) * start[0] + way * end[0], (1 - way) * start[1] + way * end[1]) for way in LABEL_WAYS]
    free = (at for at in tried if all(abs(at[0] - x) >= wide or abs(at[1] - y) >= tall for x, y in taken))
    taken.append(next(free, tried[0]))
    return taken[-1]


def _edge_text(game: Game, data: dict[str, Any], words: GraphWords) -> str:
    """The text at an edge: the chance of a roll, or the category and its points; none for keeps and certain rolls."""
    move, chance = data["move"], data["chance"]
    if isinstance(move, Score):
        return f"{words.category(game, game.category_index[move.category])} {data['points']}"
    return str(chance) if chance is not None and chance < 1 else ""


def _draw_nodes(axes: Axes, graph: Any, places: Places, words: GraphWords) -> None:
    networkx = _networkx()
    for kind, shape, colour in ((SHEET, "s", "#fff2cc"), (ROLLED, "o", "#dbeafe"), (KEPT, "o", "#ffffff")):
        nodes = [node for node in graph if node.kind == kind]
        networkx.draw_networkx_nodes(
            graph, places, nodelist=nodes, ax=axes, node_color=colour, edgecolors="#333333", node_shape=shape,
            node_size=_size(kind, graph), linewidths=0.8,
        )  # fmt: skip
    target, small = graph.graph["target"], 8 * max(_shrunk(graph), 0.75)
    for node, (x, y) in places.items():
        font = 8 if node.kind == SHEET else small
        text, value = node_text(node, target, words), words.number(graph.nodes[node]["value"])
        axes.text(x, y, f"{text}\n", ha="center", va="center", fontsize=font, zorder=4, linespacing=1.05)
        lines = text.count("\n") + 1
        axes.text(x, y, "\n" * lines + value, ha="center", va="center", fontsize=font, zorder=4, linespacing=1.05,
                  fontweight="bold")  # fmt: skip
