"""Fixes on trial: what a file says after them that it did not say before."""

from __future__ import annotations

import ast
import builtins
import difflib
import symtable
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.source.diagnostic import Applicability

if TYPE_CHECKING:
    from jaxlint.source.diagnostic import Diagnostic
    from jaxlint.source.text import Source

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__path__", "__builtins__", "__annotations__"}


def objection(
    before: Source,
    found: Sequence[Diagnostic],
    applied: Collection[Diagnostic],
    after: Source,
    left: Sequence[Diagnostic],
    allow: Collection[Applicability],
) -> str:
    """What speaks against fixes that make ``after`` of ``before``; nothing where they do what they are meant to.

    ``found`` are the findings before, ``applied`` those whose fixes are made, and ``left`` the findings after. Fixes must bind
    all names that they read, shadow no builtin, and lead to no new finding. A new finding does not speak against them if the
    next pass fixes it, by a fix of a level in ``allow``. Nor does one in a line that no safe fix touches: the code computes what
    it computed before, and the analysis merely knows more of it.
    """
    fixed = [each for each in left if each.fix is None or each.fix.applicability not in allow]
    return _names(before, after) or _new_finding(before, found, applied, after, fixed)


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


class _Names:
    """Names of a module that may go wrong: read and bound nowhere, builtins that it binds, and those read too early."""

    def __init__(self, unbound: set[str], shadowed: set[str], early: set[tuple[str, str]]) -> None:
        self.unbound = unbound
        self.shadowed = shadowed
        self.early = early

    @classmethod
    def of(cls, source: Source) -> _Names | None:
        """None where the running Python cannot tell, or where a star import may bind anything."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the user's code
                table = symtable.symtable(source.text, source.filename, "exec")
                tree = ast.parse(source.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree)):
            return None
        bound = {each.get_name() for each in table.get_symbols() if each.is_assigned() or each.is_imported()}
        read: set[str] = set()
        for scope in _scopes(table):
            for each in scope.get_symbols():
                if each.is_global() and each.is_assigned():
                    bound.add(each.get_name())
                if each.is_referenced() and (each.is_global() or scope is table):
                    read.add(each.get_name())
        early = {
            (node.name, name) for node in ast.walk(tree) if isinstance(node, _FUNCTIONS) for name in _read_early(node)
        }
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


def _new_finding(
    before: Source,
    found: Sequence[Diagnostic],
    applied: Collection[Diagnostic],
    after: Source,
    left: Sequence[Diagnostic],
) -> str:
    lines = _Lines(before.text.splitlines(), after.text.splitlines())
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
            return f"it leads to {each.code} in line {after.place(each.start).position.row}: {each.message}"
    return ""


class _Lines:
    """Which lines of a text are those of another one, and which were put in the place of which; rows count from 1."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        first = next((at for at, (one, other) in enumerate(zip(old, new)) if one != other), min(len(old), len(new)))
        most = min(len(old), len(new)) - first
        last = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
        self._rows = {row: row for row in range(1, first + 1)}  # of the new text, to those of the old one
        self._rows.update({len(new) - at: len(old) - at for at in range(last)})
        self._old: dict[int, int] = {}
        self._new: dict[int, int] = {}
        matcher = difflib.SequenceMatcher(
            None, old[first : len(old) - last], new[first : len(new) - last], autojunk=False
        )
        for block, (tag, low, high, start, stop) in enumerate(matcher.get_opcodes()):
            if tag == "equal":
                self._rows.update({first + 1 + start + at: first + 1 + low + at for at in range(high - low)})
            else:
                self._old.update(dict.fromkeys(range(first + 1 + low, first + 1 + high), block))
                self._new.update(dict.fromkeys(range(first + 1 + start, first + 1 + stop), block))

    def before(self, row: int) -> tuple[int | None, int | None]:
        """The row that a line of the new text has in the old one, or the number of the change that has put it there."""
        return self._rows.get(row), self._new.get(row)

    def changed_from(self, row: int) -> int | None:
        """The number of the change that has replaced a line of the old text; None where none has."""
        return self._old.get(row)
