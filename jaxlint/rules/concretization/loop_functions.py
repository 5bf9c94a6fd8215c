"""The functions that `jax.lax` loops call, written from the body of a Python loop."""

from __future__ import annotations

from typing import Optional

from jaxlint import syntax as ir
from jaxlint.rule import File
from jaxlint.semantics.model import Demand
from jaxlint.semantics.values import Array, Const, Static, Undecided, Unknown

_REVERSE_MODE = frozenset({"jax.grad", "jax.value_and_grad", "jax.jacrev", "jax.jacobian", "jax.hessian", "jax.vjp"})
_NEEDS_INT = frozenset({"range", "int", "float", "bool"})


def under_reverse_mode(demand: Demand) -> bool:
    """Whether a loop with a traced end would be differentiated in reverse mode, which JAX cannot."""
    return demand.origin is None or any(step.transform in _REVERSE_MODE for step in demand.origin.steps())


def kinds_handed_on(file: File, loop: ir.Statement, names: list[str]) -> set[type]:
    """Kinds of the values that the rounds of a loop hand on in ``names``."""
    kinds: set[type] = set()
    for statement in loop.body:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        if any(isinstance(target, ir.Name) and target.id in names for target in targets):
            kinds |= {type(value) for value in file.values(statement.value.site)}
    return kinds


def can_be_handed_on(kinds: set[type]) -> bool:
    return kinds <= {Array, Undecided, Const, Static, Unknown}


def needs_python_value(file: File, loop: ir.Statement, names: set[str]) -> bool:
    """Whether the body uses one of ``names`` where a tracer fails: in slices, and as index of a list or tuple."""
    def mentions(node: Optional[ir.Node]) -> bool:
        return node is not None and any(isinstance(n, ir.Name) and n.id in names for n in ir.walk([node], into_scopes=False))

    for node in ir.walk(loop.body, into_scopes=False):
        if isinstance(node, (ir.Slice, ir.Conditional, ir.Boolean, ir.Format)) and mentions(node):
            return True
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and node.func.id in _NEEDS_INT and mentions(node):
            return True
        if isinstance(node, ir.Subscript) and mentions(node.index):
            if any(type(value) not in (Array, Undecided, Unknown) for value in file.values(node.value.site)):
                return True
    return False


def free_name(file: File, loop: ir.Statement, *candidates: str) -> str:
    """The first of ``candidates`` that names nothing around ``loop``."""
    scope = file.unit.scope(loop.site)
    taken = scope.locals | scope.free | file.unit.module.locals
    return next(name for name in (*candidates, candidates[0] + "_") if name not in taken)


def body_function(file: File, loop: ir.Statement, name: str, names: list[str], first: tuple[str, ...] = ()) -> list[str]:
    """Lines of a function that does one round: ``first`` and the carry in, the carry out. The first is not indented."""
    inner = inner_indentation(file, loop)
    start, end = file.span(loop.body[0].site)[0], file.span(loop.body[-1].site)[1]
    body = _comments_above(file, start) + inner + file.source.text[start:end]
    return [*_header(name, names, inner, first), body, f"{inner}return {', '.join(names)}"]


def _comments_above(file: File, start: int) -> str:
    """The lines of comment between the head of the loop and the first statement of its body."""
    text = file.source.text
    first = line = text.rfind("\n", 0, start) + 1
    while line and text[text.rfind("\n", 0, line - 1) + 1 : line].lstrip().startswith("#"):
        line = text.rfind("\n", 0, line - 1) + 1
    return "" if text[first:start].strip() else text[line:first]


def condition_function(file: File, loop: ir.Statement, name: str, names: list[str], condition: str) -> list[str]:
    """Lines of a function from the carry to ``condition``."""
    inner = inner_indentation(file, loop)
    return [*_header(name, names, inner, ()), f"{inner}return {condition}"]


def carry(names: list[str]) -> str:
    """The initial carry: a name, or a tuple of several."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def inner_indentation(file: File, loop: ir.Statement) -> str:
    """White space in front of the body; one more step than the loop's where the body stands behind the colon."""
    text, start = file.source.text, file.span(loop.body[0].site)[0]
    on_own_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    return file.indentation(loop.body[0].site) if on_own_line else file.indentation(loop.site) + "    "


def _header(name: str, names: list[str], inner: str, first: tuple[str, ...]) -> list[str]:
    if len(names) == 1:
        return [f"def {name}({', '.join((*first, *names))}):"]
    return [f"def {name}({', '.join((*first, 'carry'))}):", f"{inner}{', '.join(names)} = carry"]
