"""The data files: JSON, sorted, one entry a line, so that a new JAX release reads well as a diff."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jaxlint.knowledge.history import release


def text(sections: dict[str, dict[str, Any]]) -> str:
    parts = []
    for section in sorted(sections):
        rows = [
            f"  {json.dumps(key)}: {json.dumps(_sorted(value))}" for key, value in sorted(sections[section].items())
        ]
        parts.append(f"{json.dumps(section)}: {{\n" + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _sorted(value: Any) -> Any:
    """Tables by name, but what differs in older releases comes last, the newest of them first."""
    if not isinstance(value, dict):
        return [_sorted(item) for item in value] if isinstance(value, list) else value
    rows = {key: _sorted(item) for key, item in sorted(value.items()) if key != "until"}
    if "until" in value:
        until = value["until"]
        rows["until"] = {version: _sorted(until[version]) for version in sorted(until, key=release, reverse=True)}
    return rows


def write(path: Path, sections: dict[str, dict[str, Any]]) -> None:
    path.write_text(text(sections), encoding="utf-8", newline="\n")


def command(
    path: Path, description: str, measure: Callable[[str], dict[str, Any]], arguments: list[str] | None = None
) -> int:
    """A command that writes a file of rows of functions, or compares it: 1 where this JAX gives others.

    ``measure`` gives the rows of the functions whose names a regular expression matches.
    """
    import jax

    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file differs")
    parser.add_argument("--only", default="", help="a regular expression for the names of the functions")
    options = parser.parse_args(arguments)
    with open(os.devnull, "w") as silence, warnings.catch_warnings(), contextlib.redirect_stdout(silence):
        warnings.simplefilter("ignore")
        measured = measure(options.only)
    if not options.check:
        write(path, {"functions": measured, "versions": {"jax": jax.__version__}})
        return 0
    rows = json.loads(path.read_text(encoding="utf-8"))["functions"]
    committed = {name: row for name, row in rows.items() if re.match(options.only, name)}
    lines = [
        f"{name}: {committed.get(name)} in the file, {measured.get(name)} measured"
        for name in sorted({*committed, *measured})
        if committed.get(name) != measured.get(name)
    ]
    print("\n".join([*lines, f"{len(lines)} differences between {path.name} and this JAX"]))
    return 1 if lines else 0
