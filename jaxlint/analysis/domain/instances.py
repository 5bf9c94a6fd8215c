"""Whether a value is an instance of classes, where that can be told: `isinstance(x, (int, jax.Array))`."""

from __future__ import annotations

import builtins
import collections.abc
import numbers
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject
from jaxlint.source.libraries import LIBRARIES

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.state import Contents

# Classes of values that `isinstance` tells apart; the certain ones only.
TRACERS = frozenset({"jax.core.Tracer", "jax._src.core.Tracer", "jax.extend.core.Tracer"})
ARRAY_CLASSES = TRACERS | {"jax.Array", "jax.numpy.ndarray", "chex.Array", "jax.typing.ArrayLike", "jaxtyping.Array"}
PYTHON_CLASSES = frozenset(
    f"builtins.{name}" for name in (
        "int", "float", "bool", "complex", "str", "bytes", "tuple", "list", "dict", "set", "frozenset",
        "type", "slice", "range",
    )
) | {"numpy.ndarray", "numpy.generic", "numbers.Number", "numbers.Integral", "numbers.Real"}  # fmt: skip
# Of which no jax array is an instance.
_NO_JAX_ARRAYS = PYTHON_CLASSES | {
    f"numpy.{name}" for name in ("number", "integer", "signedinteger", "unsignedinteger", "floating", "bool_")
}
_CONTAINERS: dict[Any, frozenset[str]] = {
    v.Tuple: frozenset({"builtins.tuple", "collections.abc.Sequence", "typing.Sequence"}),
    ListObject: frozenset({"builtins.list", "collections.abc.Sequence", "typing.Sequence"}),
    DictObject: frozenset({"builtins.dict", "collections.abc.Mapping", "typing.Mapping"}),
    v.Slice: frozenset({"builtins.slice"}),
}
_LAYERS = tuple(f"{package}." for each in LIBRARIES for package in each.layers)  # of which no function is an instance
_ARRAYS = TRACERS | {"jax.Array", "jax.numpy.ndarray"}  # of which no number and no text of Python is an instance
# Bases that do not say themselves what their instances are.
_PLAIN_BASES = frozenset({"builtins.object", "typing.NamedTuple", "typing.Generic", "abc.ABC"})
_PLAIN_LIBRARIES = tuple(f"{each.name}." for each in LIBRARIES if each.layers)
_OF_PYTHON = frozenset({v.Const, v.Host, v.Slice, v.FunctionValue, v.Api, v.OpaqueInstance})


def classes_in(value: v.Value) -> list[v.Value]:
    """The classes in the second argument of `isinstance`."""
    if type(value) is v.Tuple:
        return [v.UNKNOWN] if value.items is None else list(value.items)
    return [value]


def api_names(classes: Sequence[v.Value]) -> list[str] | None:
    """Canonical names of classes; None where one of them is of no library."""
    return (
        [each.name for each in classes if type(each) is v.Api] if all(type(each) is v.Api for each in classes) else None
    )


def is_instance(i: Interpreter, value: v.Value, classes: Sequence[v.Value]) -> bool | None:
    """Whether ``value`` is an instance of one of the classes; None where that is not known."""
    known = [each.name for each in classes if type(each) is v.Api]
    contents = i.contents(value)
    classes = [each for each in classes if not (type(each) is v.ClassValue and _is_foreign(value, contents, each))]
    if not classes:
        return False
    all_known = len(known) == len(classes) and bool(known)
    if type(value) is v.Array:
        return _array(value, known, all_known)
    if type(value) is v.Host:
        return True if value.aval.shape and "numpy.ndarray" in known else None
    cls = contents.cls if type(contents) is Instance else value.namedtuple if type(value) is v.Tuple else None
    if cls is not None and (found := _of_class(cls, classes)) is not None:
        return found
    container = _CONTAINERS.get(type(contents or value))
    if container is not None:
        if not container.isdisjoint(known):
            return True
        return False if all_known and all(n in PYTHON_CLASSES | ARRAY_CLASSES or _is_module(n) for n in known) else None
    if type(value) is v.Const:
        return _python(type(value.value), known, all_known)
    if type(value) is v.ClassValue and "builtins.type" in known:
        return True
    if type(value) is v.OpaqueInstance and value.name == "linen module" and type(value.args[0]) is v.Const:
        return True if value.args[0].value in known else None
    if type(value) is v.OpaqueInstance and value.name == v.SHAPE_STRUCT:
        return True if v.SHAPE_STRUCT in known else False if all_known else None
    if all_known and all(name.startswith(_LAYERS) for name in known) and type(value) in (v.Api, v.FunctionValue):
        return False  # a function, or the class itself
    return None


def is_exactly(i: Interpreter, value: v.Value, classes: Sequence[v.Value]) -> bool | None:
    """Whether the class of ``value`` is itself one of the classes; None where that is not known."""
    if is_instance(i, value, classes) is False:
        return False
    if type(value) is not v.Const:
        return None
    kinds = [_class(each.name) if type(each) is v.Api else None for each in classes]
    return True if type(value.value) in kinds else None if None in kinds else False


def _is_foreign(value: v.Value, contents: Contents | None, cls: v.ClassValue) -> bool:
    """Whether a value is of Python or JAX for certain, and so of no class of the project."""
    if type(value) is v.Array:
        made = value.aval.dtype is not None and not value.presumed  # else an object with operators of its own, perhaps
    elif type(value) is v.Tuple:
        made = value.fields is None and cls.family != "namedtuple"  # which may have lost its name
    else:
        is_number = type(value) is v.Static and value.type in v.NUMERIC_TYPES
        made = type(value) in _OF_PYTHON or is_number or type(contents) in _CONTAINERS
    return made and _is_plain(cls)


def _array(value: v.Array, known: Sequence[str], all_known: bool) -> bool | None:
    if value.mode in v.TRACED and any(name in ARRAY_CLASSES for name in known):
        return True
    if value.mode == v.CONCRETE and any(name in ("jax.Array", "jax.numpy.ndarray") for name in known):
        return True
    if value.mode == v.CONCRETE and all_known and all(name in TRACERS for name in known):
        return False
    if value.mode in v.CERTAIN and all_known and all(n in _NO_JAX_ARRAYS or n.startswith(_LAYERS) for n in known):
        return False
    return None


def _of_class(cls: v.ClassValue, classes: Sequence[v.Value]) -> bool | None:
    """Whether instances of a class of the project are instances of others."""
    own = {id(each.definition) for each in cls.mro()}
    if any(type(each) is v.ClassValue and id(each.definition) in own for each in classes):
        return True
    # A base in a library is of no class of the project.
    bases_known = all(type(base) in (v.ClassValue, v.Api) for each in cls.mro() for base in each.bases)
    return (
        False
        if bases_known and classes and all(type(each) is v.ClassValue and _is_plain(each) for each in classes)
        else None
    )


def _is_plain(cls: v.ClassValue) -> bool:
    """Whether only what derives from a class is an instance of it: a metaclass, or a hook of the class, may see to others."""
    if cls.is_virtual or cls.lookup("__subclasshook__") is not None:
        return False
    for each in cls.mro():
        if each.metaclass is not None and not v.is_api(each.metaclass, "abc.ABCMeta"):
            return False
        for base in each.bases:
            is_plain = type(base) is v.Api and (base.name in _PLAIN_BASES or base.name.startswith(_PLAIN_LIBRARIES))
            if type(base) is not v.ClassValue and not is_plain:
                return False
    return True


def _python(kind: type, known: Sequence[str], all_known: bool) -> bool | None:
    """Whether a value of a type of Python is an instance."""
    found = [_class(name) for name in known]
    if any(each is not None and issubclass(kind, each) for each in found):
        return True
    never = all(
        each is not None or name in _ARRAYS or name.rpartition(".")[0] == "numpy" or _is_module(name)
        for each, name in zip(found, known)
    )
    return False if all_known and never else None


def _is_module(name: str) -> bool:
    """Whether a class of modules is named, of which nothing of Python is an instance."""
    return name.startswith(_PLAIN_LIBRARIES) and name.endswith(".Module")


def _class(name: str) -> type | None:
    package, _, last = name.rpartition(".")
    module = {
        "builtins": builtins,
        "collections.abc": collections.abc,
        "numbers": numbers,
        "typing": collections.abc,
    }.get(package)
    found = getattr(module, last, None)
    return found if isinstance(found, type) else None
