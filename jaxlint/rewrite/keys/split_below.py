"""Rewrites that move the `split` which binds a key anew above the first use of the key."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.missing_keys import may_be_none
from jaxlint.rewrite.keys.split_above import comes_from_split, split_of, unused_parts
from jaxlint.rewrite.keys.splitting import first_of_chain, is_single, line_above, new_name, statement_above
from jaxlint.rewrite.statements import blocks, free_name, removed
from jaxlint.source.diagnostic import Fix


def split_moved_up(file: File, first: int, second: int) -> Fix | None:
    """`x = normal(key)`, `key, _ = split(key)` becomes `key, subkey = split(key)`, `x = normal(subkey)`.

    None unless both stand in one block, and nothing in between mentions what the split is given or binds.
    """
    key, call, later = file.code(second), file.unit.parent(second), file.unit.statement(second)
    own = statement_above(file, first)
    if own is None or own is later or not isinstance(later, ir.Assign) or len(later.targets) != 1:
        return None
    if file.code(first) != key or not is_single(file, first) or not _is_once_in(file, own, key):
        return None
    node = file.unit.nodes[first]
    if isinstance(node, ir.Name) and (may_be_none(file, node) or comes_from_split(file, node)):
        return None
    if isinstance(node, ir.Name) and first_of_chain(file, node, own) is not own:
        return None
    parts = None if call is None else _parts(file, later, call, key)
    gone = removed(file, later)
    if parts is None or gone is None or not isinstance(call, ir.Call):
        return None
    above = file.unit.parent(own.site)
    between = [
        block[block.index(own) + 1 : block.index(later)]
        for block in (blocks(above) if above else ())
        if own in block and later in block[block.index(own) :]
    ]
    others = {each for each in parts if each not in (key, "_")}
    if not between or _mentions(file, [own, *between[0]], others) or _mentions(file, between[0], {key, "self"}):
        return None
    subkey = new_name(file, first, key.rpartition(".")[2].lstrip("_"), own)
    if subkey in parts:
        subkey = free_name(file, first, subkey)
    spare = [each.id for each in unused_parts(file, later, _names(later))]
    kept = [each for each in parts if each not in (key, "_", *spare[:1])]
    count = f", {len(kept) + 2}" if kept else ""
    line = f"{', '.join((key, subkey, *kept))} = {file.code(call.func.site)}({key}{count})"
    edits = (line_above(file, own, line), file.replace(first, subkey), gone)
    return Fix(f"Split `{key}` before it is used", edits, changes=NUMBERS_DRAWN)


def _parts(file: File, statement: ir.Assign, call: ir.Node, key: str) -> list[str] | None:
    """What a statement names the parts of a split, where the key itself is one of them; None for anything else."""
    target, split = statement.targets[0], split_of(file, call)
    if split is None:
        return None
    if isinstance(statement.value, ir.Subscript) and statement.value.value is call:
        number = statement.value.index
        alone = isinstance(number, ir.Constant) and number.value in range(-split.parts, split.parts)
        return [key] if alone and split.parts <= 2 and file.code(target.site) == key else None
    if statement.value is not call or not isinstance(target, ir.Sequence) or len(target.elements) != split.parts:
        return None
    parts = [file.code(each.site) for each in target.elements]
    return parts if parts.count(key) == 1 and len(_names(statement)) >= len(parts) - 1 else None


def _names(statement: ir.Assign) -> list[ir.Name]:
    target = statement.targets[0]
    elements = target.elements if isinstance(target, ir.Sequence) else []
    return [each for each in elements if isinstance(each, ir.Name)]


def _is_once_in(file: File, statement: ir.Statement, key: str) -> bool:
    kinds = (ir.Name, ir.Attribute)
    return sum(isinstance(each, kinds) and file.code(each.site) == key for each in ir.walk([statement])) == 1


def _mentions(file: File, statements: Iterable[ir.Node], names: set[str]) -> bool:
    """Whether statements mention any of these, or do more with `self` than read and write other attributes."""
    for node in ir.walk(list(statements)):
        above = file.unit.parent(node.site)
        if isinstance(node, ir.Name) and isinstance(above, ir.Attribute) and above.value is node:
            holder = file.unit.parent(above.site)
            if not isinstance(holder, ir.Call) or holder.func is not above:
                continue
        if isinstance(node, (ir.Name, ir.Attribute)) and file.code(node.site) in names:
            return True
    return False
