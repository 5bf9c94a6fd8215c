"""Rewrites that move the `split` which binds a key anew above the first use of the key."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.missing_keys import may_be_none
from jaxlint.rewrite.keys.split_above import comes_from_split, split_of, unused_parts
from jaxlint.rewrite.keys.splitting import first_of_chain, is_single, new_name, statement_above
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name, line_above, removed
from jaxlint.source.diagnostic import Fix


@or_none
def split_moved_up(file: File, first: int, second: int) -> Fix:
    """`x = normal(key)`, `key, _ = split(key)` becomes `key, subkey = split(key)`, `x = normal(subkey)`.

    None unless both stand in one block, and nothing in between mentions what the split is given or binds.
    """
    key, node, call = file.code(second), file.unit.nodes[first], expect(ir.Call, file.unit.parent(second))
    own, later = known(statement_above(file, first)), expect(ir.Assign, file.unit.statement(second))
    require(file.code(first) == key and is_single(file, first) and _is_once_in(file, own, key))
    if isinstance(node, ir.Name):
        require(not may_be_none(file, node) and not comes_from_split(file, node))
        require(first_of_chain(file, node, own) is own)
    parts, gone = _parts(file, later, call, key), known(removed(file, later))
    block = file.unit.block(own.site)
    require(own in block and later in block[block.index(own) + 1 :])
    between = block[block.index(own) + 1 : block.index(later)]
    others = {each for each in parts if each not in (key, "_")}
    require(not _mentions(file, [own, *between], others) and not _mentions(file, between, {key, "self"}))
    subkey = new_name(file, first, key.rpartition(".")[2].lstrip("_"), own)
    if subkey in parts:
        subkey = free_name(file, first, subkey)
    spare = [each.id for each in unused_parts(file, later, _names(later))]
    kept = [each for each in parts if each not in (key, "_", *spare[:1])]
    count = f", {len(kept) + 2}" if kept else ""
    line = f"{', '.join((key, subkey, *kept))} = {file.code(call.func.site)}({key}{count})"
    edits = (line_above(file, own, line), file.replace(first, subkey), gone)
    return Fix(f"Split `{key}` before it is used", edits, changes=NUMBERS_DRAWN)


def _parts(file: File, statement: ir.Assign, call: ir.Call, key: str) -> list[str]:
    """What a statement names the parts of a split, where the key itself is one of them."""
    target, split = known(only_target(statement)), known(split_of(file, call))
    match statement.value:
        case ir.Subscript(value=value, index=ir.Constant(value=number)) if value is call:
            require(number in range(-split.parts, split.parts) and split.parts <= 2 and file.code(target.site) == key)
            return [key]
    parts = [file.code(each.site) for each in expect(ir.Sequence, target).elements]
    require(statement.value is call and len(parts) == split.parts and parts.count(key) == 1)
    require(len(_names(statement)) >= len(parts) - 1)
    return parts


def _names(statement: ir.Assign) -> list[ir.Name]:
    elements = getattr(statement.targets[0], "elements", ())
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
