"""Operations on random keys: what works on a legacy key, an array of numbers, and fails on a typed one.

An operation is tried on keys of several shapes and, if it is a function, with several arguments. It
counts as failing on typed keys when it works on legacy keys in some form and on typed keys in none.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import io
import operator
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe.members import ARGUMENTS

Form = Callable[[Any], Any]

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_UNARY: dict[str, Form] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
_MODULES = (
    "builtins", "numpy", "numpy.testing", "jax.numpy", "jax.lax", "jax.nn", "jax.numpy.linalg", "jax.scipy.special",
)  # fmt: skip
# They wait for input, end the process, change it, or write files.
_SKIPPED = frozenset({
    "builtins.input", "builtins.exit", "builtins.quit", "builtins.breakpoint", "builtins.help", "builtins.open",
    "builtins.exec", "builtins.eval", "builtins.copyright", "builtins.credits", "builtins.license",
    "builtins.__import__", "builtins.memoryview", "builtins.bytes", "builtins.bytearray", "jax.numpy.from_dlpack",
    "jax.numpy.set_printoptions", "jax.numpy.printoptions", "numpy.set_printoptions", "numpy.testing.runstring",
    "numpy.testing.rundocs",
})  # fmt: skip
_FILES = ("save", "load", "fromfile", "tofile", "info", "test")
_FUNCTIONS: dict[str, Form] = {
    "numpy.save": lambda key: np.save(io.BytesIO(), key),
    "numpy.savez": lambda key: np.savez(io.BytesIO(), key=key),
    "jax.numpy.save": lambda key: jnp.save(io.BytesIO(), key),
    "jax.numpy.savez": lambda key: jnp.savez(io.BytesIO(), key=key),
    "numpy.random.default_rng": lambda key: np.random.default_rng(key),
    "jax.lax.bitcast_convert_type": lambda key: jax.lax.bitcast_convert_type(key, jnp.int32),
    "jax.lax.convert_element_type": lambda key: jax.lax.convert_element_type(key, jnp.int32),
    "jax.lax.rng_bit_generator": lambda key: jax.lax.rng_bit_generator(jnp.concatenate([key, key]), (2,)),
    "jax.random.wrap_key_data": lambda key: jax.random.wrap_key_data(key),
}


def measure() -> dict[str, str]:
    """Operation -> name of the exception that a typed key raises, for those that work on legacy keys.

    ``one `` before an operation: it fails on a single key, and works on an array of them.
    """
    found = {}
    for name, forms in operations():
        for prefix, count in (("", 3), ("one ", 1)):
            if not any(error(form, key) is None for key in keys(jax.random.PRNGKey(0))[:count] for form in forms):
                continue
            errors = [error(form, key) for key in keys(jax.random.key(0))[:count] for form in forms]  # noqa: JAX403
            if None not in errors:
                found[prefix + name] = errors[0] or ""
                break
    return found


def keys(key: Any) -> list[Any]:
    """A key, a batch of three, and a batch of two by three."""
    return [key, jax.random.split(key, 3), jax.random.split(key, (2, 3))]  # noqa: JAX403


def error(form: Form, key: Any) -> str | None:
    """Name of the exception that the form raises; None where it works."""
    try:
        with np.errstate(all="ignore"):
            form(key)
    except Exception as error:
        return type(error).__name__
    return None


def operations() -> Iterator[tuple[str, list[Form]]]:
    """Operations by name, each with the forms in which it is tried."""
    yield from basic()
    yield from attributes()
    for path in _MODULES:
        module = importlib.import_module(path)
        for name in sorted(dir(module)):
            function = getattr(module, name)
            if name.startswith(("_", *_FILES)) or f"{path}.{name}" in _SKIPPED or not callable(function):
                continue
            if not isinstance(function, type) or path == "builtins" and not issubclass(function, BaseException):
                yield f"{path}.{name}", forms_of(function)
    for name, form in _FUNCTIONS.items():
        yield name, [form]


def basic() -> Iterator[tuple[str, list[Form]]]:
    """Operators, subscripts, iteration."""
    for sign, binary in _OPERATORS.items():
        yield f"operator {sign}", _operated(binary)
    for sign, unary in _UNARY.items():
        yield f"unary {sign}", [unary]
    yield "subscript", [lambda key: key[0]]
    yield "iteration", [lambda key: list(key)]
    yield "length", [lambda key: len(key)]


def attributes() -> Iterator[tuple[str, list[Form]]]:
    """Every attribute of an array: read, and called where it is a method."""
    dunders = ("__array__", "__float__", "__int__", "__bool__", "__index__")
    for name in sorted(dir(jnp.ones(3))):
        if (name.startswith("_") and name not in dunders) or name in ("delete", "to_device", "tofile", "dump"):
            continue
        yield f"jax.Array.{name}", [functools.partial(_used, name)]
    for name in sorted(dir(jnp.ones(3).at[0])):
        if not name.startswith("_"):
            yield f"jax.Array.at.{name}", [functools.partial(_updated, name)]


def _operated(binary: Callable[[Any, Any], Any]) -> list[Form]:
    return [
        lambda key: binary(key, 1),
        lambda key: binary(1, key),
        lambda key: binary(key, key),
        lambda key: binary(key, np.uint32(1)),
    ]


def _used(name: str, key: Any) -> Any:
    member = getattr(key, name)
    given = (1, -1) if name == "reshape" else ARGUMENTS.get(name, ())
    return member(*given) if inspect.isroutine(member) else member


def _updated(name: str, key: Any) -> Any:
    given = {"get": (), "apply": (lambda part: part,)}.get(name, (key,))
    return getattr(key.at[...], name)(*given)


def forms_of(function: Callable[..., Any]) -> list[Form]:
    """Ways to call a function with a key: alone, with itself, in a list, with numbers, indices, masks."""
    return [
        lambda key: function(key),
        lambda key: function(key, key),
        lambda key: function([key, key]),
        lambda key: function(key, 0),
        lambda key: function(key, 1),
        lambda key: function(key, key, key),
        lambda key: function(key, 0, key),
        lambda key: function(key, (1, *key.shape)),
        lambda key: function(key, _indices(key)),
        lambda key: function(key, _indices(key), 0),
        lambda key: function(key, [_mask(key)], [lambda part: part]),
        lambda key: function(_mask(key), key, key),
        lambda key: function([_mask(key)], [key], key),
        lambda key: function(0, [key, key]),
    ]


def _indices(key: Any) -> Any:
    return np.zeros(np.shape(key), np.int32)


def _mask(key: Any) -> Any:
    return np.ones(np.shape(key), np.bool_)
