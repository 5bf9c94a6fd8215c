"""Rewrites that take another part of the `split` a key comes from, in place of one more split."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from jaxlint.analysis.domain.values import Api
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import blocks, free_name
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_FEW = 4


def part_of_split_above(file: File, key: ir.Name, first: ir.Statement, subkey: str) -> Fix | None:
    """A use of ``key`` gets a part of the `split` that gave the key its value, where nothing reads the key before ``first``.

    A part that nothing reads is used; `key, _ = split(key)` and `key = split(key)[0]` keep it as ``subkey``; a split all of whose
    parts are read gives one part more.
    """
    above, operand = _value_of(file, key), key.site
    if not isinstance(above, ir.Assign) or len(above.targets) != 1 or _is_read_between(file, key, above, first):
        return None
    target, taken = above.targets[0], above.value
    if isinstance(target, ir.Name) and isinstance(taken, ir.Subscript):
        split = _split(file, taken.value)
        if (
            split is None
            or split.parts != 2
            or not isinstance(taken.index, ir.Constant)
            or taken.index.value not in (0, 1, -1)
        ):
            return None
        edits = (
            file.replace(target.site, f"{key.id}, {subkey}"),
            file.replace(taken.site, file.code(taken.value.site)),
        )
        return _fix(f"Keep both parts of `{file.code(taken.value.site, 40)}`", file, edits, operand, subkey)
    split = _split(file, taken)
    if split is None or not isinstance(target, ir.Sequence) or len(target.elements) != split.parts:
        return None
    names = [each for each in target.elements if isinstance(each, ir.Name)]
    if len(names) != split.parts or split.parts < 2:
        return None
    others = [each for each in names if each.id != key.id]
    unused = [each for each in others if each.id == "_" or not _is_read(file, each)]
    if unused and unused[0].id == "_":
        kept = file.replace(unused[0].site, subkey)
        return _fix(f"Use the other part of `{file.code(taken.site, 40)}`", file, (kept,), operand, subkey)
    if unused:
        return _fix(f"Use `{unused[0].id}`, which nothing uses yet", file, (), operand, unused[0].id)
    if len(others) == split.parts:
        return None
    if key.id != names[0].id:
        if not _is_near(file, above, first):
            return None
        subkey = free_name(file, operand, key.id)
    end = file.outer_span(names[-1].site)[1]
    return _fix(
        f"Take one key more, `{subkey}`", file, (Edit(end, end, f", {subkey}"), split.one_more), operand, subkey
    )


def _is_near(file: File, split: ir.Statement, use: ir.Statement) -> bool:
    """Whether a use stands a few statements below a split, so that one sees both."""
    holder = file.unit.parent(split.site)
    places = (
        [(block.index(split), block.index(use)) for block in blocks(holder) if split in block and use in block]
        if holder
        else []
    )
    return any(second - first <= _FEW for first, second in places)


def _fix(message: str, file: File, edits: tuple[Edit, ...], operand: int, part: str) -> Fix:
    edits = tuple(sorted((*edits, file.replace(operand, part)), key=lambda edit: edit.start))
    return Fix(f"{message}: the numbers drawn change", edits, Applicability.UNSAFE)


class _Split(NamedTuple):
    """A call of `split`: how many parts it gives, and the edit by which it gives one more."""

    parts: int
    one_more: Edit


def _split(file: File, call: ir.Node) -> _Split | None:
    if not isinstance(call, ir.Call) or not call.args or isinstance(call.args[0], ir.Starred):
        return None
    names = {value.name if type(value) is Api else "" for value in file.values(call.func.site)}
    if names != {"jax.random.split"}:
        return None
    numbers = [*call.args[1:], *(each.value for each in call.keywords if each.name == "num")]
    if not numbers:
        end = file.outer_span(call.args[0].site)[1]
        return _Split(2, Edit(end, end, ", 3")) if not call.keywords else None
    number = numbers[0]
    if len(call.args) + len(call.keywords) != 2 or not isinstance(number, ir.Constant) or type(number.value) is not int:
        return None
    return _Split(number.value, file.replace(number.site, str(number.value + 1)))


def _value_of(file: File, key: ir.Name) -> ir.Node | None:
    """The statement that last bound the name, each time it is read here: above it, with no loop around the reading alone."""
    scope, node = file.unit.scope(key.site), cast(ir.Node, file.unit.statement(key.site))
    while True:
        above = file.unit.parent(node.site)
        if above is None:
            return None
        for block in blocks(above):
            if node in block:
                for earlier in reversed(block[: block.index(node)]):
                    if any(key.id in bound_by(each) for each in ir.walk([earlier], into_scopes=False)):
                        return earlier if _together(file, earlier, key) else None
        if above is scope or isinstance(above, (ir.For, ir.While, ir.Scope)) or key.id in bound_by(above):
            return None
        node = above


def _together(file: File, one: ir.Node, other: ir.Node) -> bool:
    """Whether two nodes are in the same cell of a notebook."""
    cells = [file.source.place(file.source.position(file.span(each.site)[0])).cell for each in (one, other)]
    return cells[0] == cells[1]


def _reads(file: File, name: ir.Name) -> Iterator[ir.Name]:
    for node in ir.walk(file.unit.scope(name.site).body):
        if isinstance(node, ir.Name) and node.id == name.id:
            yield node


def _is_read_between(file: File, name: ir.Name, statement: ir.Node, other: ir.Node) -> bool:
    start, end = file.span(statement.site)[1], file.span(other.site)[0]
    return any(start <= file.span(each.site)[0] < end for each in _reads(file, name))


def _is_read(file: File, name: ir.Name) -> bool:
    """Whether anything of the scope reads a name, or binds it elsewhere."""
    return any(each is not name for each in _reads(file, name)) or name.id not in file.unit.scope(name.site).locals
