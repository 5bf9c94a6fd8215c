"""Whether a function can be called as a loop or branch calls it, and returns what that needs.

Only functions that are known, called with arguments that are counted, are judged.
"""

from __future__ import annotations

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, IterateOverScalarTracer, hazard_class
from jaxlint.analysis.domain.signatures import accepted, positional, takes
from jaxlint.analysis.domain.state import DictObject, ListObject
from jaxlint.analysis.transforms.agreement import VmapAxesMismatch
from jaxlint.analysis.transforms.carries import with_article
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.knowledge.transforms import Transform

_NAMES = ("jax.lax.", "haiku.")  # the transforms whose conventions are held here
# Transforms that refuse what cannot be called when they are given it, and the parameters that take a function.
_CALLING = {
    **dict.fromkeys(
        (
            "jax.jit", "jax.experimental.pjit.pjit", "jax.pmap", "jax.vmap", "jax.grad", "jax.value_and_grad", "jax.jacfwd",
            "jax.jacrev", "jax.jacobian", "jax.hessian", "jax.jvp", "jax.vjp", "jax.linearize", "jax.make_jaxpr",
            "jax.eval_shape",
        ),
        ("fun",),
    ),
    "jax.lax.scan": ("f",), "jax.lax.map": ("f",), "jax.lax.associative_scan": ("fn",),
    "jax.tree.map": ("f",), "jax.tree_util.tree_map": ("f",),
    "jax.lax.fori_loop": ("body_fun",), "jax.lax.while_loop": ("cond_fun", "body_fun"),
    "jax.lax.cond": ("true_fun", "false_fun"),
}  # fmt: skip


@hazard_class()
class CallbackSignature(Hazard):
    """A transform and the function it calls do not agree. Site: the call; operand: the function or predicate."""

    reason: str  # "arity", "keyword", "pair", "predicate", "index", "value", "rows", "list": of trees, taken for one
    function: v.Value | None = None
    given: tuple[str, ...] = ()  # what the transform passes
    least: int = 0  # how many arguments the function needs
    most: int | None = None  # how many it takes; None: any number
    what: str = ""  # what was returned or passed, in words; the missing keyword


class Callbacks(Component):
    """Component of the interpreter: checks of the functions that `lax.scan` and its kin call."""

    def arity(
        self, transform: Transform, call: Call, parameter: str, function: v.Value | None, given: tuple[str, ...]
    ) -> bool:
        """Whether the function can be called with what the transform passes; a hazard if it cannot."""
        if function is None or call.star or not transform.name.startswith(_NAMES):
            return True
        parameters = accepted(self.i, function)
        if parameters is None:
            return True
        names = positional(parameters)
        least = sum(p.required for p in parameters if p.name in names)
        most = None if takes(parameters, "star") else len(names)
        keyword = next((p.name for p in parameters if p.kind == "keyword-only" and p.required), None)
        if len(given) < least or (most is not None and len(given) > most):
            self.report(transform, call, parameter, CallbackSignature("arity", function, given, least, most))
        elif keyword is not None:
            self.report(transform, call, parameter, CallbackSignature("keyword", function, given, what=keyword))
        else:
            return True
        return False

    def uncallable(self, transform: Transform, call: Call) -> bool:
        """Whether a value stands where the transform takes a function; recorded if so."""
        # In an older form of `lax.cond` the operands stand between the functions.
        if call.star or (transform.name == "jax.lax.cond" and len(call.args) > 4):
            return False
        for parameter in _CALLING.get(transform.name, ()):
            position = transform.signature.index(parameter)
            value, node = call.get(position, parameter), call.node_of(position, parameter)
            if isinstance(node, ir.Attribute) and type(self.i.bases.get(node.site)) is v.Unknown:
                continue  # the `shape` of what is not known may be a function of a module
            what = self.value(value) if value is not None else None
            if what is not None:
                self.report(transform, call, parameter, CallbackSignature("value", what=what))
                return True
        return False

    def value(self, value: v.Value) -> str | None:
        """What a value is that certainly cannot be called."""
        if self.is_leaf(value) and not (type(value) is v.Array and value.presumed):
            made = described(value, self.i.aval_of(value))
            return "an array" if made == "one value" else made
        contents = self.i.contents(value)
        if type(value) is v.Tuple and value.namedtuple is not None:
            cls = value.namedtuple
            closed = all(type(each) is v.Api or (type(each) is v.ClassValue and each.is_closed) for each in cls.bases)
            return (
                None if cls.lookup("__call__") is not None or not closed else f"an instance of `{cls.definition.name}`"
            )
        if type(value) is v.Tuple and value.fields is None:
            return "a tuple"
        return {ListObject: "a list", DictObject: "a dict"}.get(type(contents))

    def pair(self, transform: Transform, call: Call, function: v.Value, result: v.Value, xs: v.Value) -> None:
        """The body of a scan takes what ``xs`` has along an axis, and returns the carry and an output."""
        self.rows(transform, call, function, xs)
        count: int | None = None
        if type(result) is v.Tuple or type(self.i.contents(result)) is ListObject:
            items = self.i.items_of(result)
            count = None if items is None else len(items)
            wrong = count is not None and count != 2
        else:
            wrong = v.is_none(result) or self.is_leaf(result)
        if wrong and transform.name.startswith(_NAMES):
            what = f"{count} values" if count is not None else described(result)
            self.report(transform, call, "f", CallbackSignature("pair", function, what=what))

    def rows(self, transform: Transform, call: Call, function: v.Value, xs: v.Value) -> None:
        """The body of a loop over a list is given a list, of one row of each array, and not one entry of the list after the other."""
        known = function.function if type(function) is v.FunctionValue else None
        if known is None or len(known.parameters) < 2 or not isinstance(self.i.contents(xs), ListObject):
            return
        name = known.parameters[1].name
        entry = next(
            (
                node
                for node in ir.walk(known.body)
                if type(node) is ir.Subscript
                and type(node.value) is ir.Name
                and node.value.id == name
                and type(node.index) is ir.Constant
                and isinstance(node.index.value, str)
            ),
            None,
        )
        if entry is not None and not bindings(known, name):
            hazard = CallbackSignature("rows", function, what=f"{name}[{entry.index.value!r}]")  # type: ignore[attr-defined]
            self.report(transform, call, "xs", hazard)

    def of_one_tree(self, transform: Transform, call: Call) -> None:
        """`jax.tree.map(lambda *leaves: …, trees)`: the function takes a leaf of each tree, and a list of trees is one tree."""
        function, trees = call.get(0, "f"), call.get(1, "tree")
        if type(function) is not v.FunctionValue or trees is None or len(call.args) != 2 or call.star or call.keywords:
            return
        if [parameter.kind for parameter in function.function.parameters] != ["star"]:
            return
        contents = self.i.contents(trees)
        if type(contents) is ListObject and (contents.items is None or len(contents.items) > 1):
            self.report(transform, call, "tree", CallbackSignature("list", function))

    def lacks_axis(self, transform: Transform, call: Call, xs: v.Value) -> bool:
        """Whether a loop over rows is given something without an axis: a number, a 0-d array, one key; recorded if so."""
        for leaf in self.i.leaves([xs]):
            number = v.is_scalar_const(leaf) or (type(leaf) is v.Static and leaf.type in v.NUMERIC_TYPES)
            aval = leaf.aval if isinstance(leaf, (v.Array, v.Host)) else v.ANY
            if number or (aval.shape == () and aval.dtype != "key"):  # of a key without a type there are two words
                node = call.node_of(transform.signature.index("xs"), "xs") or call.node
                self.i.report(IterateOverScalarTracer(), call.node, node, leaf, api=transform.name, parameter="xs")
                return True
        return self.is_uneven(transform, call, xs)

    def is_uneven(self, transform: Transform, call: Call, xs: v.Value) -> bool:
        """Whether a loop over rows is given arrays with other numbers of rows than one another, or than it is to make steps."""
        length = call.keywords.get("length")
        sizes = [length.value] if type(length) is v.Const and type(length.value) is int else []
        for leaf in self.i.leaves([xs]):
            shape = leaf.aval.shape if isinstance(leaf, (v.Array, v.Host)) and leaf.aval.dtype != "key" else None
            size = shape[0] if shape else None
            sizes += [size] if type(size) is int else []
        other = next((size for size in sizes if size != sizes[0]), None)
        if other is None:
            return False
        node = call.node_of(transform.signature.index("xs"), "xs") or call.node
        hazard = VmapAxesMismatch("sizes", sizes[0], other)
        self.i.report(hazard, call.node, node, v.UNKNOWN, api=transform.name, parameter="xs")
        return True

    def predicate(self, transform: Transform, call: Call, parameter: str, function: v.Value, result: v.Value) -> None:
        """The condition of a while loop returns one boolean."""
        aval = self.i.aval_of(result)
        wrong = aval.shape not in (None, ()) or aval.dtype not in (None, "bool") or v.is_none(result)
        if (wrong or type(result) is v.Tuple) and transform.name.startswith(_NAMES):
            self.report(
                transform, call, parameter, CallbackSignature("predicate", function, what=described(result, aval))
            )

    def choice(self, transform: Transform, call: Call, parameter: str, index: bool) -> None:
        """What chooses the branch is a scalar, and for `switch` an integer."""
        value = call.get(0, parameter)
        if value is None or not transform.name.startswith(_NAMES):
            return
        aval = self.i.aval_of(value)
        wrong = aval.shape not in (None, ()) or v.is_none(value) or type(value) in (v.Tuple, v.FunctionValue)
        wrong |= type(value) is v.Const and isinstance(value.value, str)
        if index:
            wrong |= aval.dtype is not None and "int" not in aval.dtype
        if wrong:
            what = described(value, aval)
            self.report(
                transform, call, parameter, CallbackSignature("index" if index else "predicate", None, what=what)
            )

    def is_leaf(self, value: v.Value) -> bool:
        return (
            type(value) in (v.Array, v.Host)
            or v.is_scalar_const(value)
            or (type(value) is v.Static and value.type in v.NUMERIC_TYPES)
        )

    def report(self, transform: Transform, call: Call, parameter: str, hazard: CallbackSignature) -> None:
        position = transform.signature.index(parameter) if parameter in transform.signature else None
        node = call.node_of(position, parameter) or call.node
        value = hazard.function or v.UNKNOWN
        self.i.report(hazard, call.node, node, value, api=transform.name, parameter=parameter)


def described(value: v.Value, aval: v.Aval = v.ANY) -> str:
    """A value in words."""
    if v.is_none(value):
        return "None"
    if type(value) is v.Tuple:
        return "a tuple"
    if type(value) is v.FunctionValue:
        return "a function"
    if type(value) is v.Const and isinstance(value.value, str):
        return "a string"
    if aval.shape:
        if all(isinstance(size, int) for size in aval.shape):
            return f"an array of shape {aval.shape}"
        return f"an array of {len(aval.shape)} dimension{'' if len(aval.shape) == 1 else 's'}"
    if aval.dtype is not None:
        return with_article(aval.dtype.rstrip("0123456789"))
    return "one value"


def as_on_host(value: v.Value) -> v.Value:
    """An argument of a callback, as the host sees it: numbers and arrays arrive as concrete jax arrays."""
    if isinstance(value, (v.Array, v.Host)):
        return v.Array(v.CONCRETE, value.aval)
    if v.is_scalar_const(value) or (type(value) is v.Static and value.type in v.NUMERIC_TYPES):
        return v.Array(v.CONCRETE, v.Aval(None, ()))
    return value if type(value) is v.Const else v.Unknown(v.fresh())
