"""Derivative rules of `jax.custom_vjp` and `jax.custom_jvp`: how JAX calls them, and what they return.

A function that is differentiated by a rule of its own is called like the function (`fwd`), with the
residuals and the cotangents (`bwd`), or with primals and tangents (`jvp`); arguments that are not
differentiated come first in all but `fwd`. Rules are called only when there is something to
differentiate, so what is wrong with them shows late.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE, UNKNOWN_CODE
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.signatures import accepted, positional, takes
from jaxlint.analysis.domain.state import DictObject, ListObject
from jaxlint.analysis.transforms.carries import in_words, shapes_differ
from jaxlint.analysis.transforms.gradients import described
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import TRANSFORMS

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_DEFINING = frozenset({"defvjp", "defjvp", "defjvps"})
# Functions of JAX that have such a rule around all that is compiled in them (each is a `jax.custom_jvp`).
OF_JAX = frozenset({"jax.nn.log1mexp", "jax.nn.relu", "jax.nn.relu6"}) | frozenset(
    f"jax.scipy.special.{name}"
    for name in "expi expn fresnel hyp1f1 hyp2f1 log_ndtr logit poch sici xlog1py xlogy zeta".split()
)
_RULE_OF = {"jax.custom_vjp": "defvjp", "jax.custom_jvp": "defjvp"}


@hazard_class()
class CustomRuleSignature(Hazard):
    """A custom derivative rule does not fit its function. Site: the rule where it is given, or the call."""

    reason: str  # "arity", "order", "pair", "tuple", "length", "count", "half", "nondiff", "missing", "tracer", "staged", "ignored", "shape"
    function: v.Value  # the function that has the rule
    role: str = ""  # "fwd", "bwd", "jvp"
    rule: v.Value | None = None
    given: tuple[str, ...] = ()  # what JAX passes, in words
    names: tuple[str, ...] = ()  # parameters the rule has
    what: str = ""  # what is returned, in words; the argument that is a tracer; the parameter that is not read
    expected: int = 0  # items of the tuple


class Primal(NamedTuple):
    """The function that has a rule, as its rules see it."""

    made: v.Transformed
    names: tuple[str, ...]  # its positional parameters
    apart: tuple[int, ...]  # positions of those that are not differentiated
    any_number: bool  # it takes `*args`

    @property
    def differentiated(self) -> tuple[str, ...]:
        return tuple(name for number, name in enumerate(self.names) if number not in self.apart)

    @property
    def leading(self) -> tuple[str, ...]:
        return tuple(self.names[number] for number in self.apart)


class CustomRules(Component):
    """Component of the interpreter: checks of rules, and of calls of functions that have them."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.checked: set[int] = self.i.per_module(set())  # calls of `defvjp` whose rules were looked at
        self.rules: dict[int, tuple[v.Value, ...]] = self.i.per_module({})  # by the site of what has them
        self.elsewhere: set[str] | None = None  # functions of the file that get a rule; "" for one that is not known

    # --- where a rule is given ----------------------------------------------------------------

    def defined(self, made: v.Transformed, how: str, call: Call) -> v.Value:
        """`f.defvjp(fwd, bwd)`, `@f.defjvp`, `f.defjvps(…)`; what it gives back."""
        result = call.args[0] if how == "defjvp" and call.args else v.NONE
        named = (call.get(0, "fwd"), call.get(1, "bwd")) if how == "defvjp" else (call.get(0, "jvp"),)
        if how != "defjvps" and not call.star:
            self.rules[made.site] = tuple(rule for rule in named if rule is not None)
        primal = self.primal(made) if not self.i.silent else None
        if (
            primal is None
            or call.star
            or call.double_star
            or call.site in self.checked
            or made.transform.name == "jax.custom_gradient"
        ):
            return result
        self.checked.add(call.site)
        zeros = call.keywords.get("symbolic_zeros", v.FALSE)
        plain = type(zeros) is v.Const and not zeros.value
        if how == "defvjp":
            self.backward(primal, call, plain)
        elif how == "defjvp":
            self.forward(primal, call, plain)
        else:
            self.one_each(primal, call)
        return result

    def primal(self, made: v.Transformed) -> Primal | None:
        parameters = accepted(self.i, made.function)
        options = self.nondiff(made)
        if parameters is None or options is None or any(p.kind == "keyword-only" and p.required for p in parameters):
            return None
        names = tuple(positional(parameters))
        apart = {names.index(entry) if isinstance(entry, str) and entry in names else entry for entry in options}
        any_number = takes(parameters, "star")
        numbers = {entry for entry in apart if isinstance(entry, int) and 0 <= entry < len(names)}
        return Primal(made, names, tuple(sorted(numbers)), any_number) if numbers == apart else None

    def nondiff(self, made: v.Transformed) -> list[int | str] | None:
        """Entries of `nondiff_argnums` and `nondiff_argnames`; None where they are not known."""
        found: list[int | str] = []
        if "**" in made.options:
            return None
        for option in ("nondiff_argnums", "nondiff_argnames"):
            given = made.options.get(option)
            if given is not None:
                entries = self.i.transforms.agreement.entries(given)
                if entries is None:
                    return None
                found += entries
        return found

    # --- reverse mode -------------------------------------------------------------------------

    def backward(self, primal: Primal, call: Call, plain: bool) -> None:
        forward, backward = call.get(0, "fwd"), call.get(1, "bwd")
        if forward is None or backward is None:
            self.report(
                call, call.node, CustomRuleSignature("half", primal.made.function, "bwd" if backward is None else "fwd")
            )
            return
        node, behind = call.node_of(0, "fwd") or call.node, call.node_of(1, "bwd") or call.node
        fits = primal.any_number or self.fits(primal, call, node, "fwd", forward, primal.names)
        fits &= self.fits(primal, call, behind, "bwd", backward, (*primal.leading, "residuals", "cotangents"))
        if not fits:
            return
        result = self.run(call, forward, self.arguments(primal) if plain else self.anything(len(primal.names)))
        if self.no_pair(result):
            hazard = CustomRuleSignature(
                "pair", primal.made.function, "fwd", forward, what=described(self.i, result)[0]
            )
            self.report(call, node, hazard)
            return
        items = self.i.items_of(result) if type(result) is v.Tuple else None
        output, residuals = items if items is not None and len(items) == 2 else (v.UNKNOWN, v.Unknown(v.fresh()))
        if type(output) in (v.Undecided, v.Unknown) and plain:  # the function says by itself what it gives
            output = self.run(call, primal.made.function, self.arguments(primal))
        cotangent: v.Value = v.Undecided(v.DIFFERENTIATED, None, v.fresh())
        if type(output) is v.Array:
            cotangent = v.Array(v.DIFFERENTIATED, output.aval)
        given = [*self.anything(len(primal.apart)), residuals, cotangent if plain else v.Unknown(v.fresh())]
        gradients = self.run(call, backward, given)
        self.returned(primal, call, behind, backward, gradients)
        self.used(primal, call, behind, "bwd", backward, self.i.items_of(gradients) or ())

    def returned(self, primal: Primal, call: Call, node: ir.Node, backward: v.Value, result: v.Value) -> None:
        """A backward rule returns a tuple, with one cotangent for each differentiated argument."""
        count = len(primal.differentiated)
        if type(result) is v.Tuple or type(self.i.contents(result)) is ListObject:
            items = self.i.items_of(result)
            if items is not None and len(items) != count and not primal.any_number:
                words = described(self.i, result)[0] if type(result) is v.Tuple else f"a list of {len(items)}"
                hazard = CustomRuleSignature(
                    "length", primal.made.function, "bwd", backward, primal.differentiated, (), words, count
                )
                self.report(call, node, hazard)
        elif self.is_one(result):
            words = described(self.i, result)[0]
            hazard = CustomRuleSignature(
                "tuple", primal.made.function, "bwd", backward, primal.differentiated, (), words, count
            )
            self.report(call, node, hazard)

    # --- forward mode -------------------------------------------------------------------------

    def forward(self, primal: Primal, call: Call, plain: bool) -> None:
        rule = call.get(0, "jvp")
        node = call.node_of(0, "jvp") or call.node
        if rule is None or not self.fits(primal, call, node, "jvp", rule, (*primal.leading, "primals", "tangents")):
            return
        leaf = v.Undecided(v.DIFFERENTIATED, None, v.fresh())
        count = len(primal.differentiated)
        packed: list[v.Value] = []
        for known in (True, plain):
            element: v.Value = leaf if known else v.Unknown(v.fresh())
            packed.append(v.Tuple(None, element) if primal.any_number else v.Tuple((element,) * count))
        result = self.run(call, rule, [*self.anything(len(primal.apart)), *packed])
        if self.no_pair(result):
            self.report(
                call,
                node,
                CustomRuleSignature("pair", primal.made.function, "jvp", rule, what=described(self.i, result)[0]),
            )
        elif plain:
            self.used(primal, call, node, "jvp", rule, (self.i.items_of(result) or ())[1:])

    def one_each(self, primal: Primal, call: Call) -> None:
        """`f.defjvps(…)`: a function, or None, for each argument."""
        count = len(primal.names)
        if primal.apart:
            self.report(call, call.node, CustomRuleSignature("nondiff", primal.made.function, "jvp"))
        elif len(call.args) != count and not primal.any_number:
            hazard = CustomRuleSignature(
                "count", primal.made.function, "jvp", None, primal.names, what=str(len(call.args)), expected=count
            )
            self.report(call, call.node, hazard)
        elif not primal.any_number:
            for rule, node in zip(call.args, call.arg_nodes):
                if type(rule) is not v.Const and not self.fits(
                    primal, call, node, "jvp", rule, ("tangent", "result", *primal.names)
                ):
                    return

    # --- what JAX runs ------------------------------------------------------------------------

    def differentiated(
        self, made: v.Transformed, call: Call, args: list[v.Value], result: v.Value, origin: Origin
    ) -> None:
        """Run the rules of a function that is called in code which is differentiated: if that is staged, they get tracers."""
        rules, primal = self.rules.get(made.site, ()), self.primal(made)
        context = self.i.context
        if (
            not rules
            or primal is None
            or call.star
            or call.keywords
            or (len(args) > len(primal.names) and not primal.any_number)
        ):
            return
        apart = [args[number] for number in primal.apart if number < len(args)]
        rest = [value for number, value in enumerate(args) if number not in primal.apart]
        is_staged = context.stage == STAGED_CODE
        if len(rules) == 1 and not is_staged:
            return  # what its tangents are depends on the derivative

        def traced(value: v.Value) -> v.Value:
            made: v.Value = self.i.transforms.traced(value, v.STAGED, origin) if is_staged else value
            return made

        with self.i.within(context.but(origin=origin, derivatives=0)):  # a rule is not differentiated by itself
            if len(rules) == 1:
                leaves = v.Tuple(tuple(map(traced, rest)))
                result = self.i.call(rules[0], self.simple(call, [*apart, leaves, leaves]))
                items = self.i.items_of(result) if type(result) is v.Tuple else None
                if items is not None and len(items) == 2:
                    self.compare_shapes(primal, "jvp", rules[0], items[1], items[0], "")
                return
            forward = [value if n in primal.apart else traced(value) for n, value in enumerate(args)]
            pair = self.i.call(rules[0], self.simple(call, forward))
            items = self.i.items_of(pair) if type(pair) is v.Tuple else None
            output, residuals = items if items is not None and len(items) == 2 else (result, v.Unknown(v.fresh()))
            cotangent = traced(output) if is_staged else self.i.transforms.outside(output, v.MAYBE, None)
            given = [*apart, traced(residuals), cotangent]
            gradients = self.i.call(rules[1], self.simple(call, given))
            items = self.i.items_of(gradients) if type(gradients) is v.Tuple else None
            for name, value, gradient in zip(primal.differentiated, rest, items or ()):
                self.compare_shapes(primal, "bwd", rules[1], gradient, value, name)

    def compare_shapes(
        self, primal: Primal, role: str, rule: v.Value, given: v.Value, value: v.Value, name: str
    ) -> None:
        """Report a cotangent that has not the shape of its argument, or a tangent that has not that of the value."""
        if type(given) is not v.Array or type(value) is not v.Array or type(rule) is not v.FunctionValue:
            return
        shape, wanted = given.aval.shape, value.aval.shape
        if shape is None or wanted is None or not shapes_differ(shape, wanted):
            return
        returns = [each.value for each in ir.walk(rule.function.body, into_scopes=False) if type(each) is ir.Return]
        node = returns[0] if len(returns) == 1 and returns[0] is not None else rule.function
        words = f"{in_words(shape)} for {in_words(wanted)}"
        hazard = CustomRuleSignature("shape", primal.made.function, role, rule, names=(name,), what=words)
        self.i.report(hazard, node, node, given, api=primal.made.transform.name)

    def simple(self, call: Call, args: list[v.Value]) -> Call:
        made = Call(call.node, args, [call.node] * len(args), {}, {})
        made.entering = True
        return made

    # --- what is common -----------------------------------------------------------------------

    def used(
        self, primal: Primal, call: Call, node: ir.Node, role: str, rule: v.Value, gradients: Sequence[v.Value]
    ) -> None:
        """A rule is linear in the cotangent or tangents, its last argument: one that reads none of it is right for zero alone."""
        if type(rule) is not v.FunctionValue or not any(type(each) is v.Array for each in gradients):
            return
        function = rule.function
        ordinary = [each for each in function.parameters if each.kind in ("positional-only", "ordinary")]
        if not ordinary or ordinary[-1].name.startswith("_") or len(ordinary) != len(function.parameters):
            return
        last = ordinary[-1]
        names = [each for each in ir.walk(function.body) if type(each) is ir.Name]
        if any(each.id == last.name for each in names) or self.makes_zeros(function):
            return
        at = last if last.site in self.i.unit else node
        self.report(call, at, CustomRuleSignature("ignored", primal.made.function, role, rule, what=last.name))

    def makes_zeros(self, function: ir.Function) -> bool:
        """Whether a rule makes zeros, which are the gradients of what a function does not depend on."""
        dotted = [ir.dotted(each) or "" for each in ir.walk(function.body) if type(each) in (ir.Name, ir.Attribute)]
        return any(name.rpartition(".")[2] in ("zeros", "zeros_like") for name in dotted)

    def fits(self, primal: Primal, call: Call, node: ir.Node, role: str, rule: v.Value, given: tuple[str, ...]) -> bool:
        """Whether a rule can be called with what JAX passes, in that order."""
        parameters = accepted(self.i, rule)
        if parameters is None:
            return True
        names = tuple(positional(parameters))
        least = sum(p.required for p in parameters if p.name in names)
        reason = ""
        if len(given) < least or (len(given) > len(names) and not takes(parameters, "star")):
            reason = "arity"
        elif (
            role != "fwd"
            and any(name in names[len(primal.apart) :] for name in primal.leading)
            or role == "fwd"
            and primal.apart
            and names != given
            and set(names) == set(given)
        ):
            reason = "order"
        if reason and not (role == "jvp" and given[:1] == ("tangent",) and reason == "order"):
            self.report(call, node, CustomRuleSignature(reason, primal.made.function, role, rule, given, names))
            return False
        return True

    def arguments(self, primal: Primal) -> list[v.Value]:
        """What the forward rule is called with: arrays, or trees of them, and what is not differentiated."""
        return [
            v.Unknown(v.fresh()) if number in primal.apart else v.Undecided(v.DIFFERENTIATED, None, v.fresh())
            for number in range(len(primal.names))
        ]

    def anything(self, count: int) -> list[v.Value]:
        return [v.Unknown(v.fresh()) for _ in range(count)]

    def run(self, call: Call, rule: v.Value, args: list[v.Value]) -> v.Value:
        """What a rule returns. It is only asked: what fails in it shows where it is run for itself, with what it is given there."""
        interpreter = self.i
        context = interpreter.context.but(stage=UNKNOWN_CODE, pure=False, boundaries=())
        with interpreter.trial(), interpreter.unrecorded(), interpreter.within(context):
            entry = v.fresh()[0]
            result = interpreter.call(rule, Call(call.node, args, [call.node] * len(args), {}, {}))
            made = interpreter.snapshot(result, entry)
        for location, contents in made.items():  # what it returns is looked at
            assert interpreter.state is not None
            interpreter.state.write(location, contents)
        return result

    def no_pair(self, result: v.Value) -> bool:
        if type(result) is v.Tuple or type(self.i.contents(result)) is ListObject:
            items = self.i.items_of(result)
            return items is not None and len(items) != 2
        return self.is_one(result)

    def is_one(self, value: v.Value) -> bool:
        """Whether a value is certainly no tuple."""
        nothing = v.is_none(value)
        return (
            type(value) in (v.Array, v.Host)
            or v.is_scalar_const(value)
            or nothing
            or type(self.i.contents(value)) is DictObject
        )

    def report(self, call: Call, node: ir.Node, hazard: CustomRuleSignature) -> None:
        api = "jax.custom_jvp" if hazard.role == "jvp" else "jax.custom_vjp"
        self.i.report(hazard, node, node, hazard.rule or hazard.function, api=api)

    # --- calls --------------------------------------------------------------------------------

    def result(self, mode: str) -> str:
        """Of which class is what a function with a rule of its own gives: wrapped where anything is mapped."""
        return v.MAYBE if mode == v.CONCRETE and self.i.context.batched else mode

    def called(self, made: v.Transformed, call: Call) -> bool:
        """A call of the function itself. False where it fails."""
        if call.site in self.i.transforms.applied or made.transform.name not in _RULE_OF:
            return True
        if self.has_none(made):
            hazard = CustomRuleSignature(
                "missing", made.function, "jvp" if made.transform.name == "jax.custom_jvp" else "bwd"
            )
            self.i.report(hazard, call.node, call.node, made, api=made.transform.name)
            return False
        forward = made.transform.name == "jax.custom_jvp"
        if call.star or not self.nondiff(made) or (forward and not self.is_differentiated_when_staged()):
            return True
        primal = self.primal(made)
        for number in primal.apart if primal is not None else ():
            assert primal is not None
            name = primal.names[number]
            value = call.get(number, name)
            tracers = [leaf for leaf in self.i.leaves([value] if value is not None else []) if leaf.cls is not None]
            if forward:
                tracers = [leaf for leaf in tracers if type(leaf) is v.Array and leaf.cls == v.STAGED]
            if tracers and forward:
                at = self.i.unit.nodes[made.site]
                hazard = CustomRuleSignature("staged", made.function, "jvp", what=name)
                self.i.report(hazard, at, at, tracers[0], api=made.transform.name)
                return True
            if tracers:
                node = call.node_of(number, name) or call.node
                hazard = CustomRuleSignature("tracer", made.function, names=primal.names, what=name)
                self.i.report(hazard, call.node, node, tracers[0], api=made.transform.name)
                return False
        return True

    def is_differentiated_when_staged(self) -> bool:
        """Whether the transform that stages this code stands inside of one that differentiates: JVP rules run after the staging."""
        origin = self.i.context.origin
        steps = origin.steps(limit=64) if origin is not None else ()
        kinds = [TRANSFORMS[each.transform].cls for each in steps if each.transform in TRANSFORMS]
        return kinds[:1] == ["staged"] and "differentiated" in kinds

    def pair(self, made: v.Transformed, call: Call, result: v.Value) -> None:
        """A function under `jax.custom_gradient` returns its value and the function that differentiates it."""
        if (
            made.transform.name == "jax.custom_gradient"
            and call.site not in self.i.transforms.applied
            and self.no_pair(result)
        ):
            hazard = CustomRuleSignature(
                "pair", made.function, "gradient", made.function, what=described(self.i, result)[0]
            )
            self.i.report(hazard, call.node, call.node, made, api=made.transform.name)

    def has_none(self, made: v.Transformed) -> bool:
        """Whether nothing gives a function of this file a rule: each `.defvjp` in it is of another function."""
        function = made.function
        if type(function) is not v.FunctionValue or made.site not in self.i.unit:
            return False
        if not any(made.site == decorator.site for decorator in function.function.decorators):
            return False  # what is made of it elsewhere may be given a rule there
        if self.elsewhere is None:
            nodes = self.i.unit.own
            defined = {node.name for node in nodes if type(node) is ir.Function}
            self.elsewhere = set()
            for node in nodes:
                if type(node) is ir.Attribute and node.attr in _DEFINING:
                    base = node.value.id if type(node.value) is ir.Name else ""
                    self.elsewhere.add(base if base in defined else "")
                elif type(node) is ir.Constant and isinstance(node.value, str) and node.value in _DEFINING:
                    self.elsewhere.add("")
        return not (function.function.name in self.elsewhere or "" in self.elsewhere)
