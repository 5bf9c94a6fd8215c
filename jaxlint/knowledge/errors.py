"""The exceptions that JAX and its libraries raise: what each means, and the rules that report code which raises it.

``data/errors.json`` has one entry for each class, by its bare name: ``module``, ``meaning`` and, of a base
class, ``includes`` are written by hand, ``rules`` are the codes of the rules whose fixtures show code that raises it,
which ``python -m jaxlint.verify.errors`` fills in from the fixtures.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from jaxlint.source import spelling

FILE = Path(__file__).with_name("data") / "errors.json"
# The pages of the libraries about their errors, on which each class has a place of its own.
_PAGES = {
    "jax.errors": "https://docs.jax.dev/en/latest/101/errors.html",
    "flax.errors": "https://flax.readthedocs.io/en/latest/api_reference/flax.errors.html",
}
_loaded: dict[str, Error] = {}


class Error(NamedTuple):
    """A class of exceptions."""

    name: str
    module: str  # where the class is found
    meaning: str
    rules: tuple[str, ...]  # codes
    includes: tuple[str, ...] = ()  # names of the classes that JAX derives from it

    @property
    def path(self) -> str:
        """The name as it is shown: what Python itself has needs no module."""
        return self.name if self.module == "builtins" else f"{self.module}.{self.name}"

    @property
    def reference(self) -> str | None:
        """Where the library itself writes about it; None where it does not."""
        return f"{_PAGES[self.module]}#{self.path}" if self.module in _PAGES else None

    @property
    def says_little(self) -> bool:
        """Whether the class is raised for so many reasons that it points to no rule."""
        return self.module == "builtins"


def read() -> dict[str, Any]:
    """The file as it is."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def _errors() -> dict[str, Error]:
    if not _loaded:
        for name, row in read()["errors"].items():
            includes = tuple(row.get("includes", ()))
            _loaded[name] = Error(name, row["module"], row["meaning"], tuple(row["rules"]), includes)
    return _loaded


def all_errors() -> tuple[Error, ...]:
    return tuple(_errors().values())


def error(name: str) -> Error | None:
    """The class of this name, with or without the modules that hold it and in any case; None where it is unknown.

    Modules are not compared: a class has several, and a traceback names the one that defines it.
    """
    bare = name.rpartition(".")[2]
    found = _errors().get(bare)
    if found is None:
        found = next((each for each in _errors().values() if each.name.lower() == bare.lower()), None)
    return found


def nearest(name: str) -> str | None:
    """The known name that is most like ``name``; None where none is near."""
    bare = name.rpartition(".")[2].lower()
    names = {each.lower(): each for each in _errors()}
    close = spelling.nearest(bare, names)
    return names[close] if close else None
