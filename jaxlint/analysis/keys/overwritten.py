"""Draws that nothing observes, or that nothing observes before the last pass of a loop: equal numbers do no harm.

The data of a benchmark is there for the time that computing with it takes. A loop that is timed, or that warms up, computes
one thing again and again and keeps none of it. What a pass draws is followed from name to name through its body: a name
that the next pass reads, that goes into a list, or that anything else takes, is observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.keys.intentional_reuse import IntentionalReuse, waits
from jaxlint.analysis.keys.placeholders import SHAPES, is_importable
from jaxlint.ir import nodes as ir


def overwritten(uses: IntentionalReuse, loop: ir.For | ir.While | ir.Comprehension, site: int) -> bool:
    """Whether each pass of ``loop`` overwrites, unseen, all that comes of the call ``site`` in the pass before."""
    unit = uses.i.unit
    if not isinstance(loop, (ir.For, ir.While)) or unit.scope(site) is not unit.scope(loop.site):
        return False
    reads: dict[str, list[ir.Node]] = {}
    position: dict[int, int] = {}
    for node in ir.walk([loop], into_scopes=False):
        position[node.site] = len(position)
        for name in _names(node):
            reads.setdefault(name, []).append(node)
    sources = {site}  # nodes that the draws come through
    bound: set[str] = set()
    statements = [unit.statement(site)]
    while statements:
        statement = statements.pop()
        if not _keeps_nothing(uses, statement, sources):
            return False
        end = max(position[node.site] for node in ir.walk([statement], into_scopes=False))
        for target in _targets(statement):
            if target.id in bound:
                continue
            bound.add(target.id)
            for node in reads.get(target.id, ()):
                if node is target or _is_target(unit, node):
                    continue
                if position[node.site] <= end:
                    return False  # what the pass before has left
                sources.add(node.site)
                statements.append(unit.statement(node.site))
    return True


def is_unobserved(uses: IntentionalReuse, site: int) -> bool:
    """Whether nothing observes the numbers that a call draws: they are computed with, and only shapes are read of them."""
    unit = uses.i.unit
    scope = unit.scope(site)
    return (
        not is_importable(unit, site)
        and isinstance(scope, (ir.Function, ir.Module))
        and _unobserved(uses, scope, (unit.nodes[site],), 0)
    )


def is_alternative(uses: IntentionalReuse, first: int, second: int) -> bool:
    """Whether one `select` takes either of two draws for each element, and nothing else reads them."""
    places = [_only_read(uses.i.unit, site) for site in (first, second)]
    holders = [None if place is None else uses.around(place) for place in places]
    chooser = holders[0]
    callee = uses.i.last_callee.get(chooser.site) if chooser is not None else None
    if type(chooser) is not ir.Call or chooser is not holders[1] or type(callee) is not v.Api:
        return False
    return callee.name in _CHOOSING and all(place in chooser.args[1:] for place in places)


def _only_read(unit: ir.Unit, site: int) -> ir.Node | None:
    """The one node that reads what a call gives; the call itself where its value is given no name."""
    statement, scope = unit.statement(site), unit.scope(site)
    if type(statement) is not ir.Assign or statement.value.site != site:
        node: ir.Node = unit.nodes[site]
        return node
    targets = _targets(statement)
    if len(targets) != 1 or statement.targets[0] is not targets[0] or not isinstance(scope, ir.Function):
        return None
    named = [node for node in ir.walk(scope.body, into_scopes=False) if targets[0].id in set(_names(node))]
    return named[1] if len(named) == 2 and named[0] is targets[0] else None


def _unobserved(uses: IntentionalReuse, scope: ir.Scope, nodes: Iterable[ir.Node], depth: int) -> bool:
    """Whether nothing in a scope observes the values of nodes, and something waits for what is made of them, or drops it."""
    unit = uses.i.unit
    reads: dict[str, list[ir.Node]] = {}
    for node in ir.walk(scope.body, into_scopes=False):
        for name in _names(node):
            holder = unit.parent(node.site)
            if not _is_target(unit, node) and getattr(holder, "target", None) is not node:
                reads.setdefault(name, []).append(holder if isinstance(holder, ir.Lambda) else node)
    waiting, sources, bound = list(nodes), set[int](), set[str]()
    compared: list[ir.Node] = []
    is_dropped = False
    while waiting:
        node = waiting.pop()
        holder, statement = unit.parent(node.site), unit.statement(node.site)
        is_shape = isinstance(holder, ir.Attribute) and holder.attr in SHAPES
        if node.site in sources or is_shape:
            continue
        sources.add(node.site)
        if _is_only_timed(uses, node, depth):
            is_dropped = True
            continue
        if (check := _agreement(statement)) is not None:
            compared += check.args[:2]
        elif not _keeps_nothing(uses, statement, sources):
            return False
        is_dropped = is_dropped or type(statement) is ir.Evaluate or any(map(waits, ir.walk([statement])))
        for target in _targets(statement):
            is_dropped = is_dropped or target.id == "_"
            if target.id not in bound:
                bound.add(target.id)
                waiting += reads.get(target.id, ())
    agree = all(any(node.site in sources for node in ir.walk([side])) for side in compared)
    return agree and (is_dropped or bool(compared))


def _agreement(statement: ir.Statement) -> ir.Call | None:
    """The call by which a statement asks whether two results are close, and stops where they are not."""
    node = statement.test if isinstance(statement, ir.Assert) else getattr(statement, "value", None)
    name = ir.last_name(node.func) if isinstance(node, ir.Call) and not isinstance(statement, ir.Assign) else ""
    agrees = name in ("allclose", "array_equal") if isinstance(statement, ir.Assert) else name in _ASSERTIONS
    return node if isinstance(node, ir.Call) and agrees else None


def _is_only_timed(uses: IntentionalReuse, argument: ir.Node, depth: int) -> bool:
    """Whether a value, or what is computed of it, goes to a function of the project in which nothing observes it."""
    call = uses.around(argument)
    callee = uses.i.last_callee.get(call.site) if type(call) is ir.Call else None
    if depth > 2 or type(call) is not ir.Call or type(callee) is not v.FunctionValue or callee.function.is_generator:
        return False
    function, starred = callee.function, any(type(each) is ir.Starred for each in call.args)
    given = [each for each in function.parameters if each.kind in ("positional-only", "ordinary")]
    rest = [each for each in function.parameters if each.kind == "star"]
    if starred or argument not in call.args:
        return False
    taking = {each.name for each in (given + rest * len(call.args))[call.args.index(argument) :][:1]}
    reads = [node for node in ir.walk(function.body, into_scopes=False) if taking.intersection(_names(node))]
    return bool(reads) and _unobserved(uses, function, reads, depth + 1)


def is_check(uses: IntentionalReuse, loop: ir.Node, site: int) -> bool:
    """Whether a call is a check on what a loop does: every so many passes, with a result that no other pass computes with.

    Such calls are compared with one another, for which the same numbers do well. What is bound there may be read there alone,
    in the next check as well, and behind the loop.
    """
    unit = uses.i.unit
    if not isinstance(loop, (ir.For, ir.While)) or unit.scope(site) is not unit.scope(loop.site):
        return False
    above = []
    for node in unit.ancestors(site):
        if node is loop:
            break
        above.append(node)
    choice = next((each for each in reversed(above) if isinstance(each, ir.If) and _is_of_turns(each.test)), None)
    if choice is None or any(node is choice.test for node in above):
        return False
    inside = {node.site for node in ir.walk([choice])}
    drawn, found = {site}, set[str]()
    for _ in range(3):  # what comes of the call, through a few names
        for statement in ir.walk([choice]):
            if not isinstance(statement, ir.Statement) or isinstance(statement, (ir.If, ir.For, ir.While, ir.With)):
                continue
            read = _computed_with(statement)
            if not any(node.site in drawn or getattr(node, "id", None) in found for node in read):
                continue
            if not _only_tells(uses, statement, drawn):
                return False
            found |= {target.id for target in _targets(statement)}
    reads = (node for node in ir.walk([loop]) if isinstance(node, ir.Name) and node.id in found)
    return all(node.site in inside for node in reads)


def _computed_with(node: ir.Node) -> Iterator[ir.Node]:
    """The nodes at and below one, but for those of texts and comparisons."""
    stack = [node]
    while stack:
        each = stack.pop()
        yield each
        stack += [inner for inner in each.children() if not isinstance(inner, (ir.Format, ir.Compare))]


def _is_of_turns(test: ir.Node) -> bool:
    """Whether a condition asks a counter for a remainder: `step % 100 == 0`."""
    return any(isinstance(node, ir.Binary) and node.op == "%" for node in ir.walk([test]))


def _only_tells(uses: IntentionalReuse, statement: ir.Statement, drawn: set[int]) -> bool:
    """Whether a statement binds names to what comes of a call, or hands it to a function that is no list's."""
    if type(statement) is ir.Assign:
        return _binds_names(statement)
    if type(statement) is not ir.Evaluate or type(statement.value) is not ir.Call:
        return False
    if statement.value.site not in drawn:
        return ir.last_name(statement.value.func) not in _COLLECTING
    # The call is there for what it does, such as pictures.
    callee = uses.i.last_callee.get(statement.value.site)
    return type(callee) is v.FunctionValue and _stores_nothing(callee.function)


_CHOOSING = frozenset({"jax.lax.select", "jax.lax.select_n", "jax.numpy.where"})
_ASSERTIONS = frozenset({"assert_allclose", "assert_array_equal", "assert_array_almost_equal", "assert_almost_equal"})
# Methods that put something into a list, a set or a queue.
_COLLECTING = frozenset(
    {"append", "appendleft", "extend", "insert", "add", "push", "put", "store", "update", "setdefault"}
)


def _names(node: ir.Node) -> Iterator[str]:
    if type(node) is ir.Name:
        yield node.id
    elif isinstance(node, ir.Scope):
        yield from node.free


def _targets(statement: ir.Statement) -> list[ir.Name]:
    return [node for node in ir.walk(getattr(statement, "targets", ())) if isinstance(node, ir.Name)]


def _is_target(unit: ir.Unit, name: ir.Node) -> bool:
    statement = unit.statement(name.site)
    return type(statement) is ir.Assign and name in _targets(statement)


def _keeps_nothing(uses: IntentionalReuse, statement: ir.Statement, sources: set[int]) -> bool:
    """Whether a statement binds names to what comes of the draws, or drops it, and does no more with it."""
    if type(statement) is ir.Assign:
        if not _binds_names(statement):
            return False
    elif type(statement) is not ir.Evaluate or type(statement.value) is not ir.Call:
        return False
    for node in ir.walk([statement.value]):
        if isinstance(node, (ir.Walrus, ir.Yield, ir.YieldFrom, ir.Await)):
            return False
        if type(node) is ir.Call and not waits(node) and not _only_gives(uses, node):
            if any(inner.site in sources for inner in ir.walk([node])):
                return False
    return True


def _binds_names(assignment: ir.Assign) -> bool:
    """Whether an assignment binds names, and writes into nothing."""
    return all(isinstance(node, (ir.Name, ir.Sequence)) for node in ir.walk(assignment.targets))


def _only_gives(uses: IntentionalReuse, call: ir.Call) -> bool:
    """Whether a call does nothing but give a result."""
    callee = uses.i.last_callee.get(call.site)
    if type(callee) is v.Partial:
        callee = callee.function
    if type(callee) is v.FunctionValue:
        return _is_pure(uses, callee.function)
    return type(callee) is v.Transformed or uses.is_jax(call)


def _is_pure(uses: IntentionalReuse, function: ir.Function) -> bool:
    return _stores_nothing(function) and all(waits(call) or uses.is_jax(call) for call in _evaluated(function))


def _stores_nothing(function: ir.Function) -> bool:
    """Whether a function writes to nothing but its own names, and puts nothing into a list; it may show what it is given."""
    if function.is_generator or function.nonlocals or function.globals:
        return False
    for node in ir.walk(function.body, into_scopes=False):
        if isinstance(node, ir.Delete) or (isinstance(node, ir.Augment) and type(node.target) is not ir.Name):
            return False
        if type(node) is ir.Assign and not _binds_names(node):
            return False
    return all(ir.last_name(call.func) not in _COLLECTING for call in _evaluated(function))


def _evaluated(function: ir.Function) -> Iterator[ir.Call]:
    """The calls of a function that are statements."""
    for node in ir.walk(function.body, into_scopes=False):
        if isinstance(node, ir.Evaluate) and type(node.value) is ir.Call:
            yield node.value
