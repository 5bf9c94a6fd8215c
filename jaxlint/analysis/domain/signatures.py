"""Parameters of a callable as a transform sees them, and which of its arguments are static."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeGuard, TypeVar

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import BEHIND, Call
from jaxlint.analysis.domain.instances import ARRAY_CLASSES
from jaxlint.analysis.domain.state import Instance
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_Kind = TypeVar("_Kind")

# Annotations that say an argument is no array. `int` and `float` say nothing: such arguments are
# traced on purpose everywhere.
_NOT_ARRAYS = frozenset({"str", "bytes", "Callable", "Literal", "bool", "type", "Type"})


class Statics:
    """Which arguments keep their Python value. Positions count as the caller of the transform does."""

    def __init__(
        self,
        positions: set[int],
        names: set[str],
        parameters: Sequence[ir.Parameter | Accepted | knowledge.Parameter],
        inferred: bool = True,
    ) -> None:
        ordinary = [p for p in parameters if p.kind in ("positional-only", "ordinary")]
        count = len(ordinary)
        self.positions = {n if n >= 0 else n + count for n in positions}
        self.names = set(names)
        self.ordered = [p.name for p in ordinary]
        # JAX derives the one from the other where only one is given.
        for number, parameter in enumerate(ordinary if inferred else ()):
            if number in self.positions:
                self.names.add(parameter.name)
            elif parameter.name in names:
                self.positions.add(number)

    def position(self, number: int) -> bool:
        return number in self.positions

    def name(self, name: str) -> bool:
        return name in self.names

    def name_of(self, number: int) -> str:
        """Name of the parameter at a position; "" for one of `*args`."""
        return self.ordered[number] if number < len(self.ordered) else ""


NO_STATICS = Statics(set(), set(), ())


class Signature:
    """A callable taken apart: the function below partials and bound methods, and what is left to pass."""

    def __init__(self, function: v.FunctionValue | None, parameters: list[ir.Parameter], receiver: bool) -> None:
        self.function = function
        self.parameters = parameters
        self.receiver = receiver  # the first parameter is `self` of a method that is not bound

    def statics(self, interpreter: Interpreter, made: v.Transformed) -> Statics | None:
        """Static arguments of a jit-like transform; None where they are computed."""
        options = made.options
        if "**" in options:
            return None
        positions: set[int] = set()
        names: set[str] = set()
        for option in ("static_argnums", "static_broadcasted_argnums"):
            given = options.get(option)
            if given is not None:
                numbers = constants_of(interpreter, given, int)
                if numbers is None:
                    return None
                positions |= numbers
        given = options.get("static_argnames")
        if given is not None:
            found = constants_of(interpreter, given, str)
            if found is None:
                return None
            for text in found:
                names |= {part.strip() for part in text.split(",")}
        parameters: Sequence[ir.Parameter | knowledge.Parameter] = self.parameters
        if self.function is None:
            library_function = v.untransformed(made)
            known = knowledge.signature(library_function.name) if type(library_function) is v.Api else None
            if known is None and names:
                return None  # an argument that is passed by position may be one of them
            parameters = known or ()
        elif self.function.wraps is not None:  # JAX reads what it says it wraps
            wrapped = signature_of(interpreter, self.function.wraps)
            if wrapped.function is None:
                return None
            parameters = wrapped.parameters
        passed = {name for name, value in options.items() if not v.is_none(value)}
        both = "static_argnames" in passed and not {"static_argnums", "static_broadcasted_argnums"}.isdisjoint(passed)
        return Statics(positions, names, parameters, inferred=not both)

    def generic_call(self, interpreter: Interpreter, made: v.Transformed, passes_all: bool = False) -> Call:
        """Arguments that stand for any call: required ones unknown, others passed or left; or certainly passed."""
        args: list[v.Value] = []
        nodes: list[ir.Node] = []
        keywords: dict[str, v.Value] = {}
        keyword_nodes: dict[str, ir.Node] = {}
        assert self.function is not None
        node = interpreter.unit.nodes[made.site]
        by_name: set[str] = set()
        by_number: set[int] = set()
        layer: v.Value = made
        while type(layer) is v.Transformed:  # what is static to one of them is so to those around it
            by_name |= constants_of(interpreter, layer.options.get("static_argnames", v.NONE), str) or set()
            by_number |= constants_of(interpreter, layer.options.get("static_argnums", v.NONE), int) or set()
            layer = layer.function
        leaves = not made.transform.behaviour.startswith("filter")  # whether numbers become tracers
        named = False  # a parameter that is static by its name is passed by name, and so are those after it
        for number, parameter in enumerate(self.parameters):
            if parameter.kind == "star":
                continue
            value: v.Value
            is_static = parameter.name in by_name or {number, number - len(self.parameters)} & by_number
            if number == 0 and self.receiver:
                owner = self.function.owner
                tree = None
                if (
                    owner is not None
                    and owner.family == "dataclass"
                    and "classmethod" not in interpreter.markers(self.function.function)
                ):
                    tree = interpreter.annotations.object(owner, leaves and not is_static)
                value = interpreter.receivers.of(self.function) if tree is None else tree
            elif parameter.default is not None or _not_array(parameter.annotation):
                value = v.MaybeDefault(v.fresh())
            else:
                tree = interpreter.annotations.pytree(
                    parameter.annotation, self.function.frame, leaves and not is_static
                )
                value = v.Unknown(v.fresh()) if tree is None else tree
            if parameter.kind == "double-star":
                continue
            named |= parameter.name in by_name and parameter.kind == "ordinary" and made.transform.behaviour == "jit"
            if parameter.kind == "keyword-only" or (named and parameter.kind == "ordinary"):
                keywords[parameter.name] = value
                keyword_nodes[parameter.name] = node if passes_all else parameter
            else:
                args.append(value)
                nodes.append(node if passes_all else parameter)
        star = BEHIND if any(p.kind == "star" for p in self.parameters) else False
        double_star = any(p.kind == "double-star" for p in self.parameters)
        return Call(node, args, nodes, keywords, keyword_nodes, star, double_star)


def signature_of(interpreter: Interpreter, value: v.Value) -> Signature:
    """Signature of anything callable; without a function where it is not one of the project's."""
    if type(value) is v.FunctionValue:
        function = value.function
        owner = value.owner is not None and "staticmethod" not in interpreter.markers(function)
        return Signature(value, list(function.parameters), owner)
    if type(value) is v.BoundMethod:
        inner = signature_of(interpreter, value.function)
        return Signature(inner.function, inner.parameters[1:], False)
    if type(value) is v.Partial:
        inner = signature_of(interpreter, value.function)
        left = []
        named = False  # what follows a parameter that is bound by name can only be passed by name
        for parameter in inner.parameters[len(value.args) :]:
            if parameter.name in value.keywords:
                named |= parameter.kind == "ordinary"
            elif named and parameter.kind == "ordinary":
                left.append(
                    ir.Parameter(
                        parameter.site, parameter.name, "keyword-only", parameter.default, parameter.annotation
                    )
                )
            else:
                left.append(parameter)
        return Signature(inner.function, left, inner.receiver and not value.args)
    if type(value) is v.Transformed:
        return signature_of(interpreter, value.function)
    contents = interpreter.contents(value.receiver) if type(value) is v.Member else None
    applied = type(contents) is Instance and type(value) is v.Member and value.name == "apply"
    if applied and type(contents) is Instance and interpreter.framework(contents.cls).gives("apply"):
        # The variables stand where the method has `self`.
        inner = signature_of(interpreter, contents.cls.lookup("__call__") or v.UNKNOWN)
        return Signature(inner.function, inner.parameters, False)
    if type(value) is v.Member and value.name == "apply" and _is_haiku(value.receiver):
        made = value.receiver
        inner = signature_of(interpreter, made.function)
        before = ["params"] + ["state"] * made.transform.name.endswith("with_state")
        before += ["rng"] * ("without rng" not in made.options)
        extra = [ir.Parameter(made.site, name, "ordinary", None, None) for name in before]
        return Signature(inner.function, extra + inner.parameters, False)
    contents = interpreter.contents(value)
    if type(contents) is Instance:
        method = contents.cls.lookup("__call__")
        if method is not None:
            inner = signature_of(interpreter, method)
            return Signature(inner.function, inner.parameters[1:], False)
    return Signature(None, [], False)


def _is_haiku(value: v.Value) -> TypeGuard[v.Transformed]:
    return type(value) is v.Transformed and value.transform.behaviour == "haiku_transform"


class Accepted(NamedTuple):
    """One parameter that a caller can still pass."""

    name: str
    kind: str  # as of ir.Parameter
    required: bool


# Transforms whose result takes what their function takes, and says so to `inspect.signature`.
_KEEP_PARAMETERS = frozenset({
    "jax.jit", "jax.experimental.pjit.pjit", "jax.vmap", "jax.pmap", "jax.grad", "jax.value_and_grad", "jax.jacfwd",
    "jax.jacrev", "jax.jacobian", "jax.hessian", "jax.checkpoint", "jax.named_call", "jax.custom_jvp", "jax.custom_vjp",
})  # fmt: skip


def accepted(interpreter: Interpreter, value: v.Value, wrapped: bool = False) -> list[Accepted] | None:
    """Parameters of a callable; None where they are not known.

    ``wrapped``: as `inspect.signature` tells them, which looks through `functools.wraps`.
    """
    if type(value) is v.FunctionValue:
        if wrapped and value.wraps is not None:
            return accepted(interpreter, value.wraps, wrapped)
        return [Accepted(p.name, p.kind, p.default is None) for p in value.function.parameters]
    if type(value) is v.BoundMethod:
        return _after_positional(accepted(interpreter, value.function, wrapped), 1)
    if type(value) is v.Partial:
        left: list[Accepted] | None = _after_positional(accepted(interpreter, value.function, wrapped), len(value.args))
        return left if left is None else _after_keywords(left, value.keywords)
    if type(value) is v.Transformed and value.transform.name in _KEEP_PARAMETERS:
        return accepted(interpreter, value.function, wrapped)
    contents = interpreter.contents(value)
    method = contents.cls.lookup("__call__") if type(contents) is Instance else None
    return None if method is None else _after_positional(accepted(interpreter, method, wrapped), 1)


def _after_positional(parameters: list[Accepted] | None, count: int) -> list[Accepted] | None:
    """What is left when ``count`` positional arguments are given."""
    left = list(parameters or [])
    for _ in range(count):
        if not left or left[0].kind not in ("positional-only", "ordinary"):
            return left if left and left[0].kind == "star" else None
        del left[0]
    return left if parameters is not None else None


def _after_keywords(parameters: list[Accepted], given: dict[str, v.Value]) -> list[Accepted]:
    """What is left when keywords are bound: they can be given again, and what follows only by keyword."""
    left = []
    behind = False
    for name, kind, required in parameters:
        behind |= name in given and kind == "ordinary"
        if behind and kind == "ordinary":
            kind = "keyword-only"
        if not (behind and kind == "star"):
            left.append(Accepted(name, kind, required and name not in given))
    return left


def positional(parameters: list[Accepted]) -> list[str]:
    """Names of the parameters that have a position."""
    return [p.name for p in parameters if p.kind in ("positional-only", "ordinary")]


def statics_of(interpreter: Interpreter, function: v.Value | None) -> Statics | None:
    """The static arguments of what is called, none unless it is compiled; None where they are not known."""
    if type(function) is v.Transformed and function.transform.behaviour == "jit":
        return signature_of(interpreter, function.function).statics(interpreter, function)
    return NO_STATICS


def takes(parameters: list[Accepted], kind: str) -> bool:
    """Whether there is a parameter of a kind: "star" or "double-star"."""
    return any(p.kind == kind for p in parameters)


def constants_of(interpreter: Interpreter, value: v.Value, kind: type[_Kind]) -> set[_Kind] | None:
    """The constants in a literal of one or several; None for anything else."""
    if type(value) is v.Const:
        if value.value is None:
            return set()
        return {value.value} if isinstance(value.value, kind) else None
    found = v.constants(interpreter.items_of(value), kind)
    return None if found is None else set(found)


# Packages whose names may stand for arrays in annotations, beside the classes of arrays.
_OF_ARRAYS = (
    "jax.numpy.",
    "jax.typing.",
    "jax.random.",
    "jaxtyping.",
    "numpy.",
    "chex.",
    "typing.",
    "typing_extensions.",
    "builtins.",
)


def declared_object(interpreter: Interpreter, node: ir.Node) -> bool:
    """Whether a node names a parameter of the function at hand whose annotation is a class, and not one of arrays."""
    declared = _declared(node, interpreter.frame.scope)
    value = interpreter.named(declared) if declared else None
    if value is None:
        return False  # no annotation, or a builtin
    return type(value) is not v.Api or not (value.name in ARRAY_CLASSES or value.name.startswith(_OF_ARRAYS))


def declared_class(node: ir.Node | None, scope: ir.Scope) -> str:
    """Name of the class that annotates the parameter of ``scope`` which a node names; empty where there is none."""
    return _declared(node, scope).rpartition(".")[2]


def _declared(node: ir.Node | None, scope: ir.Scope) -> str:
    """The annotation of the parameter that a node names, if that is a dotted name, in quotes or not."""
    name = node.id if type(node) is ir.Name else None
    annotation = next((each.annotation for each in getattr(scope, "parameters", ()) if each.name == name), None)
    if type(annotation) is ir.Constant and isinstance(annotation.value, str):
        return annotation.value if all(map(str.isidentifier, annotation.value.split("."))) else ""
    return ir.dotted(annotation) or ""


def _not_array(annotation: ir.Node | None) -> bool:
    if annotation is None:
        return False
    if type(annotation) is ir.Subscript:
        if isinstance(annotation.value, (ir.Name, ir.Attribute)) and _last(annotation.value) == "Optional":
            return _not_array(annotation.index)
        return _not_array(annotation.value)
    if type(annotation) is ir.Constant and isinstance(annotation.value, str):
        return annotation.value.partition("[")[0].rpartition(".")[2] in _NOT_ARRAYS
    if isinstance(annotation, (ir.Name, ir.Attribute)):
        return _last(annotation) in _NOT_ARRAYS
    return False


def _last(node: ir.Name | ir.Attribute) -> str:
    return node.id if isinstance(node, ir.Name) else node.attr
