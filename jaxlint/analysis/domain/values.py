"""What is known of the value of an expression.

Values are immutable. ``kind`` names the row of the table in ``docs/architecture.md``; ``cls`` is the
class of a tracer ("staged", "batched", "differentiated") and None for everything else. Two values
say the same when their ``key`` is equal: identity and origin take no part in it.

An *ident* names a run-time object, so that aliases share it: a tuple whose first element is a serial
number and whose other elements are the path taken into the object (an index, an attribute). Random
keys are followed by ident.
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mypy_extensions import mypyc_attr

from jaxlint.analysis.domain.dimensions import Dimension

if TYPE_CHECKING:
    from jaxlint.analysis.domain.context import Frame
    from jaxlint.analysis.domain.origin import Origin
    from jaxlint.ir import nodes as ir
    from jaxlint.ir.nodes import ClassDefinition, Function, Node
    from jaxlint.knowledge.transforms import Transform
    from jaxlint.project.resolver import Place

Ident = tuple[Any, ...]
_Kind = TypeVar("_Kind")

STAGED = "staged"
BATCHED = "batched"
DIFFERENTIATED = "differentiated"
CONCRETE = "concrete"  # a jax array that has its value now
MAYBE = "maybe"  # a jax array; whether it is a tracer is not known
# A tracer of a transform may be made of tracers of the transforms around it: then a tracer is left outside of its transform, too.
# Its mode, by its class and by the classes of what it was made of.
NOTHING: frozenset[str] = frozenset()
_MODES = {
    (STAGED, NOTHING): STAGED,
    (STAGED, frozenset({DIFFERENTIATED})): "staged_differentiated",
    (STAGED, frozenset({BATCHED})): "staged_batched",
    (STAGED, frozenset({BATCHED, DIFFERENTIATED})): "staged_batched_differentiated",
    (BATCHED, NOTHING): "batched_inside",  # of what nothing around maps, where something does
    (BATCHED, frozenset({DIFFERENTIATED})): "batched_inside_differentiated",
    (BATCHED, frozenset({BATCHED})): BATCHED,
    (BATCHED, frozenset({BATCHED, DIFFERENTIATED})): "batched_differentiated",
    (DIFFERENTIATED, frozenset({DIFFERENTIATED})): DIFFERENTIATED,
}
CLASSES = {mode: cls for (cls, _), mode in _MODES.items()}
_MADE_OF = {mode: parts for (_, parts), mode in _MODES.items()}
ABSTRACT = frozenset(mode for mode, cls in CLASSES.items() if cls != DIFFERENTIATED)
TRACED = frozenset(CLASSES)
CERTAIN = TRACED | {CONCRETE}  # known to be a tracer, or known to be none
_STRENGTH = {
    mode: number
    for number, mode in enumerate(
        (CONCRETE, *(m for cls in (DIFFERENTIATED, BATCHED, STAGED) for m in CLASSES if CLASSES[m] == cls))
    )
}


def made_of(mode: str) -> frozenset[str]:
    """The classes of the transforms around of whose tracers an array of this mode was made, its own among them."""
    return _MADE_OF.get(mode, NOTHING)


def tracer_mode(cls: str, parts: frozenset[str]) -> str:
    """The mode of a tracer of a class that was made of tracers of these classes."""
    return _MODES.get((cls, parts), cls)


def eager_mode(parts: frozenset[str]) -> str:
    """The mode that an array made of tracers of these classes has in code that is not staged."""
    return tracer_mode(BATCHED, parts) if BATCHED in parts else DIFFERENTIATED if parts else MAYBE


serials = itertools.count(1)


def fresh() -> Ident:
    """The ident of an object not seen before."""
    return (next(serials),)


def step(index: Hashable, version: int) -> Hashable:
    """A step of an ident into an element of an object, in a version of the object: 0 as it was first seen."""
    return ("~", index, version) if version else index


def unversioned(step: Hashable) -> tuple[Hashable, int]:
    """The index and the version of a step."""
    return (step[1], step[2]) if type(step) is tuple and step[0] == "~" else (step, 0)


class Value:
    """Base of all values."""

    __slots__ = ()
    kind = "unknown"
    cls: str | None = None
    origin: Origin | None = None
    ident: Ident | None = None

    @property
    def key(self) -> Hashable:
        return self.kind


READ = "read"  # the kind of a structure


class Structure(NamedTuple):
    """What is known of the structure of a tree whose leaves are not followed: where it was made.

    ``kind``: "variables" that `init` of a Linen module gives, their "params", or "read", what a checkpoint holds: dicts and
    lists, and no objects of classes.
    """

    kind: str
    of: Hashable  # the module
    made: int  # the run of `init`, or 0 for a tree of other arrays; the site where the checkpoint was read

    def child(self, key: object) -> Structure | None:
        """What is known of the tree under a key."""
        if self.kind == "variables" and key == "params":
            return self._replace(kind="params")
        return self if self.kind == READ else None


class Unknown(Value):
    """Anything, or one of the callables and objects in ``options``. Attributes and elements of it are followed by ident.

    ``open``: or something else than these. ``compared``: what a comparison gives: a bool or, of arrays, an array of them.
    ``structure``: what is known of it as a pytree.
    """

    __slots__ = ("ident", "options", "open", "compared", "structure")

    def __init__(
        self,
        ident: Ident | None = None,
        options: tuple[Value, ...] = (),
        open: bool = True,
        compared: bool = False,
        structure: Structure | None = None,
    ) -> None:
        self.ident = ident
        self.options = options
        self.open = open
        self.compared = compared
        self.structure = structure

    @property
    def key(self) -> Hashable:
        if self.compared:
            return "compared"
        if self.structure is not None:
            return ("tree", self.structure)
        return ("one of", frozenset(map(option_key, self.options)), self.open) if self.options else self.kind

    def renewed(self, ident: Ident | None) -> Unknown:
        """Another object of which the same is known."""
        return Unknown(ident, self.options, self.open, structure=self.structure)

    def __repr__(self) -> str:
        return "Unknown"


UNKNOWN = Unknown()
COMPARED = Unknown(compared=True)


class Const(Value):
    """A Python object known exactly: a number, a string, None, `...`."""

    __slots__ = ("value",)
    kind = "const"

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def key(self) -> Hashable:
        return ("const", type(self.value).__name__, repr(self.value))

    def __repr__(self) -> str:
        return f"Const({self.value!r})"


NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)


class Static(Value):
    """Concrete at trace time, value unknown. ``type`` is a Python type name where that is known.

    A symbolic dimension has the type "dim", and a ``size`` where its sum is known.
    """

    __slots__ = ("type", "ident", "size")
    kind = "static"

    def __init__(self, type: str = "", ident: Ident | None = None, size: Dimension | None = None) -> None:
        self.type = type
        self.ident = ident
        self.size = size

    @property
    def key(self) -> Hashable:
        return ("static", self.type, self.ident if self.type in ("dtype", MEMBER) else self.size)

    def __repr__(self) -> str:
        return f"Static({self.type})"


MEMBER = "member"  # the type of a member of an enumeration, which its ident tells from others
STATIC = Static()
STATIC_BOOL = Static("bool")
STATIC_INT = Static("int")
STATIC_FLOAT = Static("float")
STATIC_STR = Static("str")
SYMBOLIC_DIMENSION = Static("dim")
NUMERIC_TYPES = frozenset({"int", "float", "bool", "complex"})


# A symbolic dimension of an exported function of which nothing else is known, where a shape has an int.
SYMBOLIC = "symbolic"


Size = int | Dimension | str  # a number, or a symbolic one: a Dimension or SYMBOLIC
Shape = tuple[Size | None, ...]  # unknown dimensions are None, symbolic ones a Dimension or SYMBOLIC


def is_symbolic(size: object) -> bool:
    """Whether a size in a shape is a symbolic dimension."""
    return size == SYMBOLIC or type(size) is Dimension


class Counter(NamedTuple):
    """An integer that a loop carries, and what the body has added to it: known once the whole body has run."""

    loop: int  # serial number of its run
    leaf: int  # which of those that are carried
    added: int


Span = tuple[int, int] | Counter


def _whole_number(value: Value) -> int | None:
    """The integer that a number, or each element of an array, is."""
    if type(value) is Const and type(value.value) is int:
        return value.value
    span = value.aval.span if type(value) is Array else None
    return span[0] if type(span) is tuple and span[0] == span[1] else None


def shifted(op: str, span: Span | None, other: Value, ops: str = "+-") -> Span | None:
    """The integers of a sum with a number, or of a difference; None of what else than ``ops`` is done to them."""
    number = _whole_number(other)
    if span is None or op not in ops or number is None:
        return None
    by = number if op == "+" else -number
    if isinstance(span, Counter):
        return span._replace(added=span.added + by)
    return span[0] + by, span[1] + by


def multiplied(span: Span | None, other: Value) -> Span | None:
    """The integers of a product with a number that is not negative."""
    if type(span) is not tuple or type(other) is not Const or type(other.value) is not int or other.value < 0:
        return None
    return span[0] * other.value, span[1] * other.value


def spanned(op: str, first: Span | None, right: Value, second: Span | None, left: Value) -> Span | None:
    """The integers of a sum, a difference or a product of which one side is a number."""
    if op == "*":
        return multiplied(first, right) or multiplied(second, left)
    return shifted(op, first, right) or shifted(op, second, left, "+")


class Aval:
    """Abstract value of an array: dtype name or None, shape or None.

    ``weak``: whether the array takes the dtype of what it is combined with, as a Python number does; None where that is
    not known. ``span``: the least and the greatest of its integers, where the array or a loop over it holds both for certain,
    or a `Counter`.
    """

    __slots__ = ("dtype", "shape", "weak", "span")

    def __init__(
        self,
        dtype: str | None = None,
        shape: Shape | None = None,
        weak: bool | None = False,
        span: Span | None = None,
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.weak = weak
        self.span = span

    @property
    def key(self) -> Hashable:
        return (self.dtype, self.shape, self.weak, self.span)

    def spanning(self, span: Span | None) -> Aval:
        """The same with these integers."""
        return self if span == self.span else Aval(self.dtype, self.shape, self.weak, span)

    def shaped(self, shape: Shape | None) -> Aval:
        """The same with another shape."""
        return Aval(self.dtype, shape, self.weak)

    @property
    def ndim(self) -> int | None:
        return None if self.shape is None else len(self.shape)

    def __repr__(self) -> str:
        return f"{self.dtype or '?'}{list(self.shape) if self.shape is not None else '[...]'}"


ANY = Aval()
BOOL = Aval("bool")
KEY = Aval("key", ())  # one random key, typed or legacy
TYPED_KEY = "typed key"  # dtype of what is certainly a typed key, or an array of them
KEYS = frozenset({"key", TYPED_KEY})


class Array(Value):
    """A jax array. ``mode`` says whether it is a tracer, and of which class.

    ``needless``: a tracer only because jax computed it in staged code, of nothing but static values.
    ``was``: the Python type of an argument before it was traced, or "ndarray". ``presumed``: made by an operator whose other
    operand may be of a class that defines it, and that gives an object of its own with the tracer in it.
    """

    __slots__ = ("mode", "kind", "cls", "aval", "ident", "origin", "needless", "was", "presumed")

    def __init__(
        self,
        mode: str,
        aval: Aval = ANY,
        origin: Origin | None = None,
        ident: Ident | None = None,
        needless: bool = False,
        was: str = "",
        presumed: bool = False,
    ) -> None:
        self.was = was
        self.presumed = presumed
        self.needless = needless
        self.mode = mode
        self.kind = "concrete" if mode == CONCRETE else "unknown" if mode == MAYBE else "traced"
        self.cls = CLASSES.get(mode)
        self.aval = aval
        self.ident = ident
        self.origin = origin

    def renewed(self, ident: Ident | None) -> Array:
        """The same array with another identity."""
        return Array(self.mode, self.aval, self.origin, ident, self.needless, self.was, self.presumed)

    @property
    def key(self) -> Hashable:
        return ("array", self.mode, self.aval.key, self.needless, self.was, self.presumed)

    def __repr__(self) -> str:
        return f"Array({self.mode}, {self.aval!r})"


class Host(Value):
    """A NumPy array or scalar; ``view`` is the site where a read-only view of a jax array was asked for."""

    __slots__ = ("aval", "ident", "view")
    kind = "host"

    def __init__(self, aval: Aval = ANY, ident: Ident | None = None, view: int | None = None) -> None:
        self.aval = aval if aval.span is None else aval.spanning(None)  # it can be changed in place
        self.ident = ident
        self.view = view

    @property
    def key(self) -> Hashable:
        return ("host", self.aval.key, self.view)

    def __repr__(self) -> str:
        return f"Host({self.aval!r})"


class Undecided(Value):
    """A bare parameter of a traced function: a tracer, or a pytree whose leaves are tracers, of the class ``mode``.

    ``maybe_static``: a parameter of a presumed activation, or of what `filter_jit` compiles, which may be plain Python until
    an array operation takes it. ``structure``: what is known of it as a pytree.
    """

    __slots__ = ("mode", "cls", "origin", "ident", "maybe_static", "structure")
    kind = "undecided"

    def __init__(
        self,
        mode: str,
        origin: Origin | None,
        ident: Ident | None = None,
        maybe_static: bool = False,
        structure: Structure | None = None,
    ) -> None:
        self.mode = mode
        self.cls = CLASSES.get(mode, mode)
        self.origin = origin
        self.ident = ident
        self.maybe_static = maybe_static
        self.structure = structure

    def renewed(self, ident: Ident | None) -> Undecided:
        """Another object of the same kind: a part of this one, or what Python's operators make of it."""
        return Undecided(self.mode, self.origin, ident, self.maybe_static)

    @property
    def key(self) -> Hashable:
        return ("undecided", self.mode, self.maybe_static, self.structure)

    def __repr__(self) -> str:
        return f"Undecided({self.cls})"


@mypyc_attr(native_class=False)  # as every subclass of a tuple
class Fields(tuple):  # type: ignore[type-arg]
    """Names of the items of a NamedTuple that the project defines, with its class."""

    cls: ClassValue | None = None
    is_declared = False  # an annotation alone says that it is of the class


MAX_BITS = 4096  # of an integer that is known exactly; what squares or doubles itself has no end
MAX_OPTIONS = 6  # of what an unknown callable or object may be
MAX_LENGTH = 200_000  # of a text, and of a list that is made of others
# How deep tuples are known: one that holds another twice, that holds another twice, ... is small and has parts without end.
MAX_NESTING = 12


class Tuple(Value):
    """A tuple. ``items`` is None when the length is not known; then ``element`` stands for each item."""

    __slots__ = ("items", "element", "fields", "depth")
    kind = "ref"
    depth: int

    def __init__(
        self,
        items: tuple[Value, ...] | None,
        element: Value = UNKNOWN,
        fields: tuple[str, ...] | None = None,
    ) -> None:
        depth = 0
        for item in items or ():
            if type(item) is Tuple and item.depth > depth:
                depth = item.depth
        if depth == MAX_NESTING:
            items, element, depth = None, UNKNOWN, 0
        self.items = items
        self.element = element
        self.fields = fields  # names of the items of a NamedTuple
        self.depth = depth + 1

    @property
    def key(self) -> Hashable:
        if self.items is None:
            return ("tuple", None, self.element.key)
        return ("tuple", self.class_key, tuple(item.key for item in self.items))

    @property
    def namedtuple(self) -> ClassValue | None:
        """Which NamedTuple it is, of those that the project defines."""
        return self.fields.cls if type(self.fields) is Fields else None

    @property
    def class_key(self) -> Hashable:
        return None if self.namedtuple is None else self.namedtuple.definition.site

    def __repr__(self) -> str:
        return f"Tuple({self.items if self.items is not None else self.element})"


class Slice(Value):
    """A slice object; the parts are values, NONE where left out."""

    __slots__ = ("lower", "upper", "step")
    kind = "ref"

    def __init__(self, lower: Value, upper: Value, step: Value) -> None:
        self.lower = lower
        self.upper = upper
        self.step = step

    @property
    def key(self) -> Hashable:
        return ("slice", self.lower.key, self.upper.key, self.step.key)


class Ref(Value):
    """An object in the abstract heap; ``location`` finds its contents in the state.

    ``made``: where an object of a class of the project was made, and of which class.
    """

    __slots__ = ("location", "made", "ident")
    kind = "ref"

    def __init__(self, location: int, made: tuple[int, int] | None = None) -> None:
        self.location = location
        self.ident = self.heap_ident
        self.made = made

    @property
    def key(self) -> Hashable:
        return ("ref", self.location)

    @property
    def heap_ident(self) -> Ident:
        """Its ident, which an object always has."""
        return ("heap", self.location)

    def __repr__(self) -> str:
        return f"Ref({self.location})"


class Api(Value):
    """A name of an imported library, by canonical dotted name: `jax.numpy.sin`, `numpy`, `builtins.int`."""

    __slots__ = ("name", "written")
    kind = "ref"

    def __init__(self, name: str, written: str | None = None) -> None:
        self.name = name
        self.written = written or name  # the dotted name that the code says

    @property
    def key(self) -> Hashable:
        return ("api", self.name)

    def __repr__(self) -> str:
        return f"Api({self.name})"


_MEMBERLESS = frozenset({"builtins.object", "abc.ABC"}) | {
    f"{module}.{name}" for module in ("typing", "typing_extensions") for name in ("Generic", "Protocol")
}


def is_memberless(base: Value) -> bool:
    """Whether a base of a class adds no member to it that a program means."""
    return isinstance(base, Api) and base.name in _MEMBERLESS


def is_api(value: Value | None, *names: str) -> bool:
    """Whether a value is one of the named objects of libraries."""
    return isinstance(value, Api) and value.name in names


class ModuleValue(Value):
    """A module of the project, read when one of its names is asked for."""

    __slots__ = ("place",)
    kind = "ref"

    def __init__(self, place: Place) -> None:
        self.place = place

    @property
    def key(self) -> Hashable:
        return ("module", self.place)


class Imported(Value):
    """A name of another module of the project. What it stands for is looked up when it is read."""

    __slots__ = ("place", "name")

    def __init__(self, place: Place, name: str) -> None:
        self.place = place
        self.name = name

    @property
    def key(self) -> Hashable:
        return ("imported", self.place, self.name)


class FunctionValue(Value):
    """A function of the project with the frame it closes over."""

    __slots__ = ("function", "frame", "defaults", "owner", "wraps", "setter", "truths")
    kind = "ref"

    def __init__(self, function: Function, frame: Frame, defaults: dict[str, Value], owner: ClassValue | None):
        self.function: Function = function
        self.frame: Frame = frame
        self.defaults: dict[str, Value] = defaults
        self.owner: ClassValue | None = owner
        self.wraps: Value | None = None  # what `functools.wraps` says the function wraps
        self.setter: Value | None = None  # of the property whose getter this is
        self.truths: dict[tuple[Ident, str], Const] = {}  # what the conditions around its definition say of flags

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def key(self) -> Hashable:
        return ("function", self.function.site, self.frame.serial)

    def __repr__(self) -> str:
        return f"Function({self.function.qualname})"


class ClassValue(Value):
    """A class of the project. ``bases`` are values; ``members`` what the body bound, by name."""

    __slots__ = ("definition", "bases", "_mro", "members", "frame", "family", "decorators", "metaclass", "is_virtual")
    kind = "ref"

    def __init__(self, definition: ClassDefinition, bases: tuple[Value, ...], frame: Frame) -> None:
        self.definition: ClassDefinition = definition
        self.bases: tuple[Value, ...] = bases
        self._mro: tuple[ClassValue, ...] = ()  # computed when first asked for
        self.members: dict[str, Value] = {}
        self.frame: Frame = frame
        self.decorators: tuple[Value, ...] = ()
        self.metaclass: Value | None = None  # as the definition names it
        self.is_virtual = False  # classes that do not derive from it are registered as its subclasses
        self.family: str = ""  # "haiku", "linen", "nnx", "equinox", "dataclass", "namedtuple", ... where known

    @property
    def key(self) -> Hashable:
        return ("class", self.definition.site, self.frame.serial)

    def mro(self) -> tuple[ClassValue, ...]:
        """This class and the project classes it inherits from, nearest first."""
        if not self._mro:
            found: list[ClassValue] = [self]
            for base in self.bases:
                if isinstance(base, ClassValue):
                    found += [c for c in base.mro() if c not in found]
            self._mro = tuple(found)
        return self._mro

    def lookup(self, name: str) -> Value | None:
        for cls in self.mro():
            if name in cls.members:
                return cls.members[name]
        return None

    def other_bases(self) -> list[Value]:
        """Bases of this class, and of those it inherits from, that are no classes of the project and may have members."""
        return [
            base
            for cls in self.mro()
            for base in cls.bases
            if not isinstance(base, ClassValue) and not is_memberless(base)
        ]

    @property
    def is_closed(self) -> bool:
        """Whether every base that has members is a class of the project (then a missing member is missing)."""
        return not self.other_bases()

    @property
    def is_generic(self) -> bool:
        """Whether an item of the class is the class with type arguments: no metaclass and no method gives another meaning."""
        plain = all(each.metaclass is None or is_api(each.metaclass, "abc.ABCMeta") for each in self.mro())
        known = all(type(base) is Api and not base.name.startswith("enum.") for base in self.other_bases())
        return plain and known and self.lookup("__class_getitem__") is None

    def __repr__(self) -> str:
        return f"Class({self.definition.name})"


class BoundMethod(Value):
    """A function of the project bound to its first argument."""

    __slots__ = ("function", "receiver")
    kind = "ref"

    def __init__(self, function: Value, receiver: Value) -> None:
        self.function = function
        self.receiver = receiver

    @property
    def key(self) -> Hashable:
        return ("bound", self.function.key, self.receiver.key)


class Member(Value):
    """A method of something the analysis models itself: of an array, list, dict, string, unknown object."""

    __slots__ = ("receiver", "name", "site")
    kind = "ref"

    def __init__(self, receiver: Value, name: str, site: int) -> None:
        self.receiver = receiver
        self.name = name
        self.site = site  # of the receiver expression

    @property
    def key(self) -> Hashable:
        return ("member", self.receiver.key, self.name)


class At(Value):
    """`x.at`, and `x.at[index]` once ``index`` is set."""

    __slots__ = ("array", "index", "array_site", "index_site")
    kind = "ref"

    def __init__(self, array: Value, array_site: int, index: Value | None = None, index_site: int = -1) -> None:
        self.array = array
        self.index = index
        self.array_site = array_site
        self.index_site = index_site

    @property
    def key(self) -> Hashable:
        return ("at", self.array.key, self.index.key if self.index else None)


class Partial(Value):
    """`functools.partial(function, *args, **keywords)`"""

    __slots__ = ("function", "args", "keywords")
    kind = "ref"

    def __init__(self, function: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> None:
        self.function = function
        self.args = args
        self.keywords = keywords

    @property
    def key(self) -> Hashable:
        keywords = tuple((name, value.key) for name, value in sorted(self.keywords.items()))
        return ("partial", self.function.key, tuple(a.key for a in self.args), keywords)


class Transformed(Value):
    """The callable that a transform made of ``function``: `jax.jit(f)`, `jax.vmap(f, in_axes=…)`."""

    __slots__ = ("transform", "function", "options", "site")
    kind = "ref"

    def __init__(self, transform: Transform, function: Value, options: dict[str, Value], site: int) -> None:
        self.transform = transform
        self.function = function
        self.options = options
        self.site = site

    @property
    def key(self) -> Hashable:
        options = tuple((name, value.key) for name, value in sorted(self.options.items()))
        return ("transformed", self.transform.name, self.function.key, options)

    def __repr__(self) -> str:
        return f"Transformed({self.transform.name}, {self.function!r})"


def untransformed(value: Value, library: str = "") -> Value:
    """The function under all transforms around it, or under those of one library: `equinox.`."""
    while type(value) is Transformed and value.transform.name.startswith(library):
        value = value.function
    return value


def defined_name(value: Value | None) -> str:
    """The `__name__` of a function of the project, or of the one that it wraps or that a transform of JAX is of; "" if unknown."""
    value = untransformed(value, "jax.") if value is not None else None
    if type(value) is not FunctionValue:
        return ""
    return value.name if value.wraps is None else defined_name(value.wraps)


LAYERS = frozenset({"layer", "linen module"})  # names of opaque instances
_CALLABLES = frozenset({FunctionValue, BoundMethod, Api, Partial, Transformed, ClassValue})


class Iterator(Value):
    """Something that yields ``element`` again and again; ``items`` where each is known.

    ``form`` is "generator" for what is used up, "yields" for a generator whose elements are other objects each time, "view" for a view of a dict, "range", "pytree" for what may be a
    container of a library, which JAX takes apart, or "" for one of the others;
    ``over`` is what holds the items of a generator, where that is known.
    """

    __slots__ = ("element", "items", "form", "over", "born")
    kind = "ref"

    def __init__(
        self,
        element: Value,
        items: tuple[Value, ...] | None = None,
        form: str = "generator",
        over: tuple[Value, ...] | None = None,
    ) -> None:
        self.element = element
        self.items = items
        self.form = form
        self.over = over
        self.born = next(serials)

    @property
    def key(self) -> Hashable:
        items = None if self.items is None else tuple(item.key for item in self.items)
        return ("iterator", self.element.key, self.form, items)


def is_scalar_const(value: Value) -> bool:
    return type(value) is Const and isinstance(value.value, (int, float, complex, bool))


def constants(values: Iterable[Value] | None, kind: type[_Kind]) -> list[_Kind] | None:
    """The Python objects that values are, where each is known and of a ``kind``."""
    found: list[_Kind] = []
    for value in values or ():
        if type(value) is not Const or not isinstance(value.value, kind):
            return None
        found.append(value.value)
    return None if values is None else found


def has_tangent(array: Array) -> bool:
    """Whether a tracer of another transform was made of what is differentiated around that."""
    return array.cls != DIFFERENTIATED and DIFFERENTIATED in made_of(array.mode)


def without_tangent(array: Array) -> Array:
    """An array as it is where nothing is differentiated around it."""
    mode = array.mode if array.cls is None else tracer_mode(array.cls, made_of(array.mode) - {DIFFERENTIATED})
    return Array(mode, array.aval, array.origin, array.ident)


def weaker(first: str, second: str) -> str:
    """The class of an array that is of one of two tracer classes: the one that promises less."""
    return first if _STRENGTH[first] < _STRENGTH[second] else second


def join_aval(a: Aval, b: Aval) -> Aval:
    if a is b or a.key == b.key:
        return a
    dtype = a.dtype if a.dtype == b.dtype else "key" if a.dtype in KEYS and b.dtype in KEYS else None
    shape = None
    if a.shape is not None and b.shape is not None and len(a.shape) == len(b.shape):
        shape = tuple(m if m == n else None for m, n in zip(a.shape, b.shape))
    return Aval(dtype, shape, a.weak if a.weak == b.weak else None)


def first_key(aval: Aval) -> Aval:
    """The key that an iteration or an index takes from an array of keys.

    An array of legacy keys of unknown shape is taken for a batch with one axis.
    """
    if aval.dtype == TYPED_KEY:
        return mapped_key(aval)
    return Aval("key", aval.shape[1:] if aval.shape else ())


def mapped_key(aval: Aval) -> Aval:
    """What a mapped function gets of an array of keys; of unknown shape, it may have further axes to map."""
    return Aval(aval.dtype, aval.shape[1:] if aval.shape else None)


def is_none(value: Value | None) -> bool:
    """Whether a value is the constant None."""
    return type(value) is Const and value.value is None


def is_small(value: object) -> bool:
    """Whether a value that was worked out is to be known exactly."""
    if isinstance(value, int):  # Python writes no integer of more than 4,300 digits as text
        return value.bit_length() <= MAX_BITS
    return not isinstance(value, (str, bytes)) or len(value) <= MAX_LENGTH


def is_whole(number: float) -> bool:
    """Whether a number is one that an integer can be, which infinities and NaN are not."""
    return isinstance(number, int) or number.is_integer()


def cache(value: object) -> Value:
    """The result of an operation on constants."""
    return Const(value) if is_small(value) else Static(type(value).__name__, fresh())


def join_ident(a: Ident | None, b: Ident | None) -> Ident | None:
    """One ident when both are the same, else that of an object not seen before."""
    return a if a == b else fresh()


def structure_of(value: Value | None) -> Structure | None:
    """What is known of a tree that is not followed."""
    return value.structure if isinstance(value, (Unknown, Undecided)) else None


def join_structure(a: Structure | None, b: Structure | None) -> Structure | None:
    """What is known of either of two trees."""
    if a is None or b is None or a[:2] != b[:2]:
        return None
    return a if a.made == b.made else a._replace(made=0)


Join = Callable[[Value, Value], Value]


def join(a: Value, b: Value) -> Value:
    """The least value that covers both."""
    if a is b:
        return a
    kind = type(a)
    if kind is type(b):
        if kind is Static and a.key == b.key and (a.size is not None or a.ident == b.ident):  # type: ignore[attr-defined]
            return a
        if kind is Array:
            return _join_arrays(a, b)  # type: ignore[arg-type]
        if kind is Unknown:
            same = a.ident == b.ident and a.compared == b.compared  # type: ignore[attr-defined]
            return a if same and structure_of(a) == structure_of(b) else _one_of(a, b)
        if kind is Undecided:
            maybe_static = a.maybe_static or b.maybe_static  # type: ignore[attr-defined]
            ident, tree = join_ident(a.ident, b.ident), join_structure(structure_of(a), structure_of(b))
            mode = weaker(a.mode, b.mode)  # type: ignore[attr-defined]
            return Undecided(mode, a.origin or b.origin, ident, maybe_static, tree)
        if kind is Const and a.key == b.key:
            return a
        if kind is Tuple:
            return join_tuples(a, b)  # type: ignore[arg-type]
        if kind is Host:
            view = a.view if a.view == b.view else None  # type: ignore[attr-defined]
            return Host(join_aval(a.aval, b.aval), join_ident(a.ident, b.ident), view)  # type: ignore[attr-defined]
        if kind is Iterator:
            forms = {a.form, b.form}  # type: ignore[attr-defined]
            form = a.form if len(forms) == 1 else "pytree" if "pytree" in forms else ""  # type: ignore[attr-defined]
            return Iterator(join(a.element, b.element), form=form)  # type: ignore[attr-defined]
        if kind is MaybeDefault:
            return MaybeDefault(join_ident(a.ident, b.ident))
        if kind not in (Const, Static) and a.key == b.key:
            return _join_parts(a, b)
    if {type(a), type(b)} == {Array, Undecided}:
        array, other = (a, b) if type(a) is Array else (b, a)
        assert type(array) is Array and type(other) is Undecided
        if array.cls is not None:
            return Undecided(weaker(array.mode, other.mode), other.origin, fresh(), other.maybe_static)
    first, second = python_type(a), python_type(b)
    if first is not None and second is not None:
        return Static(first if first == second else "", fresh())
    return _one_of(a, b)


def option_key(value: Value) -> Hashable:
    """By what an option is known again: objects that one call of a class makes in turn are one of them."""
    return ("made", value.made) if type(value) is Ref else value.key


def _is_followed(value: Value) -> bool:
    """Whether a call, or an attribute, of one of several values goes to this one."""
    if type(value) is OpaqueInstance:
        return value.name in LAYERS
    return type(value) in _CALLABLES or (type(value) is Ref and bool(value.made))


def _one_of(a: Value, b: Value) -> Unknown:
    """Either of two values: the callables and objects that they may be, at most so many, and whether it may be anything else."""
    structure = join_structure(structure_of(a), structure_of(b))
    if structure is not None:
        return Unknown(fresh(), structure=structure)
    found: dict[Hashable, Value] = {}
    is_open = False
    for value in (a, b):
        options: tuple[Value, ...] = (value,) if _is_followed(value) else ()
        if type(value) is Unknown:
            options = value.options
            is_open |= value.open
        elif not options:
            is_open |= not (type(value) is Const and value.value is None)  # which nobody calls
        for option in options:
            key = option_key(option)
            known = found.get(key)
            if known is None and len(found) < MAX_OPTIONS:
                found[key] = option
            elif known is None:
                is_open = True
            else:
                found[key] = option if type(option) is Ref else join(known, option)
    return Unknown(fresh(), tuple(found.values()), is_open or not found)


def _join_arrays(a: Array, b: Array) -> Value:
    if a.mode == b.mode:
        mode = a.mode
    elif a.mode in TRACED and b.mode in TRACED:
        mode = weaker(a.mode, b.mode)
    else:
        mode = MAYBE
    origin = a.origin or b.origin
    aval, ident = join_aval(a.aval, b.aval), join_ident(a.ident, b.ident)
    return Array(mode, aval, origin, ident, a.needless and b.needless, presumed=a.presumed or b.presumed)


def join_tuples(a: Tuple, b: Tuple, join_items: Join = join) -> Value:
    """Either of two tuples."""
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(join_items(x, y) for x, y in zip(a.items, b.items))
        if a.fields is None or a.fields != b.fields:
            return Tuple(items)
        return Tuple(items, fields=a.fields if a.namedtuple is b.namedtuple else tuple(a.fields))
    return Tuple(None, join(summary(a), summary(b)))


def _join_parts(a: Value, b: Value) -> Value:
    """Two values with the same key. What they are made of may be different objects of the same kind, such as two keys."""
    if type(a) is Partial and type(b) is Partial:
        args = tuple(map(join, a.args, b.args))
        return Partial(
            join(a.function, b.function), args, {name: join(a.keywords[name], b.keywords[name]) for name in a.keywords}
        )
    if type(a) is Transformed and type(b) is Transformed:
        options = {name: join(a.options[name], b.options[name]) for name in a.options}
        return Transformed(a.transform, join(a.function, b.function), options, a.site)
    if type(a) is BoundMethod and type(b) is BoundMethod:
        return BoundMethod(join(a.function, b.function), join(a.receiver, b.receiver))
    if type(a) is Member and type(b) is Member:
        return Member(join(a.receiver, b.receiver), a.name, a.site)
    if type(a) is At and type(b) is At:
        index = None if a.index is None or b.index is None else join(a.index, b.index)
        return At(join(a.array, b.array), a.array_site, index, a.index_site)
    if type(a) is Slice and type(b) is Slice:
        return Slice(join(a.lower, b.lower), join(a.upper, b.upper), join(a.step, b.step))
    if type(a) is OpaqueInstance and type(b) is OpaqueInstance:
        return OpaqueInstance(a.name, tuple(map(join, a.args, b.args)), join_ident(a.ident, b.ident))
    if type(a) is Super and type(b) is Super:
        return Super(a.owner, join(a.receiver, b.receiver))
    if type(a) is Text and type(b) is Text:
        return Text(join(a.traced, b.traced), a.node)
    if type(a) is DonatedArray and type(b) is DonatedArray:
        return a.part(join(a.value, b.value))
    return a


def summary(value: Tuple) -> Value:
    """One value for all items of a tuple."""
    if value.items is None:
        return value.element
    if not value.items:
        return UNKNOWN
    result = value.items[0]
    for item in value.items[1:]:
        result = join(result, item)
    return result


def python_type(value: Value) -> str | None:
    """Type name of a value that is certainly no tracer and no container; "" when only that is known."""
    if type(value) is Const:
        return None if value.value is None or value.value is ... else type(value.value).__name__
    if type(value) is Static:
        return value.type
    if type(value) is Host:
        return ""
    return None


class Text(Value):
    """A string into which a tracer was formatted: printing it shows the tracer."""

    __slots__ = ("traced", "node")
    kind = "static"

    def __init__(self, traced: Value, node: ir.Node) -> None:
        self.traced = traced
        self.node = node

    @property
    def key(self) -> Hashable:
        return ("text", self.traced.key)


# Names that every Python from 3.8 on has in `builtins`.
BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_")) | {"__name__", "__file__"}


class Super(Value):
    """`super()` in a method of ``cls``, for ``receiver``."""

    __slots__ = ("owner", "receiver")
    kind = "ref"

    def __init__(self, owner: ClassValue, receiver: Value) -> None:
        self.owner = owner
        self.receiver = receiver

    @property
    def key(self) -> Hashable:
        return ("super", self.owner.key)


SHAPE_STRUCT = "jax.ShapeDtypeStruct"  # the name of such an instance, whose arguments are a shape and a dtype


class OpaqueInstance(Value):
    """What a known factory returned: the decorator `functools.lru_cache(maxsize=None)`, an object of a library."""

    __slots__ = ("name", "args", "ident")
    kind = "ref"

    def __init__(self, name: str, args: tuple[Value, ...] = (), ident: Ident | None = None) -> None:
        self.name = name
        self.args = args
        self.ident = ident

    @property
    def class_name(self) -> str:
        """The canonical name of the class of an object of a library, such as a layer; empty where it is not known."""
        kind = self.args[0] if self.args else None
        return str(kind.value) if type(kind) is Const else ""

    @property
    def key(self) -> Hashable:
        return ("made", self.name, tuple(arg.key for arg in self.args))


class DonatedArray(Value):
    """What a variable holds whose buffers were donated: ``value`` says what it was.

    ``passed``: the call of a function of the project by which it came here, and the argument in it.
    """

    __slots__ = ("value", "donation", "passed")

    def __init__(self, value: Value, donation: Any, passed: tuple[Node, Node] | None = None) -> None:
        self.value = value
        self.donation = donation
        self.passed = passed

    def part(self, value: Value) -> DonatedArray:
        """What an item, an attribute or a leaf of it holds."""
        return DonatedArray(value, self.donation, self.passed)

    @property
    def key(self) -> Hashable:
        return ("deleted", self.value.key)


class MaybeDefault(Unknown):
    """An argument that may be passed or left at its default: not even a transform makes it a tracer."""

    __slots__ = ()


class MemoryRef(Value):
    """An argument of a Pallas kernel: memory that is read and written by subscripts, no array."""

    __slots__ = ("origin", "aval")

    def __init__(self, origin: Origin | None, aval: Aval = ANY) -> None:
        self.origin = origin
        self.aval = aval

    @property
    def key(self) -> Hashable:
        return ("memory ref", self.aval.key)
