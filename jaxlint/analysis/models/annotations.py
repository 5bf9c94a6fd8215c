"""Arguments whose annotation is a pytree class of the project: an object with a value for each declared field.

A transform makes every leaf of an argument a tracer. Where the caller is not visible, the annotation says which leaves there
are: fields of arrays, numbers, and other classes of this kind. Fields that are static, and those of classes that are not
registered as pytrees of their fields, stay unknown.
"""

from __future__ import annotations

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.instances import ARRAY_CLASSES
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.models.array_types import ARRAYS, TYPED_ARRAYS, is_array_type
from jaxlint.ir import nodes as ir

MAX_DEPTH = 4  # of classes in one another
# Functions that are written for the type of what they return.
_MAKERS = frozenset({"jax.numpy.array", "jax.numpy.asarray"})
_NUMBERS = frozenset({"int", "float", "bool", "complex"})
_UNIONS = frozenset({"Optional", "Union"})
_SEQUENCES = frozenset({"list", "List", "tuple", "Tuple", "Sequence"})
# Classes of libraries that are pytrees of nothing but arrays.
_PYTREES = frozenset({"e3nn_jax.IrrepsArray", "jraph.GraphsTuple", "chex.ArrayTree"})
TYPE_VARIABLE = "TypeVar"  # of any type; one with a bound stands for its bound
_MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "FrozenDict"})


class Annotations(Component):
    """Component of the interpreter: what annotations say of values."""

    # --- arrays -------------------------------------------------------------------------------

    def is_array(self, annotation: ir.Expression | None, frame: Frame | None, or_none: bool = True) -> bool:
        """Whether an annotation is a type of arrays, or a union of such types; with ``or_none`` also of None."""
        if type(annotation) is ir.Constant and isinstance(annotation.value, str):
            name, bracket, _ = annotation.value.partition("[")
            return _last_part(name) in (TYPED_ARRAYS if bracket else ARRAYS) or self._is_alias(name, frame)
        if type(annotation) is ir.Subscript:
            name = _last_part(ir.dotted(annotation.value))
            inner = annotation.index.elements if type(annotation.index) is ir.Sequence else [annotation.index]
            if name in _UNIONS:
                with_none = name == "Optional" or any(map(ir.is_none, inner))
                return (or_none or not with_none) and all(
                    ir.is_none(part) or self.is_array(part, frame, or_none) for part in inner
                )
            if name in TYPED_ARRAYS | ARRAYS and len(inner) == 1 and _is_text(inner[0]):  # the dimensions alone
                return True
            return name in TYPED_ARRAYS and bool(inner) and self.is_array(inner[0], frame, or_none)
        if type(annotation) is ir.Binary and annotation.op == "|":
            parts = annotation.left, annotation.right
            return all((or_none and ir.is_none(part)) or self.is_array(part, frame, or_none) for part in parts)
        dotted = ir.dotted(annotation)
        return _last_part(dotted) in ARRAYS or self._is_alias(dotted, frame)

    def holds_arrays(self, annotation: ir.Expression | None, frame: Frame | None) -> bool:
        """Whether an annotation is a type of arrays, or of what holds nothing but arrays: `dict[str, jax.Array]`, a class of a library."""
        if type(annotation) is ir.Subscript:
            name = _last_part(ir.dotted(annotation.value))
            inner = annotation.index.elements if type(annotation.index) is ir.Sequence else [annotation.index]
            if name in _MAPPINGS:
                return len(inner) == 2 and self.holds_arrays(inner[1], frame)
            if name in _SEQUENCES:
                return all(_is_ellipsis(each) or self.holds_arrays(each, frame) for each in inner)
        named = self.named(annotation, frame)
        return (type(named) is v.Api and named.name in _PYTREES) or self.is_array(annotation, frame)

    def _is_alias(self, dotted: str | None, frame: Frame | None) -> bool:
        """Whether a name of the project stands for a type of arrays: `Activations = Float[Array, "batch time"]`."""
        value = self._named(dotted, frame)
        return type(value) is v.Api and (is_array_type(value.name) or value.name in ARRAY_CLASSES | _MAKERS)

    def _named(self, dotted: str | None, frame: Frame | None) -> v.Value | None:
        if not dotted or not all(map(str.isidentifier, dotted.split("."))):
            return None
        value: v.Value | None = self.i.named(dotted, frame)
        return value

    def is_boolean(self, annotation: ir.Expression | None, frame: Frame | None) -> bool:
        """Whether an annotation is a type of arrays of booleans: `Bool[Array, "n"]`, or an alias of one."""
        if type(annotation) is ir.Constant and isinstance(annotation.value, str):
            name, bracket, _ = annotation.value.partition("[")
            named = self._named(name, frame) if not bracket else None
            return (bool(bracket) and _last_part(name) == "Bool") or _is_api_of_booleans(named)
        if type(annotation) is ir.Subscript:
            return _last_part(ir.dotted(annotation.value)) == "Bool" and self.is_array(annotation, frame, or_none=False)
        return _is_api_of_booleans(self._named(ir.dotted(annotation), frame))

    def is_mapping(self, annotation: ir.Expression | None) -> bool:
        """Whether an annotation is a type of mappings, or a union of one with None."""
        if type(annotation) is ir.Constant and isinstance(annotation.value, str):
            return _last_part(annotation.value.partition("[")[0]) in _MAPPINGS
        if type(annotation) is ir.Subscript and _last_part(ir.dotted(annotation.value)) == "Optional":
            return self.is_mapping(annotation.index)
        if type(annotation) is ir.Binary and annotation.op == "|":
            parts = annotation.left, annotation.right
            return any(map(ir.is_none, parts)) and any(map(self.is_mapping, parts))
        return _last_part(ir.dotted(annotation.value if type(annotation) is ir.Subscript else annotation)) in _MAPPINGS

    # --- pytrees ------------------------------------------------------------------------------

    def pytree(
        self, annotation: ir.Expression | None, frame: Frame | None, numbers_are_leaves: bool = False, depth: int = 0
    ) -> v.Value | None:
        """An object of the class that an annotation names; None where that is not a pytree of its declared fields.

        ``numbers_are_leaves``: a transform makes tracers of numbers, too. Their fields may then hold arrays of any shape, as
        they do after `vmap`.
        """
        cls = self.named(annotation.value if type(annotation) is ir.Subscript else annotation, frame)
        return self.object(cls, numbers_are_leaves, depth) if type(cls) is v.ClassValue else None

    def object(self, cls: v.ClassValue, numbers_are_leaves: bool, depth: int = 0) -> v.Value | None:
        """An object of a class; None where that is not a pytree of its declared fields."""
        if depth == MAX_DEPTH:
            return None
        if cls.family == "namedtuple":
            declared = self.declared(cls)
            if list(declared) != self.i.declared_fields(cls):
                return None
            fields = v.Fields(declared)
            fields.cls, fields.is_declared = cls, True
            return v.Tuple(
                tuple(self._field(cls, each, numbers_are_leaves, depth) for each in declared.values()), fields=fields
            )
        if self.i.pytrees.static_fields(cls) is None:
            return None
        return self.i.new_object(Instance(cls, self.fields(cls, numbers_are_leaves, depth)))

    def fields(self, cls: v.ClassValue, numbers_are_leaves: bool, depth: int = 0) -> dict[str, v.Value]:
        """What is declared of the fields of a pytree class; those that are static are left out."""
        static = self.i.pytrees.static_fields(cls) or ()
        return {
            name: self._field(cls, written, numbers_are_leaves, depth)
            for name, written in self.declared(cls).items()
            if name not in static
        }

    def named(self, annotation: ir.Expression | None, frame: Frame | None) -> v.Value | None:
        """What an annotation names, also as a string; None for any other annotation."""
        text = annotation.value if type(annotation) is ir.Constant and isinstance(annotation.value, str) else None
        return self._named(text if text is not None else ir.dotted(annotation), frame)

    def declared(self, cls: v.ClassValue) -> dict[str, ir.Expression]:
        """The annotations in the body of a class and of those that it derives from, by name."""
        found: dict[str, ir.Expression] = {}
        for owner in reversed(cls.mro()):
            statement: ir.Statement
            for statement in owner.definition.body:
                if type(statement) is ir.Annotate and type(statement.target) is ir.Name:
                    found[statement.target.id] = statement.annotation
        return found

    def is_always_none(self, cls: v.ClassValue, name: str) -> bool:
        """Whether the annotation of a class variable says that no object has anything else: `ClassVar[None]`."""
        annotation = self.declared(cls).get(name)
        return (
            type(annotation) is ir.Subscript
            and _last_part(ir.dotted(annotation.value)) == "ClassVar"
            and ir.is_none(annotation.index)
        )

    def _field(
        self, cls: v.ClassValue, annotation: ir.Expression | None, numbers_are_leaves: bool, depth: int
    ) -> v.Value:
        name = ir.dotted(annotation)
        if not numbers_are_leaves and _last_part(name) == "ArrayLike":
            return v.Unknown(v.fresh())  # a number, perhaps
        if self.is_array(annotation, cls.frame, or_none=False) or (numbers_are_leaves and name in _NUMBERS):
            aval = v.BOOL if self.is_boolean(annotation, cls.frame) else v.ANY
            return v.Array(v.CONCRETE, aval, None, v.fresh())
        if name in _NUMBERS:
            return v.Static(name, v.fresh())
        return self.pytree(annotation, cls.frame, numbers_are_leaves, depth + 1) or v.Unknown(v.fresh())


def _last_part(dotted: str | None) -> str:
    return (dotted or "").rpartition(".")[2]


def _is_api_of_booleans(value: v.Value | None) -> bool:
    return type(value) is v.Api and is_array_type(value.name) and _last_part(value.name) == "Bool"


def _is_text(node: ir.Node) -> bool:
    return type(node) is ir.Constant and isinstance(node.value, str)


def _is_ellipsis(node: ir.Expression) -> bool:
    return type(node) is ir.Constant and node.value is ...
