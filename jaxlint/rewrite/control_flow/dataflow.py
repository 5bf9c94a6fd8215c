"""What a block of statements reads and binds, and how it ends: what moving it into a function takes.

Only code that does nothing but compute is understood: assignments to names, `if` and `for` around
them, functions defined on the way, a `return` at the end. Nothing is said of anything else.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.models.haiku import CHANGING
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, defining_scope, enclosing_loops, is_target, target_names
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import NoFix, or_none, require

_ONCE = (ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)


@dataclass
class Flow:
    """Names in the order of the code: read before the block binds them, bound on some path, bound on all paths."""

    needed: dict[str, None] = field(default_factory=dict)
    bound: dict[str, None] = field(default_factory=dict)
    certain: set[str] = field(default_factory=set)
    returns: bool = False  # every path ends in a `return` with a value
    may_return: bool = False

    def read(self, *nodes: ir.Node | None) -> None:
        self.need(name for node in nodes if node is not None for name in names_read(node))

    def need(self, names: Iterable[str]) -> None:
        self.needed.update(dict.fromkeys(name for name in names if name not in self.certain))

    def bind(self, names: Iterable[str]) -> None:
        for name in names:
            self.bound[name] = None
            self.certain.add(name)


@or_none
def flow(block: list[ir.Statement], file: File | None = None) -> Flow:
    """The flow through a block; None where it does more than compute.

    With a file, calls of `jax.debug` count as computing.
    """
    found = Flow()
    _through(block, found, file)
    return found


def names_read(node: ir.Node) -> Iterator[str]:
    """Names whose values the evaluation of ``node`` may need, those that nested functions close over included."""
    for each in ir.walk([node], into_scopes=False):
        if isinstance(each, ir.Name):
            yield each.id
        elif isinstance(each, ir.Lambda):
            yield from sorted(each.function.free)


def _through(block: list[ir.Statement], found: Flow, file: File | None) -> None:
    for statement in block:
        require(not found.returns)
        _step(statement, found, file)


def _step(node: ir.Statement, found: Flow, file: File | None) -> None:
    match node:
        case ir.If():
            require(not _has(node.test))
            _branches(node, found, file)
            return
        case ir.For():
            _loop(node, found, file)
            return
        case ir.Define(function=function):
            require(not function.decorators)
            found.need(sorted(function.free))
            found.bind([function.name])
            return
    require(not _has(node))
    match node:
        case ir.Pass():
            pass
        case ir.Return(value=ir.Expression() as value):
            found.read(value)
            found.returns = found.may_return = True
        case ir.Evaluate(value=value):
            require(isinstance(value, ir.Constant) or (file is not None and _is_debug(file, value)))
            found.read(value)
        case ir.Assign(targets=targets, value=value) if all(map(_is_names, targets)):
            found.read(value)
            found.bind(name for target in targets for name in target_names(target))
        case ir.Augment(target=ir.Name(id=name) as target, value=value):
            found.read(target, value)
            found.bind([name])
        case ir.Annotate(target=ir.Name(id=name), value=ir.Expression() as value):
            found.read(value)
            found.bind([name])
        case _:
            raise NoFix


def _branches(node: ir.If, found: Flow, file: File | None) -> None:
    found.read(node.test)
    sides = [Flow(found.needed, found.bound, set(found.certain)) for _ in range(2)]
    for block, side in zip((node.body, node.orelse), sides):
        _through(block, side, file)
    found.may_return |= any(side.may_return for side in sides)
    found.returns = all(side.returns for side in sides)
    going_on = [side.certain for side in sides if not side.returns]
    found.certain = set.intersection(*going_on) if going_on else found.certain


def _loop(node: ir.For, found: Flow, file: File | None) -> None:
    require(not node.orelse and not node.is_async and not _has(node.iterable) and _is_names(node.target))
    found.read(node.iterable)
    inside = Flow(found.needed, found.bound, set(found.certain))
    inside.bind(target_names(node.target))
    _through(node.body, inside, file)
    require(not inside.may_return)


def _has(node: ir.Node) -> bool:
    return any(isinstance(each, _ONCE) for each in ir.walk([node], into_scopes=False))


def changes_state(file: File, nodes: Iterable[ir.Node]) -> bool:
    """Whether it matters if code runs: it binds a name in an expression, or draws from the state of a module around."""
    for node in ir.walk(nodes, into_scopes=False):
        draws = isinstance(node, ir.Call) and (
            file.api_names(node.func.site) & CHANGING or getattr(node.func, "attr", "") == "make_rng"
        )
        if draws or isinstance(node, _ONCE):
            return True
    return False


def _is_names(target: ir.Node) -> bool:
    if isinstance(target, ir.Sequence):
        return all(map(_is_names, target.elements))
    return isinstance(target, ir.Name)


def _is_debug(file: File, node: ir.Node) -> bool:
    code = file.code(node.func.site) if isinstance(node, ir.Call) else ""
    return code in (file.api("jax.debug.print")[0], file.api("jax.debug.callback")[0])


def value_before(file: File, node: ir.Node, name: str) -> ir.Node | None:
    """What gives ``name`` its value when the statement ``node`` is reached: an expression, a parameter.

    A statement that binds it among others, or on some paths only, stands for itself. None where it has no value for certain.
    """
    unit = file.unit
    while not isinstance(node, ir.Scope):
        block = unit.block(node.site)
        for earlier in reversed(block[: block.index(node)] if isinstance(node, ir.Statement) and block else []):
            match earlier:
                case ir.Annotate(value=None):
                    continue
                case ir.Assign(targets=targets, value=value) if all(isinstance(each, ir.Name) for each in targets):
                    given: ir.Node = value
                case ir.Annotate(value=ir.Expression() as value):
                    given = value
                case _:
                    given = earlier
            if isinstance(earlier, (ir.Assign, ir.Augment, ir.Annotate)) and name in bound_by(earlier):
                return given
            if isinstance(earlier, (ir.If, ir.For)) and name in _certain(earlier, file):
                return given
        above = unit.parent(node.site)
        assert above is not None
        node = above
    parameters = node.parameters if isinstance(node, ir.Function) else ()
    return next((each for each in parameters if each.name == name), None)


def _certain(statement: ir.Statement, file: File) -> set[str]:
    """Names that a statement binds on all paths; none where it does more than compute."""
    passed = file.once("dataflow", statement.site, lambda: flow([statement], file))
    return set() if passed is None else passed.certain


def after(unit: ir.Unit, node: ir.Node) -> list[ir.Statement]:
    """The statements of the same block that stand after ``node``."""
    block = unit.block(node.site)
    return block[block.index(node) + 1 :] if isinstance(node, ir.Statement) and block else []


def may_be_array(value: v.Value) -> bool:
    """Whether nothing says that a value is no array and no number."""
    if isinstance(value, v.Const):
        return v.is_scalar_const(value)
    if isinstance(value, v.Static):
        return value.type in v.NUMERIC_TYPES or not value.type
    return isinstance(value, (v.Array, v.Undecided, v.Unknown, v.Host))


def is_read_elsewhere(unit: ir.Unit, statement: ir.Statement, name: str) -> bool:
    """Whether a name is read after a statement, or by an enclosing loop in its next round, be it in a function.

    A loop over values of that name gives it another one in each round. Nodes are numbered from the inside out, so that what
    follows a statement has higher numbers than it.
    """
    owner, inside = defining_scope(unit, statement.site, name), {node.site for node in ir.walk([statement])}
    loops = itertools.takewhile(
        lambda loop: isinstance(loop, ir.While) or name not in target_names(loop.target),
        enclosing_loops(unit, statement.site),
    )
    nodes = itertools.chain(unit.own[ir.index(statement.site) + 1 :], ir.walk(loops))
    return any(
        isinstance(node, ir.Name) and node.id == name and node.site not in inside
        and defining_scope(unit, node.site, name) is owner and not _is_bound(unit, node)
        for node in nodes
    )  # fmt: skip


def _is_bound(unit: ir.Unit, node: ir.Name) -> bool:
    """Whether a name is only given a value here."""
    return is_target(unit, node) and not isinstance(unit.parent(node.site), ir.Augment)
