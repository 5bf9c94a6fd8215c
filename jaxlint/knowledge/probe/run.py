"""All measurements in order."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TextIO

import jax
import numpy as np
import scipy

from jaxlint.knowledge.parameters import spell
from jaxlint.knowledge.probe import facts, functions, names

Sections = dict[str, dict[str, Any]]


class Between(NamedTuple):
    """What two releases, one before and one after the installed one, agree on."""

    releases: tuple[str, str]
    rows: dict[str, Any]
    now: Callable[[str], str]  # the name of a function in ``rows``

    def row(self, name: str, parameters: str) -> dict[str, Any] | None:
        """The row of a function, if it takes the same parameters in this release, too."""
        found: dict[str, Any] | None = self.rows.get(self.now(name))
        return found if found is not None and found["parameters"] == parameters else None


def measure(wanted: Iterable[str], report: TextIO, only: str = "", between: Between | None = None) -> Sections:
    """``between`` spares the functions that are the same before and after this release."""
    sections: Sections = {
        "versions": {
            "jax": jax.__version__,
            "numpy": np.__version__,
            "python": ".".join(map(str, sys.version_info[:2])),
            "scipy": scipy.__version__,
            "without": list(facts.UNMEASURED),
        }
    }
    if between is not None:
        sections["versions"]["between"] = list(between.releases)
    found = names.names()
    aliases = names.aliases(found)
    if "names" in wanted:
        sections["names"] = {name.path: name.kind for name in found}
        sections["aliases"] = aliases
        sections["hidden"] = dict.fromkeys(names.hidden(found), True)
    if "functions" in wanted:
        sections["functions"] = measure_functions(found, aliases, report, only, between)
    if "members" in wanted:
        from jaxlint.knowledge.probe import members

        sections["members"] = members.attributes()
        sections["methods"] = members.methods()
    if "host" in wanted:
        from jaxlint.knowledge.probe import host

        sections["host"] = host.measure()
        sections["captured"] = host.captured()
    return sections


def measure_functions(
    found: list[names.Name], aliases: dict[str, str], report: TextIO, only: str, between: Between | None
) -> dict[str, Any]:
    rows = {}
    spared = 0
    wanted = [name for name in functions.measured(found, aliases) if re.match(only, name.path)]
    for number, name in enumerate(wanted):
        if number % 100 == 0:
            jax.clear_caches()  # thousands of compiled programs take gigabytes
        started = time.monotonic()
        known = between and between.row(name.path, functions.spelled(name))
        if known:
            rows[name.path] = known
            spared += 1
            continue
        try:
            row = functions.row(name)
        except Exception as error:  # one odd function costs its own row
            print(f"not measured: {name.path}: {type(error).__name__}: {error}", file=report, flush=True)
            continue
        if row is not None:
            rows[name.path] = row
        if time.monotonic() - started > 20:
            print(f"slow: {name.path} took {time.monotonic() - started:.0f} s", file=report, flush=True)
    for path, function in functions.initializers(found):
        if re.match(only, path):
            known = between and between.row(path, spell(function.signature))
            rows[path] = known or facts.measure(function)
            spared += bool(known)
    if between is not None:
        print(f"{len(rows) - spared} functions measured; {spared} as in {' and '.join(between.releases)}", file=report)
    return rows
