"""Transforms that call their functions at once: loops, branches, maps, callbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import EAGER, Boundary, Context
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.signatures import signature_of, statics_of
from jaxlint.analysis.domain.state import join_states
from jaxlint.analysis.models.equinox import IF_ARRAY
from jaxlint.analysis.transforms.callbacks import as_on_host
from jaxlint.analysis.transforms.counters import counted
from jaxlint.analysis.transforms.exports import handed_on, shape_structs
from jaxlint.analysis.transforms.wrap_and_call import Transforms, entering, function_name, unsure
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import State

_INDEX = v.Aval("int32", (), None)
_LEAVES = frozenset({v.Array, v.Host, v.Const, v.Static, v.MemoryRef, v.DonatedArray, v.FunctionValue, v.Api})


class ControlFlow(Transforms):
    """Behaviours of the transforms that are calls rather than wrappers."""

    def enter(self, transform: Transform, call: Call, function: v.Value, how: str) -> tuple[Context, Origin]:
        if transform.name.startswith("haiku."):
            self.as_at_init(transform, call, function)
        self.i.linen.transformed(transform, function, call.site)
        context: Context = self.i.context
        origin = Origin(
            f"{function_name(function)} {how} `{transform.short}`", call.site, context.origin, transform.name
        )
        return self.inside(transform, context, origin, call.site), origin

    def as_at_init(self, transform: Transform, call: Call, function: v.Value) -> None:
        """While parameters are made, Haiku runs its loops and branches step by step, outside a trace."""
        parameters = signature_of(self.i, function).parameters
        with self.i.on_a_copy():
            first, start = len(self.i.haiku_init.asked), v.fresh()[0]
            self.i.call(function, entering(call, [v.Unknown(v.fresh()) for _ in parameters], {}, []))
            self.i.haiku_init.tried(transform, call, first, start)

    def looped(self, context: Context, transform: Transform, call: Call) -> tuple[Context, Boundary]:
        boundary = Boundary(v.fresh()[0], transform.short, call.site)
        return context.but(boundaries=context.boundaries + (boundary,)), boundary

    def run(self, context: Context, function: v.Value, call: Call, args: list[v.Value]) -> v.Value:
        return self.body(context, function, entering(call, args, {}, []))

    # --- loops --------------------------------------------------------------------------------

    def scan(self, transform: Transform, call: Call) -> v.Value:
        function = self.argument(transform, call, "f")
        if function is None:
            return self.i.call_unknown(v.UNKNOWN, call)
        init = self.argument(transform, call, "init") or v.Unknown(v.fresh())
        xs = self.argument(transform, call, "xs") or v.NONE
        operands = [init, xs]
        if self.i.context.transparent:
            steps = self.steps(call.get(3, "length"), xs)
            runs = type(steps) is int and steps > 0
            self.i.call(function, entering(call, [init if runs else unsure(init), self.first_row(xs)], {}, []))
            return v.Tuple((unsure(init), v.Unknown(v.fresh())))
        if self.callbacks.lacks_axis(transform, call, xs):
            return v.Unknown(v.fresh())
        context, origin = self.enter(transform, call, function, "is the body of")
        context, boundary = self.looped(context, transform, call)
        called = self.callbacks.arity(transform, call, "f", function, ("carry", "x"))
        element = self.traced(xs, v.STAGED, origin, drop=0, step=boundary.serial)

        def step(carry: v.Value) -> v.Value:
            arguments = [self.traced(carry, v.STAGED, origin, step=boundary.serial), element]
            return self.pair_of(self.run(context, function, call, arguments))[0]

        init = self.carries.settled(init, step)
        steps = self.steps(call.get(3, "length"), xs)
        carry = self.i.counters.carried(init, self.traced(init, v.STAGED, origin, step=boundary.serial), boundary)
        result = self.run(context, function, call, [carry, element])
        if called:
            self.callbacks.pair(transform, call, function, result, xs)
        carried, output = self.pair_of(result)
        self.i.counters.ended(boundary, carried, steps, call, function, pair=True)
        self.carries.loop(transform, call, function, init, carried, origin)
        self.i.keys.carried(carry, carried, boundary, steps)
        mode, cause = self.mode_of_result(operands)
        outer = self.carries.renewed(self.outside(carried, mode, cause))
        return v.Tuple((outer, self.outside(output, mode, cause, extra=steps)))

    def pair_of(self, result: v.Value) -> tuple[v.Value, v.Value]:
        items = self.i.items_of(result) if type(result) is v.Tuple else None
        return (
            (items[0], items[1])
            if items is not None and len(items) == 2
            else (v.Unknown(v.fresh()), v.Unknown(v.fresh()))
        )

    def steps(self, length: v.Value | None, xs: v.Value) -> object:
        """How often a body is called that is given one row after the other; True where that is not known."""
        if type(length) is v.Const and type(length.value) is int:
            return length.value
        for leaf in self.i.leaves([xs]):
            aval = self.i.aval_of(leaf)
            if aval.shape and type(aval.shape[0]) is int and (aval.dtype == v.TYPED_KEY or aval.dtype not in v.KEYS):
                return aval.shape[0]
        return True

    def while_loop(self, transform: Transform, call: Call) -> v.Value:
        test = self.argument(transform, call, "cond_fun")
        body = self.argument(transform, call, "body_fun")
        init = self.argument(transform, call, "init_val")
        if test is None or body is None or init is None:
            return self.i.call_unknown(v.UNKNOWN, call)
        if self.i.context.transparent:
            self.i.call(body, entering(call, [unsure(init)], {}, []))
            return unsure(init)
        for function, how in ((test, "is the condition of"), (body, "is the body of")):
            context, origin = self.enter(transform, call, function, how)
            context, boundary = self.looped(context, transform, call)

            def step(
                carry: v.Value, context: Context = context, origin: Origin = origin, serial: int = boundary.serial
            ) -> v.Value:
                return self.run(context, body, call, [self.traced(carry, v.STAGED, origin, step=serial)])

            if function is test:
                init = self.carries.settled(init, step)
            carry = self.traced(init, v.STAGED, origin, step=boundary.serial)
            called = self.callbacks.arity(
                transform, call, "body_fun" if function is body else "cond_fun", function, ("carry",)
            )
            result = self.run(context, function, call, [carry])
            if function is test:
                # Where the condition is mapped, all that the loop carries is.
                also = v.made_of(self.i.result_mode([result])[0]) & {v.BATCHED}
                if called:
                    self.callbacks.predicate(transform, call, "cond_fun", test, result)
            else:
                self.carries.loop(transform, call, body, init, result, origin)
                self.i.keys.carried(carry, result, boundary)
        mode, cause = self.mode_of_result([init])
        return self.carries.renewed(self.outside(self.carries.grown(init, result), mode, cause, also=also))

    def fori_loop(self, transform: Transform, call: Call) -> v.Value:
        body = self.argument(transform, call, "body_fun")
        init = self.argument(transform, call, "init_val")
        if body is None or init is None:
            return self.i.call_unknown(v.UNKNOWN, call)
        if self.i.context.transparent:
            lower, upper = call.get(0, "lower"), call.get(1, "upper")
            runs = type(lower) is v.Const and type(upper) is v.Const and lower.value < upper.value
            self.i.call(body, entering(call, [v.STATIC_INT, init if runs else unsure(init)], {}, []))
            return unsure(init)
        context, origin = self.enter(transform, call, body, "is the body of")
        context, boundary = self.looped(context, transform, call)
        self.tangents.bounded(call)
        steps, span = counted(call)
        index = v.Array(v.STAGED, _INDEX.spanning(span), origin, v.fresh())
        self.callbacks.arity(transform, call, "body_fun", body, ("i", "carry"))

        def step(carry: v.Value) -> v.Value:
            return self.run(context, body, call, [index, self.traced(carry, v.STAGED, origin, step=boundary.serial)])

        init = self.carries.settled(init, step)
        carry = self.i.counters.carried(init, self.traced(init, v.STAGED, origin, step=boundary.serial), boundary)
        result = self.run(context, body, call, [index, carry])
        self.i.counters.ended(boundary, result, steps, call, body, pair=False)
        self.carries.loop(transform, call, body, init, result, origin)
        self.i.keys.carried(carry, result, boundary)
        mode, cause = self.mode_of_result([init])
        carried = result if type(result) is v.Tuple else self.carries.grown(init, result)
        return self.carries.renewed(self.outside(carried, mode, cause))

    def map(self, transform: Transform, call: Call) -> v.Value:
        function = self.argument(transform, call, "f")
        xs = self.argument(transform, call, "xs")
        if function is None or xs is None:
            return self.i.call_unknown(v.UNKNOWN, call)
        if self.i.context.transparent:
            self.i.call(function, entering(call, [self.first_row(xs)], {}, []))
            return v.Unknown(v.fresh())
        if self.callbacks.lacks_axis(transform, call, xs):
            return v.Unknown(v.fresh())
        context, origin = self.enter(transform, call, function, "is mapped by")
        context, boundary = self.looped(context, transform, call)
        self.callbacks.arity(transform, call, "f", function, ("x",))
        result = self.run(context, function, call, [self.traced(xs, v.STAGED, origin, drop=0, step=boundary.serial)])
        mode, cause = self.mode_of_result([xs])
        return self.outside(result, mode, cause, extra=self.steps(None, xs))

    # --- branches -----------------------------------------------------------------------------

    def cond(self, transform: Transform, call: Call) -> v.Value:
        branches = [call.get(1, "true_fun"), call.get(2, "false_fun")]
        operands = call.args[3:]
        if len(call.args) == 5 and not _callable(call.args[1]) and _callable(call.args[2]):
            # The older form: cond(pred, true_operand, true_fun, false_operand, false_fun)
            return self.branches(transform, call, [(call.args[2], [call.args[1]]), (call.args[4], [call.args[3]])])
        if "operand" in call.keywords:
            operands = [call.keywords["operand"]]
        self.chosen(transform, call, "pred", [("true_fun", branches[0]), ("false_fun", branches[1])], operands)
        self.i.equinox.hashed(transform.name, call.node, [b for b in branches if b is not None])
        return self.branches(transform, call, [(b, operands) for b in branches if b is not None])

    def switch(self, transform: Transform, call: Call) -> v.Value:
        branches = call.get(1, "branches")
        items = self.i.items_of(branches) if branches is not None else None
        operands = [call.keywords["operand"]] if "operand" in call.keywords else call.args[2:]
        if items is None:
            self.i.call_unknown(v.UNKNOWN, call)
            mode, cause = self.mode_of_result(call.all())
            return v.Undecided(mode, cause, v.fresh()) if mode in v.TRACED else v.Unknown(v.fresh())
        if not self.i.context.transparent:
            self.i.events.branch_indexed(call, transform.name, len(items))
        self.chosen(transform, call, "index", [("branches", branch) for branch in items], operands)
        self.i.equinox.hashed(transform.name, call.node, items)
        return self.branches(transform, call, [(b, operands) for b in items])

    def chosen(
        self,
        transform: Transform,
        call: Call,
        parameter: str,
        branches: list[tuple[str, v.Value | None]],
        operands: list[v.Value],
    ) -> None:
        """What is asked of the branches and of what chooses between them."""
        if self.i.context.transparent or "linear" in call.keywords:
            return
        self.callbacks.choice(transform, call, parameter, index=parameter == "index")
        given = ("operand",) * len(operands)
        for name, branch in branches:
            self.callbacks.arity(transform, call, name, branch, given)

    def branches(self, transform: Transform, call: Call, taken: list[tuple[v.Value, list[v.Value]]]) -> v.Value:
        """Every branch is traced; at run time one of them is taken."""
        start = self.i.state
        arrived: State | None = None
        value: v.Value | None = None
        operands: list[v.Value] = [o for _, given in taken for o in given]
        results = []
        for function, given in taken:
            assert start is not None
            self.i.resume(start.fork())
            if self.i.context.transparent:
                result = self.i.call(function, entering(call, [unsure(o) for o in given], {}, []))
            else:
                context, origin = self.enter(transform, call, function, "is a branch of")
                args = [self.traced(o, v.STAGED, origin) for o in given]
                result = self.run(context, function, call, args)
            if self.i.state is not None:
                results.append((function, result))
                arrived = join_states(arrived, self.i.current_state())
                if value is not None and arrived is not None:
                    self.i.resume(arrived)
                value = result if value is None else self.tree_maps.either(value, result)
        self.i.resume(arrived if arrived is not None else start)
        self.i.haiku_init.chosen(transform, call)
        if not self.i.context.transparent:
            self.carries.branches(transform, call, results)
        first = call.get(0, transform.signature[0])
        mode, cause = self.mode_of_result(operands + ([first] if first is not None else []))
        if value is None:
            return v.Unknown(v.fresh())
        if self.i.context.transparent:
            return unsure(value)
        # Where the choice is mapped, both branches are computed, and one of them is selected.
        also = v.made_of(self.i.result_mode([first] if first is not None else [])[0]) & {v.BATCHED}
        return self.outside(value, mode, cause, also=also)

    # --- functions of arrays ------------------------------------------------------------------

    def eval_shape(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, transform.signature[0])
        statics = statics_of(self.i, function if transform.name == "jax.eval_shape" else None)
        if function is None or statics is None:
            return v.Unknown(v.fresh())
        context, origin = self.enter(transform, call, function, "is traced by")
        args = [a if statics.position(n) else self.traced(a, v.STAGED, origin) for n, a in enumerate(handed_on(call))]
        keywords = {n: a if statics.name(n) else self.traced(a, v.STAGED, origin) for n, a in call.keywords.items()}
        return shape_structs(self.i, self.body(context, function, entering(call, args, keywords, call.arg_nodes[1:])))

    def filter_eval_shape(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "fun")
        if function is None:
            return v.Unknown(v.fresh())
        context, origin = self.enter(transform, call, function, "is traced by")
        args = [self.filtered(a, v.STAGED, origin) for a in call.args[1:]]
        result = self.body(context, function, entering(call, args, dict(call.keywords), call.arg_nodes[1:]))
        return shape_structs(self.i, result)

    def call_star(self, transform: Transform, call: Call) -> v.Value:
        return self.eval_shape(transform, call)

    def abstractly(
        self, transform: Transform, call: Call, function: v.Value | None, args: list[v.Value], cls: str
    ) -> v.Value:
        """Call a function once with tracers of a class made of ``args``; its result, seen from outside."""
        if function is None or not _callable(function):
            return self.i.call_unknown(v.UNKNOWN, call)
        context, origin = self.enter(transform, call, function, "is traced by")
        result = self.run(context, function, call, [self.traced(a, cls, origin) for a in args])
        mode, cause = self.mode_of_result(call.all())
        return self.outside(result, mode, cause)

    def binary(self, transform: Transform, call: Call) -> v.Value:
        function = self.argument(transform, call, "computation")
        self.abstractly(transform, call, function, [self.reduced(call.get(0, transform.signature[0]))] * 2, v.STAGED)
        return self.i.array_result(call.args[:2])

    def reduced(self, operands: v.Value | None) -> v.Value:
        """What a reduction combines: a scalar, or a tree of scalars where a tree of arrays is reduced."""
        if type(operands) in (v.Array, v.Host, v.Const):
            return v.Array(v.STAGED, v.Aval(None, ()))
        if isinstance(operands, (v.Tuple, v.Ref)):
            return self.rebuilt(operands, self.reduced)
        return v.Unknown(v.fresh())

    def custom_root(self, transform: Transform, call: Call) -> v.Value:
        guess = call.get(1, "initial_guess") or v.Unknown(v.fresh())
        return self.with_aux(self.abstractly(transform, call, call.get(0, "f"), [guess], v.STAGED), call, 4)

    def with_aux(self, result: v.Value, call: Call, position: int) -> v.Value:
        """The result of a solver, in a pair with what the solving function adds where `has_aux` says so."""
        given = call.get(position, "has_aux")
        if given is None or (type(given) is v.Const and not given.value):
            return result
        return v.Tuple((result, v.Unknown(v.fresh()))) if type(given) is v.Const else v.Unknown(v.fresh())

    def custom_linear_solve(self, transform: Transform, call: Call) -> v.Value:
        b = call.get(1, "b") or v.Unknown(v.fresh())
        return self.with_aux(self.abstractly(transform, call, call.get(0, "matvec"), [b], v.STAGED), call, 5)

    def minimize(self, transform: Transform, call: Call) -> v.Value:
        x0 = call.get(1) or v.Unknown(v.fresh())
        self.abstractly(transform, call, call.get(0, transform.signature[0]), [x0], v.STAGED)
        return v.Unknown(v.fresh())

    def odeint(self, transform: Transform, call: Call) -> v.Value:
        y0 = call.get(1, "y0") or v.Unknown(v.fresh())
        time = v.Array(v.STAGED, v.Aval(None, ()))
        moved = self.abstractly(transform, call, call.get(0, "func"), [y0, time, *call.args[3:]], v.STAGED)
        return self.outside(moved, *self.mode_of_result(call.all()), extra=self.steps(None, call.get(2, "t") or y0))

    def piecewise(self, transform: Transform, call: Call) -> v.Value:
        x = call.get(0, "x") or v.Unknown(v.fresh())
        functions = call.get(2, "funclist")
        for function in (self.i.items_of(functions) if functions is not None else None) or []:
            self.abstractly(transform, call, function, [x], v.STAGED)
        return self.i.array_result([x])

    def fromfunction(self, transform: Transform, call: Call) -> v.Value:
        shape = call.get(1, "shape")
        items = self.i.items_of(shape) if shape is not None else None
        index = v.Array(v.BATCHED, _INDEX)
        return unsure(self.abstractly(transform, call, call.get(0, "function"), [index] * len(items or ()), v.BATCHED))

    def apply_along_axis(self, transform: Transform, call: Call) -> v.Value:
        array = call.get(2, "arr") or v.Unknown(v.fresh())
        rank = self.i.aval_of(array).ndim
        function = call.get(0, "func1d")
        if function is not None and _callable(function):
            line = array if rank == 1 else self.i.array_result([array], v.Aval(self.i.aval_of(array).dtype, (None,)))
            if rank is not None and rank > 1:
                self.abstractly(transform, call, function, [line, *call.args[3:]], v.BATCHED)
            else:
                self.i.call(function, entering(call, [line if rank == 1 else unsure(line), *call.args[3:]], {}, []))
        return self.i.array_result([array])

    def linear_transpose(self, transform: Transform, call: Call) -> v.Value:
        self.abstractly(transform, call, call.get(0, "fun"), call.args[1:], v.BATCHED)
        return v.Unknown(v.fresh())

    def associative_scan(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "fn")
        elems = call.get(1, "elems")
        if function is None or elems is None:
            return self.i.call_unknown(v.UNKNOWN, call)
        self.callbacks.arity(transform, call, "fn", function, ("left", "right"))
        parts = [self.sliced(elems), self.sliced(elems)]
        result = self.i.call(function, entering(call, parts, {}, []))
        mode, cause = self.mode_of_result([elems])
        return self.outside(result, mode, cause)

    def sliced(self, value: v.Value) -> v.Value:
        """Part of an array, as an operation on it gives."""
        if type(value) in (v.Array, v.Undecided):
            aval = self.i.aval_of(value)
            shape = None if aval.shape is None else (None, *aval.shape[1:])
            return self.i.array_result([value], v.Aval(aval.dtype, shape))
        if type(value) in (v.Tuple, v.Ref):
            return self.rebuilt(value, self.sliced)
        return v.Unknown(v.fresh())

    def tree_map(self, transform: Transform, call: Call) -> v.Value:
        if self.carries.together(transform, call):
            return v.Unknown(v.fresh())
        self.callbacks.of_one_tree(transform, call)
        return self.tree_maps.within(transform, call)

    def tree_mapped(self, function: v.Value | None, trees: list[v.Value], call: Call) -> v.Value:
        if function is not None and trees and not call.star and not call.double_star:
            known = self.tree_maps.map(trees, call.keywords.get("is_leaf"), call, function)
            if known is not None:
                return known
        if function is None or not trees or "is_leaf" in call.keywords or call.star:
            if function is not None and _callable(function):
                args: list[v.Value] = [v.Unknown(v.fresh()) for _ in trees]
                self.i.call(function, entering(call, args, {}, []))
            return v.Unknown(v.fresh())
        key = self.i.typed_keys.among(trees[0]) if len(trees) == 1 else None
        if key is not None:  # what numbers take, a key may refuse
            self.i.call(function, entering(call, [key], {}, []))
        # What stands beside a leaf is handed on as it is, a tree too.
        is_leaf = self.is_leaf(trees[0]) and trees[0] is not v.NONE
        leaves = trees if is_leaf else [self.leaf(tree) for tree in trees]
        result = self.i.call(function, entering(call, leaves, {}, []))
        is_array = type(trees[0]) is v.Array and not trees[0].presumed  # an operator may have given a tree
        if is_array and type(result) is v.Array and result.mode in v.TRACED:
            return result
        return self.tree_maps.like(trees[0], leaves[0], result)

    def is_leaf(self, value: v.Value) -> bool:
        return type(value) in _LEAVES or (type(value) is v.OpaqueInstance and value.name == IF_ARRAY)

    def leaf(self, tree: v.Value) -> v.Value:
        """What `jax.tree.map` hands on: a leaf. A leaf of a traced parameter is a tracer."""
        if type(tree) is v.Undecided:
            return v.Array(tree.mode, v.ANY, tree.origin, v.fresh())
        if self.is_leaf(tree):
            return tree
        leaves = [x for x in self.tree_maps.in_nodes(tree) if not v.is_none(x)]
        decided = [self.leaf(x) if type(x) is v.Undecided else x for x in leaves]
        if not decided or not all(self.is_leaf(x) for x in decided):
            return v.Unknown(v.fresh())
        result = decided[0]
        for other in decided[1:]:
            result = v.join(result, other)
        return result

    # --- the host -----------------------------------------------------------------------------

    def callback(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "callback")
        self.i.events.callback_passed(transform, call)
        self.tangents.are_called_back.add(call.site)
        if function is not None and _callable(function):
            self.on_host(transform, function, call, [as_on_host(a) for a in call.args[2:]])
        mode, cause = self.i.result_mode(call.args[2:])
        return v.Undecided(mode, cause, v.fresh()) if mode in v.TRACED else v.Unknown(v.fresh())

    def debug_callback(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "callback")
        if function is not None and _callable(function):
            self.on_host(transform, function, call, [as_on_host(a) for a in call.args[1:]])
        return v.NONE

    def on_host(self, transform: Transform, function: v.Value, call: Call, args: list[v.Value]) -> None:
        context = self.i.context.but(
            stage=EAGER,
            pure=False,
            boundaries=(),
            haiku=False,
            linen=None,
            level=None,
            leak=None,
            origin=None,
            trace=None,
            axes=None,
        )
        keywords = {
            name: as_on_host(value)
            for name, value in call.keywords.items()
            if name not in ("ordered", "vectorized", "vmap_method", "sharding", "partitioned")
        }
        with self.i.on_a_copy(), self.i.within(context), self.i.on_host((call.site, transform.name)):
            if not self.i.events.refuses_callback(function, call):
                self.i.call(function, entering(call, args, keywords, call.arg_nodes[-len(args) :] if args else []))

    def opaque(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "fun")
        if function is not None and _callable(function):
            self.i.call(function, entering(call, [v.Unknown(v.fresh()) for _ in call.args[1:]], {}, []))
        return v.Unknown(v.fresh())


def _callable(value: v.Value) -> bool:
    return type(value) in (
        v.FunctionValue, v.BoundMethod, v.Partial, v.Transformed, v.Api, v.Member, v.ClassValue, v.Ref, v.OpaqueInstance,
    )  # fmt: skip
