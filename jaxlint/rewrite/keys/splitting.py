"""Rewrites that put a `split` in front of a use of a key."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import KeyReuse
from jaxlint.analysis.domain.values import Array, Const, Shape, Transformed, Tuple, Undecided, Unknown, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, is_assigned, only_target
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import ElsewhereError, File
from jaxlint.rewrite.keys.missing_keys import may_be_none
from jaxlint.rewrite.keys.rebindable_names import is_rebindable
from jaxlint.rewrite.keys.split_above import keep_one, part_of_split_above
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import begins_line, blocks, free_name, line_above
from jaxlint.source.diagnostic import Fix, ImportRequest

_MAPS = frozenset({"vmap", "pmap"})
_Spelled = tuple[str, frozenset[ImportRequest]]  # how a function is written, and the imports that takes


@or_none
def split_before(file: File, operand: int, second: int | None = None) -> Fix:
    """`key, subkey = jax.random.split(key)` above the statement that uses the key at ``operand``.

    Where a `split` above gave the key, it gives another part instead. Where the `split` at the use at ``second`` binds the key
    anew, it stands above both uses. None where the key is not a name that this scope may bind, or the statement is not one that
    a line can stand above.
    """
    node, statement = expect(ir.Name, file.unit.nodes[operand]), known(statement_above(file, operand))
    require(binds(file, operand) and not may_be_none(file, node))
    name = node.id
    split, imports = file.api("jax.random.split")
    if is_single(file, operand):
        statement = first_of_chain(file, node, statement)
        subkey = free_name(file, operand, _part_name(file, operand, name))
        other = None if second is None else file.unit.nodes[second]
        part = part_of_split_above(file, node, statement, subkey, other)
        part = part or keep_one(file, known(file.unit.parent(operand)).site)
        if part is not None:
            return part
        choice = _choice_around(file, node, other)
        uses = [operand] if choice is None else [each.site for each in ir.names_below([choice])[name]]
        statement = choice or statement
        subkey = new_name(file, operand, name, statement)
    else:  # an array of keys, each of which is split
        dimensions = _dimensions(file, operand)
        require(dimensions == {1} or (dimensions <= {-1} and is_mapped(file, operand)))
        uses = [operand]
        vmap, more = file.api("jax.vmap")
        split, imports = f"{vmap}({split}, out_axes=1)", imports | more
        subkey = free_name(file, operand, f"sub{name}" if "_" not in name else _part_name(file, operand, name))
    return _split_above(file, statement, name, subkey, uses, (split, imports))


def _split_above(file: File, statement: ir.Node, name: str, subkey: str, uses: list[int], spelled: _Spelled) -> Fix:
    """A key split above a statement, and what is given for it at its uses."""
    split, imports = spelled
    line = line_above(file, statement, f"{name}, {subkey} = {split}({name})")
    edits = in_order([line, *(file.replace(use, subkey) for use in uses)])
    return Fix(f"Split `{name}` before it is used", edits, imports=imports, changes=NUMBERS_DRAWN)


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
    key = file.unit.nodes[first]
    require(file.unit.scope(first) is file.unit.scope(second) and not _overlaps(file, first, second))
    require(is_single(file, first) and is_single(file, second))
    require(not may_be_none(file, key) and not _varies(file, first, second))
    own, other = known(statement_above(file, first)), known(statement_above(file, second))
    require(not any(type(each) in (ir.Walrus, ir.Await, ir.Yield) for each in ir.walk([key])))
    statement = known(common_statement(file, own, other))
    require(begins_line(file, statement) and (statement is own or not _changes(statement, key)))
    names, own_name, other_name = _two_names(file, first, second)
    split, imports = file.api("jax.random.split")
    above = line_above(file, statement, f"{names} = {split}({operands.argument(file, first)})")
    others = [file.replace(each, other_name) for each in (second, *_in_other_branches(file, own, second))]
    edits = in_order([above, file.replace(first, own_name), *others])
    title = f"Split `{file.code(first, 40)}`, and use each part once"
    return Fix(title, edits, imports=imports, changes=NUMBERS_DRAWN)


def _in_other_branches(file: File, first: ir.Node, second: int) -> list[int]:
    """Where other branches of the `if` around the second use have the key once, in its place."""
    key, found = file.unit.nodes[second], []
    inner = key
    for above in file.unit.ancestors(second):
        if isinstance(above, (ir.Scope, ir.For, ir.While)) or first in ir.walk([above]):
            break
        for block in (above.body, above.orelse) if isinstance(above, ir.If) else ():
            uses = [
                each.site
                for each in ir.walk(block, into_scopes=False)
                if type(each) is type(key)
                and file.code(each.site) == file.code(second)
                and not is_assigned(file.unit, each)
            ]
            if inner not in block and len(uses) == 1:
                found += uses
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
    key, scope = expect(ir.Name, file.unit.nodes[second]), file.unit.scope(call)
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
    return _split_above(file, statement, key.id, subkey, reads, file.api("jax.random.split"))


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
    axes = _axes(file, above, operand)
    return isinstance(above.func, ir.Call) if axes is None else axes != {None}


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
