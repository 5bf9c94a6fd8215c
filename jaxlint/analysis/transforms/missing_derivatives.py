"""Functions without a derivative, or with one in reverse mode alone, in what is differentiated.

JAX raises where such a function is given a tangent; a loop in a function of JAX only where the result depends on it and
reverse mode has to go through it. Forward mode goes through no function with a `jax.custom_vjp`: of `jax.hessian`, and of
`jax.jvp` of a gradient, it meets what the rules of such a function call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, resolved

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.transforms.tangents import Run

# What has no rule, with the positions of the arguments that may have no tangent; None for all of them.
_WITHOUT_RULE: dict[str, tuple[int, ...] | None] = {
    **dict.fromkeys([f"jax.scipy.linalg.{name}" for name in "schur sqrtm funm hessenberg qr_multiply solve_sylvester".split()]),
    **dict.fromkeys([
        f"jax.lax.linalg.{name}"
        for name in "schur hessenberg householder_product tridiagonal cholesky_update symmetric_product".split()
    ]),
    **dict.fromkeys(("jax.numpy.nextafter", "jax.numpy.spacing", "jax.lax.nextafter", "jax.lax.pmax", "jax.lax.pmin")),
    **dict.fromkeys(("jax.scipy.special.betainc", "jax.lax.betainc"), (0, 1)),
    **dict.fromkeys([f"jax.scipy.stats.beta.{name}" for name in "cdf logcdf sf logsf".split()], (1, 2)),
    **dict.fromkeys(("jax.scipy.special.polygamma", "jax.lax.polygamma"), (0,)),
}  # fmt: skip
_EIGENVECTORS = "jax.numpy.linalg.eig"
_SINGULAR_VALUES = frozenset({"jax.numpy.linalg.svd", "jax.scipy.linalg.svd", "jax.lax.linalg.svd"})
_QR = "jax.numpy.linalg.qr"
# Functions of JAX with a loop in them of which nobody knows the number of passes.
_WITH_LOOP = frozenset({
    "jax.scipy.linalg.eigh_tridiagonal", "jax.scipy.linalg.polar", "jax.lax.linalg.qdwh", "jax.scipy.optimize.minimize",
})  # fmt: skip
_SUSPECTS = frozenset(_WITHOUT_RULE) | _SINGULAR_VALUES | {_EIGENVECTORS, _QR}
_FACTORS = frozenset({"mul", "multiply", "divide", "power"})  # updates by one that is multiplied with
_FORWARD = frozenset({"jax.jvp", "jax.linearize", "jax.jacfwd"})
_OWN_RULE = frozenset({"jax.custom_vjp", "jax.custom_gradient"})
_GRADIENTS = frozenset({"grad", "value_and_grad"})
_SQUARE = frozenset({"dot", "matmul", "cov", "corrcoef", "einsum", "outer", "tensordot"})


@hazard_class()
class MissingDerivative(Hazard):
    """JAX has no derivative. Site: the call, or what gives a function its `custom_vjp`; operand: the call that differentiates."""

    reason: str  # "rule", "factor", "loop", "vectors", "full", "presumed" (full), "raw", "vjp" or "rules": met in the rules of one
    function: v.Value  # what is differentiated, or has the rule
    transform: str


class MissingDerivatives(Component):
    """Component of the interpreter: what the runs of differentiated functions meet."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.suspects: set[int] = interpreter.per_module(set())  # sites of what forward mode cannot go through
        interpreter.events.jax_value.append(self.computed)
        interpreter.events.array_updated.append(self.updated)

    def computed(self, value: v.Value, name: str, call: Call) -> v.Value:
        """A function of JAX is called."""
        if name not in _SUSPECTS and name not in _WITH_LOOP:
            return value
        if name in _SUSPECTS:
            self.suspects.add(call.site)
        run: Run | None = self.i.context.tangents
        if run is None:
            return value
        if run.seed is not None:
            return self.sown(value) if run.seed == call.site else value
        positions = _WITHOUT_RULE.get(name)
        given = [each for number, each in enumerate(call.args) if positions is None or number in positions]
        if any(self.i.transforms.tangents.has_tangent(leaf) for leaf in self.i.leaves(given)):
            reason = self.reason(name, call)
            if reason:
                run.missing.setdefault(call.site, (reason, name, None))
        return value

    def updated(self, call: Call, at: v.At, name: str) -> None:
        """`x.at[i].multiply(y)`, which has no derivative by `y` where several indices may be one, and `x.at[i].apply(f)`."""
        if name not in _FACTORS and name != "apply":
            return
        self.suspects.add(call.site)
        run: Run | None = self.i.context.tangents
        given = at.array if name == "apply" else call.get(0, "values")
        if run is None or run.seed is not None or given is None or not self.i.transforms.tangents.has_tangent(given):
            return
        indices = at.index.items if type(at.index) is v.Tuple and at.index.items is not None else (at.index,)
        several = any(type(each) is v.Array and (each.aval.ndim or 0) > 0 for each in indices)
        if name == "apply" or several and "unique_indices" not in call.keywords:
            reason = "rule" if name == "apply" else "factor"
            run.missing.setdefault(call.site, (reason, f"at.{name}", None))

    def sown(self, value: v.Value) -> v.Value:
        """A result in a run that asks what depends on it."""
        if type(value) in (v.Tuple, v.Ref):
            rebuilt: v.Value = self.i.transforms.rebuilt(value, self.sown)
            return rebuilt
        return v.Array(v.DIFFERENTIATED, value.aval) if type(value) is v.Array else value

    def reason(self, name: str, call: Call) -> str:
        """Why a function has no derivative as it is called; empty where it may have one."""
        if name in _WITHOUT_RULE:
            return "rule"
        if name in _WITH_LOOP:
            return "loop"
        if name == _EIGENVECTORS:
            return "vectors"
        if name == _QR:
            mode = call.get(1, "mode")
            return "raw" if type(mode) is v.Const and mode.value == "raw" else ""
        full, vectors = call.get(1, "full_matrices"), call.get(2, "compute_uv")
        if call.star or call.double_star or not (_is(full, True) and _is(vectors, True)):
            return ""
        shape = self.i.aval_of(call.args[0]).shape if call.args else None
        sizes = shape[-2:] if shape is not None else ()
        if len(sizes) == 2 and all(isinstance(size, int) for size in sizes):
            return "full" if sizes[0] != sizes[1] else ""
        return "presumed" if self.is_cut(call.node) and not self.may_be_square(call.arg_nodes[0]) else ""

    def is_cut(self, node: ir.Node) -> bool:
        """Whether only the first rows or columns of a factor are used, which the thin factors hold as well."""
        assign = self.i.unit.parent(node.site)
        target = assign.targets[0] if type(assign) is ir.Assign and len(assign.targets) == 1 else None
        if type(target) is not ir.Sequence or len(target.elements) != 3:
            return False
        names = {each.id for each in (target.elements[0], target.elements[2]) if type(each) is ir.Name}
        scope = self.i.unit.scope(node.site)
        return any(
            type(each) is ir.Subscript
            and type(each.value) is ir.Name
            and each.value.id in names
            and any(_is_start(part) for part in _indices(each))
            for each in ir.walk(scope.body)
        )

    def may_be_square(self, node: ir.Node) -> bool:
        """Whether a product or a covariance is taken apart, as far as the names of a function tell."""
        stack, seen = [node], set()
        while stack:
            for each in ir.walk([stack.pop()]):
                if type(each) is ir.Binary and each.op == "@":
                    return True
                if type(each) is ir.Call and ir.last_part(each.func) in _SQUARE:
                    return True
                if type(each) is ir.Name and each.id not in seen:
                    seen.add(each.id)
                    value = resolved(self.i.unit, each)
                    bound = bindings(self.i.unit.scope(each.site), each.id)
                    stack += [value] if value is not each else [each.value for each in bound if type(each) is ir.Assign]
        return False

    # --- functions with a rule for reverse mode ----------------------------------------------

    def own_rule(self, made: v.Transformed, call: Call) -> None:
        """A function with a rule of its own is called in a run."""
        run: Run = self.i.context.tangents
        if made.transform.name not in _OWN_RULE or run.seed is not None or not run.forward:
            return
        if not any(self.i.transforms.tangents.has_tangent(leaf) for leaf in self.i.leaves(call.args)):
            return
        rules = self.i.transforms.custom_rules.rules.get(made.site, ())
        if run.forward == 1:
            reason = "rules" if run.entered else "vjp"
            run.missing.setdefault(made.site, (reason, made.transform.name, made.function))
        elif len(rules) == 2 and made.site not in run.entered:
            # The rule for reverse mode takes the place of the function, and forward mode goes through the rule.
            run.entered.add(made.site)
            run.forward = 1
            pair = self.i.items_of(self.i.call(rules[0], call))
            run.forward = 2
            run.entered.discard(made.site)
            if pair is not None and len(pair) == 2:
                self.backward(rules[1], pair[1], pair[0], call)

    def backward(self, rule: v.Value, residuals: v.Value, result: v.Value, call: Call) -> None:
        run: Run = self.i.context.tangents
        run.forward = 1
        self.i.call(rule, Call(call.node, [residuals, result], [call.node] * 2, {}, {}))
        run.forward = 2

    def gradient_within(self, made: v.Transformed, call: Call) -> None:
        """A gradient in what forward mode goes through: its function is met in both modes."""
        run: Run = self.i.context.tangents
        if made.transform.behaviour in _GRADIENTS and run.forward == 1 and run.seed is None:
            run.forward = 2
            self.i.call(made.function, call)
            run.forward = 1

    # --- reports ------------------------------------------------------------------------------

    def depth(self, made: v.Transformed) -> int:
        """How forward mode comes into a derivative: 0 for not at all, 1 for alone, 2 for around reverse mode."""
        return 2 if made.transform.name == "jax.hessian" else int(made.transform.name in _FORWARD)

    def report(self, run: Run, made: v.Transformed, call: Call, args: list[v.Value], again: Run | None) -> None:
        """Report what a run met; ``again`` is a run for what the result has to depend on."""
        for site, (reason, name, function) in run.missing.items():
            if reason == "loop":
                if again is None:
                    continue
                again.seed = site
                if not self.i.transforms.tangents.output(made, call, args, again):
                    continue
            hazard = MissingDerivative(reason, function or made.function, made.transform.name)
            self.i.report(hazard, self.i.unit.nodes[site], call.node, made, api=name)


def _is(value: v.Value | None, default: bool) -> bool:
    """Whether an option is on: not given where that is its default, or a constant."""
    return default if value is None else type(value) is v.Const and bool(value.value)


def _indices(node: ir.Subscript) -> list[ir.Node]:
    return list(node.index.elements) if type(node.index) is ir.Sequence else [node.index]


def _is_start(node: ir.Node) -> bool:
    """Whether an index takes the first items: `:k`."""
    return type(node) is ir.Slice and node.lower is None and node.upper is not None and node.step is None
