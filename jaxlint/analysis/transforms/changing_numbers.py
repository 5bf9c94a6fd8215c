"""Numbers that are another one in each pass of a loop: its counter, and what is computed of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import in_order
from jaxlint.analysis.interpreter.imports import is_arithmetic
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import assigned_pairs, bindings, only_target, only_value, resolved

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

MANY = 10  # passes from which on compiling in each of them is no choice that anybody makes
CHANGING = frozenset({"+", "-", "*", "/", "**"})  # operators that give another number for another number
# Functions of one number that give another one for most others, as schedules are written with.
_CURVES = frozenset(
    f"{package}.{name}"
    for package in ("math", "numpy")
    for name in ("cos", "exp", "log", "log1p", "sin", "sqrt", "tanh")
)
# Functions of NumPy whose results hold no number twice.
_SPACED = frozenset({"numpy.linspace", "numpy.geomspace", "numpy.logspace"})
_BOUNDS = frozenset({"builtins.min", "builtins.max"})


def counting(i: Interpreter, loop: ir.For | ir.Clause, least: int = MANY, unknown: bool = False) -> Iterator[str]:
    """The names that a `for` binds to another number in each pass, where it has many for certain, or ``unknown`` ones."""
    for target, over in bound_to(i, loop.target, loop.iterable):
        count = _count(i, over)
        if isinstance(target, ir.Name) and (
            unknown if count == "unknown" else isinstance(count, int) and count >= least
        ):
            yield target.id


def bound_to(i: Interpreter, target: ir.Node, over: ir.Node) -> Iterator[tuple[ir.Node, ir.Node]]:
    """What a `for` binds, with what each of it goes over, where `zip` and `enumerate` are taken apart."""
    yield target, over
    if type(over) is not ir.Call or not isinstance(target, ir.Sequence):
        return
    parts, callee = target.elements, i.last_callee.get(over.site)
    if is_api(callee, "builtins.zip") and not over.keywords and len(parts) == len(over.args):
        for part, each in zip(parts, over.args):
            yield from bound_to(i, part, each)
    elif is_api(callee, "builtins.enumerate") and len(parts) == 2:
        counted = in_order("builtins.enumerate", over)
        if counted.args and not counted.keywords:
            yield parts[0], over
            yield from bound_to(i, parts[1], counted.args[0])


def _count(i: Interpreter, over: ir.Node) -> int | str | None:
    """How many numbers, each another one, something gives that a loop goes over; "unknown" where only the number is."""
    if isinstance(over, ir.Name):
        made = only_value(i.unit.scope(over.site), over.id)
        clause = made.clauses[0] if isinstance(made, ir.Comprehension) and len(made.clauses) == 1 else None
        if clause is not None and not clause.conditions:
            counted = set(counting(i, clause))
            return MANY if counted and changes(i, made.element, counted) else None  # type: ignore[union-attr]
        over = made if made is not None else over
    if not isinstance(over, ir.Call):
        return None
    callee = i.last_callee.get(over.site)
    name = i.library_name(callee)
    if is_api(callee, "builtins.range"):
        return passes(i, over) or "unknown"
    if is_api(callee, "itertools.count"):
        return MANY
    if is_api(callee, "builtins.enumerate"):
        given = i.last_calls[over.site].get(0, "iterable") or v.UNKNOWN
        items, shape = i.items_of(given), i.aval_of(given).shape
        count = len(items) if items is not None else shape[0] if shape else None
        return count if isinstance(count, int) else "unknown"
    if name in _SPACED:
        number = i.last_calls[over.site].get(2, "num")
        if number is None:
            return 50
        return number.value if type(number) is v.Const and type(number.value) is int else "unknown"
    return None


def passes(i: Interpreter, iterable: ir.Node) -> int | None:
    """The length of a `range` of constants; None for any other, and for one that has not been called here."""
    call = i.last_calls.get(iterable.site)
    given = call.args if call is not None else []
    numbers = [value.value for value in given if type(value) is v.Const and type(value.value) is int]
    if not numbers or len(numbers) < len(given) or (len(numbers) == 3 and not numbers[2]):
        return None
    return len(range(*numbers))


def loop_counters(loop: ir.While) -> Iterator[str]:
    """The loop counters of a `while` of many passes: names with `step += 1` in its body."""
    test = loop.test
    forever = isinstance(test, ir.Constant) and bool(test.value)
    bound = test.rights[0] if isinstance(test, ir.Compare) and test.ops[0] in ("<", "<=") else None
    most = bound.value if isinstance(bound, ir.Constant) else None
    if not forever and not (isinstance(most, (int, float)) and most >= MANY):
        return
    for statement in loop.body:
        if isinstance(statement, ir.Augment) and isinstance(statement.target, ir.Name) and statement.op == "+":
            if isinstance(statement.value, ir.Constant) and statement.value.value == 1:
                yield statement.target.id


def recurrences(loop: ir.For | ir.While, scope: ir.Scope) -> Iterator[str]:
    """Names that each pass of a loop replaces by a float computed from them, as `rate *= 0.5` does, on every path through the body."""
    inside = {each.site for each in ir.walk(loop.body, into_scopes=False)}
    for statement in loop.body:
        blocks = [[statement]]
        if isinstance(statement, ir.If):
            blocks = [statement.body, statement.orelse]
        found = [dict(each for inner in block for each in _recurrence(inner)) for block in blocks]
        for name in set.intersection(*map(set, found)):
            steps = [each[name] for each in found]
            bound = [each for each in bindings(scope, name) if each.site in inside]
            if len(bound) == len(blocks) and len({number for _, number in steps}) == len(steps):
                yield name


def _recurrence(statement: ir.Node) -> Iterator[tuple[str, tuple[str, object]]]:
    """The names, operators and numbers of `x = x * 0.5`, `x *= 0.5` and `y, x = z, x * 0.5`."""
    if isinstance(statement, ir.Augment):
        if isinstance(statement.target, ir.Name) and _is_step(statement.op, statement.value):
            yield statement.target.id, (statement.op, statement.value.value)  # type: ignore[attr-defined]
        return
    single = isinstance(statement, ir.Assign) and len(statement.targets) == 1
    for name, new in assigned_pairs(statement) if isinstance(statement, ir.Assign) and single else ():
        if isinstance(name, ir.Name) and isinstance(new, ir.Binary) and _is_step(new.op, new.right):
            if isinstance(new.left, ir.Name) and new.left.id == name.id:
                yield name.id, (new.op, new.right.value)  # type: ignore[attr-defined]


def _is_step(op: str, number: ir.Node) -> bool:
    """Whether an operator and a number make a float of any number, and another one."""
    value = number.value if isinstance(number, ir.Constant) else None
    return op in CHANGING and (type(value) is float or (op == "/" and type(value) is int)) and value not in (0, 1)


def changes(i: Interpreter, node: ir.Node, names: set[str], loop: ir.For | ir.While | None = None) -> bool:
    """Whether an expression gives another number for each of the names' values.

    A variable that ``loop`` binds once in each pass stands for what it is bound to.
    """
    if isinstance(node, ir.Name):
        return node.id in names or _is_bound_to_change(i, node, names, loop)
    if isinstance(node, ir.Binary) and node.op in CHANGING:
        sides = [changes(i, side, names, loop) for side in (node.left, node.right)]
        return sides.count(True) == 1 and _is_plain((node.left, node.right)[sides.index(False)])
    if not isinstance(node, ir.Call) or node.keywords:
        return False
    callee = i.last_callee.get(node.site)
    if type(callee) is v.FunctionValue:
        return is_arithmetic(callee.function) and _passes_on(i, node, names, loop)
    name = i.library_name(callee)
    if name in _BOUNDS:  # a schedule that ends at a bound
        return len(node.args) == 2 and _is_fraction(node) and _passes_on(i, node, names, loop)
    is_number = is_api(callee, "builtins.int", "builtins.float") or name in _CURVES
    return is_number and len(node.args) == 1 and changes(i, node.args[0], names, loop)


def _passes_on(i: Interpreter, call: ir.Call, names: set[str], loop: ir.For | ir.While | None) -> bool:
    """Whether one argument of a call is another number in each pass, and the others are the same."""
    changing = [changes(i, each, names, loop) for each in call.args]
    return changing.count(True) == 1 and all(_is_plain(each) for each, does in zip(call.args, changing) if not does)


def _is_bound_to_change(i: Interpreter, name: ir.Name, names: set[str], loop: ir.For | ir.While | None) -> bool:
    value = _bound_in(i, name, loop) if loop is not None else None
    return value is not None and name.id not in names and changes(i, value, names, loop)


def _bound_in(i: Interpreter, name: ir.Name, loop: ir.For | ir.While) -> ir.Node | None:
    """What each pass of a loop binds a variable to, once, and without reading it."""
    if name.site not in i.unit:
        return None
    found = bindings(i.unit.scope(name.site), name.id)
    inside = {each.site for each in ir.walk(loop.body, into_scopes=False)}
    assigns = [each for each in found if each.site in inside]
    assign = assigns[0] if len(assigns) == 1 and any(assigns[0] is each for each in loop.body) else None
    if not isinstance(assign, ir.Assign) or not isinstance(only_target(assign), ir.Name):
        return None
    reads_itself = any(type(each) is ir.Name and each.id == name.id for each in ir.walk([assign.value]))
    return None if reads_itself else assign.value


def is_fraction(i: Interpreter, node: ir.Node, loop: ir.For | ir.While) -> bool:
    """Whether an argument is written as a number that is no integer, and so is no size and no number of a layer."""
    if isinstance(node, ir.Name):
        over = [each for target, each in _bound_to(i, loop) if isinstance(target, ir.Name) and target.id == node.id]
        value = _bound_in(i, node, loop) if not over else None
        return any(_is_spaced(i, each) for each in over) or (value is not None and is_fraction(i, value, loop))
    callee = i.last_callee.get(node.site) if isinstance(node, ir.Call) else None
    if type(callee) is v.FunctionValue and is_arithmetic(callee.function):
        return _is_fraction(callee.function.body[-1])
    return is_api(callee, "builtins.float") or _is_fraction(node)


def _bound_to(i: Interpreter, loop: ir.For | ir.While) -> list[tuple[ir.Node, ir.Node]]:
    return list(bound_to(i, loop.target, loop.iterable)) if isinstance(loop, ir.For) else []


def _is_spaced(i: Interpreter, over: ir.Node) -> bool:
    made = resolved(i.unit, over)
    return isinstance(made, ir.Call) and i.library_name(i.last_callee.get(made.site)) in _SPACED


def _is_plain(node: ir.Node) -> bool:
    """Whether an expression only reads: a number that is written out, a variable, an entry or attribute of one."""
    while isinstance(node, (ir.Attribute, ir.Subscript)):
        if isinstance(node, ir.Subscript) and type(node.index) is not ir.Constant:
            return False
        node = node.value
    if isinstance(node, ir.Unary):
        return _is_plain(node.operand)
    if isinstance(node, ir.Binary):
        return _is_plain(node.left) and _is_plain(node.right)
    return isinstance(node, (ir.Constant, ir.Name))


def _is_fraction(node: ir.Node) -> bool:
    """Whether an expression is written with a quotient or a number that is no integer."""
    return any(
        (isinstance(each, ir.Binary) and each.op == "/")
        or (isinstance(each, ir.Constant) and type(each.value) is float)
        for each in ir.walk([node])
    )


def is_api(callee: v.Value | None, *names: str) -> bool:
    return type(callee) is v.Api and callee.name in names
