"""Fixes on trial: what a file says after them that it did not say before."""

from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.values import Array, Host, Shape, Tuple, Value
from jaxlint.analysis.transforms.carries import shapes_differ
from jaxlint.fixing.changed_lines import ChangedLines
from jaxlint.fixing.shape_changes import changing_carry, choices, unlike_choice
from jaxlint.source.diagnostic import Applicability, Category
from jaxlint.source.relevance import tree_of
from jaxlint.source.text import Position

if TYPE_CHECKING:
    from jaxlint.source.diagnostic import Diagnostic
    from jaxlint.source.text import Source


class Evaluated(NamedTuple):
    """An expression, by its span in the text, and what it is taken for."""

    start: int
    end: int
    value: Value


_Span = tuple[int, int]
Values = Callable[["Source"], Sequence[Evaluated]]

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__path__", "__builtins__", "__annotations__"}


def objection(
    before: Source,
    found: Sequence[Diagnostic],
    applied: Collection[Diagnostic],
    after: Source,
    left: Sequence[Diagnostic],
    allow: Collection[Applicability],
    values: Values | None = None,
) -> str:
    """What speaks against fixes that make ``after`` of ``before``; nothing where they do what they are meant to.

    ``found`` are the findings before, ``applied`` those whose fixes are made, and ``left`` the findings after. Fixes must bind
    all names that they read, shadow no builtin, and lead to no new finding. A new finding does not speak against them if the
    next pass fixes it, by a fix of a level in ``allow``. Nor does one in a line that no safe fix touches: the code computes what
    it computed before, and the analysis merely knows more of it. With ``values``, what other lines read keeps its rank, shape and
    kind of dtype, `where` is given two values of one rank, and loops keep the shapes that they carry.
    """
    lines = ChangedLines.between(before, after)
    new = new_findings(before, found, applied, after, left, lines)
    bad = next((each for each in new if each.fix is None or each.fix.applicability not in allow), None)
    why = _names(before, after) or ("" if bad is None else leads_to(after, bad))
    if why or values is None or all(each.fix and each.fix.applicability is Applicability.SAFE for each in applied):
        return why
    evaluated = values(after)
    # What stands behind code that fails has read nothing yet.
    if all(each.category is not Category.FAILS for each in applied):
        why = _other_values(before, values(before), after, evaluated, lines)
    fixable = {each for each in left if each.fix is not None and each.fix.applicability in allow}
    failures = [each for each in left if each.category is Category.FAILS and each not in fixable]
    return why or _bad_control_flow(before, after, evaluated, lines, failures)


def _names(before: Source, after: Source) -> str:
    old, new = _Names.of(before), _Names.of(after)
    if old is None or new is None:
        return ""
    for name in sorted(new.unbound - old.unbound):
        return f"it leaves `{name}` undefined"
    for name in sorted(new.shadowed - old.shadowed):
        return f"it hides the builtin `{name}`"
    for _, name in sorted(new.early - old.early):
        return f"it reads `{name}` before it is assigned"
    return ""


class _Names(NamedTuple):
    """Names of a module that may go wrong."""

    unbound: set[str]  # read, and bound nowhere
    shadowed: set[str]  # builtins that it binds
    early: set[tuple[str, str]]  # functions, and names that they read before they bind them

    @classmethod
    def of(cls, source: Source) -> _Names | None:
        """None where the running Python cannot tell. A star import may bind any name."""
        tree = tree_of(source.text)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the user's code
                table = symtable.symtable(source.text, source.filename, "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if tree is None:
            return None
        early = {
            (node.name, name) for node in ast.walk(tree) if isinstance(node, _FUNCTIONS) for name in _read_early(node)
        }
        if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree)):
            return cls(set(), set(), early)
        bound = {each.get_name() for each in table.get_symbols() if each.is_assigned() or each.is_imported()}
        read: set[str] = set()
        for scope in _scopes(table):
            for each in scope.get_symbols():
                if each.is_global() and each.is_assigned():
                    bound.add(each.get_name())
                if each.is_referenced() and (each.is_global() or scope is table):
                    read.add(each.get_name())
        return cls(read - bound - _BUILTINS, bound & _BUILTINS, early)


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _read_early(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Local names whose first use stands in a line before the first one that binds them."""
    bound: dict[str, int] = {}
    read: dict[str, int] = {}
    arguments = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    declared: set[str] = set()
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            declared.update(node.names)
        if isinstance(node, ast.Name):
            rows = read if isinstance(node.ctx, ast.Load) else bound
            rows[node.id] = min(rows.get(node.id, node.lineno), node.lineno)
        if not isinstance(node, _SCOPES):
            todo += ast.iter_child_nodes(node)
    for name, row in read.items():
        if name in bound and name not in arguments | declared and row < bound[name]:
            yield name


def leads_to(after: Source, finding: Diagnostic) -> str:
    return f"it leads to {finding.code} in line {after.place(finding.start).position.row}: {finding.message}"


def new_findings(
    before: Source,
    found: Sequence[Diagnostic],
    applied: Collection[Diagnostic],
    after: Source,
    left: Sequence[Diagnostic],
    lines: ChangedLines | None = None,
) -> list[Diagnostic]:
    """The findings after fixes that were none before, be it in another line."""
    lines = lines or ChangedLines.between(before, after)
    new = []
    others = [each for each in found if each not in applied]
    there = {(each.code, each.start) for each in others}
    # In lines that have changed, findings that are not fixed may stand anywhere.
    still = Counter((each.code, lines.changed_from(each.start.row)) for each in others)
    moved = {(each.code, before.line(each.start.row).strip()) for each in others}
    safe = all(each.fix is not None and each.fix.applicability is Applicability.SAFE for each in applied)
    for each in left:
        row, block = lines.before(each.start.row)
        if row is not None:
            is_known = safe or (each.code, each.start._replace(row=row)) in there
        else:
            is_known = still[each.code, block] > 0 or (each.code, after.line(each.start.row).strip()) in moved
            still[each.code, block] -= 1
        if not is_known:
            new.append(each)
    return new


def _other_values(
    before: Source, old: Sequence[Evaluated], after: Source, new: Sequence[Evaluated], lines: ChangedLines
) -> str:
    read = _by_name(before, old)
    for (row, column, name), values in _by_name(after, new).items():
        known, there = lines.before(row)[0], after.place(Position(row, column)).position.row
        for value in values if known is not None else ():
            others = read.get((known or 0, column, name), [])
            if others and not any(_alike(other, value) for other in others):
                return f"`{name}` in line {there} becomes {_shown(value)}, and is {_shown(others[0])}"
    return ""


def _bad_control_flow(
    before: Source, after: Source, new: Sequence[Evaluated], lines: ChangedLines, failures: Sequence[Diagnostic]
) -> str:
    """A new `where` with a failure in it or between two shapes, or a loop that changes a shape.

    Shapes are compared by what is known of them, and else by the text.
    """
    old, tree = tree_of(before.text), tree_of(after.text)
    if old is None or tree is None:
        return ""
    by_span: dict[_Span, list[Value]] = {}
    for each in new:
        by_span.setdefault((each.start, each.end), []).append(each.value)
    for node in choices(tree):
        if lines.before(node.lineno)[0] is None:
            start, end = after.tree_span(node)
            failing = next((each for each in failures if start < after.offset(each.start) < end), None)
            if failing is not None:  # both values of a `where` are computed
                return leads_to(after, failing)
            # In one call of the function after the other. Where a mask chooses, a number stands for each element.
            for condition, left, right in zip(*(by_span.get(after.tree_span(each), []) for each in node.args)):
                shapes = _form(left)[0], _form(right)[0]
                if not _shapes_agree(*shapes) and (() not in shapes or _form(condition)[0] == ()):
                    return f"`where` would choose between {_shown(left)} and {_shown(right)}"

    def is_number(node: ast.expr) -> bool:
        found = by_span.get(after.tree_span(node), [])
        return bool(found) and all(_form(value)[0] == () for value in found)

    return unlike_choice(old, tree) or changing_carry(old, tree, is_number)


def _by_name(source: Source, evaluated: Sequence[Evaluated]) -> dict[tuple[int, int, str], list[Value]]:
    found: dict[tuple[int, int, str], list[Value]] = {}
    for each in evaluated:
        name = source.text[each.start : each.end]
        if name.isidentifier():
            found.setdefault((*source.position(each.start), name), []).append(each.value)
    return found


_KINDS = {kind: kind for kind in ("key", "bool", "int", "float", "complex")} | {
    "uint": "int",
    "bfloat": "float",
    "typed key": "key",
}


def _form(value: Value | None) -> tuple[Shape | None, str | None]:
    """Shape, and kind of dtype, of an array or number; None for what is not known."""
    if isinstance(value, (Array, Host)):
        return value.aval.shape, _KINDS.get((value.aval.dtype or "").rstrip("0123456789"))
    return None, None


def _alike(one: Value, other: Value) -> bool:
    """Whether two values may have the same shape and kind of dtype, or the same structure."""
    if isinstance(one, Tuple) and isinstance(other, Tuple) and one.items is not None and other.items is not None:
        return len(one.items) == len(other.items) and all(map(_alike, one.items, other.items))
    (shape, kind), (new_shape, new_kind) = _form(one), _form(other)
    if shape and new_shape and kind == new_kind == "key":  # a split may give more keys
        shape, new_shape = shape[1:], new_shape[1:]
    return _shapes_agree(shape, new_shape) and (None in (kind, new_kind) or kind == new_kind)


def _shapes_agree(one: Shape | None, other: Shape | None) -> bool:
    return one is None or other is None or not shapes_differ(one, other)


def _shown(value: Value | None) -> str:
    if isinstance(value, Tuple):
        return f"a tuple of {len(value.items or ())}"
    shape, kind = _form(value)
    sizes = "…" if shape is None else ", ".join("?" if size is None else str(size) for size in shape)
    return f"{kind or 'array'}[{sizes}]"
