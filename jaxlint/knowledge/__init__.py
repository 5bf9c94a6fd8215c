"""What is known of JAX, NumPy and Python's own functions, looked up by canonical dotted name.

The facts are measured: `jaxlint.knowledge.probe` calls the functions of JAX, release by release, and writes
``data/jax.json`` and ``data/names.json``. What cannot be measured stands in ``data/hand.json``, each row
with its source. Nothing here imports JAX; each file is read at the first look-up that needs it.

The measured files have one entry a line, and in it what differs in older releases (`ranges`). ``jax.json``:

``versions``   release of JAX -> what it was measured with (``numpy``, ``scipy``, ``python``), which ``sections``
               of this file, fields of functions that are taken from the next release because this one
               does not allow to measure them (``without``), and the two releases before and after this one
               whose rows are taken over where both have the same (``between``)
``functions``  name -> row. ``parameters`` is spelled as in a ``def`` (``a, /, axis=, *, keepdims=``);
               ``static``, ``dynamic``, ``mixed`` and ``decides`` list parameter names; ``out`` lists the
               ways out; ``result``, ``dtype``, ``count``, ``like``, ``varies``, ``consumes``, ``data_dependent``,
               ``no_tangent``, ``passes``, ``refuses`` and ``uninitialised`` are fields of `Facts`. What is
               empty is left out. A row without a ``result`` is of a function that was not called.
``methods``    the same for methods of `jax.Array`, the array itself left out; ``at[].set`` is ``at.set``
``members``    attribute of an array -> class of tracer -> "static", "array", "at", "method" or "fails"
``host``       function -> "fails", "works" or "static" where the classes agree, else class of tracer ->
               verdict, or a table of verdicts by position and name of the argument

``names.json``, of the newest release that has the name:

``names``      public dotted name -> "module", "class", "function" or "constant"
``aliases``    public dotted name -> canonical name of the same object
``hidden``     names that ``from module import *`` leaves out

The classes of tracer are "staged" (under `jax.jit`), "batched" (under `jax.vmap`) and
"differentiated" (under `jax.grad`, whose tracers know their value).
"""

from __future__ import annotations

import functools
import itertools
import json
from pathlib import Path
from typing import Any, NamedTuple

from jaxlint.knowledge import ranges
from jaxlint.knowledge.history import (
    History as History,
    ParameterHistory as ParameterHistory,
    Replacement as Replacement,
    history as history,
    option as option,
    options as options,
    packages as packages,
    parameter_history as parameter_history,
    release as release,
    releases as releases,
    signature as signature,
)
from jaxlint.knowledge.parameters import Parameter as Parameter, parameters as _spelled_parameters

_DATA = Path(__file__).with_name("data")


class Facts(NamedTuple):
    """What calling a function asks of its arguments, and what it gives."""

    name: str
    parameters: tuple[Parameter, ...]
    static: frozenset[str]  # parameters that must be concrete, whatever else is given
    sizes: frozenset[str]  # those of `static` that are lengths or shapes
    mixed: frozenset[str]  # concrete as a number, free as an array (`a` of `jax.random.choice`)
    decides: tuple[str, ...]  # parameters whose values must be concrete unless a way out is given
    data_dependent: bool  # the shape of the result depends on the values of `decides`
    ways_out: tuple[str, ...]  # parameters which, once given, free those in `decides`
    result: str  # "array", "tuple", "list", "static", "pytree", "like", "function" or "unknown"
    dtype: str | None  # of the result for float32 arguments, where that is always the same
    length: int | None  # of a "tuple" or "list" result, where that is always the same
    like: str | None  # for "like": the parameter whose structure the result has
    varies: frozenset[str]  # parameters that change kind, length or dtype of the result when given
    tangent: bool  # False: the result is concrete under `jax.grad` (comparisons, floor, argmax ...)
    passes: bool  # a concrete array may come back concrete in staged code (`jnp.asarray`)
    consumes: tuple[str, ...]  # parameters that hold a key which the call uses up
    called: bool  # False: only the signature is known
    # Parameter -> "list", "generator", "view" (of a dict) or "seed" (an int for a key).
    refuses: dict[str, frozenset[str]]
    uninitialised: bool  # the result is memory that nothing was written to, on GPU and TPU


class _Tables:
    """Rows by hand laid over measured ones."""

    def __init__(self) -> None:
        measured, hand = _read("jax.json"), _hand()
        self.versions: dict[str, dict[str, Any]] = measured["versions"]
        self.functions: dict[str, dict[str, Any]] = measured["functions"]
        self.methods: dict[str, dict[str, Any]] = measured["methods"]
        self.members: dict[str, dict[str, Any]] = measured["members"]
        self.host: dict[str, Any] = measured["host"]
        self.captured: dict[str, Any] = measured["captured"]
        for section, rows in (("functions", self.functions), ("methods", self.methods)):
            for name, row in hand[section].items():
                rows[name] = {**rows.get(name, {}), **row}
        self.host.update(hand["host"])


class _Names:
    def __init__(self) -> None:
        measured, hand = _read("names.json"), _hand()
        self.names: dict[str, Any] = measured["names"]
        self.aliases: dict[str, str] = measured["aliases"]
        self.aliases.update((alias, row["name"]) for alias, row in hand["aliases"].items())
        self.hidden: dict[str, bool] = measured["hidden"]


def _read(file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((_DATA / file).read_text(encoding="utf-8"))
    return found


@functools.cache
def _hand() -> dict[str, Any]:
    return _read("hand.json")


@functools.cache
def _tables() -> _Tables:
    return _Tables()


@functools.cache
def _names() -> _Names:
    return _Names()


_facts: dict[tuple[str, str | None], Facts | None] = {}
_methods: dict[tuple[str, str | None], Facts | None] = {}
_canonical: dict[str, str] = {}
_exported: dict[str, tuple[str, ...]] = {}


def versions(version: str | None = None) -> dict[str, Any]:
    """What a release of JAX was measured with, by default the newest one: ``jax``, ``numpy``, ``scipy``, ``python``.

    Empty for a release that was not measured.
    """
    rows = _tables().versions
    return dict(rows.get(version or max(rows, key=release), {}))


def facts(name: str, version: str | None = None) -> Facts | None:
    """Facts of the function with this name in a release of JAX, by default the newest that has it.

    None for what was not measured. ``name()`` is the function that the factory ``name`` returns
    (`jax.nn.initializers.normal()`). Between measured releases the facts are those of the later one.
    """
    key = name, version
    if key not in _facts:
        rows = _tables().functions
        row = ranges.at(rows.get(name) or rows.get(canonical(name)), version)
        _facts[key] = _make(name, row) if row is not None else None
    return _facts[key]


def method(name: str, version: str | None = None) -> Facts | None:
    """Facts of a method of `jax.Array`, without ``self``; ``at.set`` is the method of ``x.at[i]``."""
    key = name, version
    if key not in _methods:
        row = ranges.at(_tables().methods.get(name), version)
        _methods[key] = _make(f"jax.Array.{name}", row) if row is not None else None
    return _methods[key]


def _make(name: str, row: dict[str, Any]) -> Facts:
    static = frozenset(row.get("static", ()))
    return Facts(
        name=name,
        parameters=_spelled_parameters(row.get("parameters", "")),
        static=static,
        sizes=frozenset(parameter for parameter in static if _is_size(name, parameter)),
        mixed=frozenset(row.get("mixed", ())),
        decides=tuple(row.get("decides", ())),
        data_dependent=row.get("data_dependent", False),
        ways_out=tuple(row.get("out", ())),
        result=row.get("result", "unknown"),
        dtype=row.get("dtype"),
        length=row.get("count"),
        like=row.get("like"),
        varies=frozenset(row.get("varies", ())),
        tangent=not row.get("no_tangent", False),
        passes=row.get("passes", False),
        consumes=tuple(row.get("consumes", ())),
        called="result" in row,
        refuses={name: frozenset(forms) for name, forms in row.get("refuses", {}).items()},
        uninitialised=row.get("uninitialised", False),
    )


def _is_size(name: str, parameter: str) -> bool:
    sizes = _hand()["sizes"]
    verdict = sizes["parameters"].get(f"{name}.{parameter}")
    return verdict["size"] if verdict is not None else parameter in sizes["names"]


def canonical(name: str) -> str:
    """The canonical name of the same object; a name that is not known stays as it is.

    Of a longer path the longest known prefix is replaced: `jax.tree_util.Partial.func` and the like.
    """
    if not name.startswith(("jax", "flax.linen.")):
        return name
    try:
        return _canonical[name]
    except KeyError:
        pass
    names = _names()
    found = names.aliases.get(name)
    if found is None:
        head, dot, last = name.rpartition(".")
        if dot and name not in names.names:
            moved = f"{canonical(head)}.{last}"
            found = canonical(moved) if moved != name else name
        else:
            found = name
    _canonical[name] = found
    return found


def known(name: str) -> bool:
    """Whether the newest JAX has this public name: a function, class, module or constant."""
    names = _names().names
    return name in names and next(ranges.states(names[name]))[1] is not None


def kind(name: str) -> str:
    """ "module", "class", "function" or "constant" for a public name of any known release, "" for any other."""
    return ranges.at(_names().names.get(name)) or ""


def exported(module: str) -> tuple[str, ...]:
    """The names that ``from module import *`` binds, in any known release."""
    if not _exported:
        names = _names()
        lists: dict[str, list[str]] = {}
        for path in names.names:
            parent, _, last = path.rpartition(".")
            if path not in names.hidden:
                lists.setdefault(parent, []).append(last)
        _exported.update((parent, tuple(found)) for parent, found in lists.items())
    return _exported.get(module, ())


def host(name: str, cls: str, parameter: int | str | None = None) -> str | None:
    """What a NumPy, SciPy or Python function does when given a tracer of the class ``cls``.

    "fails"; "works": it returns a tracer, or something that holds one; "static": it returns a plain
    Python or NumPy value. None where that is not known, or depends on the argument: then ``parameter``,
    a position or a name, asks for the verdict on that one argument being the tracer.
    """
    row = ranges.at(_tables().host.get(name))
    if row is None or isinstance(row, str):
        return row
    verdict: dict[str, str] | str | None = row.get(cls)
    if isinstance(verdict, dict):
        return verdict.get(str(parameter)) if parameter is not None else None
    return verdict


@functools.cache
def leading(name: str) -> tuple[str, ...]:
    """The parameters of a library function that its calls pass by position: the first one, and the required ones after it.

    NumPy's and SciPy's are those of the function of JAX that is called alike.
    """
    by_hand = _hand()["signatures"].get(name)
    if by_hand is not None:
        found = _spelled_parameters(by_hand["parameters"])
    else:
        found = signature(f"jax.{name}" if name.startswith(("numpy.", "scipy.")) else name) or ()
    positional = list(itertools.takewhile(lambda each: each.kind in ("positional-only", "ordinary"), found))
    return tuple(
        each.name for each in positional[:1] + list(itertools.takewhile(lambda each: each.required, positional[1:]))
    )


def captured(name: str, parameter: int | str | None) -> str | None:
    """What a function of NumPy does in staged code with a concrete array of JAX from outside, as this argument.

    "fails"; "works": it returns a tracer; None: it takes the values.
    """
    row = ranges.at(_tables().captured.get(name))
    return row.get(str(parameter)) if row is not None else None


def member(name: str, cls: str) -> str | None:
    """What reading the attribute ``name`` of a tracer gives, and calling it if it is a method.

    "static": a plain Python value; "array": an array; "at": the helper of ``x.at[i].set(v)``;
    "method": a method that works; "fails": reading or calling it raises.
    """
    row = ranges.at(_tables().members.get(name))
    return row.get(cls) if row is not None else None


@functools.cache
def attributes(cls: str) -> frozenset[str]:
    """The public names that objects of a class of a library have in some release; empty for classes that were not measured."""
    rows = _attributes()
    found = rows.get(cls)
    if found is None:
        return frozenset()
    module = cls.rpartition(".")[0].removesuffix(".nn") if cls.startswith("equinox.") else cls.rpartition(".")[0]
    # The empty name, which no attribute has, tells a class without any from one that was not measured.
    return frozenset(found) | frozenset(rows.get(f"{module}.Module", ())) | {""}


@functools.cache
def _attributes() -> dict[str, list[str]]:
    rows: dict[str, list[str]] = json.loads((_DATA / "attributes.json").read_text("utf-8"))["attributes"]
    return rows


def members() -> list[str]:
    """The attributes and methods that arrays of some release have."""
    return [name for name, row in _tables().members.items() if not name.startswith("_") and name]


def private_prng(name: str) -> str | None:
    """What replaces a private or legacy name of JAX's random keys, None for all other names.

    ``name`` is a dotted path, or a bare attribute such as ``unsafe_raw_array``.
    """
    rows = _hand()["private_prng"]
    row = rows.get(name)
    if row is None:
        module, _, last = name.rpartition(".")
        if module in rows:
            row = rows.get(f"jax._src.prng.{last}", rows[module])
    return row["use"] if row is not None else None
