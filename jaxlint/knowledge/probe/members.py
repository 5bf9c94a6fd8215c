"""Attributes and methods of arrays: which a tracer has, and what they give."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe import facts
from jaxlint.knowledge.probe.calls import FAILED, Function, attempt

CLASSES = ("staged", "batched", "differentiated")

# Arguments with which a method that needs some can be called.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "reshape": ((9,),),
    "astype": (jnp.float32,),
    "dot": (np.ones((3, 3), np.float32),),
    "repeat": (2,),
    "searchsorted": (0.5,),
    "swapaxes": (0, 1),
    "take": (np.array([0, 1]),),
    "choose": ([np.ones(3), np.ones(3)],),
    "compress": (np.array([True, False, True]),),
    "view": (jnp.int32,),
    "partition": (1,),
    "argpartition": (1,),
    "resize": ((2, 2),),
    "put": (0, 1.0),
    "fill": (0.0,),
    "setfield": (1.0, np.float32),
    "getfield": (np.float32,),
    "tofile": ("jaxlint-probe.bin",),
    "dump": ("jaxlint-probe.bin",),
    "to_device": (jax.devices()[0],),
    "__array_wrap__": (np.ones(3),),
    "setflags": (True,),
    "itemset": (0, 1.0),
    "__format__": (".2f",),
    "__getitem__": (0,),
    "__contains__": (1.0,),
    "__setitem__": (0, 1.0),
    "__delitem__": (0,),
    "__divmod__": (2.0,),
    "__rdivmod__": (2.0,),
    "__pow__": (2,),
    "__rpow__": (2,),
    "__round__": (),
    "to_concrete_value": (),
    "addressable_data": (0,),
}
_BINARY = (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "matmul",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "and",
    "or",
    "xor",
)

# Dunders that Python code calls by name; the operators are the interpreter's own business.
_DUNDERS = (
    "__array__",
    "__dlpack__",
    "__dlpack_device__",
    "__array_namespace__",
    "__len__",
    "__iter__",
    "__float__",
    "__int__",
    "__bool__",
    "__complex__",
    "__index__",
    "__hash__",
    "__format__",
    "__getitem__",
    "__setitem__",
    "__contains__",
    "__round__",
    "__abs__",
    "__neg__",
    "__pos__",
)

# Called on a scalar: they work for one element only.
_SCALAR = ("item", "__float__", "__int__", "__bool__", "__complex__", "__index__", "__round__", "__format__")

# They take the array away or wait for devices that are not there.
_NOT_CALLED = ("delete", "dump", "tofile")


def attributes() -> dict[str, dict[str, str]]:
    """For every attribute of a jax or NumPy array what reading, or calling, it does on a tracer of each class."""
    names = {name for name in {*dir(jnp.ones(3)), *dir(np.ones(3)), *_tracer_names()} if not name.startswith("_")}
    rows = {name: {cls: attribute(name, cls) for cls in CLASSES} for name in sorted(names | set(_DUNDERS))}
    for name in _data_dependent():  # what fails there is one call, not the method
        rows[name] = dict.fromkeys(CLASSES, "method")
    return rows


def _data_dependent() -> list[str]:
    return [name for name, row in methods().items() if "decides" in row and not name.startswith("at.")]


def _tracer_names() -> set[str]:
    seen: list[set[str]] = []

    def look(x: jax.Array) -> jax.Array:
        seen.append(set(dir(x)) | set(dir(x.aval)))
        return x

    jax.make_jaxpr(look)(jnp.ones(3))
    return {
        name
        for name in seen[0]
        if name in ("aval", "vma", "weak_type", "sharding", "mT", "T", "at", "itemsize", "nbytes")
    }


def attribute(name: str, cls: str) -> str:
    integer = name == "__index__"
    value = jnp.ones((), jnp.float32) if name in _SCALAR else jnp.eye(3)
    if name in ("searchsorted", "compress", "argpartition", "partition"):
        value = jnp.zeros(3)
    if integer and cls != "differentiated":
        value = value.astype(jnp.int32)
    seen = ["fails"]
    attempt(lambda: run(lambda x: seen.__setitem__(0, _verdict(x, name)), value, cls))
    return seen[0]


def run(body: Callable[[Any], Any], value: Any, cls: str) -> None:
    """Run ``body`` on a tracer of the class."""

    def wrapped(x: Any) -> float:
        body(x)
        return 0.0

    if cls == "staged":
        jax.make_jaxpr(jax.jit(wrapped))(value)
    elif cls == "batched":
        jax.vmap(wrapped)(jax.tree_util.tree_map(lambda leaf: jnp.stack([leaf, leaf]), value))
    else:
        jax.grad(wrapped, allow_int=True)(value)


def _verdict(array: Any, name: str) -> str:
    found = attempt(lambda: getattr(array, name))
    if found is FAILED or name == "__hash__":  # it is None: arrays are not hashable
        return "fails"
    if name == "at":
        return "at"
    if not callable(found):
        return _value(found)
    if name in _NOT_CALLED:
        return "fails"
    arguments = ARGUMENTS.get(name, ())
    result = attempt(lambda: found(*arguments))
    if result is FAILED:
        return "fails"
    return "method"


def _value(found: Any) -> str:
    return "array" if isinstance(found, (jax.Array, jax.core.Tracer)) else "static"


@functools.cache
def methods() -> dict[str, facts.Row]:
    """Facts of array methods, and of the methods of ``x.at[i]``, with the array itself left out."""
    rows = {}
    array = jnp.ones(3)
    for name in sorted(dir(array)):
        value = getattr(type(array), name, None)
        if name.startswith("_") or name in _NOT_CALLED or not inspect.isroutine(value):
            continue
        signature = attempt(lambda: inspect.signature(value))
        if signature is FAILED:
            continue
        row = facts.measure(Function(f"jax.Array.{name}", value, signature))
        if attribute(name, "staged") == "method" or "decides" in row:
            rows[name] = _without_self(row)
    for name in sorted(dir(array.at[0])):
        if not name.startswith("_") and inspect.isroutine(getattr(array.at[0], name)):
            rows[f"at.{name}"] = _without_self(facts.measure(update(name)))
    return rows


def update(name: str) -> Function:
    """``x.at[index].set(values)`` as a function of the array, too."""
    own = inspect.signature(getattr(jnp.ones(3).at[0], name))
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY), *own.parameters.values()]

    def call(self: object, *arguments: Any, **keywords: Any) -> Any:
        return getattr(jnp.asarray(self).at[1], name)(*arguments, **keywords)

    return Function(f"jax.Array.at.{name}", call, inspect.Signature(parameters))


def _without_self(row: facts.Row) -> facts.Row:
    """The row without the array itself, which old releases call after the function's first parameter."""
    parts = row["parameters"].split(", ")
    array = parts[0].rstrip("=")
    rest = parts[2:] if parts[1:2] == ["/"] else parts[1:]
    trimmed = {}
    for field, value in row.items():
        if field == "parameters":
            value = ", ".join(rest)
        elif field == "decides":
            value = ["self" if name == array else name for name in value]
        elif isinstance(value, list):
            value = [name for name in value if name != array]
        elif field == "refuses":
            value = {name: forms for name, forms in value.items() if name != array}
        if value not in ([], {}):
            trimmed[field] = value
    return trimmed
