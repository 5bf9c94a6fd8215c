"""What is known of JAX, NumPy and Python's own functions, looked up by canonical dotted name.

The facts are measured: `jaxlint.knowledge.probe` calls the functions of the installed JAX and writes
``data/jax.json``. What cannot be measured stands in ``data/hand.json``, each row with its source.
Nothing here imports JAX; both files are read at the first look-up.

``data/jax.json`` has one entry a line:

``versions``   what was measured: ``jax``, ``numpy``, ``python``
``names``      public dotted name -> "module", "class", "function" or "constant"
``aliases``    public dotted name -> canonical name of the same object
``hidden``     names that ``from module import *`` leaves out
``functions``  name -> row. ``parameters`` is spelled as in a ``def`` (``a, /, axis=, *, keepdims=``);
               ``static``, ``dynamic``, ``mixed`` and ``decides`` list parameter names; ``out`` lists the
               ways out; ``result``, ``dtype``, ``count``, ``like``, ``varies``, ``consumes``, ``data_dependent``,
               ``no_tangent``, ``passes``, ``refuses`` and ``uninitialised`` are fields of `Facts`. What is empty is left out. A row
               without a ``result`` is of a function that was not called.
``methods``    the same for methods of `jax.Array`, the array itself left out; ``at[].set`` is ``at.set``
``members``    attribute of an array -> class of tracer -> "static", "array", "at", "method" or "fails"
``host``       function -> "fails", "works" or "static" where the classes agree, else class of tracer ->
               verdict, or a table of verdicts by position and name of the argument

The classes of tracer are "staged" (under `jax.jit`), "batched" (under `jax.vmap`) and
"differentiated" (under `jax.grad`, whose tracers know their value).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from jaxlint.knowledge.history import History as History, ParameterHistory as ParameterHistory
from jaxlint.knowledge.history import Replacement as Replacement
from jaxlint.knowledge.history import history as history, option as option, options as options, packages as packages
from jaxlint.knowledge.history import parameter_history as parameter_history, release as release
from jaxlint.knowledge.history import releases as releases, signature as signature
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
    dtype: Optional[str]  # of the result for float32 arguments, where that is always the same
    count: Optional[int]  # length of a "tuple" or "list" result, where that is always the same
    like: Optional[str]  # for "like": the parameter whose structure the result has
    varies: frozenset[str]  # parameters that change kind, length or dtype of the result when given
    tangent: bool  # False: the result is concrete under `jax.grad` (comparisons, floor, argmax ...)
    passes: bool  # a concrete array may come back concrete in staged code (`jnp.asarray`)
    consumes: tuple[str, ...]  # parameters that hold a key which the call uses up
    called: bool  # False: only the signature is known
    refuses: dict[str, frozenset[str]]  # parameter -> "list", "generator", "view" (of a dict) or "seed" (an int for a key)
    uninitialised: bool  # the result is memory that nothing was written to, on GPU and TPU


class _Tables:
    """The two data files, with rows by hand laid over measured ones."""

    def __init__(self) -> None:
        measured = json.loads((_DATA / "jax.json").read_text(encoding="utf-8"))
        hand = json.loads((_DATA / "hand.json").read_text(encoding="utf-8"))
        self.versions: dict[str, str] = measured["versions"]
        self.names: dict[str, str] = measured["names"]
        self.aliases: dict[str, str] = {
            **measured["aliases"],
            **{alias: row["name"] for alias, row in hand["aliases"].items()},
        }
        self.hidden: dict[str, bool] = measured["hidden"]
        self.functions: dict[str, dict[str, Any]] = measured["functions"]
        self.methods: dict[str, dict[str, Any]] = measured["methods"]
        self.members: dict[str, dict[str, str]] = measured["members"]
        self.host: dict[str, Any] = measured["host"]
        for section, rows in (("functions", self.functions), ("methods", self.methods)):
            for name, row in hand[section].items():
                rows[name] = {**rows.get(name, {}), **row}
        self.host.update(hand["host"])
        self.sizes: dict[str, Any] = hand["sizes"]
        self.prng: dict[str, dict[str, str]] = hand["private_prng"]


_loaded: Optional[_Tables] = None
_facts: dict[str, Optional[Facts]] = {}
_methods: dict[str, Optional[Facts]] = {}
_canonical: dict[str, str] = {}
_exported: dict[str, tuple[str, ...]] = {}


def _tables() -> _Tables:
    global _loaded
    if _loaded is None:
        _loaded = _Tables()
    return _loaded


def versions() -> dict[str, str]:
    """The versions the facts were measured on, by package."""
    return dict(_tables().versions)


def facts(name: str) -> Optional[Facts]:
    """Facts of the function with this name, None for what was not measured.

    ``name()`` is the function that the factory ``name`` returns (`jax.nn.initializers.normal()`).
    """
    try:
        return _facts[name]
    except KeyError:
        rows = _tables().functions
        row = rows.get(name) or rows.get(canonical(name))
        found = _facts[name] = _make(name, row) if row is not None else None
        return found


def method(name: str) -> Optional[Facts]:
    """Facts of a method of `jax.Array`, without ``self``; ``at.set`` is the method of ``x.at[i]``."""
    try:
        return _methods[name]
    except KeyError:
        row = _tables().methods.get(name)
        found = _methods[name] = _make(f"jax.Array.{name}", row) if row is not None else None
        return found


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
        count=row.get("count"),
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
    sizes = _tables().sizes
    verdict = sizes["parameters"].get(f"{name}.{parameter}")
    return verdict["size"] if verdict is not None else parameter in sizes["names"]


def canonical(name: str) -> str:
    """The canonical name of the same object; a name that is not known stays as it is.

    Of a longer path the longest known prefix is replaced: `jax.tree_util.Partial.func` and the like.
    """
    if not name.startswith("jax"):
        return name
    try:
        return _canonical[name]
    except KeyError:
        pass
    aliases = _tables().aliases
    found = aliases.get(name)
    if found is None:
        head, dot, last = name.rpartition(".")
        if dot and name not in _tables().names:
            moved = f"{canonical(head)}.{last}"
            found = canonical(moved) if moved != name else name
        else:
            found = name
    _canonical[name] = found
    return found


def known(name: str) -> bool:
    """Whether this is a public name of JAX: a function, class, module or constant."""
    return name in _tables().names


def kind(name: str) -> str:
    """ "module", "class", "function" or "constant" for a public name of JAX, "" for any other."""
    return _tables().names.get(name, "")


def exported(module: str) -> tuple[str, ...]:
    """The names that ``from module import *`` binds."""
    if not _exported:
        tables = _tables()
        lists: dict[str, list[str]] = {}
        for path in tables.names:
            parent, _, last = path.rpartition(".")
            if path not in tables.hidden:
                lists.setdefault(parent, []).append(last)
        _exported.update((parent, tuple(names)) for parent, names in lists.items())
    return _exported.get(module, ())


def host(name: str, cls: str, parameter: Union[int, str, None] = None) -> Optional[str]:
    """What a NumPy, SciPy or Python function does when given a tracer of the class ``cls``.

    "fails"; "works": it returns a tracer, or something that holds one; "static": it returns a plain
    Python or NumPy value. None where that is not known, or depends on the argument: then ``parameter``,
    a position or a name, asks for the verdict on that one argument being the tracer.
    """
    row = _tables().host.get(name)
    if row is None or isinstance(row, str):
        return row
    verdict = row.get(cls)
    if isinstance(verdict, dict):
        return verdict.get(str(parameter)) if parameter is not None else None
    return verdict


def member(name: str, cls: str) -> Optional[str]:
    """What reading the attribute ``name`` of a tracer gives, and calling it if it is a method.

    "static": a plain Python value; "array": an array; "at": the helper of ``x.at[i].set(v)``;
    "method": a method that works; "fails": reading or calling it raises.
    """
    row = _tables().members.get(name)
    return row.get(cls) if row is not None else None


def private_prng(name: str) -> Optional[str]:
    """What replaces a private or legacy name of JAX's random keys, None for all other names.

    ``name`` is a dotted path, or a bare attribute such as ``unsafe_raw_array``.
    """
    rows = _tables().prng
    row = rows.get(name)
    if row is None:
        module, _, last = name.rpartition(".")
        if module in rows:
            row = rows.get(f"jax._src.prng.{last}", rows[module])
    return row["use"] if row is not None else None
