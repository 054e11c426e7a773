"""The places of a module where one operator, comparison or constant can be changed."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: (r"not\s+in", "in"), ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
}  # fmt: skip
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"), ast.Pow: ("**", "*"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"), ast.MatMult: ("@", "*"),
}  # fmt: skip


@dataclass(frozen=True, order=True)
class Change:
    """Bytes `start` to `end` of a module become `new`."""

    start: int
    end: int
    new: str
    line: int

    def apply(self, source: bytes) -> bytes:
        """The changed module."""
        return source[: self.start] + self.new.encode() + source[self.end :]


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    path: str
    source: bytes
    """The module as it was read: the tree may change meanwhile."""
    change: Change
    number: int = 0
    """How many mutants of the module before this one have the same old and new line."""

    @property
    def room(self) -> str:
        """The room whose tests must notice."""
        return Path(self.path).parts[2]

    @property
    def changed(self) -> bytes:
        """The module with the change."""
        return self.change.apply(self.source)

    @property
    def lines(self) -> tuple[str, ...]:
        """The changed lines as a short diff."""
        return tuple(lines_changed(self.source, self.change))

    @property
    def name(self) -> str:
        """Says what is changed, and stays as it is when other lines change."""
        return "\n".join((self.path, *self.lines, str(self.number)))

    @property
    def key(self) -> str:
        """Says which module, as it is now, and what is changed."""
        text = hashlib.sha256(self.source).hexdigest()[:12]
        return f"{self.path}:{text}:{self.change.start}:{self.change.end}:{self.change.new}"

    def __str__(self) -> str:
        return "\n    ".join((f"{self.path}:{self.change.line}", *self.lines))


def mutants_of(path: str, source: bytes) -> Iterator[Mutant]:
    """Every mutant of a module, in order."""
    seen = Counter[tuple[str, ...]]()
    for change in find_changes(source):
        lines = tuple(lines_changed(source, change))
        yield Mutant(path, source, change, seen[lines])
        seen[lines] += 1


def find_changes(source: bytes) -> list[Change]:
    """All changes of a module, in order. Annotations, decorators and what only a type checker runs stay as they are."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    return sorted(set(finder.found))


class _Finder(ast.NodeVisitor):
    def __init__(self, source: bytes) -> None:
        self.source, self.found = source, list[Change]()
        self.lines = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def place(self, line: int, column: int) -> int:
        return self.lines[line - 1] + column

    def start(self, node: ast.expr) -> int:
        return self.place(node.lineno, node.col_offset)

    def end(self, node: ast.expr) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.place(node.end_lineno, node.end_col_offset)

    def add(self, start: int, end: int, new: str) -> None:
        self.found.append(Change(start, end, new, self.source.count(b"\n", 0, start) + 1))

    def between(self, low: int, high: int, pattern: str, new: str) -> None:
        """Change the operator between two operands; comments there are passed over."""
        gap = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.source[low:high])
        if found := re.search(pattern.encode(), gap):
            self.add(low + found.start(), low + found.end(), new)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self.between(self.end(left), self.start(right), *COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        old, new = OPERATORS[type(node.op)]
        self.between(self.end(node.left), self.start(node.right), re.escape(old), new)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        old, new = OPERATORS[type(node.op)]
        self.between(self.end(node.target), self.start(node.value), re.escape(old) + "=", new + "=")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.between(self.end(left), self.start(right), rf"\b{old}\b", new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self.add(self.start(node), self.start(node) + (3 if isinstance(node.op, ast.Not) else 1), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(self.start(node), self.end(node), str(not node.value))
        elif isinstance(node.value, int | float):
            self.add(self.start(node), self.end(node), repr(node.value + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Nothing: places in a formatted string are known from Python 3.12 on only."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.args.defaults, *node.args.kw_defaults, *node.body):
            if part is not None:
                self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)


def lines_changed(source: bytes, change: Change) -> Iterator[str]:
    """The changed lines as a short diff."""
    more = source.count(b"\n", change.start, change.end)
    for sign, text, lines in (("-", source, more), ("+", change.apply(source), change.new.count("\n"))):
        for line in text.decode().split("\n")[change.line - 1 : change.line + lines]:
            yield f"{sign} {line}"
