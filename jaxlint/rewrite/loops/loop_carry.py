"""Which variables a Python loop hands from one round to the next, for rewrites as `jax.lax` loops."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, enclosing_loops, is_assigned, names_of
from jaxlint.rewrite.control_flow.dataflow import flow, may_be_array, names_read, value_before
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require

_JOINING = frozenset(
    f"jax.numpy.{name}"
    for name in "append concatenate concat stack hstack vstack dstack column_stack insert pad".split()
)


@dataclass
class Round:
    """What a loop does in one round: ``body``, between an `if …: break` at its beginning and one at its end."""

    loop: ir.For | ir.While
    body: list[ir.Statement]
    first: ir.Expression | None = None
    last: ir.Expression | None = None

    @property
    def test(self) -> ir.Expression | None:
        """What keeps a `while` going; None for `while True` and for `for`."""
        test = self.loop.test if isinstance(self.loop, ir.While) else None
        return None if isinstance(test, ir.Constant) and test.value else test


@or_none
def one_round(loop: ir.For | ir.While) -> Round:
    """What a loop does in one round, where it ends in ways that rounds can say."""
    require(not loop.orelse)
    each = Round(loop, list(loop.body))
    if len(each.body) > 1 and (last := _break_test(each.body[-1])) is not None:
        each.last = last
        each.body.pop()
    if len(each.body) > 1 and (first := _break_test(each.body[0])) is not None:
        each.first = first
        each.body.pop(0)
    return each


def _break_test(node: ir.Statement) -> ir.Expression | None:
    """The test of `if …: break`; None for another statement."""
    match node:
        case ir.If(test=test, body=[ir.Break()], orelse=[]):
            return test
    return None


@or_none
def carried(file: File, each: Round) -> list[str]:
    """Names a loop needs from its last round or leaves behind, in the order of their assignments.

    Its body must do no more than compute, each name have a value before it, and no value be known to change its type.
    """
    unit, loop = file.unit, each.loop
    scope, done = expect(ir.Function, unit.scope(loop.site)), known(flow(each.body, file))
    own = {loop.target.id} if isinstance(loop, ir.For) and isinstance(loop.target, ir.Name) else set()
    require(not done.may_return and not own & set(done.bound) and all(name in scope.locals for name in done.bound))
    needed = set(done.needed)
    for test in (each.test, each.first):
        needed |= set(names_read(test)) if test is not None else set()
    needed |= {name for name in names_read(each.last) if name not in done.certain} if each.last is not None else set()
    # One that is bound on some paths only and not read otherwise is nobody's business.
    names = [name for name in done.bound if name in needed or is_read_elsewhere(unit, loop, name)]
    require(names and all(_keeps_type(file, each, name, known(value_before(file, loop, name))) for name in names))
    return names


@or_none
def plain_round(file: File, loop: ir.For) -> tuple[Round, list[str]]:
    """What a loop that nothing ends early does in one round, and the names that it carries."""
    each = known(one_round(loop))
    require(each.first is None and each.last is None)
    return each, known(carried(file, each))


def is_read_elsewhere(unit: ir.Unit, statement: ir.Statement, name: str) -> bool:
    """Whether a name is read after a statement, or by an enclosing loop in its next round, be it in a function.

    Nodes are numbered from the inside out, so that what follows a statement has higher numbers than it.
    """
    owner, inside = defining_scope(unit, statement.site, name), {node.site for node in ir.walk([statement])}
    nodes = itertools.chain(unit.own[ir.index(statement.site) + 1 :], ir.walk(enclosing_loops(unit, statement.site)))
    return any(
        isinstance(node, ir.Name) and node.id == name and node.site not in inside
        and defining_scope(unit, node.site, name) is owner and not _is_target(unit, node)
        for node in nodes
    )  # fmt: skip


def _is_target(unit: ir.Unit, node: ir.Name) -> bool:
    """Whether a name is only given a value here."""
    target: ir.Node = node
    above = unit.parent(target.site)
    while isinstance(above, (ir.Sequence, ir.Starred)):
        target, above = above, unit.parent(above.site)
    return is_assigned(unit, target) or (isinstance(above, (ir.For, ir.Annotate)) and above.target is target)


def handed_on(file: File, each: Round, names: list[str]) -> list[v.Value]:
    """What the rounds of a loop are known to give to ``names``."""
    return [value for made in _made(each, names) for value in file.values(made.site)]


def _made(each: Round, names: list[str]) -> Iterator[ir.Expression]:
    """What the rounds of a loop assign to ``names``."""
    for node in ir.walk(each.body, into_scopes=False):
        if isinstance(node, (ir.Assign, ir.Annotate)) and node.value is not None:
            targets = node.targets if isinstance(node, ir.Assign) else [node.target]
            if any(isinstance(target, ir.Name) and target.id in names for target in targets):
                yield node.value


def _keeps_type(file: File, each: Round, name: str, before: ir.Node) -> bool:
    """Whether nothing says that a name changes its dtype or shape, or is no array at all."""
    first = file.values(before.site) if isinstance(before, ir.Expression) else []
    values = [*first, *handed_on(file, each, [name])]
    if not all(map(may_be_array, values)) or any(_grows(file, made, name) for made in _made(each, [name])):
        return False
    shapes = [_shape(value) for value in values]
    # A Python number takes the dtype of what it meets.
    dtypes = {value.aval.dtype for value in values if isinstance(value, v.Array) and not value.aval.weak}
    sizes = {shape for shape in shapes if shape is not None and None not in shape}
    return max(len(sizes), len({len(shape) for shape in shapes if shape is not None}), len(dtypes - {None})) < 2


def _grows(file: File, made: ir.Expression, name: str) -> bool:
    """Whether a value is ``name`` as a whole with more behind or before it, so that no two rounds have the same shape."""
    if not isinstance(made, ir.Call) or file.api_name(made.func.site) not in _JOINING:
        return False
    parts = [part for arg in made.args[:2] for part in (arg.elements if isinstance(arg, ir.Sequence) else (arg,))]
    return len(parts) > 1 and any(isinstance(part, ir.Name) and part.id == name for part in parts)


def _shape(value: v.Value) -> v.Shape | None:
    if isinstance(value, (v.Array, v.Host)):
        return value.aval.shape
    return () if isinstance(value, v.Const) or isinstance(value, v.Static) and value.type in v.NUMERIC_TYPES else None


def gives_carry_alone(file: File, scan: ir.Call) -> bool:
    """Whether the outputs of a scan go nowhere."""
    match file.unit.parent(scan.site):
        case ir.Assign(targets=[ir.Sequence(elements=[_, ir.Name() as outputs, *_])]):
            return _is_unread(file, outputs)
        case ir.Subscript(index=ir.Constant(value=0)):
            return True
    return False


def _is_unread(file: File, name: ir.Name) -> bool:
    return name.id == "_" or names_of(file.unit, file.unit.scope(name.site), name.id) == [name]
