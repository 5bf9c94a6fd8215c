"""Rewrites that put a `split` in front of a use of a key, move it up, or take another of its elements."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.analysis.domain.hazards import KeyReuse
from jaxlint.analysis.domain.values import Array, Const, Shape, Transformed, Tuple, Undecided, Unknown, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, is_assigned, names_of, only_target, only_value
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import ElsewhereError, File
from jaxlint.rewrite.keys.split_above import (
    comes_from_split,
    is_rebindable,
    keep_one,
    may_be_none,
    part_of_split_above,
    split_of,
    unused_parts,
)
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import begins_line, blocks, free_name, line_above, removed
from jaxlint.source.diagnostic import Fix

_MAPS = frozenset({"vmap", "pmap"})


@or_none
def split_before(file: File, operand: int, second: int | None = None) -> Fix:
    """`key, subkey = jax.random.split(key)` above the statement that uses the key at ``operand``.

    Where a `split` above gave the key, it gives another part instead. Where the `split` at the use at ``second`` binds the key
    anew, it stands above both uses. None where the key is not a name that this scope may bind, or the statement is not one that
    a line can stand above.
    """
    node, statement = expect(ir.Name, file.unit.nodes[operand]), known(statement_above(file, operand))
    require(binds(file, operand) and not may_be_none(file, node))
    name, uses, draft = node.id, [operand], Draft(file)
    split = draft.api("jax.random.split")
    if is_single(file, operand):
        statement = first_of_chain(file, node, statement)
        subkey = free_name(file, operand, _part_name(file, operand, name))
        other = None if second is None else file.unit.nodes[second]
        part = part_of_split_above(file, node, statement, subkey, other)
        part = part or keep_one(file, known(file.unit.parent(operand)).site)
        if part is not None:
            return part
        choice = _choice_around(file, node, other)
        if choice is not None:
            statement, uses = choice, [each.site for each in ir.names_below([choice])[name]]
        subkey = new_name(file, operand, name, statement)
    else:  # an array of keys, each of which is split
        dimensions = _dimensions(file, operand)
        require(dimensions == {1} or (dimensions <= {-1} and is_mapped(file, operand)))
        split = draft.call("jax.vmap", split, "out_axes=1")
        subkey = free_name(file, operand, f"sub{name}" if "_" not in name else _part_name(file, operand, name))
    return _split_above(draft, statement, name, subkey, uses, split)


def _split_above(draft: Draft, statement: ir.Node, name: str, subkey: str, uses: list[int], split: str) -> Fix:
    """A key split above a statement, and what is given for it at its uses."""
    draft.edits.append(line_above(draft.file, statement, f"{name}, {subkey} = {split}({name})"))
    for use in uses:
        draft.replace(use, subkey)
    return draft.fix(f"Split `{name}` before it is used", NUMBERS_DRAWN)


def _choice_around(file: File, key: ir.Name, second: ir.Node | None) -> ir.If | None:
    """The `if` around a use of a key whose other branch uses it too, where the second use stands below that `if`."""
    found = None
    for above in file.unit.ancestors(key.site):
        if isinstance(above, (ir.Scope, ir.For, ir.While, ir.Comprehension, ir.Try)):
            break
        if isinstance(above, ir.If) and begins_line(file, above):
            found = above
    if found is None or second is None or found in (second, *file.unit.ancestors(second.site)):
        return None
    if file.unit.scope(second.site) is not file.unit.scope(key.site):
        return None
    scopes = (ir.Scope, ir.Comprehension, ir.For, ir.While)
    if any(isinstance(each, scopes) or key.id in bound_by(each) for each in ir.walk([found])):
        return None
    taken = [key.id in ir.names_below(part) for part in ([found.test], found.body, found.orelse)]
    return found if taken == [False, True, True] else None


def first_of_chain(file: File, key: ir.Name, statement: ir.Statement) -> ir.Statement:
    """The statement with the first of several uses of one key in a block: a `split` above it gives them all their parts."""
    reuses = {hazard.operand: hazard.first_operand for hazard in file.model.of(KeyReuse)}
    operand = key.site
    while operand in reuses and reaches(file, operand := reuses[operand]):
        other, above = file.unit.nodes[operand], statement_above(file, operand)
        if type(other) is not ir.Name or other.id != key.id or above not in file.unit.block(statement.site):
            break
        assert above is not None
        statement = above
    return statement


@or_none
def split_for_two(file: File, first: int, second: int) -> Fix:
    """A `split` of the key written at ``first`` above its use, and one of the two keys for each of the uses."""
    key, draft = file.unit.nodes[first], Draft(file)
    require(file.unit.scope(first) is file.unit.scope(second) and not _overlaps(file, first, second))
    require(is_single(file, first) and is_single(file, second))
    require(not may_be_none(file, key) and not _varies(file, first, second))
    own, other = known(statement_above(file, first)), known(statement_above(file, second))
    require(not any(type(each) in (ir.Walrus, ir.Await, ir.Yield) for each in ir.walk([key])))
    statement = known(common_statement(file, own, other))
    require(begins_line(file, statement) and (statement is own or not _changes(statement, key)))
    names, own_name, other_name = _two_names(file, first, second)
    split = draft.call("jax.random.split", operands.argument(file, first))
    draft.edits.append(line_above(file, statement, f"{names} = {split}"))
    draft.replace(first, own_name)
    for each in (second, *_in_other_branches(file, own, second)):
        draft.replace(each, other_name)
    return draft.fix(f"Split `{file.code(first, 40)}`, and use each part once", NUMBERS_DRAWN)


def _in_other_branches(file: File, first: ir.Node, second: int) -> list[int]:
    """Where other branches of the `if` around the second use have the key once, in its place."""
    key, code, found = file.unit.nodes[second], file.code(second), list[int]()
    inner = key
    for above in file.unit.ancestors(second):
        if isinstance(above, (ir.Scope, ir.For, ir.While)) or first in ir.walk([above]):
            break
        for block in (above.body, above.orelse) if isinstance(above, ir.If) else ():
            same = [each for each in ir.walk(block, into_scopes=False) if type(each) is type(key)]
            uses = [each for each in same if file.code(each.site) == code and not is_assigned(file.unit, each)]
            if inner not in block and len(uses) == 1:
                found.append(uses[0].site)
        inner = above
    return found


def _varies(file: File, first: int, second: int) -> bool:
    """Whether the second use is in a loop of its own, where it reads another key in other passes."""
    loops = [each for each in file.unit.ancestors(second) if isinstance(each, (ir.For, ir.While))]
    alike = file.code(first) == file.code(second)
    return not alike and any(each not in file.unit.ancestors(first) for each in loops)


@or_none
def split_around(file: File, call: int, second: int) -> Fix:
    """`key, subkey = jax.random.split(key)` above a call that takes the key along, and `subkey` in all of the call.

    The key is in an initial carry, or in a function that the call gets: `jax.lax.cond(p, lambda: normal(key), zero)`.
    """
    key, scope, draft = expect(ir.Name, file.unit.nodes[second]), file.unit.scope(call), Draft(file)
    require(binds(file, second) and is_single(file, second) and scope is file.unit.scope(second))
    statement = known(statement_above(file, call))
    reads = [node.site for node in ir.names_below([file.unit.nodes[call]]).get(key.id, ())]
    require(reads and not _overlaps(file, call, second))
    for site in reads:
        for above in file.unit.ancestors(site):
            if above is scope:
                break
            if isinstance(above, (ir.Scope, ir.Comprehension)):
                require(type(above) is ir.Function and key.id not in above.locals)
    subkey = free_name(file, call, _part_name(file, call, key.id))
    return _split_above(draft, statement, key.id, subkey, reads, draft.api("jax.random.split"))


def statement_above(file: File, operand: int) -> ir.Statement | None:
    """The statement that evaluates ``operand`` once each time it runs, if a line can stand above it."""
    statement = file.unit.statement(operand)
    below: ir.Node = file.unit.nodes[operand]
    for above in file.unit.ancestors(operand):
        if above is statement:
            break
        if isinstance(above, (ir.Scope, ir.Comprehension)):
            return None
        below = above
    whole = isinstance(statement, (ir.Assign, ir.Augment, ir.Annotate, ir.Evaluate, ir.Return, ir.Raise, ir.Assert))
    match statement:
        case ir.If(test=head) | ir.For(iterable=head) | ir.With(items=[head, *_]) | ir.Match(subject=head):
            whole = below is head
    return statement if whole and begins_line(file, statement) else None


def common_statement(file: File, first: ir.Node, second: ir.Node) -> ir.Node | None:
    """The statement at or around ``first`` that stands in a block before ``second``, or holds both; None in a loop."""
    behind = [second, *file.unit.ancestors(second.site)]
    node = first
    while node not in behind:
        above = file.unit.parent(node.site)
        if above is None or isinstance(above, ir.Scope) and above not in behind:
            return None
        if above in behind:
            other = next(each for each in behind if file.unit.parent(each.site) is above)
            if any(node in block and other in block[block.index(node) :] for block in blocks(above)):
                return node
        if isinstance(above, (ir.For, ir.While)) and above not in behind:
            return None  # used in each pass
        node = above
    return node if isinstance(node, ir.Statement) else None


def binds(file: File, operand: int) -> bool:
    """Whether the name read at ``operand`` is one that an assignment beside it binds anew."""
    node, scope = file.unit.nodes[operand], file.unit.scope(operand)
    return type(node) is ir.Name and node.id in scope.locals | scope.globals | scope.nonlocals


def is_single(file: File, operand: int) -> bool:
    """Whether a key that is used may be split: one key, and not an array of them or a container."""
    if not all(isinstance(value, (Array, Undecided, Unknown)) for value in file.values(operand)):
        return False
    shapes = _shapes(file, operand)
    return all(shape in (None, ()) for shape in shapes) and (() in shapes or not _may_be_mapped(file, operand))


def _may_be_mapped(file: File, operand: int) -> bool:
    """Whether what the argument at ``operand`` is passed to may map over it."""
    above = file.unit.parent(operand)
    if not isinstance(above, ir.Call) or above.func.site == operand:
        return False
    axes, made = _axes(file, above, operand), list(file.values(above.func.site))
    is_unknown = isinstance(above.func, ir.Call) and (not made or any(isinstance(each, Unknown) for each in made))
    return is_unknown if axes is None else axes != {None}


def is_mapped(file: File, operand: int) -> bool:
    """Whether the argument at ``operand`` certainly holds one key for each element that a function is mapped over."""
    above = file.unit.parent(operand)
    return isinstance(above, ir.Call) and _axes(file, above, operand) == {0}


def _axes(file: File, call: ir.Call, operand: int) -> set[object] | None:
    """The axes over which the functions that a call goes to are mapped, of one argument; None where none is mapped.

    "unknown" stands for an axis that is not known, or for a function that is not mapped beside one that is.
    """
    mapped = [_mapping(value) for value in file.values(call.func.site)]
    if not any(mapped):
        return None
    return {"unknown" if made is None else _axis(made, call, operand) for made in mapped}


def _mapping(value: Value) -> Transformed | None:
    """The outermost transform of a function that maps it."""
    while isinstance(value, Transformed):
        if value.transform.behaviour in _MAPS:
            return value
        value = value.function
    return None


def _axis(made: Transformed, call: ir.Call, operand: int) -> object:
    axes = made.options.get("in_axes", Const(0))
    if isinstance(axes, Tuple) and axes.items is not None:
        positions = [at for at, each in enumerate(call.args) if each.site == operand]
        if not positions or positions[0] >= len(axes.items):
            return "unknown"
        axes = axes.items[positions[0]]
    return axes.value if isinstance(axes, Const) and "static_broadcasted_argnums" not in made.options else "unknown"


def _shapes(file: File, operand: int) -> list[Shape | None]:
    return [value.aval.shape for value in file.values(operand) if isinstance(value, Array)]


def _dimensions(file: File, operand: int) -> set[int]:
    """Numbers of axes of what is read at ``operand``; -1 where one is unknown."""
    return {-1 if shape is None else len(shape) for shape in _shapes(file, operand)}


def _overlaps(file: File, first: int, second: int) -> bool:
    a, b = file.span(first), file.span(second)
    return a[0] < b[1] and b[0] < a[1]


def _changes(statement: ir.Node, expression: ir.Node) -> bool:
    """Whether a statement binds a name that an expression reads."""
    names = ir.names_below([expression]).keys()
    return any(bound_by(node) & names for node in ir.walk([statement]))


def _two_names(file: File, operand: int, second: int) -> tuple[str, str, str]:
    """What a split is unpacked into, and the names in it for the key at ``operand`` and for the other use."""
    node = file.unit.nodes[operand]
    if isinstance(node, ir.Attribute) and node.attr.isidentifier():
        name = node.attr.lstrip("_")
        if name and free_name(file, operand, name) == name:
            subkey = free_name(file, operand, _part_name(file, operand, name))
            return f"{name}, {subkey}", subkey, name
    drawn, other = _drawn(file, operand), _drawn(file, second)
    wanted = (f"{drawn}_key", f"{other}_key") if drawn and other and drawn != other else ("first_key", "second_key")
    one, two = (free_name(file, operand, each) for each in wanted)
    return f"{one}, {two}", one, two


def _part_name(file: File, operand: int, key: str) -> str:
    """What a part of a key is called: like the key, or else by what is drawn with it."""
    if key.isupper():
        return _part_name(file, operand, key.lower()).upper()
    words = key.split("_")
    last = next((at for at in reversed(range(len(words))) if words[at] in ("rng", "key")), None)
    if last is not None:
        return "_".join([*words[:last], f"sub{words[last]}", *words[last + 1 :]])
    if key.endswith("key") and not key.endswith("subkey"):
        return f"{key[:-3]}subkey"
    drawn = _drawn(file, operand)
    return f"{drawn}_key" if drawn else "subkey"


def _drawn(file: File, operand: int) -> str:
    """The name of what a statement computes with a key, where it has one."""
    target = only_target(file.unit.statement(operand))
    return target.id.strip("_") if isinstance(target, ir.Name) and target.id not in file.code(operand) else ""


def new_name(file: File, operand: int, key: str, statement: ir.Statement) -> str:
    """The name of a part of a key that is split above a statement: one that may be bound there."""
    wanted = _part_name(file, operand, key)
    return wanted if is_rebindable(file, wanted, statement) else free_name(file, operand, wanted)


def is_read_in(file: File, first: int, second: int) -> bool:
    """Whether the name at ``first`` is read by the expression at ``second``, which makes no new scope of it."""
    a = file.unit.nodes[first]
    if type(a) is not ir.Name or file.unit.scope(first) is not file.unit.scope(second):
        return False
    below = list(ir.walk([file.unit.nodes[second]]))
    plain = not any(isinstance(node, (ir.Scope, ir.Comprehension, ir.Walrus)) for node in below)
    return plain and any(isinstance(node, ir.Name) and node.id == a.id for node in below)


def reaches(file: File, *sites: int) -> bool:
    """Whether all of these nodes are of this file."""
    try:
        for site in sites:
            file.span(site)
    except ElsewhereError:
        return False
    return True


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


@or_none
def other_element(file: File, first: int, second: int) -> Fix:
    """`keys[2]` in the place of the second `keys[0]`: a key of the array that nothing takes yet, or one more.

    Where the second use takes a slice, the first one changes. None unless every use of the array is in sight.
    """
    for changed in (second, first):
        match file.unit.nodes[changed]:
            case ir.Subscript(value=ir.Name(id=name), index=index) if _number(index) is not None:
                return _taken(file, file.unit.scope(changed), name, index)
    raise NoFix


def _taken(file: File, scope: ir.Scope, name: str, changed: ir.Expression) -> Fix:
    """Another key of an array that a `split` with a number makes, at the index ``changed``."""
    split = expect(ir.Call, only_value(scope, name))
    number = split.args[1] if len(split.args) == 2 and not split.keywords else None
    count = known(_number(number))
    require(number is not None and file.is_api(split.func.site, "jax.random.split"))
    used: set[int] = set()
    grows = True
    for node in names_of(file.unit, scope, name):
        if is_assigned(file.unit, node):
            continue
        above = expect(ir.Subscript, file.unit.parent(node.site))
        require(above.value is node and file.unit.scope(node.site) is scope)
        if isinstance(above.index, ir.Slice):
            bounds = _bounds(above.index)
            used.update(range(count)[bounds])
            grows &= bounds.stop is not None and bounds.stop >= 0 and (bounds.start or 0) >= 0
        else:
            taken = known(_number(above.index))
            used.add(taken % count)
            grows &= taken >= 0
    left = [each for each in range(count) if each not in used]
    edits = [file.replace(changed.site, str(left[0] if left else count))]
    if not left:
        require(grows)
        edits.append(file.replace(split.args[1].site, str(count + 1)))
    said = "a key that nothing takes yet" if left else "one key more"
    return Fix(f"Take {said} of `{name}`", tuple(edits), changes=NUMBERS_DRAWN)


def _number(node: ir.Node | None) -> int | None:
    """The number that is written: `-1` is a constant as well."""
    return node.value if isinstance(node, ir.Constant) and type(node.value) is int else None


def _bounds(node: ir.Slice) -> slice:
    return slice(*(None if part is None else known(_number(part)) for part in (node.lower, node.upper, node.step)))


@or_none
def one_more(file: File, split: int, second: int) -> Fix:
    """`first_key, second_key, third_key = split(self.key, 3)`: a name more for another use of the same key.

    For keys that the scope does not bind anew, as attributes and elements.
    """
    call, statement = expect(ir.Call, file.unit.nodes[split]), expect(ir.Assign, file.unit.statement(split))
    require(file.unit.scope(split) is file.unit.scope(second) and is_single(file, second))
    target = expect(ir.Sequence, only_target(statement))
    parts = known(split_of(file, call))
    require(statement.value is call and target.kind == "tuple" and len(target.elements) == parts.parts)
    names = [expect(ir.Name, element) for element in target.elements]
    later = file.unit.statement(second)
    require(later is not statement and common_statement(file, statement, later) is statement)
    for node in file.unit.ancestors(second):
        if node is later:
            break
        require(not isinstance(node, (ir.Scope, ir.Comprehension)))
    last = names[-1]
    wanted = "third_key" if last.id in ("first_key", "second_key") else last.id.rstrip("0123456789")
    name = free_name(file, second, wanted)
    edits = file.insert(file.span(last.site)[1], f", {name}"), parts.one_more, file.replace(second, name)
    return Fix(f"Take one key more, `{name}`", edits, changes=NUMBERS_DRAWN)
