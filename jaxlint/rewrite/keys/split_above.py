"""Another part of the `split` a key comes from, in place of one more split: which names may be bound anew, or be None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, defining_scope, only_target, targets_of
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.draft import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, require
from jaxlint.rewrite.statements import blocks, free_name
from jaxlint.source.diagnostic import Edit, Fix

_FEW = 8
_MAX_PARTS = 10_000  # of a split that is rewritten


@or_none
def part_of_split_above(
    file: File, key: ir.Name, first: ir.Statement, subkey: str, second: ir.Node | None = None
) -> Fix:
    """A use of ``key`` gets a part of the `split` that gave the key its value, where nothing reads the key before ``first``.

    A part that nothing reads is used; `key, _ = split(key)` and `key = split(key)[0]` keep it as ``subkey``; a split all of whose
    parts are read gives one part more.
    """
    above, operand = expect(ir.Assign, bound_at(file, key)), key.site
    target, taken = known(only_target(above)), above.value
    start, end = file.span(above.site)[1], file.span(first.site)[0]
    read = ir.names_below(file.unit.scope(key.site).body).get(key.id, ())
    require(not any(start <= file.span(each.site)[0] < end for each in read))
    match target, taken:
        case ir.Name(), ir.Subscript(index=ir.Constant(value=0 | 1 | -1)):
            require(known(split_of(file, taken.value)).parts == 2)
            code = file.code(taken.value.site)
            edits = file.replace(target.site, f"{key.id}, {subkey}"), file.replace(taken.site, code)
            return _fix(f"Keep both parts of `{file.code(taken.value.site, 40)}`", file, edits, operand, subkey)
        case ir.Sequence(elements=[ir.Name()]), ir.Call():  # `key, = split(key, 1)`
            both = Edit(*file.outer_span(target.site), f"{key.id}, {subkey}")
            return _fix(
                f"Take one key more, `{subkey}`", file, (both, known(split_of(file, taken)).one_more), operand, subkey
            )
    split = known(split_of(file, taken))
    names = _unpacked(target, split)
    others = [each for each in names if each.id != key.id]
    unused = unused_parts(file, above, others)
    # Parts are in the order of their uses: where the other use reads the same key, it gets the part that comes later.
    later = second if isinstance(second, ir.Name) and second.id == key.id else None
    later = later if later is not None and bound_at(file, later) is above else None
    given = getattr(expect(ir.Call, taken).args[0], "id", "")
    named = [each for each in unused if each.id != "_" and bound_at(file, key, each.id) is above]
    if named:
        part, before = named[0], [each.id for each in names]
        is_behind = key.id in before[: before.index(part.id)]
        if later is not None and given not in before and is_behind and bound_at(file, later, part.id) is above:
            operand = later.site
        return _fix(f"Use `{part.id}`, which nothing uses yet", file, (), operand, part.id)
    if dropped := next((each for each in unused if each.id == "_"), None):
        kept = file.replace(dropped.site, subkey)
        return _fix(f"Use the other part of `{file.code(taken.site, 40)}`", file, (kept,), operand, subkey)
    require(len(others) < split.parts)
    if given != key.id:
        operand = operand if later is None else later.site
        require(_is_near(file, above, file.unit.statement(operand)))
        subkey = free_name(file, operand, key.id)
    one_more = file.insert(file.outer_span(names[-1].site)[1], f", {subkey}"), split.one_more
    return _fix(f"Take one key more, `{subkey}`", file, one_more, operand, subkey)


@or_none
def keep_one(file: File, call: int, second: int | None = None) -> Fix:
    """`k1, k2 = split(key)` becomes `key, k1, k2 = split(key, 3)`.

    A part that nothing reads is the new key, or takes its place at the use at ``second``: `k1, key = split(key)`. An attribute
    is a key that the same function binds anew.
    """
    node, statement = expect(ir.Call, file.unit.nodes[call]), file.unit.statement(call)
    split = known(split_of(file, node))
    require(isinstance(statement, ir.Assign) and statement.value is node)
    names, key = _unpacked(only_target(statement), split), file.code(node.args[0].site)
    if type(node.args[0]) is not ir.Name:
        require(_binds_attribute(file, call, key))
    require(key not in [name.id for name in names])
    unused = unused_parts(file, statement, names)
    use = None if second is None else file.unit.nodes[second]
    if isinstance(use, ir.Name) and use.id == key:
        for part in unused:
            if part.id != "_" and bound_at(file, use, part.id) is statement:
                return _fix(f"Use `{part.id}`, which nothing uses yet", file, (), use.site, part.id)
    if unused:
        edits: tuple[Edit, ...] = (file.replace(unused[0].site, key),)
    else:
        edits = file.insert(file.span(names[0].site)[0], f"{key}, "), split.one_more
    return Fix(f"Keep a new `{key}` when it is split", edits, changes=NUMBERS_DRAWN)


def _binds_attribute(file: File, site: int, key: str) -> bool:
    """Whether the scope around a site assigns to an attribute, such as `self.key`."""
    nodes = ir.walk(file.unit.scope(site).body, into_scopes=False)
    attributes = (each for node in nodes if isinstance(node, ir.Assign) for each in ir.walk(node.targets))
    return any(type(each) is ir.Attribute and file.code(each.site) == key for each in attributes)


def _is_near(file: File, split: ir.Statement, use: ir.Statement) -> bool:
    """Whether a use stands a few statements below a split, so that one sees both."""
    block = file.unit.block(split.site)
    return use in block and block.index(use) - block.index(split) <= _FEW


def _fix(title: str, file: File, edits: tuple[Edit, ...], operand: int, part: str) -> Fix:
    return Fix(title, in_order((*edits, file.replace(operand, part))), changes=NUMBERS_DRAWN)


class _Split(NamedTuple):
    """A call of `split`: how many parts it gives, and the edit by which it gives one more."""

    parts: int
    one_more: Edit


@or_none
def split_of(file: File, node: ir.Node | None) -> _Split:
    """What a call of `jax.random.split` gives, where its number of parts is written; None for other calls."""
    call = expect(ir.Call, node)
    require(call.args and is_plain(call.args) and file.is_api(call.func.site, "jax.random.split"))
    if len(call.args) + len(call.keywords) == 1:
        return _Split(2, file.insert(file.outer_span(call.args[0].site)[1], ", 3"))
    number = expect(ir.Constant, ir.given(call, 1, "num"))
    require(len(call.args) + len(call.keywords) == 2 and type(number.value) is int and 0 < number.value < _MAX_PARTS)
    return _Split(number.value, file.replace(number.site, str(number.value + 1)))


def _unpacked(target: ir.Node | None, split: _Split) -> list[ir.Name]:
    """The names to which the parts of a split are given."""
    names = [expect(ir.Name, each) for each in expect(ir.Sequence, target).elements]
    require(len(names) == split.parts > 1)
    return names


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


def is_rebindable(file: File, name: str, statement: ir.Statement) -> bool:
    """Whether all that reads ``name`` reads what its own block has just bound it to, with ``statement`` not in between.

    ``statement`` may bind the name anew then: each way to what reads it goes through the other assignment.
    """
    scope = file.unit.scope(statement.site)
    if name not in scope.locals | scope.globals | scope.nonlocals:  # only comprehensions have a name like this
        around = (file.unit.ancestors(each.site) for each in ir.names_below(scope.body).get(name, ()))
        return all(
            any(isinstance(each, ir.Comprehension) and name in each.locals for each in above) for above in around
        )
    assigned = bindings(scope, name)
    return bool(assigned) and not _may_read(file, name, assigned, statement)


def may_be_read(file: File, name: str, statement: ir.Statement) -> bool:
    """Whether something may read what ``statement`` binds ``name`` to."""
    others = [each for each in bindings(file.unit.scope(statement.site), name) if each is not statement]
    return _may_read(file, name, others, statement)


def _may_read(file: File, name: str, assigned: list[ir.Node], statement: ir.Statement) -> bool:
    """Whether anything reads ``name`` that may not be bound by one of ``assigned`` after ``statement`` has run."""
    scope = file.unit.scope(statement.site)
    if name not in scope.locals or not all(isinstance(each, (ir.Assign, ir.For)) for each in assigned):
        return True
    bound = {node for each in (*assigned, statement) for node in ir.walk(targets_of(each))}
    around = [statement, *file.unit.ancestors(statement.site)]
    for node in ir.names_below(scope.body).get(name, ()):
        if node not in bound and defining_scope(file.unit, node.site, name) is scope:
            if file.unit.scope(node.site) is not scope or not _is_bound_above(file, node, assigned, around):
                return True
    return False


def _is_bound_above(file: File, read: ir.Name, assigned: list[ir.Node], around: list[ir.Node]) -> bool:
    """Whether a block, or the loop of it, binds a name before it reads it, and nothing in between is in ``around``."""
    node: ir.Node = file.unit.statement(read.site)
    while True:
        above = file.unit.parent(node.site)
        if above is None:
            return False
        for block in blocks(above):
            if node in block:
                at = [each for each in block[: block.index(node)] if each in assigned]
                if at or isinstance(above, ir.For) and above in assigned and node in above.body:
                    between = block[block.index(at[-1]) + 1 if at else 0 : block.index(node) + 1]
                    return not any(each in around for each in between)
        if isinstance(above, ir.Scope):
            return False
        node = above


def may_be_none(file: File, key: ir.Node) -> bool:
    """Whether the scope makes a key None, or asks if it is, and in such a way that it may still be where it is read."""
    if not isinstance(key, ir.Name):
        return False
    bound = bindings(file.unit.scope(key.site), key.id)
    if bound_at(file, key) not in bound and any(isinstance(each, ir.Assign) and _gives_none(each) for each in bound):
        return True
    around = [key, *file.unit.ancestors(key.site)]
    is_asked = False
    for node in ir.walk(file.unit.scope(key.site).body, into_scopes=False):
        if not isinstance(node, (ir.Conditional, ir.If)) or (is_there := _says_present(node.test, key.id)) is None:
            continue
        is_asked = True
        there: Sequence[ir.Node]
        if isinstance(node, ir.If):
            there, missing = (node.body, node.orelse) if is_there else (node.orelse, node.body)
            leaves = bool(missing) and isinstance(missing[-1], (ir.Return, ir.Raise, ir.Continue, ir.Break))
            settled = leaves or any(key.id in bound_by(each) for each in missing)
        else:
            there, other = ([node.body], node.orelse) if is_there else ([node.orelse], node.body)
            settled = key.id in bound_by(file.unit.statement(node.site)) and not ir.is_none(other)
        if not settled and not any(each in around for each in there):
            return True
    return not bound and not is_asked and _is_left_to_others(file, key)


def _is_left_to_others(file: File, key: ir.Name) -> bool:
    """Whether a key is a parameter that is None by default, and the function hands it on to others alone, which may allow for that."""
    scope = file.unit.scope(key.site)
    parameters = scope.parameters if isinstance(scope, ir.Function) else ()
    defaults = [each.default for each in parameters if each.name == key.id]
    if not any(map(ir.is_none, defaults)):
        return False
    for node in ir.names_below(scope.body).get(key.id, ()):
        call = file.unit.parent(node.site)
        if isinstance(call, ir.Keyword):
            call = file.unit.parent(call.site)
        if isinstance(call, ir.Call) and file.api_name(call.func.site).startswith("jax.random."):
            return False
    return True


def _gives_none(statement: ir.Assign) -> bool:
    value = statement.value
    sides = [value.body, value.orelse] if isinstance(value, ir.Conditional) else [value]
    return any(map(ir.is_none, sides))


def _says_present(test: ir.Node, name: str) -> bool | None:
    """True for a test that holds only where ``name`` is not None, False for one that holds where it is; None for any other."""
    if isinstance(test, ir.Name):
        return True if test.id == name else None
    if isinstance(test, ir.Unary) and test.op == "not":
        inner = _says_present(test.operand, name)
        return None if inner is None else not inner
    if isinstance(test, ir.Boolean):
        sides = (_says_present(test.left, name), _says_present(test.right, name))
        return next((side for side in sides if side is (test.op == "and")), None)
    match test:
        case ir.Compare(left=ir.Name(id=left), ops=["is" | "is not" as op], rights=[ir.Constant(value=None)]):
            return op == "is not" if left == name else None
    return None
