"""The length of lines that the formatter of a project is set to.

The nearest settings of Ruff or Black above a file count, whether or not a file of theirs speaks of jaxlint. Settings that
cannot be read say nothing: these files are not jaxlint's to complain about.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.configuration.lookup import nearest
from jaxlint.configuration.options import LINE_LENGTH
from jaxlint.configuration.table import ConfigError, parse_toml
from jaxlint.configuration.trust import Trust
from jaxlint.source import toml
from jaxlint.source.files import read_regular

_FILES = (".ruff.toml", "ruff.toml", "pyproject.toml")  # the first counts in a folder
_FORMATTERS = ("ruff", "black")


class Length(NamedTuple):
    """A length, and the file and row that set it."""

    columns: int
    path: str
    row: int


def around(folder: str, known: dict[str, Length | None], trust: Trust) -> Length | None:
    """The length that is set for the files in ``folder``; ``known`` keeps what was found for other folders."""
    return nearest(folder, known, lambda each: next(_set_in(each, trust), None), None)


def _set_in(folder: str, trust: Trust) -> Iterator[Length]:
    for name in _FILES:
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or trust.strange_owner(path) is not None:
            continue
        try:
            text, document = parse_toml(read_regular(path, toml.MAX_BYTES), path)
        except (OSError, ConfigError):
            continue
        tools = document.get("tool") if name == "pyproject.toml" else {"ruff": document}
        tables = [(each, tools.get(each)) for each in _FORMATTERS] if isinstance(tools, dict) else []
        settings = [(each, table) for each, table in tables if isinstance(table, dict)]
        for each, table in settings:
            columns = table.get("line-length")
            if isinstance(columns, int) and 40 <= columns <= 1000:
                yield Length(columns, path, _row(text, each if name == "pyproject.toml" else None))
        for _, table in settings:
            if "extend" not in table:  # else the file that it extends has the rest
                yield Length(LINE_LENGTH, path, 1)


def _row(text: str, tool: str | None) -> int:
    """The row of the length, as well as that can be told without positions from the parser."""
    table = re.search(rf"^[ \t]*\[tool\.{tool}\]", text, re.MULTILINE) if tool else None
    key = re.compile(r"^[ \t]*line-length", re.MULTILINE).search(text, table.start() if table else 0)
    return text.count("\n", 0, key.start()) + 1 if key else 1
