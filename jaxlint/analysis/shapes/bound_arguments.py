"""The arguments of an array function, read as the numbers, shapes, axes and dtypes that they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

Shape = tuple[Any, ...] | None

# dtype that a scalar type stands for in JAX with 64-bit types switched off.
_NARROWED = {
    "int": "int32", "float": "float32", "bool": "bool", "complex": "complex64", "int64": "int32", "uint64": "uint32",
    "float64": "float32", "complex128": "complex64", "single": "float32", "double": "float32", "half": "float16",
}  # fmt: skip
_DTYPES = frozenset({
    "float32", "float16", "bfloat16", "int32", "int16", "int8", "uint8", "uint16", "uint32", "complex64", "bool",
})  # fmt: skip


class Given:
    """The arguments of one call, by the name of the parameter and by their order."""

    def __init__(self, interpreter: Interpreter, name: str, call: Call) -> None:
        self.i = interpreter
        package, _, last = name.rpartition(".")
        method = package == "jax.Array"
        found = knowledge.method(last) if method else knowledge.facts(name)
        self.call = call
        self.name, self.facts = name, None if method else found
        self.operands = [] if call.star else list(call.args)
        self.named: dict[str, v.Value] = dict(call.keywords)
        if found is not None:
            inner = call
            if method:
                inner = Call(call.node, call.args[1:], call.arg_nodes[1:], call.keywords, call.keyword_nodes, call.star)
            self.named.update((parameter, value) for parameter, value, _ in bound(found, inner))
            if not method and not self.operands and found.parameters and found.parameters[0].name in self.named:
                self.operands = [self.named[found.parameters[0].name]]

    @property
    def known(self) -> bool:
        """Whether every argument that is passed is seen, and means something to the function."""
        if self.call.star or self.call.double_star:
            return False
        return self.facts is None or all(_takes(self.facts, self.name, keyword) for keyword in self.call.keywords)

    def __contains__(self, name: str) -> bool:
        value = self.named.get(name)
        return value is not None and not v.is_none(value)

    def get(self, *names: str) -> v.Value | None:
        """The argument of the first of these parameters that is passed; None where that is None or missing."""
        return next((self.named[name] for name in names if name in self), None)

    def operand(self, position: int, *names: str) -> v.Value | None:
        """The argument of a parameter that is called differently in different places."""
        if position < len(self.operands):
            return self.operands[position]
        return self.get(*names)

    @property
    def first(self) -> v.Aval:
        return self.i.aval_of(self.operands[0]) if self.operands else v.ANY

    def aval(self, position: int, *names: str) -> v.Aval:
        value = self.operand(position, *names)
        return v.ANY if value is None else self.i.aval_of(value)

    def dtype(self, default: str | None = None) -> str | None:
        """What `dtype=` says; the default where it is not passed."""
        given = self.get("dtype")
        return default if given is None else dtype_of(given)

    def truth(self, name: str, default: bool = False) -> bool | None:
        value = self.named.get(name)
        if value is None:
            return default
        return bool(value.value) if type(value) is v.Const else None

    def axes(self, value: v.Value | None, rank: int | None) -> tuple[int, ...] | None:
        """Axes, counted from 0, of an array of this rank; None where they are not known or there are none such."""
        if value is None or rank is None:
            return None
        items = [value] if type(value) is v.Const else self.i.items_of(value)
        if items is None:
            return None
        axes = numbers(items)
        if axes is None or not all(-rank <= axis < rank for axis in axes):
            return None
        return tuple(axis % rank for axis in axes)

    def axis(self, value: v.Value | None, rank: int | None, default: int | None = None) -> int | None:
        if value is None and default is not None and rank is not None:
            return default % rank if -rank <= default < rank else None
        found = self.axes(value, rank)
        return found[0] if found is not None and len(found) == 1 else None

    def shape(self, value: v.Value | None) -> Shape:
        return shape_of(self.i, value)

    def items(self, value: v.Value | None) -> list[v.Value] | None:
        """The arrays of a list or tuple of arrays."""
        if value is None:
            return None
        aval = self.i.aval_of(value)
        if type(value) in (v.Array, v.Host) and aval.shape and isinstance(aval.shape[0], int) and aval.shape[0] <= 64:
            return [v.Array(v.MAYBE, aval.shaped(aval.shape[1:]))] * aval.shape[0]
        items: list[v.Value] | None = self.i.items_of(value)
        return items


def _takes(found: knowledge.Facts, name: str, keyword: str) -> bool:
    """Whether a function takes a keyword in some release; of one that it never took nobody knows the meaning."""
    taken = not found.parameters or any(each.name == keyword or each.kind == "double-star" for each in found.parameters)
    return taken or knowledge.parameter_history(name, keyword) is not None


def shape_of(interpreter: Interpreter, value: v.Value | None) -> Shape:
    """A shape given as an argument: an int or a tuple of ints."""
    if value is None:
        return None
    if type(value) is v.Const and isinstance(value.value, int):
        return (value.value,) if value.value >= 0 else (None,)
    if type(value) is v.Static and value.type in ("int", "dim"):
        return (number(value),)
    if type(value) not in (v.Tuple, v.Ref):
        return None
    items = interpreter.items_of(value)
    if items is None:
        return None
    return tuple(None if isinstance(size, int) and size < 0 else size for size in map(number, items))


def is_shape(value: v.Value) -> bool:
    """Whether a value is a tuple of integers, as shapes are."""
    return (
        type(value) is v.Tuple and bool(value.items) and all(v.python_type(item) == "int" for item in value.items or ())
    )


def number(value: v.Value | None) -> v.Size | None:
    """An int that is known, SYMBOLIC for a symbolic dimension, else None."""
    if type(value) is v.Static and value.type == "dim":
        return value.size or v.SYMBOLIC
    return value.value if type(value) is v.Const and type(value.value) is int else None


def numbers(values: Iterable[v.Value | None]) -> list[int] | None:
    """Ints that are all known."""
    return _ints(number(value) for value in values)


def total(sizes: Iterable[v.Size | None]) -> int | None:
    """A product of sizes; None where one is not known."""
    result: int | None = 1
    for size in sizes:
        if size == 0 and isinstance(size, int):
            return 0
        result = result * size if isinstance(size, int) and result is not None else None
    return result


def added(sizes: Iterable[v.Size | None]) -> int | None:
    """A sum of sizes; None where one is not known."""
    found = _ints(sizes)
    return None if found is None else sum(found)


def _ints(sizes: Iterable[v.Size | None]) -> list[int] | None:
    found: list[int] = []
    for size in sizes:
        if not isinstance(size, int):
            return None
        found.append(size)
    return found


def dtype_of(value: v.Value | None) -> str | None:
    """The dtype that an argument names: `jnp.float32`, `float`, `"float32"`, `x.dtype`."""
    if type(value) is v.Api:
        return dtype_name(value.name)
    if type(value) is v.Const and isinstance(value.value, str):
        return dtype_name(value.value)
    if type(value) is v.Static and value.type == "dtype" and value.ident is not None and value.ident[0] == "dtype":
        return str(value.ident[1])
    return None


def dtype_name(name: str) -> str | None:
    """dtype a scalar type stands for in JAX with x64 switched off."""
    last = name.rpartition(".")[2].rstrip("_")
    return _NARROWED.get(last, last if last in _DTYPES else None)
