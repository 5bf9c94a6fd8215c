"""What the other uses of a parameter in its function say of it, where no caller does: that it is an array, or a mask.

A bare parameter of a traced function is a tracer or a container of tracers. An operation that takes arrays alone decides
between the two, wherever it stands, if it is evaluated in every run that comes to the place in question, and with the same
value of the parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by

if TYPE_CHECKING:
    from jaxlint.analysis.domain.context import Frame

_ARITHMETIC = frozenset({"-", "/", "//", "**", "@"})  # no list and no dict takes them, nor a reference of JAX
_ORDER = frozenset({"<", ">", "<=", ">="})
# Methods that code calls to get an array of an array. A container has none of them.
METHODS = frozenset(
    "sum mean min max std var prod dot round clip astype reshape ravel flatten squeeze transpose argmax argmin argsort"
    " cumsum cumprod conj swapaxes block_until_ready".split()
)
_LOGICAL = frozenset(f"jax.numpy.logical_{name}" for name in ("and", "or", "not", "xor"))
_SELECTING = frozenset({"jax.numpy.where", "jax.lax.select"})
_PYTHON = ("builtins", "typing", "collections")  # packages whose classes name containers
_JUMPS = (ir.Return, ir.Raise, ir.Break, ir.Continue)
_LOOPS = (ir.For, ir.While)


class ParameterUses(Component):
    """Component of the interpreter."""

    def is_array(self, store: ir.Subscript, value: v.Value) -> bool:
        """Whether an item is stored in a parameter that is an array, by its annotation or by what its function does with it."""
        node = store.value
        scope = self._function(node, value)
        if scope is None or type(node) is not ir.Name:
            return False
        if _has_string_keys(scope, node.id):
            return False  # a dict of arrays, whatever its annotation says
        parameter = next(each for each in scope.parameters if each.name == node.id)
        frame = self.i.owner(node.id)
        annotated = parameter.annotation is not None
        if annotated and not self.i.annotations.is_array(parameter.annotation, frame, or_none=False):
            return False  # of a class that may define any operator
        uses = Uses(self.i.unit, scope, node.id, node.site)
        if annotated:
            return not uses.rebound or any(self._takes_arrays(use) for use in uses.certain)
        return not self._may_be_variable(store) and any(self._takes_arrays(use) for use in uses.certain)

    def is_declared_an_object(self, node: ir.Node, value: v.Value) -> bool:
        """Whether ``node`` names a parameter whose annotation is neither a type of arrays nor one of Python's own."""
        scope = self._function(node, value)
        if scope is None or type(node) is not ir.Name:
            return False
        annotation = next(each.annotation for each in scope.parameters if each.name == node.id)
        frame = self.i.owner(node.id)
        named = self.i.annotations.named(annotation, frame)
        if type(named) is v.Api and named.name.partition(".")[0] in _PYTHON:
            return False
        return annotation is not None and not self.i.annotations.is_array(annotation, frame)

    def _may_be_variable(self, store: ir.Subscript) -> bool:
        """Whether what is stored in may be a Variable of NNX, which has the operators of an array and takes stores."""
        level = self.i.context.level
        whole = type(store.index) is ir.Constant and store.index.value is ...
        return whole or (level is not None and level.transform.name.startswith("flax.nnx."))

    def as_mask(self, index: ir.Node, value: v.Value) -> v.Value:
        """The value of an index: an array of booleans where it is a parameter, or its complement, that is used as one."""
        node = index.operand if type(index) is ir.Unary and index.op == "~" else index
        frame = self.i.owner(node.id) if type(node) is ir.Name and type(value) in (v.Undecided, v.Array) else None
        if frame is None or type(node) is not ir.Name:
            return value
        named = self.i.variables(frame)[node.id]
        scope = self._function(node, named)
        if scope is None:
            return value
        annotation = next(each.annotation for each in scope.parameters if each.name == node.id)
        uses = Uses(self.i.unit, scope, node.id, node.site)
        certain = not uses.rebound and self.i.annotations.is_boolean(annotation, frame)
        if not certain and (annotation is None or self._is_any_array(annotation, frame)):
            subscript = self.i.unit.parent(index.site)
            base = _base(subscript.value) if type(subscript) is ir.Subscript else None
            certain = any(self._is_boolean(use, base) for use in uses.certain)
        mode = named.mode if type(named) is v.Array or type(named) is v.Undecided else v.STAGED
        return v.Array(mode, v.BOOL, named.origin, named.ident) if certain else value

    def _is_any_array(self, annotation: ir.Expression | None, frame: Frame) -> bool:
        """Whether an annotation is a class of arrays, of any dtype."""
        return ir.dotted(annotation) is not None and self.i.annotations.is_array(annotation, frame, or_none=False)

    def _is_boolean(self, use: ir.Name, base: str | None) -> bool:
        """Whether the expression around a name is one for masks; ``base``: the name of the array that the mask selects from."""
        unit = self.i.unit
        around: Any = unit.parent(use.site)
        kind = type(around)
        if kind is ir.Unary:  # as an index `~i` counts from the end, too
            return around.op == "~" and type(unit.parent(around.site)) not in (ir.Subscript, ir.Sequence)
        if kind is ir.Binary and around.op in ("&", "|"):
            other = around.right if around.left is use else around.left
            return type(other) is ir.Compare or self._gives_booleans(other)
        if kind is ir.Keyword:
            call = unit.parent(around.site)
            return type(call) is ir.Call and around.name == "where" and self._facts(call) is not None
        if kind is not ir.Call or around.func is use or any(type(each) is ir.Starred for each in around.args):
            return False
        found = self._facts(around)
        if found is None:
            return False
        if found.name in _LOGICAL:
            return True
        if found.name in _SELECTING and around.args[0] is use:
            # Of indices it is asked which of them are zero, to choose from what they have picked: not from where they pick.
            return any(
                isinstance(node, ir.Name) and node.id == base and type(unit.parent(node.site)) is not ir.Subscript
                for node in ir.walk(around.args[1:])
            )
        return False

    def _gives_booleans(self, node: ir.Node) -> bool:
        found = self._facts(node) if type(node) is ir.Call else None
        return found is not None and found.dtype == "bool"

    def _function(self, node: ir.Node, value: v.Value) -> ir.Function | None:
        """The function at hand, where ``node`` names a required parameter of it that a trace has made a tracer."""
        if type(node) is not ir.Name or type(value) is not v.Undecided or value.maybe_static:
            return None
        frame = self.i.owner(node.id)
        scope = self.i.unit.scope(node.site)
        if frame is None or frame.scope is not scope or not isinstance(scope, ir.Function):
            return None
        required = any(
            each.name == node.id
            and each.kind in ("positional-only", "ordinary", "keyword-only")
            and each.default is None
            for each in scope.parameters
        )
        return scope if required else None

    def _takes_arrays(self, use: ir.Name) -> bool:
        """Whether the expression around a name fails unless the name stands for an array."""
        unit = self.i.unit
        around: Any = unit.parent(use.site)
        kind = type(around)
        if kind is ir.Attribute:
            call = unit.parent(around.site)
            return around.attr in METHODS and type(call) is ir.Call and call.func is around
        if kind is ir.Binary:
            return self._is_arithmetic(around.op, around.right if around.left is use else around.left)
        if kind is ir.Augment:
            return around.target is use and self._is_arithmetic(around.op, around.value)
        if kind is ir.Unary:
            return bool(around.op != "not")
        if kind is ir.Compare:
            parts = around.left, *around.rights
            return _ORDER.issuperset(around.ops) and len(parts) == 2 and any(map(_is_number, parts))
        if kind is ir.Keyword:
            around = unit.parent(around.site)
            kind = type(around)
        return kind is ir.Call and around.func is not use and self._refuses_lists(around, use)

    def _is_arithmetic(self, op: str, other: ir.Node) -> bool:
        """Whether an operator with this other operand takes no list: `x * 2` and `x + rest` repeat and join lists."""
        if op in _ARITHMETIC:
            return True
        if op == "+":
            return _is_number(other) or self._is_computed(other)
        return op == "*" and (_is_number(other, (float, complex)) or self._is_computed(other))

    def _is_computed(self, node: ir.Node) -> bool:
        """Whether a function of `jax.numpy` gives the operand."""
        found = self._facts(node) if type(node) is ir.Call else None
        return found is not None and found.result == "array"

    def _refuses_lists(self, node: ir.Call, use: ir.Name) -> bool:
        """Whether a function of JAX takes arrays and no lists where it is given the name."""
        found = self._facts(node)
        if found is None or not found.refuses or any(type(each) is ir.Starred for each in node.args):
            return False
        named: dict[str, v.Value] = {each.name: v.UNKNOWN for each in node.keywords if each.name is not None}
        nodes: dict[str, ir.Node] = {each.name: each.value for each in node.keywords if each.name is not None}
        call = Call(node, [v.UNKNOWN] * len(node.args), list(node.args), named, nodes)
        return any(
            argument is use and "list" in found.refuses.get(parameter, ())
            for parameter, _, argument in bound(found, call)
        )

    def _facts(self, node: ir.Call) -> knowledge.Facts | None:
        """What is known of the function of JAX that a call names."""
        dotted = ir.dotted(node.func)
        callee = self.i.named(dotted) if dotted else None
        return knowledge.facts(callee.name) if type(callee) is v.Api and callee.name.startswith("jax.") else None


class Uses:
    """The uses of a variable in every run of its function that comes to a place, while it has the value of that place.

    ``rebound``: the variable may have been bound anew on the way there.
    """

    def __init__(self, unit: ir.Unit, scope: ir.Function, name: str, site: int) -> None:
        self.unit = unit
        self.name = name
        self.rebound = False
        path = {site} | {above.site for above in unit.ancestors(site)}
        self.certain: list[ir.Name] = []
        self._block(scope.body, path)

    def _block(self, body: list[ir.Statement], path: set[int]) -> None:
        at = next((number for number, statement in enumerate(body) if statement.site in path), None)
        if at is None:
            return
        here = body[at]
        for statement in body[:at]:
            if self._binds(statement):
                self._start_anew()
            else:
                self._take(statement)
        if isinstance(here, _LOOPS) and self._binds(here):
            self._start_anew()
        self._take_expressions(here)
        if not self._binds(here) and not self._leaves(here):
            self._take_all(body[at + 1 :])
        for block in _blocks(here):
            self._block(block, path)

    def _start_anew(self) -> None:
        self.certain = []
        self.rebound = True

    def _take_all(self, statements: list[ir.Statement]) -> None:
        """The uses in statements that run one after the other, up to one that binds the variable or may jump."""
        for statement in statements:
            self._take(statement)
            if self._binds(statement) or self._leaves(statement):
                break

    def _take(self, statement: ir.Statement) -> None:
        self._take_expressions(statement)
        if type(statement) is ir.With:
            self._take_all(statement.body)

    def _take_expressions(self, statement: ir.Statement) -> None:
        """The uses in what a statement evaluates in any case."""
        for expression in _evaluated(statement):
            self.certain += [node for node in _always(expression) if type(node) is ir.Name and node.id == self.name]

    def _binds(self, statement: ir.Statement) -> bool:
        return any(self.name in bound_by(node) for node in ir.walk([statement], into_scopes=False))

    def _leaves(self, statement: ir.Statement) -> bool:
        return any(isinstance(node, _JUMPS) for node in ir.statements([statement], into_scopes=False))


def _has_string_keys(scope: ir.Function, name: str) -> bool:
    """Whether a function indexes a variable by a string, as in `x["a"]`, which no array takes."""
    return any(
        type(node) is ir.Subscript
        and type(node.value) is ir.Name
        and node.value.id == name
        and type(node.index) is ir.Constant
        and type(node.index.value) is str
        for node in ir.walk(scope.body)
    )


def _base(node: ir.Node) -> str | None:
    """The name of the array that is indexed, as in `x[mask]` and `x.at[mask]`."""
    if type(node) is ir.Attribute and node.attr == "at":
        node = node.value
    return node.id if type(node) is ir.Name else None


def _evaluated(statement: ir.Statement) -> Iterable[ir.Expression]:
    if isinstance(statement, ir.Assign):
        return [statement.value, *statement.targets]
    if isinstance(statement, ir.Augment):
        return [statement.value, statement.target]
    if isinstance(statement, (ir.Annotate, ir.Evaluate, ir.Return)):
        return [] if statement.value is None else [statement.value]
    if isinstance(statement, (ir.If, ir.While)):
        return [statement.test]
    if isinstance(statement, ir.For):
        return [statement.iterable]
    if isinstance(statement, ir.With):
        return [item.context for item in statement.items]
    return ()


def _always(expression: ir.Node) -> Iterator[ir.Node]:
    """The parts of an expression that are evaluated whenever it is."""
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ir.Boolean):
            stack.append(node.left)
        elif isinstance(node, ir.Conditional):
            stack.append(node.test)
        elif not isinstance(node, (ir.Lambda, ir.Comprehension)):
            stack += node.children()


def _blocks(statement: ir.Statement) -> Iterator[list[ir.Statement]]:
    """The lists of statements in a compound statement."""
    for name in ("body", "orelse", "final"):
        block = getattr(statement, name, None)
        if block and not isinstance(statement, (ir.Define, ir.DefineClass)):
            yield block
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _is_number(node: ir.Node, types: tuple[type, ...] = (int, float, complex)) -> bool:
    if type(node) is ir.Unary and node.op == "-":
        node = node.operand
    return type(node) is ir.Constant and type(node.value) in types
