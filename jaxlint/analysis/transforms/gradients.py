"""What `jax.grad` and its kin ask: arguments that vary continuously, and one number to differentiate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, bindings

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_SCALAR = frozenset({"grad", "value_and_grad", "nnx_grad", "filter_grad"})
_JACOBIANS = frozenset({"jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian"})
_GRAD = frozenset({"jax.grad", "haiku.grad", "flax.nnx.grad", "equinox.filter_grad"})
VALUE_AND_GRAD = frozenset(
    {"jax.value_and_grad", "haiku.value_and_grad", "flax.nnx.value_and_grad", "equinox.filter_value_and_grad"}
)


@hazard_class()
class WrongGradient(Hazard):
    """A gradient of a function that has none. Site: the call of the gradient; operand: the argument or the call."""

    reason: str  # "shape", "tree", "none", "aux", "unpacked", "gradient"; "input", "output"
    function: v.Value
    what: str = ""  # the value in words
    count: int = 0  # items of a tuple, targets of an unpacking
    key: bool = False  # it is a random key


@hazard_class()
class GradOfNonScalar(WrongGradient):
    """A gradient is taken of a function that does not return one number.

    Site: the call of the gradient, or its unpacking.
    """


@hazard_class()
class GradOfIntegerOrKey(WrongGradient):
    """A gradient is taken with respect to an integer or a random key, or of one.

    Operand: the argument, or the call where the result is meant.
    """


class Gradients(Component):
    """Component of the interpreter: checks of what is differentiated."""

    # --- arguments ----------------------------------------------------------------------------

    def inputs(self, made: v.Transformed, call: Call, argnums: list[int] | None) -> None:
        """Differentiated arguments of a call: integers, booleans and keys have no tangents."""
        allowed = made.options.get("allow_int")
        if (
            argnums is None
            or call.star
            or (allowed is not None and not (type(allowed) is v.Const and not allowed.value))
        ):
            return
        for number in argnums:
            if -len(call.args) <= number < len(call.args):
                value, node = call.args[number], call.arg_nodes[number]
                found = self.discrete(value)
                if found is not None:
                    hazard = GradOfIntegerOrKey("input", made.function, found[0], key=found[1])
                    self.report(made, call, node, value, hazard)

    def primals(self, made: v.Transformed, call: Call, primals: list[v.Value], tangents: list[v.Value] | None) -> None:
        """Arguments of `jax.jvp`: the tangent of an integer would have to be of dtype float0."""
        for primal, tangent in zip(primals, tangents or ()):
            found = self.discrete(primal)
            known = v.is_scalar_const(tangent) or (type(tangent) is v.Array and tangent.aval.dtype is not None)
            if found is not None and known:
                hazard = GradOfIntegerOrKey("input", made.function, found[0], key=found[1])
                self.report(made, call, call.node, primal, hazard)

    def discrete(self, value: v.Value) -> tuple[str, bool] | None:
        """The leaf that has no tangent, in words, and whether it is a key."""
        for leaf in self.i.leaves([value]):
            dtype = self.i.aval_of(leaf).dtype
            if dtype in v.KEYS:
                return "a random key", True
            if dtype is not None and (dtype == "bool" or "int" in dtype):
                number = type(leaf) in (v.Const, v.Static) or self.i.aval_of(leaf).shape == ()
                name = "boolean" if dtype == "bool" else "integer"
                one = "a " if name == "boolean" else "an "
                return (one + name) if number else f"an array of {name}s", False
        return None

    # --- result -------------------------------------------------------------------------------

    def output(self, made: v.Transformed, call: Call, result: v.Value) -> bool:
        """What the function returns must be one real number, and with ``has_aux`` a pair. False where it is not."""
        aux = made.options.get("has_aux", v.FALSE)
        if call.site in self.i.transforms.applied or type(aux) is not v.Const or "**" in made.options:
            return True
        jacobian = made.transform.name in _JACOBIANS
        if aux.value:
            items = self.i.items_of(result) if type(result) is v.Tuple else None
            known = items is not None or type(result) is v.Array or v.is_scalar_const(result) or v.is_none(result)
            if known and (items is None or len(items) != 2):
                words, count = described(self.i, result)
                self.report(made, call, call.node, result, GradOfNonScalar("aux", made.function, words, count))
                return False
            if items is None:
                return True
            result = items[0]
        if made.transform.behaviour in _SCALAR and not jacobian and self.no_scalar(made, call, result):
            return False
        found = self.discrete(result) if type(result) in (v.Array, v.Const, v.Static) else None
        dtype = self.i.aval_of(result).dtype if type(result) is v.Array else None
        if found is None and dtype is not None and dtype.startswith("complex") and self.is_real(made):
            found = "a complex number", False
        if found is not None and made.transform.name != "jax.jacfwd" and made.transform.behaviour != "filter_grad":
            hazard = GradOfIntegerOrKey("output", made.function, found[0], key=found[1])
            self.report(made, call, call.node, result, hazard)
            return False
        return True

    def is_real(self, made: v.Transformed) -> bool:
        """Whether a derivative is one of real numbers, in which no complex ones may be returned."""
        return (
            made.transform.behaviour in ("grad", "value_and_grad")
            and "holomorphic" not in made.options
            and (made.transform.name not in _JACOBIANS or made.transform.name == "jax.jacrev")
        )

    def no_scalar(self, made: v.Transformed, call: Call, result: v.Value) -> bool:
        reason = ""
        if type(result) is v.Tuple or type(self.i.contents(result)) in (ListObject, DictObject):
            reason = "tree"
        elif type(result) is v.Array and result.aval.shape:
            reason = "shape"
        elif v.is_none(result):
            reason = "none"
        if reason:
            words, count = described(self.i, result)
            self.report(made, call, call.node, result, GradOfNonScalar(reason, made.function, words, count))
        return bool(reason)

    def unpacked(self, target: ir.Sequence, source: ir.Node) -> None:
        """`value, aux, gradient = jax.value_and_grad(f, has_aux=True)(x)`, where the value and aux are a pair, and
        `value, gradient = jax.grad(f)(x)`, where there is no value."""
        callee = self.i.last_callee.get(source.site) if type(source) is ir.Call else None
        statement = self.i.unit.parent(target.site)
        if type(callee) is not v.Transformed or type(statement) is not ir.Assign or statement.value is not source:
            return  # part of a target, or the target of a loop
        count, name, aux = len(target.elements), callee.transform.name, callee.options.get("has_aux")
        if count > 2 and name in VALUE_AND_GRAD:
            with_aux = type(aux) is v.Const and bool(aux.value)
            hazard = GradOfNonScalar("unpacked", callee.function, "aux" if with_aux else "", count)
            self.i.report(hazard, statement, source, callee, api=name)
        elif name in _GRAD and aux is None and "**" not in callee.options and "argnums" not in callee.options:
            call = self.i.last_calls[source.site]
            tree = self.without(call.args[0], count) if call.args and not call.star else None
            tree = tree or ("a dict" if has_keys(v.untransformed(callee.function)) else None)
            if tree is not None:
                self.i.report(
                    GradOfNonScalar("gradient", callee.function, tree, count), statement, source, callee, api=name
                )

    def without(self, value: v.Value, count: int) -> str | None:
        """The tree that is no sequence of ``count`` arrays, in words; None where it may be one."""
        contents = self.i.contents(value)
        if type(contents) is DictObject:
            return "a dict"  # whose keys an unpacking gives
        if type(contents) is Instance and contents.cls.family in ("equinox", "nnx"):
            return "a module" if contents.cls.lookup("__iter__") is None else None
        shape = value.aval.shape if type(value) is v.Array and not value.presumed else None
        if shape is not None and (not shape or isinstance(shape[0], int) and shape[0] != count):
            return described(self.i, value)[0].replace("one value", "a number")
        return None

    def report(self, made: v.Transformed, call: Call, node: ir.Node, value: v.Value, hazard: WrongGradient) -> None:
        if call.site not in self.i.transforms.applied:
            self.i.report(hazard, call.node, node, value, api=made.transform.name)


def has_keys(function: v.Value) -> bool:
    """Whether a function reads an item of its first argument by a string: it is a dict."""
    if type(function) is not v.FunctionValue or not function.function.parameters:
        return False
    name = function.function.parameters[0].name
    return not bindings(function.function, name) and any(
        isinstance(node, ir.Subscript)
        and isinstance(node.value, ir.Name)
        and node.value.id == name
        and isinstance(node.index, ir.Constant)
        and isinstance(node.index.value, str)
        for node in ir.walk(function.function.body, into_scopes=False)
    )


def described(interpreter: Interpreter, value: v.Value) -> tuple[str, int]:
    """A returned value in words, and the number of its items."""
    items = interpreter.items_of(value)
    if type(value) is v.Tuple:
        return ("a tuple", 0) if items is None else (f"a tuple of {len(items)}", len(items))
    if v.is_none(value):
        return "None", 0
    contents = interpreter.contents(value)
    if type(contents) in (ListObject, DictObject):
        return "a list" if type(contents) is ListObject else "a dict", 0
    shape = interpreter.aval_of(value).shape
    if not shape:
        return "one value", 0
    if all(isinstance(size, int) for size in shape):
        return f"an array of shape {shape}", 0
    return f"an array of {len(shape)} dimension{'' if len(shape) == 1 else 's'}", 0


def giving_transform(i: Interpreter, node: ir.Node) -> str:
    """The transform whose function gives an expression, or what a name is bound to by one assignment; empty for anything else."""
    assign = binding_of(i.unit, node)
    made = assign.value if isinstance(assign, ir.Assign) else node
    callee = i.last_callee.get(made.site)
    return callee.transform.name if type(callee) is v.Transformed else ""
