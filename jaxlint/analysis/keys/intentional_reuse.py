"""Two uses of one key that do no harm: what is drawn is compared, or one of the draws is not looked at.

A function and its gradient are of the same numbers. Cells of a notebook are run again, in any order, and to compare
runs; a warm-up is called for the time it takes; what a scan gives may be overwritten by the next line.
"""

from __future__ import annotations

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.interpreter.liveness import unread
from jaxlint.analysis.keys.placeholders import is_placeholder
from jaxlint.ir import nodes as ir

# What hands on a draw and keeps nothing of it.
_PURE = (ir.Binary, ir.Unary, ir.Compare, ir.Sequence, ir.Subscript)
_CONVERSIONS = frozenset({"builtins.float", "builtins.int", "builtins.bool", "builtins.complex"})
# These show what they are given, or write it down.
_OBSERVING = ("jax.debug.", "jax.numpy.save", "jax.experimental.io_callback", "jax.pure_callback")
_CALLABLES = (v.FunctionValue, v.Transformed, v.Partial, v.BoundMethod)


class IntentionalReuse(Component):
    """Component of the interpreter. Uses are given as chains of calls, outermost first."""

    def apart(self, first: tuple[int, ...], second: tuple[int, ...]) -> bool:
        """Whether nothing that one use draws is looked at beside what the other draws."""
        if self.of_two_cells(first[0], second[0]):
            return True
        common = 0
        while common < min(len(first), len(second)) and first[common] == second[common]:
            common += 1
        if any(self.is_lost(site) for site in (*second[: common + 1], second[-1])):
            return True
        if common == min(len(first), len(second)):
            return False
        one, other = first[common], second[common]
        around = self.i.last_callee.get(second[common - 1]) if common else None
        if type(around) is v.Unknown and around.options and self.i.unit.scope(one) is not self.i.unit.scope(other):
            return True  # one call, of one function or another: that which is chosen is the same in each pass of a loop
        return (
            self.is_lost(one, other)
            or is_placeholder(self.i, one)
            or is_placeholder(self.i, other)
            or self.is_compared(one, other)
            or self.is_transformed(one, other)
            or self.is_run_again(first[common:], second[common:])
            or self.is_replaced(one, second[common:])
            or self.is_copy(one, other)
            or self.is_another_part(one, other)
        )

    def of_two_cells(self, first: int, second: int) -> bool:
        module = self.i.unit.module_of(second)
        return (
            bool(module.cells) and module is self.i.unit.module_of(first) and module.cell(first) != module.cell(second)
        )

    def is_compared(self, first: int, second: int) -> bool:
        """Whether the top level of a notebook calls one function twice, and not on what it gave before."""
        unit = self.i.unit
        module = unit.module_of(second)
        if not module.cells or unit.scope(first) is not module or unit.scope(second) is not module:
            return False
        one, other = self.i.last_callee.get(first), self.i.last_callee.get(second)
        if not isinstance(one, _CALLABLES) or type(other) is not type(one) or one.key != other.key:
            return False
        given = {
            node.id for node in ir.walk(getattr(unit.statement(first), "targets", ())) if isinstance(node, ir.Name)
        }
        return not any(isinstance(node, ir.Name) and node.id in given for node in ir.walk([unit.nodes[second]]))

    def is_transformed(self, first: int, second: int) -> bool:
        """Whether two calls give the same arguments to a function and to what a transform has made of it.

        A value and its gradient are those of one function only with the same numbers; so are results with and
        without `jit`. The function may be passed on: `jax.lax.map(f, keys)`, `jax.lax.map(jax.checkpoint(f), keys)`.
        """
        one, other = self.i.last_callee.get(first), self.i.last_callee.get(second)
        call, again = self.i.unit.nodes[first], self.i.unit.nodes[second]
        if (
            one is None
            or other is None
            or not alike(call.keywords, again.keywords)
            or len(call.args) != len(again.args)
        ):
            return False
        if one.key != other.key:
            return _are_of_one(one, other) and alike(call.args, again.args)
        passed, passed_again = self.i.last_calls[first].args, self.i.last_calls[second].args
        if not len(call.args) == len(passed) == len(passed_again):
            return False  # some are starred
        changed = [pair for a, b, *pair in zip(call.args, again.args, passed, passed_again) if not alike(a, b)]
        return bool(changed) and all(_are_of_one(*pair) for pair in changed)

    def is_run_again(self, first: tuple[int, ...], second: tuple[int, ...]) -> bool:
        """Whether a function is called as the one is that a transform was given, which hands its arguments on to it.

        The gradient is taken of one result, and the others are computed once more.
        """
        call, again = self.i.unit.nodes[first[0]], self.i.unit.nodes[second[0]]
        function = self.i.last_callee.get(second[0])
        if type(self.i.last_callee.get(first[0])) is not v.Transformed or function is None:
            return False
        handed_on = (
            first[at + 1 :] == second[1:] and getattr(self.i.last_callee.get(site), "key", None) == function.key
            for at, site in enumerate(first[1:], 1)
        )
        return len(second) > 1 and alike(call.args, again.args) and any(handed_on)

    def is_replaced(self, first: int, second: tuple[int, ...]) -> bool:
        """Whether a draw replaces weights that another one has made, by `eqx.tree_at`, here or in a function that is given them."""
        unit, node = self.i.unit, self.i.unit.nodes[second[-1]]
        while isinstance(node, (ir.Binary, ir.Unary)) or node.site == second[-1]:
            node, inner = unit.parent(node.site), node
        if type(node) is not ir.Call or len(node.args) != 3 or node.args[2] is not inner:
            return False
        tree, callee = node.args[1], self.i.named(ir.dotted(node.func) or "", self.i.frame)
        if type(tree) is not ir.Name or type(callee) is not v.Api or callee.name != "equinox.tree_at":
            return False
        makes = unit.statement(first)
        made = {name.id for name in ir.walk(getattr(makes, "targets", ())) if type(name) is ir.Name}
        if len(second) == 1:
            return tree.id in made
        call, scope = unit.nodes[second[0]], unit.scope(second[-1])
        is_given = isinstance(scope, ir.Function) and tree.id in {each.name for each in scope.parameters}
        return (
            len(second) == 2
            and is_given
            and any(
                each is unit.nodes[first] or (type(each) is ir.Name and each.id in made) for each in ir.walk(call.args)
            )
        )

    def is_copy(self, first: int, second: int) -> bool:
        """Whether two networks of one class are made with the same arguments, and are no layers of a third: one is the target.

        A function may make them: `make(jax.random.split(key, 2))`.
        """
        unit = self.i.unit
        call, again = unit.nodes[first], unit.nodes[second]
        while not self.makes_network(self.i.last_callee.get(call.site)):
            call, again = self.around(call), self.around(again)
            if type(call) is not ir.Call or type(again) is not ir.Call:
                return False
        return call is not again and alike(call, again) and not self.i.layer_keys.in_module(second)

    def is_another_part(self, first: int, second: int) -> bool:
        """Whether a key is split the same way twice for different parts: `split(key)[0]` and `split(key)[1]`."""
        taken = []
        for site in (first, second):
            call, holder = self.i.unit.nodes[site], self.i.unit.parent(site)
            callee = self.i.last_callee.get(site)
            if type(callee) is not v.Api or callee.name != "jax.random.split" or type(call) is not ir.Call:
                return False
            index = getattr(holder.index, "value", None) if type(holder) is ir.Subscript else None
            if type(index) is not int:
                return False
            taken.append((index, call.args[1:], call.keywords))
        (one, *how), (other, *again) = taken
        return one != other and alike(how, again)

    def around(self, argument: ir.Node) -> ir.Node | None:
        """What holds an argument."""
        holder = self.i.unit.parent(argument.site)
        return self.i.unit.parent(holder.site) if type(holder) is ir.Keyword else holder

    def makes_network(self, callee: v.Value | None) -> bool:
        """Whether a class is one of Equinox modules of the project, or a function gives nothing but an object of one."""
        made = v.untransformed(callee) if callee is not None else None
        if type(made) is v.FunctionValue:
            last = made.function.body[-1] if made.function.body else None
            value = last.value if type(last) is ir.Return else None
            name = ir.dotted(value.func) if type(value) is ir.Call else None
            made = self.i.named(name, made.frame) if name is not None and len(made.function.body) == 1 else None
        return type(made) is v.ClassValue and made.family == "equinox"

    def is_lost(self, site: int, through: int | None = None) -> bool:
        """Whether nothing reads what a call gives, or nothing on the way through the other one.

        The call is one of JAX, which does no more than give something; or it is repeated as it is, or a number is made of what
        it leads to and thrown away, so that the first time was a warm-up.
        """
        unit, nodes = self.i.unit, self.i.unit.nodes
        statement, node = unit.statement(site), nodes[site]
        if type(statement) not in (ir.Assign, ir.Evaluate):
            return False
        if through is not None and alike(node, nodes[through]):
            node = unit.parent(site)
        if type(statement) is ir.Evaluate and self.is_conversion(statement.value):
            return True
        while node is not statement:
            if not isinstance(node, _PURE) and not waits(node) and not (type(node) is ir.Call and self.is_jax(node)):
                return False
            node = unit.parent(node.site)
        targets = statement.targets if type(statement) is ir.Assign else ()
        names = [node for node in ir.walk(targets) if type(node) is not ir.Sequence]
        return all(isinstance(name, ir.Name) and unread(unit, statement, name.id, through) for name in names)

    def is_sweep(self, loop: ir.Node, site: int) -> bool:
        """Whether a loop goes over written real numbers, and a call is given each of them: settings are compared on the same draws.

        Whole numbers and strings may as well be sizes and names of layers, whose parameters must differ.
        """
        if not isinstance(loop, ir.For) or type(loop.target) is not ir.Name or type(loop.iterable) is not ir.Sequence:
            return False
        settings = [each.value if type(each) is ir.Constant else None for each in loop.iterable.elements]
        call = self.i.unit.nodes[site]
        if type(call) is not ir.Call or not any(type(each) is float for each in settings):
            return False
        if not all(type(each) in (int, float) for each in settings):
            return False
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return any(type(each) is ir.Name and each.id == loop.target.id for each in given)

    def is_conversion(self, node: ir.Node) -> bool:
        """Whether a result is waited for by making a Python number of it."""
        callee = self.i.last_callee.get(node.site)
        return type(callee) is v.Api and callee.name in _CONVERSIONS

    def is_jax(self, call: ir.Call) -> bool:
        callee = self.i.last_callee.get(call.site)
        return type(callee) is v.Api and callee.name.startswith("jax.") and not callee.name.startswith(_OBSERVING)


def _are_of_one(one: v.Value, other: v.Value) -> bool:
    """Whether of two functions one is what a transform has made of the other, or both are of a third."""
    is_callable = isinstance(one, _CALLABLES) and isinstance(other, _CALLABLES)
    return is_callable and one.key != other.key and v.untransformed(one).key == v.untransformed(other).key


def waits(node: ir.Node) -> bool:
    """Whether a node is part of `x.block_until_ready()`."""
    function = node.func if type(node) is ir.Call else node
    return type(function) is ir.Attribute and function.attr == "block_until_ready"


def alike(one: object, other: object) -> bool:
    """Whether two nodes are written in the same words."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(alike, one, other))
    if not isinstance(one, ir.Node):
        return bool(one == other)
    return type(one) is type(other) and all(alike(getattr(one, x), getattr(other, x)) for x in ir.FIELDS[type(one)])
