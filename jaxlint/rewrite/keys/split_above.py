"""Rewrites that take another part of the `split` a key comes from, in place of one more split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.rebindable_names import may_be_read
from jaxlint.rewrite.statements import blocks, free_name
from jaxlint.source.diagnostic import Edit, Fix

_FEW = 4
_MAX_PARTS = 10_000  # of a split that is rewritten


def part_of_split_above(
    file: File, key: ir.Name, first: ir.Statement, subkey: str, second: ir.Node | None = None
) -> Fix | None:
    """A use of ``key`` gets a part of the `split` that gave the key its value, where nothing reads the key before ``first``.

    A part that nothing reads is used; `key, _ = split(key)` and `key = split(key)[0]` keep it as ``subkey``; a split all of whose
    parts are read gives one part more.
    """
    above, operand = bound_at(file, key), key.site
    if not isinstance(above, ir.Assign) or len(above.targets) != 1 or _is_read_between(file, key, above, first):
        return None
    target, taken = above.targets[0], above.value
    if isinstance(target, ir.Name) and isinstance(taken, ir.Subscript):
        split = split_of(file, taken.value)
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
    split = split_of(file, taken)
    if split is None or not isinstance(target, ir.Sequence) or len(target.elements) != split.parts:
        return None
    names = [each for each in target.elements if isinstance(each, ir.Name)]
    if len(names) != split.parts or split.parts < 2:
        return None
    others = [each for each in names if each.id != key.id]
    unused = unused_parts(file, above, others)
    if unused and unused[0].id == "_":
        kept = file.replace(unused[0].site, subkey)
        return _fix(f"Use the other part of `{file.code(taken.site, 40)}`", file, (kept,), operand, subkey)
    unused = [each for each in unused if bound_at(file, key, each.id) is above]
    if unused:
        part = unused[0]
        given = taken.args[0] if isinstance(taken, ir.Call) else None
        carries = isinstance(given, ir.Name) and given.id in (each.id for each in names)  # a new key of the same name
        if isinstance(second, ir.Name) and second.id == key.id and not carries and _is_behind(part, key.id, names):
            if bound_at(file, second) is above and bound_at(file, second, part.id) is above:
                operand = second.site  # parts are in the order of their uses
        return _fix(f"Use `{part.id}`, which nothing uses yet", file, (), operand, part.id)
    if len(others) == split.parts:
        return None
    given = taken.args[0] if isinstance(taken, ir.Call) else None
    if not isinstance(given, ir.Name) or given.id != key.id:
        # The other use gets the new part, so that parts are in the order of their uses.
        if isinstance(second, ir.Name) and second.id == key.id and bound_at(file, second) is above:
            operand = second.site
        if not _is_near(file, above, file.unit.statement(operand)):
            return None
        subkey = free_name(file, operand, key.id)
    end = file.outer_span(names[-1].site)[1]
    return _fix(
        f"Take one key more, `{subkey}`", file, (Edit(end, end, f", {subkey}"), split.one_more), operand, subkey
    )


def keep_one(file: File, call: int, second: int | None = None) -> Fix | None:
    """`k1, k2 = split(key)` becomes `key, k1, k2 = split(key, 3)`.

    A part that nothing reads is the new key, or takes its place at the use at ``second``: `k1, key = split(key)`.
    """
    node, statement = file.unit.nodes[call], file.unit.statement(call)
    split = split_of(file, node)
    if split is None or not isinstance(statement, ir.Assign) or statement.value is not node:
        return None
    target = statement.targets[0]
    if len(statement.targets) != 1 or not isinstance(target, ir.Sequence) or len(target.elements) != split.parts:
        return None
    names = [element for element in target.elements if isinstance(element, ir.Name)]
    key = node.args[0] if isinstance(node, ir.Call) else None
    if len(names) != split.parts or not isinstance(key, ir.Name) or key.id in [name.id for name in names]:
        return None
    title = f"Keep a new `{key.id}` when it is split"
    unused = unused_parts(file, statement, names)
    use = None if second is None else file.unit.nodes[second]
    if isinstance(use, ir.Name) and use.id == key.id:
        for part in unused:
            if part.id != "_" and bound_at(file, use, part.id) is statement:
                edit = file.replace(use.site, part.id)
                return Fix(f"Use `{part.id}`, which nothing uses yet", (edit,), changes=NUMBERS_DRAWN)
    if unused:
        return Fix(title, (file.replace(unused[0].site, key.id),), changes=NUMBERS_DRAWN)
    start = file.span(names[0].site)[0]
    return Fix(title, (Edit(start, start, f"{key.id}, "), split.one_more), changes=NUMBERS_DRAWN)


def _is_behind(part: ir.Name, name: str, names: Sequence[ir.Name]) -> bool:
    """Whether a part stands behind the one of that name where a split is unpacked."""
    before = [each.id for each in names[: names.index(part)]]
    return name in before


def _is_near(file: File, split: ir.Statement, use: ir.Statement) -> bool:
    """Whether a use stands a few statements below a split, so that one sees both."""
    holder = file.unit.parent(split.site)
    places = (
        [(block.index(split), block.index(use)) for block in blocks(holder) if split in block and use in block]
        if holder
        else []
    )
    return any(second - first <= _FEW for first, second in places)


def _fix(title: str, file: File, edits: tuple[Edit, ...], operand: int, part: str) -> Fix:
    edits = tuple(sorted((*edits, file.replace(operand, part)), key=lambda edit: edit.start))
    return Fix(title, edits, changes=NUMBERS_DRAWN)


class _Split(NamedTuple):
    """A call of `split`: how many parts it gives, and the edit by which it gives one more."""

    parts: int
    one_more: Edit


def split_of(file: File, call: ir.Node | None) -> _Split | None:
    """What a call of `jax.random.split` gives, where its number of parts is written; None for other calls."""
    if not isinstance(call, ir.Call) or not call.args or isinstance(call.args[0], ir.Starred):
        return None
    if not file.is_api(call.func.site, "jax.random.split"):
        return None
    numbers = [*call.args[1:], *(each.value for each in call.keywords if each.name == "num")]
    if not numbers:
        end = file.outer_span(call.args[0].site)[1]
        return _Split(2, Edit(end, end, ", 3")) if not call.keywords else None
    number = numbers[0]
    if len(call.args) + len(call.keywords) != 2 or not isinstance(number, ir.Constant) or type(number.value) is not int:
        return None
    if not 0 < number.value < _MAX_PARTS:
        return None
    return _Split(number.value, file.replace(number.site, str(number.value + 1)))


def comes_from_split(file: File, key: ir.Name) -> bool:
    """Whether a `split` above gave a key its value."""
    above = bound_at(file, key)
    value = above.value if isinstance(above, ir.Assign) else None
    return split_of(file, value.value if isinstance(value, ir.Subscript) else value) is not None


def unused_parts(file: File, split: ir.Statement, parts: Sequence[ir.Name]) -> list[ir.Name]:
    """Those of the names which a split is unpacked into that nothing reads before it is bound anew."""
    return [each for each in parts if each.id == "_" or not may_be_read(file, each.id, split)]


def bound_at(file: File, key: ir.Name, name: str = "") -> ir.Node | None:
    """The statement that last bound a key, or another name, each time it is read here.

    It stands above, with no loop around the reading alone.
    """
    name = name or key.id
    scope, node = file.unit.scope(key.site), cast(ir.Node, file.unit.statement(key.site))
    while True:
        above = file.unit.parent(node.site)
        if above is None:
            return None
        for block in blocks(above):
            if node in block:
                for earlier in reversed(block[: block.index(node)]):
                    if any(name in bound_by(each) for each in ir.walk([earlier], into_scopes=False)):
                        return earlier if _together(file, earlier, key) else None
        if above is scope or isinstance(above, (ir.For, ir.While, ir.Scope)) or name in bound_by(above):
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
