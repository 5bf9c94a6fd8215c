"""What happened to the names, parameters and options of JAX and its libraries from release to release.

``data/history.json`` is measured: `jaxlint.knowledge.probe.history` walks the public names of each release
in an environment of its own. It has one entry a line:

``releases``    package -> the releases that were walked, oldest first
``names``       name -> row, for names that are not the same in all of these releases
``options``     option of `jax.config` -> row; all of them, as one that is not here is unknown

A row has a ``kind``, and where they apply ``added``, ``deprecated`` and ``removed``: a release each, exact
where a message of the library names it, else the first walked release that shows the change. ``message``
is what the library says.

``data/signatures.json`` is of the same walk: name -> list of pairs of a release and the signature from
then on, spelled as in ``data/jax.json``.

``data/migrations.json`` is made by hand, each row with its ``source``: ``gone`` has rows of names that
were removed before the first walked release, ``replacements`` what to write instead, ``parameters`` and
``options`` the same for parameters (``function.parameter``) and options, ``within`` advice for all that is
gone below a module and has no row of its own.

Each file is read at the first look-up that needs it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from jaxlint.knowledge.parameters import Parameter, parameters

_DATA = Path(__file__).with_name("data")


class Replacement(NamedTuple):
    """What to write instead of a name."""

    name: str | None  # None: `advice` alone
    since: str | None  # the first release that has it; None: all known ones do
    level: str  # "safe": the same object or one that behaves the same, "unsafe" or "display"
    rewrite: str  # "alias": the other name; else the name of a rewrite
    advice: str | None = None
    also: tuple[Replacement, ...] = ()  # for targets that lack `name`, in the order to try them


class History(NamedTuple):
    """What happened to a name, or to the module or class that holds it."""

    name: str
    package: str
    kind: str  # "function", "class", "module", "constant" or "option"
    added: str | None = None  # None: the oldest known release has it
    deprecated: str | None = None
    removed: str | None = None
    message: str | None = None
    replacement: Replacement | None = None


class ParameterHistory(NamedTuple):
    """What happened to a parameter of a function."""

    name: str
    parameter: str
    added: str | None = None
    deprecated: str | None = None
    removed: str | None = None
    renamed_to: str | None = None
    since: str | None = None  # the first release that has `renamed_to`
    became: str | None = None  # "keyword-only" or "positional-only"
    became_in: str | None = None  # the first release where it is that
    level: str = "display"
    rewrite: str = "none"  # "rename", "positional", "values" or the name of a rewrite
    advice: str | None = None
    values: dict[str, str] | None = None  # what `renamed_to` takes for a constant, both as they are written


_files: dict[str, dict[str, Any]] = {}
_histories: dict[str, History | None] = {}


def _load(file: str) -> dict[str, Any]:
    if file not in _files:
        _files[file] = json.loads((_DATA / file).read_text(encoding="utf-8"))
    return _files[file]


def release(version: str) -> tuple[int, ...]:
    """A version such as "0.12.0.1" as numbers, to compare it with others; 0.10 is 0.10.0."""
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def releases(package: str = "jax") -> tuple[str, ...]:
    """The releases of a package whose names are known, oldest first."""
    return tuple(_load("history.json")["releases"].get(package, ()))


def packages() -> tuple[str, ...]:
    """The packages whose names are known, as they are imported."""
    return tuple(_load("history.json")["releases"])


def history(name: str) -> History | None:
    """What happened to a name, spelled as a user writes it; ``Array.name`` is an attribute of arrays.

    None: nothing did, as far as is known. What happened to a module or class happened to all it holds.
    """
    try:
        return _histories[name]
    except KeyError:
        pass
    found = None
    path = f"jax.{name}" if name.startswith("Array.") else name
    package = path.partition(".")[0]
    if package in _load("history.json")["releases"]:
        found = _own(path, package)
        if found is None or (found.removed is None and found.deprecated is None):
            inherited = _inherited(path)
            # What is only known to be new is not older than what holds it.
            if found is None or (inherited is not None and (inherited.removed or inherited.deprecated)):
                found = inherited
        if found is not None:
            replacement = found.replacement
            if replacement is None and (found.removed or found.deprecated) and not _says_what(found.message):
                replacement = _within(path)
            found = found._replace(name=name, replacement=replacement)
    _histories[name] = found
    return found


def _says_what(message: str | None) -> bool:
    return re.search(r"\buse\b|\binstead\b|\breplace", message or "", re.IGNORECASE) is not None


def _own(name: str, package: str) -> History | None:
    row = _row(name)
    if row is None:
        return None
    return History(
        name,
        package,
        row["kind"],
        row.get("added"),
        row.get("deprecated"),
        row.get("removed"),
        row.get("message"),
        _replacement(name),
    )


def _row(name: str) -> dict[str, Any] | None:
    row = _load("migrations.json")["gone"].get(name) or _load("history.json")["names"].get(name)
    return row if isinstance(row, dict) else None


def _inherited(name: str) -> History | None:
    """The history of the nearest holder that has one."""
    head, _, last = name.rpartition(".")
    holder = history(head) if head else None
    if holder is None:
        return None
    replacement = _replacement(name)
    if replacement is None and holder.replacement is not None and holder.kind == "module":
        replacement = _below(holder.replacement, last)
    return holder._replace(name=name, replacement=replacement)


def _added(name: str) -> str | None:
    """The first release that has a name; None where the oldest known one has it."""
    while name:
        added = (_row(name) or {}).get("added")
        if added is not None:
            return str(added)
        name = name.rpartition(".")[0]
    return None


def _below(replacement: Replacement, last: str) -> Replacement:
    if replacement.name is None or replacement.rewrite != "alias":
        return replacement
    name = f"{replacement.name}.{last}"
    return replacement._replace(
        name=name,
        since=_added(name) or replacement.since,
        also=tuple(_below(other, last) for other in replacement.also),
    )


def _replacement(name: str) -> Replacement | None:
    row = _load("migrations.json")["replacements"].get(name)
    return None if row is None else _spelled(row)


def _within(name: str) -> Replacement | None:
    """What is said of all names below a module that have nothing of their own."""
    while "." in name:
        name = name.rpartition(".")[0]
        row = _load("migrations.json")["within"].get(name)
        if row is not None:
            return Replacement(None, None, "display", "none", row["advice"])
    return None


def _spelled(row: dict[str, Any]) -> Replacement:
    name = row.get("name")
    since = row.get("since")
    if since is None and name is not None:
        since = _added(name)
    return Replacement(
        name,
        since,
        row["level"],
        row.get("rewrite", "alias" if name is not None else "none"),
        row.get("advice"),
        tuple(_spelled({**row, "advice": None, "also": (), "since": None, **other}) for other in row.get("also", ())),
    )


def option(name: str) -> History | None:
    """What happened to an option of `jax.config`; None: no known release has it."""
    row = _load("history.json")["options"].get(name)
    hand = _load("migrations.json")["options"].get(name)
    if row is None and hand is None:
        return None
    row = {**(row or {}), **(hand or {})}
    replacement = _spelled(hand) if hand is not None and "level" in hand else None
    return History(
        name,
        "jax",
        "option",
        row.get("added"),
        row.get("deprecated"),
        row.get("removed"),
        row.get("message"),
        replacement,
    )


def options() -> tuple[str, ...]:
    """The options of `jax.config` of all known releases."""
    return tuple(sorted({*_load("history.json")["options"], *_load("migrations.json")["options"]}))


def signature(name: str, version: str | None = None) -> tuple[Parameter, ...] | None:
    """The parameters of a function or class in a release, by default the newest that has it.

    None: the release lacks it, or it has no signature.
    """
    spelled = None
    for since, text in _load("signatures.json")["signatures"].get(name, ()):
        if version is None:
            spelled = text if text is not None else spelled
        elif release(since) <= release(version):
            spelled = text
    return None if spelled is None else parameters(spelled)


def parameter_history(name: str, parameter: str) -> ParameterHistory | None:
    """What happened to a parameter of a function; None: nothing, as far as is known."""
    hand = _load("migrations.json")["parameters"].get(f"{name}.{parameter}")
    measured = _measured(name, parameter)
    if hand is None:
        return ParameterHistory(name, parameter, **measured) if measured else None
    kept = {key: value for key, value in hand.items() if key != "source"}
    return ParameterHistory(name, parameter, **{**measured, **kept})


def _measured(name: str, parameter: str) -> dict[str, Any]:
    """What the signatures of the releases say of a parameter."""
    result: dict[str, Any] = {}
    kind = None
    first = True
    for since, text in _load("signatures.json")["signatures"].get(name, ()):
        if text is None:
            continue  # the function itself is gone
        now = parameters(text)
        found = next((each.kind for each in now if each.name == parameter), None)
        if found is None and any(each.kind == "double-star" for each in now):
            return {}  # it may still be taken by name
        if found is not None and kind is None and not first:
            result.pop("removed", None)
            result["added"] = since
        elif found is None and kind not in (None, "positional-only"):
            result["removed"] = since
        if found in ("keyword-only", "positional-only"):
            if kind is not None and kind != found:
                result.update(became=found, became_in=since)
        elif found is not None:
            result.pop("became", None)
            result.pop("became_in", None)
        kind, first = found, False
    return result
