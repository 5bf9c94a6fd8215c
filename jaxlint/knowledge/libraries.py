"""What functions and objects of libraries do with what they are given: measured, a file for each library (`data/libraries`).

A file is read when a function of its library is first asked for. ``functions`` has a row for each function, class and
method; an object is called as it is made: `optax.sgd().update`, `gymnax.make()[0].reset`.

``parameters``  spelled as in a ``def``
``result``      "array", "tree" (of arrays), "key", "static", "none", "same NAME" (the argument itself), "like NAME" (a tree
                like it), "returns PATH" (what the function there gives), "object CLASS" (of the library); a list of these
                for a tuple, a table of them for an object with named parts; "unknown" where calls do not agree
``given``       optional parameter -> the result where it is passed
``passed``      the optional parameters that were passed in calls that showed it; ``always``: in all of them
``options``     of a method: the optional parameters with which its object was always made
``calls``       the functions that are called, by how they are reached (`fun`, `self.sampler.model`): ``stage`` is "staged",
                "batched", "differentiated" or "caller" (as the code around); ``with`` tells each argument: "traced int32[]",
                "traced like NAME", "traced key", "traced tree", "same NAME", "*same NAME" (all of `*NAME`), "value"
``draws``       the parameters that hold a key which is consumed
``call``        the call that showed it
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, NamedTuple

from jaxlint.knowledge.parameters import Parameter, parameters

_FOLDER = Path(__file__).with_name("data") / "libraries"

Kind = str | list[Any] | dict[str, Any]


class Driven(NamedTuple):
    """How a function that a library is given is called."""

    path: tuple[str, ...]
    stage: str
    args: tuple[str, ...]
    kwargs: dict[str, str]


class Behaviour(NamedTuple):
    """What a function does with what it is given."""

    name: str
    parameters: tuple[Parameter, ...]
    result: Kind
    given: dict[str, Kind]
    passed: frozenset[str]
    always: frozenset[str]
    options: frozenset[str]
    calls: tuple[Driven, ...]
    draws: tuple[str, ...]


@functools.cache
def packages() -> frozenset[str]:
    """The libraries that were measured."""
    return frozenset(path.stem for path in _FOLDER.glob("*.json"))


@functools.cache
def _tables(package: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((_FOLDER / f"{package}.json").read_text(encoding="utf-8"))
    return found


@functools.cache
def behaviour(name: str) -> Behaviour | None:
    """What a function of a library does, by its dotted name; None for what was not measured."""
    package = name.partition(".")[0]
    if package not in packages():
        return None
    tables = _tables(package)
    row = tables["functions"].get(tables["aliases"].get(name, name))
    return None if row is None else _behaviour(name, row)


def _behaviour(name: str, row: dict[str, Any]) -> Behaviour:
    return Behaviour(
        name=name,
        parameters=parameters(row["parameters"]),
        result=row.get("result", "unknown"),
        given=row.get("given", {}),
        passed=frozenset(row.get("passed", ())),
        always=frozenset(row.get("always", ())),
        options=frozenset(row.get("options", ())),
        calls=tuple(_driven(path, each) for path, each in row.get("calls", {}).items()),
        draws=tuple(row.get("draws", ())),
    )


def _driven(path: str, row: dict[str, Any]) -> Driven:
    given = row["with"]
    if isinstance(given, str):  # calls do not agree on how many there are
        return Driven(tuple(path.split(".")), row["stage"], (), {"**": given})
    if isinstance(given, dict):
        return Driven(tuple(path.split(".")), row["stage"], tuple(given["args"]), given["kwargs"])
    return Driven(tuple(path.split(".")), row["stage"], tuple(given), {})


def member(made: str, cls: str, attribute: str) -> Behaviour | None:
    """What a method of an object does, by how the object is made and by its class."""
    return behaviour(f"{made}.{attribute}") or (behaviour(f"{cls}().{attribute}") if cls else None)


# Packages whose objects are known for what they are, though they are made of plain values: they hold functions, options, or trees.
HOLDERS = frozenset({"optax", "argparse", "flax.serialization", "orbax.checkpoint"})
PARSER, NAMESPACE = "argparse.ArgumentParser", "argparse.Namespace"


@functools.cache
def needs(optimiser: str) -> dict[str, frozenset[str]]:
    """What `update` of an optimiser of Optax cannot do without beside gradients and state: argument -> options that lift it.

    ``optimiser`` is the dotted name of the function that makes it. `data/optimisers.json` is measured by
    `jaxlint.knowledge.probe.optimisers`.
    """
    rows: dict[str, dict[str, list[str]]] = json.loads((_FOLDER.parent / "optimisers.json").read_text("utf-8"))["needs"]
    return {name: frozenset(options) for name, options in rows.get(optimiser, {}).items()}
