"""All measurements in order."""

from __future__ import annotations

import re
import sys
import time
from typing import Any, Iterable, TextIO

import jax
import numpy as np
import scipy

from jaxlint.knowledge.probe import facts, functions, names

Sections = dict[str, dict[str, Any]]


def measure(wanted: Iterable[str], report: TextIO, only: str = "") -> Sections:
    sections: Sections = {
        "versions": {
            "jax": jax.__version__,
            "numpy": np.__version__,
            "python": ".".join(map(str, sys.version_info[:2])),
            "scipy": scipy.__version__,
            "without": list(facts.UNMEASURED),
        }
    }
    found = names.names()
    aliases = names.aliases(found)
    if "names" in wanted:
        sections["names"] = {name.path: name.kind for name in found}
        sections["aliases"] = aliases
        sections["hidden"] = {path: True for path in names.hidden(found)}
    if "functions" in wanted:
        sections["functions"] = measure_functions(found, aliases, report, only)
    if "members" in wanted:
        from jaxlint.knowledge.probe import members

        sections["members"] = members.attributes()
        sections["methods"] = members.methods()
    if "host" in wanted:
        from jaxlint.knowledge.probe import host

        sections["host"] = host.measure()
    return sections


def measure_functions(
    found: list[names.Name], aliases: dict[str, str], report: TextIO, only: str = ""
) -> dict[str, Any]:
    rows = {}
    wanted = [name for name in functions.measured(found, aliases) if re.match(only, name.path)]
    for number, name in enumerate(wanted):
        if number % 100 == 0:
            jax.clear_caches()  # thousands of compiled programs take gigabytes
        started = time.monotonic()
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
            rows[path] = facts.measure(function)
    return rows
