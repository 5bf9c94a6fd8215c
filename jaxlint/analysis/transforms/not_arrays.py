"""Arguments that a transform cannot trace: strings, functions, sets, objects JAX has no way to take apart.

Where no call is seen, the annotation of a parameter of a compiled function says that each call passes one.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.signatures import Signature, signature_of
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, SetObject
from jaxlint.analysis.interpreter.hashing import hashable_instances, surely_hashable
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.knowledge.libraries import NAMESPACE
from jaxlint.knowledge.transforms import Transform
from jaxlint.source.libraries import LIBRARIES

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Transforms that refuse such an argument; others take it as it is, or are not called with arguments.
_REJECTING = frozenset({
    "jax.jit", "jax.experimental.pjit.pjit", "jax.pmap", "jax.checkpoint", "jax.make_jaxpr", "jax.vmap", "jax.grad",
    "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian", "flax.nnx.jit",
})  # fmt: skip
# Arguments that control flow traces, by their names in the signature of the transform.
_TRACED = {
    "jax.lax.scan": ("init", "xs"), "jax.lax.while_loop": ("init_val",), "jax.lax.fori_loop": ("init_val",),
    "jax.lax.map": ("xs",), "jax.lax.cond": ("*operands",), "jax.lax.switch": ("*operands",),
    "jax.eval_shape": ("*args",), "jax.experimental.ode.odeint": ("y0", "t", "*args"),
}  # fmt: skip
# Bases and decorators that register nothing as a pytree.
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC", "enum.Enum", "enum.Flag", "builtins.str"})
_PLAIN_DECORATORS = frozenset({"dataclasses.dataclass", "functools.total_ordering"})
# Members by which a class may register its subclasses, or convert its instances to arrays.
_SPECIAL = frozenset({"__init_subclass__", "__jax_array__", "__getattr__", "__getattribute__"})
_REGISTERS = re.compile(r"register_(pytree|dataclass|static|keypaths)")
_COMPILED = frozenset({"jax.jit", "jax.experimental.pjit.pjit"})
# What annotations of builtins and of `typing` say of an argument; what can be called may be a pytree.
_DECLARED = {"str": "a string", "bytes": "a bytes object"}
_CALLABLES = frozenset({"typing.Callable", "collections.abc.Callable"})
_HARMLESS_CALLS = frozenset({"isinstance", "issubclass", "super", "repr", "str", "print", "id", "hash"})


_FUNCTION = ("a function", True)
_MAX_DEPTH = 4  # to which containers and fields are looked into
# Libraries whose objects can be called and may be pytrees, modules of such libraries, and what makes a function one.
_CALLABLE_TREES = frozenset(each.name for each in LIBRARIES if each.of_jax) - {"jax", "optax"} | {
    "nnx",
    "struct",
    "Partial",
}
_NOT_KNOWN = (v.Unknown, v.Undecided, v.MaybeDefault, v.Static, v.OpaqueInstance)


@hazard_class(of_plain_values=True)
class NonArrayArgument(Hazard):
    """A value that is not an array is passed for a parameter of a transformed function. Site: the call, or the parameter."""

    what: str  # "a string", "a function", "an instance of `Config`", "a list containing a string" ...
    hashable: bool | None  # whether it can be static; None where that is not known
    function: ir.Function | None
    definition: ir.Parameter | None  # of the parameter
    entry: str = ""  # the key of the one entry of a dict that is no array
    cls: int | None = (
        None  # site of the class of an instance that could be a pytree: of arrays and numbers, as far as is known
    )
    fields: tuple[
        int, ...
    ] = ()  # sites of the fields of a dataclass of Flax that hold it, and could be marked as no leaves


class NotArrays(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.plain: dict[int, bool] = {}  # site of a class -> whether nothing registers it as a pytree
        self.uses: dict[str, list[ir.Node]] | None = None  # names and attributes, in the file and the modules it uses
        self.registers_any: bool | None = None  # whether the file registers classes it does not name
        self.callable_trees: bool | None = None  # whether the file has to do with functions that are pytrees
        self.taken: set[int] = interpreter.per_module(set())  # sites of parameters that are given what can be traced
        self.reported: set[int] = interpreter.per_module(set())  # and of those that are not

    def check_operands(self, transform: Transform, call: Call) -> None:
        """Report operands of control flow that cannot be traced."""
        names = _TRACED.get(transform.name, ())
        # In an older form of `lax.cond` the operands stand between the functions.
        if (
            not names
            or call.star
            or (transform.name == "jax.lax.cond" and self.describe_non_array(call.get(1) or v.UNKNOWN) != _FUNCTION)
        ):
            return
        for name in names:
            position = transform.signature.index(name)
            rest = slice(position, None if name.startswith("*") else position + 1)
            pairs = list(zip(call.args[rest], call.arg_nodes[rest]))
            if name in call.keywords:
                pairs.append((call.keywords[name], call.keyword_nodes.get(name, call.node)))
            for value, node in pairs:
                if self.i.equinox.operand(transform.name, call, value, node):
                    continue
                found = (
                    self.describe_non_array(value)
                    if type(call.node) is ir.Call and isinstance(node, ir.Expression)
                    else None
                )
                if found is not None:
                    hazard = NonArrayArgument(*found, None, None)
                    self.i.report(hazard, call.node, node, value, api=transform.name)

    def check_argument(
        self,
        made: v.Transformed,
        call: Call,
        signature: Signature,
        name: int | str,
        value: v.Value,
        node: ir.Node | None,
        origin: Origin,
    ) -> None:
        """Record an argument, at a position or of a name, that is neither an array nor a pytree of arrays."""
        # What stands for the receiver of a method, or for any call, has no expression of its own.
        if type(call.node) is not ir.Call or node is call.node or not isinstance(node, ir.Expression):
            return
        if self.i.equinox.argument(made, call, value, node) or made.transform.name not in _REJECTING:
            return
        found = self.describe_non_array(value) or self.by_annotation(value, node)
        parameter = _parameter(signature, name)
        if parameter is not None and (found is not None or not isinstance(value, _NOT_KNOWN)):
            (self.taken if found is None else self.reported).add(parameter.site)
        if found is None:
            return
        function = signature.function.function if signature.function is not None else None
        contents = self.i.contents(value)
        items = contents.items.items() if type(contents) is DictObject and contents.rest is None else ()
        entries = [name for name, item in items if self.describe_non_array(item) is not None]
        entry = entries[0] if len(entries) == 1 and isinstance(entries[0], str) and len(items) > 1 else ""
        hazard = NonArrayArgument(
            *found, function, parameter, entry, self.class_of_arrays(contents), self.unmarked(contents)
        )
        self.i.report(hazard, call.node, node, value, api=made.transform.name, origin=origin)

    # --- by annotation ------------------------------------------------------------------------

    def check_annotations(self, made: v.Transformed, signature: Signature) -> None:
        """Record the parameters of a compiled function whose annotation says that every call fails, if no call was seen to."""
        function = signature.function
        if made.transform.name not in _COMPILED or function is None or made.site in self.i.transforms.alternatives:
            return
        own = function.function
        if own.site not in self.i.unit or not self.is_outermost(made, own):
            return
        statics = signature_of(self.i, made.function).statics(self.i, made)
        if statics is None:
            return
        origin = Origin(
            f"`{own.name}` is transformed by `{made.transform.short}`", made.site, None, made.transform.name
        )
        ordinary = [p for p in signature.parameters if p.kind in ("positional-only", "ordinary")]
        for parameter in signature.parameters:
            if parameter.default is not None or parameter.kind in ("star", "double-star"):
                continue
            if statics.name(parameter.name) or (parameter in ordinary and statics.position(ordinary.index(parameter))):
                continue
            found = self.describe_annotation(parameter.annotation, function.frame)
            if found is not None and parameter.site not in self.taken | self.reported:
                hazard = NonArrayArgument(*found, own, parameter)
                value = v.Unknown(v.fresh())
                self.i.report(hazard, parameter, parameter, value, api=made.transform.name, origin=origin)

    def is_outermost(self, made: v.Transformed, function: ir.Function) -> bool:
        """Whether what callers pass comes to the transform as it is: it is no decorator, or the first one."""
        sites = [decorator.site for decorator in function.decorators]
        return not sites or sites[0] == made.site

    def describe_annotation(
        self, annotation: ir.Expression | None, frame: Frame | None
    ) -> tuple[str, bool | None] | None:
        """What an annotation says of an argument, where that is certainly no pytree of arrays."""
        if type(annotation) is ir.Constant:
            return None
        whole = annotation.value if type(annotation) is ir.Subscript else annotation
        dotted = ir.dotted(whole)
        value = self.i.named(dotted, frame) if dotted else None
        if value is None:
            return (_DECLARED[dotted], True) if dotted in _DECLARED and whole is annotation else None
        if type(value) is v.Api and value.name in _CALLABLES:
            return None if self.has_callable_trees() else _FUNCTION
        if type(value) is not v.ClassValue or whole is not annotation:
            return None
        if not self.is_plain(value) or self.i.transforms.static_self.may_be_inherited(value):
            return None
        if value.family != "enum" and not self.i.declared_fields(value, passed=True):
            methods = (type(member) is v.FunctionValue for each in value.mro() for member in each.members.values())
            if not any(methods):
                return None  # a namespace of constants: its name stands for one of them
        what = "a member" if value.family == "enum" else "an instance"
        return f"{what} of `{value.definition.name}`", hashable_instances(value)

    def by_annotation(self, value: v.Value, node: ir.Node) -> tuple[str, bool | None] | None:
        """What the annotation of a parameter around the call says of an argument that is the parameter, or a field of its class."""
        path = (ir.dotted(node) or "").split(".")
        frame = self.i.owner(path[0]) if type(value) in (v.Unknown, v.MaybeDefault) else None
        if frame is None or not isinstance(scope := frame.scope, ir.Function):
            return None
        parameter = next((each for each in scope.parameters if each.name == path[0]), None)
        if parameter is None or bindings(scope, path[0]) or parameter.kind in ("star", "double-star"):
            return None
        if type(parameter.default) is ir.Constant and parameter.default.value is None:
            return None
        annotation = parameter.annotation
        for name in path[1:]:
            cls = None if type(annotation) is ir.Constant else self.i.annotations.named(annotation, frame)
            if type(cls) is not v.ClassValue or self.describe_annotation(annotation, frame) is None:
                return None
            annotation, frame = self.i.annotations.declared(cls).get(name), cls.frame
        return self.describe_annotation(annotation, frame)

    def has_callable_trees(self) -> bool:
        """Whether the file names `jax.tree_util.Partial`, registers a class, or imports a library of modules that are pytrees.

        Callers in its package may make a `Partial` of what they pass.
        """
        if self.callable_trees is None:
            loader = self.i.loader
            self.callable_trees = any(map(_is_of_callable_trees, self.i.unit.own)) or (
                loader is not None and loader.package_mentions(self.i.unit.filename, "Partial")
            )
        return self.callable_trees

    def describe_non_array(self, value: v.Value, depth: int = 0) -> tuple[str, bool | None] | None:
        """Description and hashability of a value that is certainly not a pytree of arrays; None for any other."""
        if type(value) is v.Const and isinstance(value.value, (str, bytes)):
            return ("a string" if isinstance(value.value, str) else "a bytes object"), True
        if type(value) is v.Text or (type(value) is v.Static and value.type == "str"):
            return "a string", True
        if type(value) is v.FunctionValue or (type(value) is v.Api and self.kind_of_name(value.name) == "function"):
            return _FUNCTION
        if isinstance(value, (v.BoundMethod, v.Partial, v.Transformed)):
            return "a function", True if type(value) is not v.BoundMethod else None
        if type(value) is v.ClassValue or (type(value) is v.Api and self.kind_of_name(value.name) == "class"):
            return "a class", True
        if type(value) is v.Iterator and value.form != "pytree":
            return ("a range", True) if value.form == "range" else ("an iterator", False)
        if type(value) is v.Slice:
            return "a slice", False
        if type(value) is v.OpaqueInstance and value.name == NAMESPACE:
            return f"an instance of `{value.name}`", False
        if type(value) is v.Host and self.i.layers.provenance.get(value.ident) == "strings":
            return "an array of strings", False
        if type(value) is v.Tuple:
            return self.of_container("a tuple", value.items or (), depth)
        contents = self.i.contents(value)
        if type(contents) is SetObject:
            return ("a frozenset", True) if contents.frozen else ("a set", False)
        if type(contents) is ListObject:
            items = contents.items if contents.items is not None else (contents.element,)
            return self.of_container("a list", items, depth)
        if type(contents) is DictObject:
            return self.of_container("a dict", tuple(contents.items.values()), depth)
        if type(contents) is Instance and contents.cls.family == "linen" and not contents.cls.decorators:
            return f"the Flax module `{contents.cls.definition.name}`", True
        if self.i.libraries.is_optimiser(value):
            return "an Optax optimiser", True
        if type(contents) is Instance and contents.cls.family not in ("equinox", "nnx", "linen", "haiku"):
            found = self.of_fields(contents, depth)
            if found is not None:
                return found
        # An object without a visible constructor call, whose class sets no fields, is taken to be of a subclass.
        is_abstract = type(value) is v.Ref and value.made is None and type(contents) is Instance and not contents.fields
        if type(contents) is Instance and self.is_plain(contents.cls) and not is_abstract:
            hashable = True if surely_hashable(self.i, value) else _is_hashable(contents.cls)
            return f"an instance of `{contents.cls.definition.name}`", hashable
        return None

    def unmarked(self, contents: object) -> tuple[int, ...]:
        """The declarations of a dataclass of Flax, without defaults, of what cannot be traced."""
        if type(contents) is not Instance or not any(
            type(each) is v.Api and each.name == "flax.struct.dataclass" for each in contents.cls.decorators
        ):
            return ()
        names = {name for name, value in contents.fields.items() if self.describe_non_array(value, 1) is not None}
        return tuple(
            each.site for each in contents.cls.definition.body
            if type(each) is ir.Annotate and each.value is None and getattr(each.target, "id", None) in names
        )  # fmt: skip

    def of_fields(self, contents: Instance, depth: int) -> tuple[str, bool | None] | None:
        """The first non-static field with a value that is no array, of a dataclass that is registered as a pytree."""
        static = self.i.pytrees.static_fields(contents.cls)
        if static is None or depth == _MAX_DEPTH:
            return None
        for name, value in contents.fields.items():
            inner = self.describe_non_array(value, depth + 1) if name in self.i.declared_fields(contents.cls) else None
            if inner is not None and name not in static and not self.is_marked_elsewhere(contents.cls, name):
                return f"{inner[0]} in field `{name}` of `{contents.cls.definition.name}`", False
        return None

    def is_marked_elsewhere(self, cls: v.ClassValue, name: str) -> bool:
        """Whether a function of the project makes the field: it may mark it as static."""
        defaults = (
            (statement.value, owner.frame)
            for owner in cls.mro()
            for statement in owner.definition.body
            if type(statement) is ir.Annotate and getattr(statement.target, "id", None) == name
        )
        return any(
            isinstance(default, ir.Call) and type(self.i.annotations.named(default.func, frame)) is not v.Api
            for default, frame in defaults
        )

    def class_of_arrays(self, contents: object) -> int | None:
        """The site of the class of an object that holds arrays, and whose `__init__` takes each of them and keeps it as it is.

        A dataclass does; one of numbers alone is more likely a configuration.
        """
        if type(contents) is not Instance or contents.cls.bases:
            return None
        made = contents.cls.lookup("__init__")
        fields = contents.fields.values()
        if contents.cls.decorators:
            declared = self.i.annotations.declared(contents.cls)
            kinds = [
                "array" if isinstance(value, (v.Array, v.Host))
                or type(value) is v.Unknown and self.i.annotations.is_array(declared.get(name), contents.cls.frame)
                else v.python_type(value) for name, value in contents.fields.items()
            ]  # fmt: skip
            plain = made is None and "array" in kinds and set(kinds) <= {"array", "int", "float"}
            return contents.cls.definition.site if plain else None
        arrays = all(isinstance(each, (v.Array, v.Host)) or v.python_type(each) in ("int", "float") for each in fields)
        if type(made) is not v.FunctionValue or not arrays:
            return None
        names = [each.name for each in made.function.parameters[1:] if each.kind == "ordinary"]
        kept = {
            statement.targets[0].attr: statement.value.id for statement in made.function.body
            if isinstance(statement, ir.Assign) and isinstance(statement.targets[0], ir.Attribute) and isinstance(statement.value, ir.Name)
        }  # fmt: skip
        plain = len(kept) == len(made.function.body) and kept == {name: name for name in names}
        return contents.cls.definition.site if plain and set(contents.fields) <= set(kept) else None

    def of_container(self, name: str, items: tuple[v.Value, ...], depth: int) -> tuple[str, bool | None] | None:
        for item in items if depth < _MAX_DEPTH else ():
            inner = self.describe_non_array(item, depth + 1)
            if inner is not None:
                hashable = name == "a tuple" and all(surely_hashable(self.i, each) for each in items)
                return f"{name} containing {inner[0]}", hashable
        return None

    def kind_of_name(self, name: str) -> str:
        """Whether a dotted name is certainly that of a function or of a class."""
        if name.startswith("builtins."):
            found = getattr(builtins, name.removeprefix("builtins."), None)
            return "class" if isinstance(found, type) else "function" if callable(found) else ""
        return knowledge.kind(name)

    # --- classes ------------------------------------------------------------------------------

    def is_plain(self, cls: v.ClassValue) -> bool:
        """Whether instances of the class are certainly no pytrees: nothing in the file can have registered it."""
        known = self.plain.get(cls.definition.site)
        if known is None:
            if self.registers_any is None:
                self.registers_any = any(self._registers_any(node) for node in self.nodes())
            plain = not self.registers_any and all(self._is_plain(each) for each in cls.mro())
            known = self.plain[cls.definition.site] = plain
        return known

    def nodes(self) -> Iterator[ir.Node]:
        """The nodes of the file and of the modules it uses: what registers a class is imported where it counts."""
        yield from self.i.unit.own
        for module in self.i.modules.values():
            yield from module.lowered.tree.nodes if module.lowered is not None else ()

    def _registers_any(self, node: ir.Node) -> bool:
        """Whether this names a function that registers pytrees, for a class that is not told by its name."""
        last = node.id if type(node) is ir.Name else getattr(node, "attr", None)
        if type(node) is ir.Alias:
            return _REGISTERS.match(node.name.rpartition(".")[2]) is not None and node.asname not in (None, node.name)
        if not isinstance(last, str) or not _REGISTERS.match(last):
            return False
        above = self.i.unit.parent(node.site)
        if type(above) is ir.Call and above.func is node:
            classes = {each.name for each in self.i.unit.own if type(each) is ir.ClassDefinition}
            if any(type(arg) is ir.Name and arg.id in classes for arg in above.args):
                return False
        inner = node
        for outer in self.i.unit.ancestors(node.site):
            if type(outer) is ir.ClassDefinition:
                return not any(inner is decorator for decorator in outer.decorators)
            inner = outer
        return True

    def _is_plain(self, cls: v.ClassValue) -> bool:
        definition = cls.definition
        if cls.family not in ("", "dataclass", "enum") or definition.keywords or not _SPECIAL.isdisjoint(cls.members):
            return False
        if not all(
            type(base) is v.ClassValue or (type(base) is v.Api and base.name in _PLAIN_BASES) for base in cls.bases
        ):
            return False
        if not all(self.i.decorator_name(decorator) in _PLAIN_DECORATORS for decorator in cls.decorators):
            return False
        if self.uses is None:
            self.uses = {}
            for node in self.nodes():
                if isinstance(node, (ir.Name, ir.Attribute)):
                    self.uses.setdefault(node.id if isinstance(node, ir.Name) else node.attr, []).append(node)
        return all(map(self._is_harmless, self.uses.get(definition.name, ())))

    def _is_harmless(self, use: ir.Node) -> bool:
        """Whether a use of a class cannot register it: it is called, asked for a member, or stands in an annotation."""
        above = self.i.unit.parent(use.site)
        if type(above) is ir.Call:
            return above.func is use or (type(above.func) is ir.Name and above.func.id in _HARMLESS_CALLS)
        if type(above) is ir.Attribute:
            return True
        if type(above) is ir.ClassDefinition:
            return any(base is use for base in above.bases)
        if type(above) is ir.Keyword and above.name == "default_factory":
            return True
        inner: ir.Node = use
        for outer in self.i.unit.ancestors(use.site):
            if isinstance(outer, (ir.Parameter, ir.Annotate)):
                return outer.annotation is inner
            if type(outer) is ir.Function:
                return outer.returns is inner
            if isinstance(outer, ir.Statement):
                return False
            inner = outer
        return False


def _is_of_callable_trees(node: ir.Node) -> bool:
    names: list[str] = [node.id] if type(node) is ir.Name else [getattr(node, "attr", "")]
    if type(node) is ir.Import:
        names = [name for name, _ in node.names if not name.startswith("flax.linen")]
    elif type(node) is ir.ImportFrom:
        module = [] if node.module == "flax" else [node.module]
        names = module + [name for name, _ in node.names]
    return any(part in _CALLABLE_TREES or _REGISTERS.match(part) for name in names for part in name.partition(".")[::2])


def _parameter(signature: Signature, name: int | str) -> ir.Parameter | None:
    """The parameter for a position or a keyword."""
    if isinstance(name, int):
        ordinary = [p for p in signature.parameters if p.kind in ("positional-only", "ordinary")]
        return ordinary[name] if name < len(ordinary) else None
    return next((p for p in signature.parameters if p.name == name), None)


def _is_hashable(cls: v.ClassValue) -> bool | None:
    """False for instances without a hash. Whether code is to be compiled for each object is for the author to say."""
    unhashable = any("__eq__" in each.members and "__hash__" not in each.members for each in cls.mro())
    return False if unhashable and cls.family != "dataclass" else None
