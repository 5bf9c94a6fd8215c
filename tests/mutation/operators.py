"""Mutants of a module: small changes of its source, each of which some test should notice.

A mutant is a piece of the text and what stands there instead. It is named by its function, its operator and the text
around it, not by its offset, so that it is found again after lines have moved.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

MODULE = "<module>"  # the function of what stands in none

_COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
_ARITHMETIC: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_OPPOSITE = {"any": "all", "all": "any", "min": "max", "max": "min"}
# What is not run, or only says what something is.
_IGNORED_CALLS = {"TypeVar", "cast", "NewType", "Path"}
_IGNORED_NAMES = {"__all__", "__slots__", "TYPE_CHECKING"}


@dataclass(frozen=True)
class Mutant:
    """A change of one place in a file."""

    path: str  # below the root of the repository
    function: str
    operator: str
    before: str
    after: str
    number: int  # counts those of the same function that look the same
    line: int  # when it was drawn

    @property
    def key(self) -> tuple[str, str, str, str, str, int]:
        return self.path, self.function, self.operator, _unspaced(self.before), _unspaced(self.after), self.number

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def _unspaced(code: str) -> str:
    """Code without what a formatter changes: white space, commas at the end of brackets."""
    return re.sub(r",(?=[)\]}])", "", re.sub(r"\s", "", code))


@dataclass(frozen=True)
class Place:
    """Where a mutant stands in the text at hand."""

    mutant: Mutant
    start: int
    end: int

    def applied(self, text: str) -> str:
        return text[: self.start] + self.mutant.after + text[self.end :]


def mutants(text: str, path: str) -> list[Place]:
    """Every mutant of a module that compiles, in the order of the text."""
    walk = _Walk(text)
    walk.visit(ast.parse(text))
    counted: Counter[tuple[str, str, str, str]] = Counter()
    places = []
    for function, operator, start, end, after in sorted(
        walk.found, key=lambda found: (found[2], found[3], found[1], found[4])
    ):
        before = text[start:end]
        seen = (function, operator, before, after)
        mutant = Mutant(path, function, operator, before, after, counted[seen], text.count("\n", 0, start) + 1)
        counted[seen] += 1
        places.append(Place(mutant, start, end))
    return places


def compiles(place: Place, text: str) -> bool:
    """Whether the mutated module is a module, and another one."""
    try:
        tree = ast.parse(place.applied(text))
        compile(tree, place.mutant.path, "exec")
    except (SyntaxError, ValueError):
        return False
    return ast.dump(tree) != ast.dump(ast.parse(text))


class _Walk(ast.NodeVisitor):
    """Collects (function, operator, start, end, text instead)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = [0]
        for line in text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.found: list[tuple[str, str, int, int, str]] = []
        self.functions: list[str] = []
        self.returns: list[ast.expr | None] = []
        self.last: set[ast.stmt] = set()  # statements after which their function or their pass of a loop ends anyway

    # --- places -------------------------------------------------------------------------------

    def span(self, node: Any) -> tuple[int, int]:
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def offset(self, line: int, column: int) -> int:
        start = self.lines[line - 1]
        text = self.text[start : self.lines[line]] if line < len(self.lines) else ""
        return start + len(text.encode("utf-8")[:column].decode("utf-8"))

    def put(self, operator: str, node: Any, after: Any) -> None:
        """``after`` is a node or a text."""
        start, end = self.span(node)
        if isinstance(after, ast.AST):
            text = ast.unparse(after)
            after = (
                text
                if isinstance(after, (ast.Constant, ast.Name, ast.Call, ast.Set, ast.List, ast.Dict, ast.stmt))
                else f"({text})"
            )
        if self.text[start:end] != after:
            self.found.append((".".join(self.functions) or MODULE, operator, start, end, after))

    # --- what is left out ---------------------------------------------------------------------

    def generic_visit(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.functions.append(node.name)
        self.body(node)
        self.functions.pop()

    def visit_FunctionDef(self, node: Any) -> None:
        self.functions.append(node.name)
        self.returns.append(node.returns)
        self.last.add(node.body[-1])
        for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(default)
        self.body(node)
        self.returns.pop()
        self.functions.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Module(self, node: ast.Module) -> None:
        self.body(node)

    def body(self, node: Any) -> None:
        documented = ast.get_docstring(node, clean=False) is not None
        for statement in node.body[1 if documented else 0 :]:
            self.visit(statement)

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_Import(self, node: ast.Import) -> None:
        pass

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        pass

    # --- statements ---------------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id in _IGNORED_NAMES:
            return
        self.put("condition false", node.test, "False")
        self.put("condition true", node.test, "True")
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self.last.add(node.body[-1])
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self.last.add(node.body[-1])
        if not isinstance(node.test, ast.Constant):
            self.put("condition false", node.test, "False")
            self.generic_visit(node)
        else:
            for statement in node.body:
                self.visit(statement)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.put("arms swapped", node, ast.IfExp(node.test, node.orelse, node.body))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        plain = isinstance(node.value, ast.Constant)
        if node.value is not None and not (plain and node.value.value is None):
            predicate = isinstance(self.returns[-1], ast.Name) and self.returns[-1].id == "bool"
            if predicate and not plain:
                self.put("result negated", node.value, ast.UnaryOp(ast.Not(), node.value))
            elif not plain:
                self.put("result None", node.value, "None")
        nothing = node.value is None or (plain and node.value.value is None)
        if not (nothing and node in self.last):
            self.put("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        self.put("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if names & _IGNORED_NAMES:
            return
        if not any(isinstance(part, ast.Name) for target in node.targets for part in _targets(target)):
            self.put("statement removed", node, "pass")
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                self.visit(target)
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.put("statement removed", node, "pass")
        other = _ARITHMETIC.get(type(node.op))
        if other is not None and not _is_text(node.value):
            self.put("operator", node, ast.AugAssign(node.target, other(), node.value))
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        self.put("statement removed", node, "pass")

    def visit_Raise(self, node: ast.Raise) -> None:
        self.put("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        if node not in self.last:
            self.put("statement removed", node, "pass")
        self.put("other jump", node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self.put("statement removed", node, "pass")
        self.put("other jump", node, "continue")

    # --- expressions --------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        for at, op in enumerate(node.ops):
            for other in _COMPARISONS[type(op)]:
                ops = [*node.ops[:at], other(), *node.ops[at + 1 :]]
                self.put("comparison", node, ast.Compare(node.left, ops, node.comparators))
        for comparator in node.comparators:
            self.elements(comparator)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.put("and, or", node, ast.BoolOp(other, node.values))
        for at in range(len(node.values)):
            kept = node.values[:at] + node.values[at + 1 :]
            self.put("operand removed", node, kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, (ast.Not, ast.USub)):
            self.put("operator removed", node, node.operand)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = _ARITHMETIC.get(type(node.op))
        if other is not None and not _is_text(node.left) and not _is_text(node.right):
            self.put("operator", node, ast.BinOp(node.left, other(), node.right))
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self.put("condition true", condition, "True")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _IGNORED_CALLS:
            return
        if name in _OPPOSITE:
            self.put("opposite function", node.func, _OPPOSITE[name])
        first, second, *_rest = [*node.args, None, None]
        if first is not None and second is not None and name not in ("isinstance", "getattr"):
            starred = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
            if not starred and ast.dump(first) != ast.dump(second):
                self.put("arguments swapped", node, ast.Call(node.func, [second, first, *node.args[2:]], node.keywords))
        for at, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                kept = node.keywords[:at] + node.keywords[at + 1 :]
                self.put("keyword removed", node, ast.Call(node.func, node.args, kept))
        if name in ("isinstance", "issubclass", "frozenset", "set", "tuple"):
            for argument in node.args:
                self.elements(argument)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "split" and not node.args:
            words = node.func.value.value.split() if isinstance(node.func.value, ast.Constant) else []
            for at in range(len(words)):
                self.put("element removed", node.func.value, ast.Constant(" ".join(words[:at] + words[at + 1 :])))
            if words:
                return
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        if isinstance(node.ctx, ast.Load) and all(isinstance(each, ast.Constant) for each in node.elts):
            self.elements(node)
        self.generic_visit(node)

    def visit_List(self, node: ast.List) -> None:
        if isinstance(node.ctx, ast.Load):
            self.elements(node)
        self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> None:
        self.elements(node)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        for at in range(len(node.keys)):
            pair = node.keys[at] or node.values[at]
            kept = ast.Dict(node.keys[:at] + node.keys[at + 1 :], node.values[:at] + node.values[at + 1 :])
            self.put_at(pair, "element removed", node, kept)
        for value in node.values:
            self.visit(value)

    def elements(self, node: ast.expr) -> None:
        """One element less of a display."""
        if not isinstance(node, (ast.Tuple, ast.List, ast.Set)) or (
            len(node.elts) < 2 and not isinstance(node, ast.List)
        ):
            return
        for at in range(len(node.elts)):
            elements = node.elts[:at] + node.elts[at + 1 :]
            kept = type(node)(elements) if isinstance(node, ast.Set) else type(node)(elements, node.ctx)
            self.put_at(node.elts[at], "element removed", node, kept)

    def put_at(self, part: ast.expr, operator: str, node: ast.expr, after: ast.expr) -> None:
        """A change of a display that stands at the line of one of its elements: long tables have many lines."""
        start, end = self.span(part)
        at = end
        while at < len(self.text) and self.text[at] in " \t\r\n":
            at += 1
        if (
            isinstance(node, ast.Dict)
            or self.text[at : at + 1] != ","
            or (isinstance(node, ast.Tuple) and len(node.elts) < 3)
        ):
            self.put(operator, node, after)
        else:
            self.found.append((".".join(self.functions) or MODULE, operator, start, at + 1, ""))

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.put("constant", node, ast.Constant(not value))
        elif isinstance(value, (int, float)):
            self.put("constant", node, repr(value + 1))
            self.put("constant", node, f"({value - 1!r})" if value < 1 else repr(value - 1))
        elif isinstance(value, (str, bytes)):
            self.put("constant", node, repr(type(value)()) if value else ("'x'" if isinstance(value, str) else "b'x'"))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.put("constant", node, "''")  # what is inside has no reliable place


def _targets(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _targets(element)
    else:
        yield target


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))
