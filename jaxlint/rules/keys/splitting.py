"""Rewrites that put a `split` in front of a use of a key."""

from __future__ import annotations

from typing import Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Edit, Fix
from jaxlint.rule import File

_NOTE = "the numbers drawn change"


def split_before(file: File, operand: int, target: Optional[str] = None) -> Optional[Fix]:
    """`key, subkey = jax.random.split(key)` above the statement that uses the key at ``operand``.

    None where the key is not a plain name, or the statement is not one that a line can stand above.
    """
    node = file.unit.nodes[operand]
    if type(node) is not ir.Name:
        return None
    statement = file.unit.statement(operand)
    if not _simple(file, statement, operand):
        return None
    start, _ = file.span(statement.site)
    line = file.source.text.rfind("\n", 0, start) + 1
    if file.source.text[line:start].strip():
        return None  # after a semicolon, or in a one-line suite
    subkey = _free_name(file, operand, target or _subkey_of(node.id))
    split, imports = file.api("jax.random.split")
    indentation = file.indentation(statement.site)
    newline = file.source.newline
    above = f"{node.id}, {subkey} = {split}({node.id}){newline}{indentation}"
    edits = (Edit(start, start, above), file.replace(operand, subkey))
    return Fix(f"Split `{node.id}` before it is used: {_NOTE}", edits, Applicability.UNSAFE, imports)


def _simple(file: File, statement: ir.Statement, operand: int) -> bool:
    """Whether the key is used by the statement itself, once, and not in a body or lambda inside it."""
    if not isinstance(statement, (ir.Assign, ir.Augment, ir.Annotate, ir.Evaluate, ir.Return)):
        return False
    for above in file.unit.ancestors(operand):
        if above is statement:
            return True
        if isinstance(above, (ir.Function, ir.Comprehension, ir.Conditional, ir.Boolean)):
            return False
    return False


def _subkey_of(name: str) -> str:
    for whole, part in (("rng", "subrng"), ("key", "subkey")):
        if name == whole:
            return part
    return f"{name}_sub" if not name.endswith("key") else f"{name[:-3]}subkey"


def _free_name(file: File, operand: int, wanted: str) -> str:
    scope = file.unit.scope(operand)
    taken = scope.locals | scope.free
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}{number}", number + 1
    return name


def same_variable(file: File, first: int, second: int) -> bool:
    """Whether two places read one name of one function, class or module body."""
    a, b = file.unit.nodes[first], file.unit.nodes[second]
    if type(a) is not ir.Name or type(b) is not ir.Name or a.id != b.id:
        return False
    return file.unit.scope(first) is file.unit.scope(second)
