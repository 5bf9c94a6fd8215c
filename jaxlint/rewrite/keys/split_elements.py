"""Rewrites that take another key of a `split` whose keys are named: one that nothing uses yet."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_value
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.splitting import common_statement, is_single
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Edit, Fix


def other_element(file: File, first: int, second: int) -> Fix | None:
    """`keys[2]` in the place of the second `keys[0]`: a key of the array that nothing takes yet, or one more.

    Where the second use takes a slice, the first one changes. None unless every use of the array is in sight.
    """
    for changed in (second, first):
        node = file.unit.nodes[changed]
        if isinstance(node, ir.Subscript) and isinstance(node.value, ir.Name) and _number(node.index) is not None:
            return _taken(file, node)
    return None


def _taken(file: File, changed: ir.Subscript) -> Fix | None:
    assert isinstance(changed.value, ir.Name)
    scope, name = file.unit.scope(changed.site), changed.value.id
    if name not in scope.locals:
        return None
    split = _made_once(file, scope, name)
    if split is None:
        return None
    assert isinstance(split.args[1], ir.Constant)
    count = split.args[1].value
    used: set[int] = set()
    grows = True
    for node in ir.walk(scope.body):
        if not (isinstance(node, ir.Name) and node.id == name):
            continue
        above = file.unit.parent(node.site)
        if isinstance(above, ir.Assign) and node in above.targets:
            continue
        if not isinstance(above, ir.Subscript) or above.value is not node or file.unit.scope(node.site) is not scope:
            return None
        number = _number(above.index)
        if number is not None and -count <= number < count:
            used.add(number % count)
            grows &= number >= 0
        elif isinstance(above.index, ir.Slice) and (bounds := _bounds(above.index)) is not None:
            used.update(range(count)[bounds])
            grows &= bounds.stop is not None and bounds.stop >= 0 and (bounds.start or 0) >= 0
        else:
            return None
    left = [number for number in range(count) if number not in used]
    edits = [file.replace(changed.index.site, str(left[0] if left else count))]
    if not left:
        if not grows:
            return None
        edits.append(file.replace(split.args[1].site, str(count + 1)))
    said = "a key that nothing takes yet" if left else "one key more"
    return Fix(f"Take {said} of `{name}`", tuple(edits), changes=NUMBERS_DRAWN)


def _made_once(file: File, scope: ir.Scope, name: str) -> ir.Call | None:
    """The only assignment of a name, if it is one of `split` with a number."""
    call = only_value(scope, name)
    if not isinstance(call, ir.Call) or len(call.args) != 2 or call.keywords or _number(call.args[1]) is None:
        return None
    return call if file.is_api(call.func.site, "jax.random.split") else None


def _number(node: ir.Node | None) -> int | None:
    """The number that is written: `-1` is a constant as well."""
    return node.value if isinstance(node, ir.Constant) and type(node.value) is int else None


def _bounds(node: ir.Slice) -> slice | None:
    parts = [None if part is None else _number(part) for part in (node.lower, node.upper, node.step)]
    if any(part is not None and number is None for part, number in zip((node.lower, node.upper, node.step), parts)):
        return None
    return slice(*parts)


def one_more(file: File, split: int, second: int) -> Fix | None:
    """`first_key, second_key, third_key = split(self.key, 3)`: a name more for another use of the same key.

    For keys that the scope does not bind anew, as attributes and elements.
    """
    call, statement = file.unit.nodes[split], file.unit.statement(split)
    if file.unit.scope(split) is not file.unit.scope(second) or not is_single(file, second):
        return None
    if not isinstance(statement, ir.Assign) or statement.value is not call or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(call, ir.Call) or not isinstance(target, ir.Sequence) or target.kind != "tuple" or call.keywords:
        return None
    if not all(isinstance(element, ir.Name) for element in target.elements) or not 1 <= len(call.args) <= 2:
        return None
    count = len(target.elements)
    number = call.args[1] if len(call.args) == 2 else None
    if (number is None and count != 2) or (number is not None and _number(number) != count):
        return None
    later = file.unit.statement(second)
    if later is statement or common_statement(file, statement, later) is not statement:
        return None
    if any(isinstance(node, (ir.Scope, ir.Comprehension)) for node in _up_to(file, second, later)):
        return None
    last = target.elements[-1]
    assert isinstance(last, ir.Name)
    wanted = "third_key" if last.id in ("first_key", "second_key") else last.id.rstrip("0123456789")
    name = free_name(file, second, wanted)
    end = file.span(last.site)[1]
    at = file.outer_span(call.args[0].site)[1]
    more = file.replace(number.site, str(count + 1)) if number is not None else Edit(at, at, f", {count + 1}")
    edits = (Edit(end, end, f", {name}"), more, file.replace(second, name))
    return Fix(f"Take one key more, `{name}`", edits, changes=NUMBERS_DRAWN)


def _up_to(file: File, site: int, last: ir.Node) -> list[ir.Node]:
    found = []
    for node in file.unit.ancestors(site):
        if node is last:
            break
        found.append(node)
    return found
