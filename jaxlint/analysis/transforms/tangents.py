"""Which results of a differentiated function have a tangent, and what the tangent went through.

The function is interpreted once more, as if nothing were traced. In such a *run* the class of a value
tells only whether it has a tangent: a "differentiated" value has one for certain, a concrete value has none,
and any other value may have one. A second run, in which only the result of one loop or choice has a
tangent, tells whether the result of the function depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import EAGER
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.transforms.flat_gradients import FlatGradients
from jaxlint.analysis.transforms.missing_derivatives import MissingDerivatives
from jaxlint.analysis.transforms.singular import CHOICES, MENDING, Choices, WhereNanGradient
from jaxlint.analysis.transforms.zero_norms import SingularGradient, ZeroNorms
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.state import Contents

Bounds = dict[int, set[bool | None]]  # site of a fori_loop -> whether its bounds were traced (None: not known)

_REVERSE = frozenset({
    "jax.grad", "jax.value_and_grad", "jax.jacrev", "jax.jacobian", "jax.hessian", "haiku.grad", "haiku.value_and_grad",
    "equinox.filter_grad", "equinox.filter_value_and_grad", "flax.nnx.grad", "flax.nnx.value_and_grad",
})  # fmt: skip
_OF_CALLBACK = frozenset({"callback", "result_shape_dtypes", "sharding", "vmap_method", "vectorized", "ordered"})
_DIRECT = frozenset({"jit", "checkpoint", "passes", "filter"})  # the body gets what the caller passes
_MAX_DEPTH = 4  # of modules in one another
_MODULES = frozenset({"equinox", "nnx"})  # families of classes whose objects hold their parameters
_MAPPED = frozenset({"vmap", "pmap", "vectorize"})


@hazard_class()
class ReverseModeThroughWhile(Hazard):
    """A loop of unknown length is differentiated. Site: the call of the loop; operand: the call of the gradient."""

    loop: str  # "while_loop" or "fori_loop"
    function: v.Value  # what is differentiated
    transform: str


@hazard_class()
class UndifferentiableCallback(Hazard):
    """A callback that returns something is differentiated. Site: its call; operand: the argument that has a tangent."""

    call: int  # site of the call that differentiates
    transform: str


class Loop(NamedTuple):
    """A loop that reverse mode cannot go through, and what comes out of it."""

    name: str
    result: v.Value
    objects: dict[int, Contents]  # of the heap, that the result is made of


class Run:
    """One run: what is sown in it, and what it found."""

    def __init__(self, endless: frozenset[int], seed: int | None = None, sown: Loop | None = None) -> None:
        self.serial = v.fresh()[0]
        self.endless = endless  # calls of `fori_loop` with traced bounds
        self.seed = seed  # the loop whose results alone have tangents; None: the arguments have
        self.sown = sown
        self.loops: dict[int, Loop] = {}  # loops that carry tangents, by site
        self.choices: dict[int, Any] = {}  # calls of `jnp.where` whose values need a guard of their own
        self.points: dict[int, tuple[str, int]] = {}  # norms and roots of what is zero
        self.arguments: frozenset[v.Ident] = frozenset()  # that are differentiated, or parts of them
        self.layers: frozenset[v.Ident] = frozenset()  # of Equinox, that are differentiated
        self.zeros: frozenset[int] = frozenset()  # `id` of the leaves of the arguments that are zero
        self.sown_zeros: set[v.Ident] = set()  # what they are called in the run
        self.callbacks: dict[int, tuple[str, Any]] = {}  # callbacks that are given tangents: name and argument
        # What has no derivative, by site: why, the function of JAX, and the one of the project that has a rule of its own.
        self.missing: dict[int, tuple[str, str, v.Value | None]] = {}
        self.forward = 0  # how forward mode comes into the derivative: see `MissingDerivatives.depth`
        self.entered: set[int] = set()  # functions with a rule of their own whose rule is run
        self.dropped = False  # an operation without a derivative was given a tangent, or what may have one
        self.stopped = False  # a gradient was stopped
        self.only: int | None = None  # `id` of the leaf of the arguments that alone has a tangent
        self.flat = False  # the result is a number that has no tangent for certain
        self.across_devices = False  # not a derivative: what has a tangent differs between devices
        self.result: v.Value | None = None  # what the function gives
        self.draws: set[int] = set()  # draws of integers whose distribution has a tangent


class Tangents(Component):
    """Component of the interpreter: runs of differentiated functions."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # For each call of a gradient that is being run, and all of them. What is remembered of an earlier call is not run again.
        self.bounds: list[Bounds] = [{}]
        self.are_called_back: set[int] = self.i.per_module(set())  # calls of callbacks
        self.choices = Choices(interpreter)
        self.zero_norms = ZeroNorms(interpreter)
        self.flat = FlatGradients(interpreter)
        self.missing = MissingDerivatives(interpreter)

    # --- questions ----------------------------------------------------------------------------

    @contextmanager
    def bounds_within(self) -> Iterator[Bounds]:
        """The bounds of loops in the function of a gradient, which is run as it is called."""
        latest: Bounds = {}
        self.bounds.append(latest)
        try:
            yield latest
        finally:
            self.bounds.pop()

    def examine(self, made: v.Transformed, call: Call, args: list[v.Value], latest: Bounds) -> None:
        """A call of a gradient, whose function got ``args`` and met loops with the bounds ``latest``."""
        if made.transform.behaviour == "filter_grad":
            self.flat.of_numbers(made, call)
        if made.transform.name not in _REVERSE:
            self.forward(made, call, args)
            return
        if self.i.silent or self.is_nested():
            return
        bounds = {**self.bounds[0], **latest}
        endless = frozenset(site for site, found in bounds.items() if found == {True})
        first = Run(endless)
        first.zeros, first.forward = self.zeros(call, args), self.missing.depth(made)
        self.output(made, call, args, first)
        self.called_back(first, made, call)
        self.missing.report(first, made, call, args, Run(endless))
        if call.site not in self.i.transforms.applied:
            self.flat.report(first, made, call, args, endless)
        for site, (operation, condition, branch, operands) in first.choices.items():
            if self.output(made, call, args, Run(endless, site)):
                guarded = WhereNanGradient(site, condition, branch, operands, made.function, made.transform.name)
                self.i.report(
                    guarded,
                    self.i.unit.nodes[operation],
                    call.node,
                    made,
                    api=MENDING if condition == operands[0][0] else "jax.numpy.where",
                )
        for site, (reason, what) in first.points.items():
            if self.output(made, call, args, Run(endless, site)):
                point = SingularGradient(reason, what, made.function, made.transform.name)
                self.i.report(point, self.i.unit.nodes[site], call.node, made)
        for site, loop in first.loops.items():
            if self.output(made, call, args, Run(endless, site, loop)):
                reverse = ReverseModeThroughWhile(loop.name, made.function, made.transform.name)
                self.i.report(
                    reverse,
                    self.i.unit.nodes[site],
                    call.node,
                    made,
                    api=f"jax.lax.{loop.name}",
                )

    def forward(self, made: v.Transformed, call: Call, args: list[v.Value]) -> None:
        """A function is differentiated in forward mode, or linearised, at ``args``."""
        suspects = self.are_called_back or self.missing.suspects or self.i.transforms.custom_rules.rules
        if not suspects or self.i.silent or self.is_nested():
            return
        run = Run(frozenset())
        run.forward = self.missing.depth(made)
        self.output(made, Call(call.node, args, [call.node] * len(args), {}, {}), args, run)
        self.called_back(run, made, call)
        self.missing.report(run, made, call, args, None)

    def called_back(self, run: Run, made: v.Transformed, call: Call) -> None:
        """Report the callbacks that were given tangents: they have no derivative."""
        for site, (name, argument) in run.callbacks.items():
            hazard = UndifferentiableCallback(call.site, made.transform.name)
            self.i.report(hazard, self.i.unit.nodes[site], argument, made, api=name)

    def is_nested(self) -> bool:
        """Whether something around is differentiated as well: its tangents are others."""
        if self.i.context.tangents is not None:
            return True
        origin: Origin | None = self.i.context.origin
        while origin is not None:
            if "is differentiated by" in origin.text:
                return True
            origin = origin.parent
        return False

    def bounded(self, call: Call) -> None:
        """Note whether the bounds of a `fori_loop` are traced."""
        limits = [value for value in (call.get(0, "lower"), call.get(1, "upper")) if value is not None]
        traced: bool | None = any(value.cls in v.ABSTRACT for value in limits)
        if not traced and any(type(value) in (v.Unknown, v.MaybeDefault) for value in limits):
            traced = None
        for bounds in self.bounds:
            bounds.setdefault(call.site, set()).add(traced)

    # --- runs ---------------------------------------------------------------------------------

    def output(self, made: v.Transformed, call: Call, args: list[v.Value], run: Run) -> bool:
        """Run the function; whether what is differentiated of its result has a tangent for certain."""
        i = self.i
        # What the interpreter remembers of a function that runs, and is to forget of these runs.
        contexts, activated, pending = i.contexts.copy(), i.activated.copy(), i.pending.copy()
        reported_keys, reported_shared = i.reported_keys.copy(), i.reported_shared.copy()
        sown = [self.sow(value, run) for value in args]
        if run.seed is None and run.only is None:
            run.layers = self.layers_of(made, args)
        run.arguments = frozenset(leaf.ident[:1] for leaf in i.leaves(sown) if leaf.ident and self.has_tangent(leaf))
        context = i.context.but(stage=EAGER, pure=False, tangents=run, origin=None, trace=None, boundaries=())
        entered = Call(
            call.node, sown, call.arg_nodes, dict(call.keywords), call.keyword_nodes, call.star, call.double_star
        )
        with i.muted(), i.on_a_copy() as state, i.within(context), i.unrecorded():
            for location, contents in run.sown.objects.items() if run.sown is not None else ():
                state.write(location, contents)
            result = run.result = i.call(made.function, entered)
            aux = made.options.get("has_aux", v.FALSE)
            if type(aux) is not v.Const:
                found = False
            else:
                items = i.items_of(result) if aux.value and type(result) is v.Tuple else None
                wanted = result if not aux.value else items[0] if items else v.UNKNOWN
                found = any(type(leaf) is v.Array and self.has_tangent(leaf) for leaf in i.leaves([wanted]))
                run.flat = (
                    type(wanted) is v.Array and wanted.mode == v.CONCRETE and "float" in (wanted.aval.dtype or "float")
                )
        i.contexts, i.activated, i.pending = contexts, activated, pending
        i.reported_keys, i.reported_shared = reported_keys, reported_shared
        return found

    def sow(self, value: v.Value, run: Run) -> v.Value:
        """An argument in a run: with a tangent where it is differentiated, and the run sows its arguments."""
        if type(value) is v.Array:
            # What else may be differentiated around the call is no matter of this gradient.
            mode = v.CONCRETE if value.mode in v.TRACED or value.mode == v.MAYBE else value.mode
            wanted = self.is_wanted(value) and run.seed is None and run.only in (None, id(value))
            ident = v.fresh()
            if id(value) in run.zeros:
                run.sown_zeros.add(ident)
            return v.Array(v.DIFFERENTIATED if wanted else mode, value.aval, None, ident)
        if type(value) is v.Undecided:
            if not self.is_wanted(value):
                return value
            return v.Undecided(v.DIFFERENTIATED if run.seed is None else v.STAGED, None, v.fresh())
        if type(value) in (v.Tuple, v.Ref):
            rebuilt: v.Value = self.i.transforms.rebuilt(value, lambda part: self.sow(part, run))
            return rebuilt
        return value

    def is_wanted(self, value: v.Array | v.Undecided) -> bool:
        """Whether an argument is differentiated."""
        return value.cls == v.DIFFERENTIATED or (value.origin is not None and "is differentiated" in value.origin.text)

    def layers_of(self, made: v.Transformed, args: list[v.Value]) -> frozenset[v.Ident]:
        """The layers by which a function is differentiated, and which are not passed as something else as well."""
        given = [0] if made.transform.behaviour == "filter_grad" else self.i.transforms.argnums(made)
        numbers = {number % len(args) for number in given or () if -len(args) <= number < len(args)}
        others = set(self.layers([value for number, value in enumerate(args) if number not in numbers]))
        return frozenset(self.layers([args[number] for number in numbers])) - others

    def layers(self, values: Iterable[v.Value], depth: int = 0) -> Iterator[v.Ident]:
        """Layers with parameters among the parts of some values."""
        for part in self.i.leaves(values):
            contents = self.i.contents(part)
            if type(contents) is Instance and contents.cls.family in _MODULES and depth < _MAX_DEPTH:
                static = self.i.pytrees.static_fields(contents.cls) or ()
                yield from self.layers(
                    [held for name, held in contents.fields.items() if name not in static], depth + 1
                )
            elif type(part) is v.OpaqueInstance:
                if part.ident is not None and self.has_parameters(part):
                    yield part.ident
                yield from self.layers(part.args, depth + 1)

    def has_parameters(self, layer: v.OpaqueInstance) -> bool:
        return self.i.equinox.has_parameters(layer) or self.i.nnx.has_parameters(layer)

    def layer_called(self, layer: v.OpaqueInstance, result: v.Value) -> v.Value:
        """What a layer gives in a run: it has a tangent where its parameters have one."""
        if layer.ident not in self.i.context.tangents.layers or type(result) not in (v.Array, v.Unknown):
            return result
        return v.Array(v.DIFFERENTIATED, self.i.aval_of(result))

    def has_tangent(self, value: v.Value) -> bool:
        if type(value) is v.Array:
            dtype = value.aval.dtype
            return value.mode == v.DIFFERENTIATED and (dtype is None or not (dtype == "bool" or "int" in dtype))
        return type(value) is v.Undecided and value.cls == v.DIFFERENTIATED

    def mode(self, operands: Iterable[v.Value], tangent: bool) -> str:
        """Mode of the result of an operation of JAX."""
        known = True
        for leaf in self.i.leaves(operands):
            if self.has_tangent(leaf):
                if tangent:
                    return v.DIFFERENTIATED
                self.i.context.tangents.dropped = True
            may_have = type(leaf) is v.Unknown or type(leaf) is v.Array and leaf.mode == v.MAYBE
            if may_have and not tangent:
                self.i.context.tangents.dropped = True
            known &= not may_have and type(leaf) not in (v.Ref, v.MaybeDefault)
        return v.CONCRETE if known or not tangent else v.MAYBE

    def zeros(self, call: Call, args: list[v.Value]) -> frozenset[int]:
        """The leaves of the arguments, by their `id`, that are zero where the gradient is called."""
        found: set[int] = set()
        if call.site in self.i.transforms.applied:
            return frozenset()
        for node, before, now in zip(call.arg_nodes, call.args, args):
            whole = self.zero_norms.makes_zeros(node)
            for old, new in zip(self.i.leaves([before]), self.i.leaves([now])):
                if whole or id(old) in self.zero_norms.made:
                    found.add(id(new))
        return frozenset(found)

    def computed(self, name: str, call: Call, result: v.Array) -> v.Array:
        """An array that a function of JAX gives in a run."""
        run: Run = self.i.context.tangents
        if run.seed == call.site:
            return v.Array(v.DIFFERENTIATED, result.aval)
        drawn = name.startswith("jax.random.") and not self.has_tangent(result)
        if drawn and any(self.has_tangent(leaf) for leaf in self.i.leaves(call.all())):
            run.draws.add(call.site)
        if run.seed is None and self.has_tangent(result):
            if name in CHOICES or name == MENDING:
                choice = self.choices.mended(call) if name == MENDING else self.choices.guarded(call)
                if choice is not None:
                    run.choices[call.site] = choice
            point = self.zero_norms.singular(name, call)
            if point is not None:
                run.points[call.site] = point
        return result

    # --- transforms in a run ------------------------------------------------------------------

    def called(self, made: v.Transformed, call: Call) -> v.Value:
        behaviour = made.transform.behaviour
        if behaviour in _DIRECT:
            return self.i.call(made.function, call)
        if behaviour in _MAPPED:
            axes = self.i.transforms.mapped_axes(made, call) if behaviour == "vmap" else None
            level = v.fresh()[0]
            args = [
                self.blurred(value) if axes is None else self.element(value, axes[number], level)
                for number, value in enumerate(call.args)
            ]
            keywords = {name: self.blurred(value) for name, value in call.keywords.items()}
            inner = Call(call.node, args, call.arg_nodes, keywords, call.keyword_nodes, call.star, call.double_star)
            return self.blurred(self.i.call(made.function, inner))
        self.missing.own_rule(made, call)
        self.missing.gradient_within(made, call)
        return v.Unknown(v.fresh())

    def applied(self, transform: Transform, call: Call) -> v.Value | None:
        """A loop or branch; None for what is as it always is."""
        behaviour = transform.behaviour
        if behaviour in ("tree_map", "associative_scan"):
            return None
        method = getattr(self, f"run_{behaviour}", None)
        if method is None or call.star:
            return v.Unknown(v.fresh())
        result: v.Value = method(transform, call)
        return result

    def run_callback(self, transform: Transform, call: Call) -> v.Value:
        run: Run = self.i.context.tangents
        for value, node in [*zip(call.args[2:], call.arg_nodes[2:]), *_keywords(call)]:
            if run.seed is None and any(self.has_tangent(leaf) for leaf in self.i.leaves([value])):
                run.callbacks.setdefault(call.site, (transform.name, node))
        return v.Unknown(v.fresh())

    def run_scan(self, transform: Transform, call: Call) -> v.Value:
        function, carry = call.get(0, "f"), call.get(1, "init")
        if function is None or carry is None:
            return v.Unknown(v.fresh())
        element = self.blurred(call.get(2, "xs") or v.NONE)
        passes = []
        for _ in range(2):
            items = self.i.items_of(self.again(function, call, [carry, element]))
            if items is None or len(items) != 2:
                return v.Unknown(v.fresh())
            carry = items[0]
            passes.append(items)
        (first, output), (second, later) = passes
        return v.Tuple((v.join(first, second), self.blurred(v.join(output, later))))

    def run_map(self, transform: Transform, call: Call) -> v.Value:
        function, xs = call.get(0, "f"), call.get(1, "xs")
        if function is None or xs is None:
            return v.Unknown(v.fresh())
        return self.blurred(self.again(function, call, [self.blurred(xs)]))

    def run_while_loop(self, transform: Transform, call: Call) -> v.Value:
        return self.loop(call, call.get(1, "body_fun"), call.get(2, "init_val"), [])

    def run_fori_loop(self, transform: Transform, call: Call) -> v.Value:
        body, init = call.get(2, "body_fun"), call.get(3, "init_val")
        index = v.Array(v.CONCRETE, v.Aval("int32", ()))
        if call.site in self.i.context.tangents.endless:
            return self.loop(call, body, init, [index])
        if body is None or init is None:
            return v.Unknown(v.fresh())
        first = self.again(body, call, [index, init])
        return v.join(first, self.again(body, call, [index, first]))

    def loop(self, call: Call, body: v.Value | None, init: v.Value | None, before: list[v.Value]) -> v.Value:
        """A loop of which reverse mode does not know the number of passes."""
        run: Run = self.i.context.tangents
        if run.seed == call.site and run.sown is not None:
            return run.sown.result
        if body is None or init is None:
            return v.Unknown(v.fresh())
        first = self.again(body, call, [*before, init])
        passed = self.either(first, self.again(body, call, [*before, first]))
        through = self.through(init, passed)
        if any(self.has_tangent(leaf) for leaf in self.i.leaves([through])):
            run.loops[call.site] = Loop(
                "fori_loop" if before else "while_loop", through, self.i.snapshot(through, run.serial)
            )
        return self.either(passed, init)

    def run_cond(self, transform: Transform, call: Call) -> v.Value:
        operands = [call.keywords["operand"]] if "operand" in call.keywords else call.args[3:]
        return self.branches([call.get(1, "true_fun"), call.get(2, "false_fun")], operands, call)

    def run_switch(self, transform: Transform, call: Call) -> v.Value:
        branches = call.get(1, "branches")
        operands = [call.keywords["operand"]] if "operand" in call.keywords else call.args[2:]
        return self.branches(list(self.i.items_of(branches) or ()) if branches is not None else [], operands, call)

    def branches(self, functions: list[v.Value | None], operands: list[v.Value], call: Call) -> v.Value:
        result: v.Value | None = None
        for function in functions:
            if function is None:
                return v.Unknown(v.fresh())
            value = self.again(function, call, operands)
            result = value if result is None else self.either(result, value)
        return result or v.Unknown(v.fresh())

    def again(self, function: v.Value, call: Call, args: list[v.Value]) -> v.Value:
        result: v.Value = self.i.call(function, Call(call.node, args, [call.node] * len(args), {}, {}))
        return result

    # --- values of a run ----------------------------------------------------------------------

    def blurred(self, value: v.Value) -> v.Value:
        """An element of an array, or an array of such elements: with a tangent as before, of unknown shape."""
        if type(value) in (v.Array, v.Host):
            mode = value.mode if type(value) is v.Array else v.CONCRETE
            return v.Array(mode, v.Aval(self.i.aval_of(value).dtype))
        if type(value) in (v.Tuple, v.Ref):
            return self.i.transforms.rebuilt(value, self.blurred)
        return value

    def element(self, value: v.Value, axis: object, level: int) -> v.Value:
        """An argument as a mapped function sees it: an element is known by its array, the axis and the level of `vmap`."""
        blurred = self.blurred(value)
        if value.ident is None or (axis is not None and type(axis) is not int):
            return blurred
        ident = value.ident if axis is None else (*value.ident, ("*", (axis, level)))
        if type(value) is v.Undecided:
            return value.renewed(ident)
        if type(value) is not v.Array or value.aval.dtype in v.KEYS:
            return blurred
        return v.Array(value.mode, v.Aval(value.aval.dtype), ident=ident)

    def either(self, a: v.Value, b: v.Value) -> v.Value:
        """What comes out of a loop or of branches: it has a tangent where it has one in any of them."""
        if (
            type(a) is v.Tuple
            and type(b) is v.Tuple
            and a.items is not None
            and b.items is not None
            and len(a.items) == len(b.items)
        ):
            return v.Tuple(tuple(self.either(x, y) for x, y in zip(a.items, b.items)), fields=a.fields)
        for value in (a, b):
            if self.has_tangent(value):
                return value
        return v.join(a, b)

    def through(self, init: v.Value, result: v.Value) -> v.Value:
        """The result of a loop, with tangents only where the body computes them: what it hands on is as before."""
        return self.without_tangents(result, {id(leaf) for leaf in self.i.leaves([init])})

    def without_tangents(self, value: v.Value, given: set[int]) -> v.Value:
        """A tree without the tangents of the leaves with these identities."""
        if type(value) in (v.Tuple, v.Ref):
            return self.i.transforms.rebuilt(value, lambda part: self.without_tangents(part, given))
        if not self.has_tangent(value) or id(value) not in given:
            return value
        return v.Array(v.CONCRETE, self.i.aval_of(value))


def _keywords(call: Call) -> list[tuple[v.Value, ir.Node]]:
    """The keywords that a callback hands on."""
    return [(value, call.keyword_nodes[name]) for name, value in call.keywords.items() if name not in _OF_CALLBACK]
