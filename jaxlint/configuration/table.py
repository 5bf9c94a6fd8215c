"""The table ``[tool.jaxlint]`` of a pyproject.toml, before its options are checked, and the error for what cannot be used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from jaxlint.source import toml
from jaxlint.source.files import read_regular


class ConfigError(Exception):
    """An option that cannot be used; says which, where, and what would do (JAX903)."""

    def __init__(self, message: str, filename: str | None = None, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.filename = filename  # None: the command line
        self.row = row
        self.column = column

    def __str__(self) -> str:
        return f"{self.filename}:{self.row}:{self.column}: {self.message}" if self.filename else self.message

    def __reduce__(self) -> Any:
        return ConfigError, (self.message, self.filename, self.row, self.column)

    @property
    def problems(self) -> tuple[ConfigError, ...]:
        """Everything that is wrong, each by itself."""
        return (self,)


class ConfigErrors(ConfigError):
    """Several things that are wrong; its message and place are those of the first."""

    def __init__(self, *problems: ConfigError) -> None:
        first = problems[0]
        super().__init__(first.message, first.filename, first.row, first.column)
        self._problems = problems

    def __str__(self) -> str:
        return "\n".join(map(str, self._problems))

    def __reduce__(self) -> Any:
        return ConfigErrors, self._problems

    @property
    def problems(self) -> tuple[ConfigError, ...]:
        return self._problems


def complain(problems: Sequence[ConfigError]) -> None:
    """Raise ConfigError where there is a problem, with all of them."""
    if problems:
        raise problems[0] if len(problems) == 1 else ConfigErrors(*problems)


class Table(NamedTuple):
    """A pyproject.toml that has the table: its text, and the options of jaxlint."""

    text: str
    options: dict[str, Any]


def read_table(path: str) -> Table | None:
    """The table of a pyproject.toml; None where it has none. Raises ConfigError."""
    try:
        raw = read_regular(path, toml.MAX_BYTES)
    except OSError as error:
        raise ConfigError(f"cannot read the file: {error.strerror}; check its permissions", path) from error
    if b"jaxlint" not in raw:
        return None  # not ours, so not ours to complain about either
    text, document = parse_toml(raw, path)
    tools = document.get("tool", {})
    if not isinstance(tools, dict) or "jaxlint" not in tools:
        return None
    if not isinstance(tools["jaxlint"], dict):
        raise ConfigError("`tool.jaxlint` must be a table: write `[tool.jaxlint]`", path, *place_of(text, "jaxlint"))
    return Table(text, tools["jaxlint"])


def parse_toml(raw: bytes, path: str) -> tuple[str, dict[str, Any]]:
    """The text of a file of TOML and what it says. Raises ConfigError."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        row = raw[: error.start].count(b"\n") + 1
        raise ConfigError("not valid UTF-8, which TOML must be; save the file as UTF-8", path, row) from error
    try:
        return text, toml.parse(text)
    except toml.TomlError as error:
        raise ConfigError(f"not valid TOML: {error.message}; fix the line", path, error.row, error.column) from error


def place_of(text: str, option: str, part: str | None = None) -> tuple[int, int]:
    """Row and column at which ``option`` is set, or at which ``part``, a string of its value, stands.

    As well as that can be told without positions from the parser.
    """
    table = re.search(r"^[ \t]*(?P<key>\[[ \t]*tool[ \t]*\.[ \t]*[\"']?jaxlint)", text, re.MULTILINE)
    key = re.compile(rf"^[ \t]*(?:\[[^\]\n]*)?(?P<key>[\"']?{re.escape(option)})[\"']?[ \t]*[=.\]]", re.MULTILINE)
    match = key.search(text, table.start() if table else 0) or table
    if match is None:
        return 1, 1
    at = match.start("key")
    if part is not None:
        escaped = part.replace("\\", "\\\\").replace('"', '\\"')
        found = re.compile(f"\"{re.escape(escaped)}\"|'{re.escape(part)}'").search(text, match.end())
        at = found.start() if found else at
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
