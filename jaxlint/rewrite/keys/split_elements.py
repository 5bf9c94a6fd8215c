"""Rewrites that take another key of a `split` whose keys are named: one that nothing uses yet."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import is_assigned, only_target, only_value
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.split_above import split_of
from jaxlint.rewrite.keys.splitting import common_statement, is_single
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Fix


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
    for node in ir.names_below(scope.body)[name]:
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
