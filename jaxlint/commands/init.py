"""``jaxlint init``: a table of settings for a project, from what can be seen of it, and a hook of pre-commit."""

from __future__ import annotations

import argparse
import os
import re
import sys
from dataclasses import dataclass
from typing import Any

from jaxlint import __version__
from jaxlint.commands.config import shown, toml
from jaxlint.commands.configs import add_configuration, chosen_plugins, configs_of, refuse
from jaxlint.configuration.config import Configs, rows
from jaxlint.configuration.discovery import discover
from jaxlint.configuration.options import DEFAULT_TEST_FILES
from jaxlint.configuration.table import ConfigError, parse_toml
from jaxlint.fixing.apply import unified_diff
from jaxlint.source.files import refuse_link_out, write_atomic
from jaxlint.source.libraries import OF_JAX
from jaxlint.source.text import SourceError

OK = 0
_IMPORT = re.compile(r"^[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+(\w+)[\w.]*[ \t]+import\b)", re.MULTILINE)
_HOOKS = ".pre-commit-config.yaml"
_MOST_FILES = 2_000  # to look at for imports


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="the folder of the project (default: .)"
    )
    parser.add_argument("--diff", action="store_true", help="print what would be written, write nothing")
    parser.add_argument("--pre-commit", action="store_true", help=f"write a hook into {_HOOKS} as well")
    add_configuration(parser)


class ThereAlready(ConfigError):
    """What would be written is there."""


@dataclass(frozen=True)
class Change:
    """A file as it is, None where there is none, and as it becomes."""

    path: str
    before: bytes | None
    after: bytes


@dataclass(frozen=True)
class Seen:
    """What can be seen of a project."""

    files: int
    frameworks: tuple[str, ...]
    declared: str | None  # what it says of releases of JAX
    tests: str | None  # a folder of tests that the default does not name


def run(args: argparse.Namespace) -> int:
    """Raises ConfigError."""
    seen = look(args.folder, configs_of(args, {"plugins": chosen_plugins(args) or []}))  # no rule runs
    changes = []
    try:
        changes.append(settings(args.folder, seen))
    except ThereAlready:
        if not args.pre_commit:
            raise
    if args.pre_commit:
        changes.append(hook(args.folder))
    for change in changes:
        if args.diff:
            before = (change.before or b"").decode("utf-8", "replace")
            sys.stdout.write(unified_diff(before, change.after.decode("utf-8", "replace"), shown(change.path)))
            continue
        try:
            write_atomic(change.path, change.after, args.folder, expected=change.before, create=change.before is None)
        except SourceError as error:
            return refuse("init", f"{shown(change.path)}: {error.message}")
        print(f"{'Added to' if change.before is not None else 'Wrote'} {shown(change.path)}.")
    if not args.diff:
        _tell(args, seen)
    return OK


def _tell(args: argparse.Namespace, seen: Seen) -> None:
    used = f", which import{'s' if seen.files == 1 else ''} {', '.join(seen.frameworks)}" if seen.frameworks else ""
    print(f"Saw {seen.files} Python file{'' if seen.files == 1 else 's'}{used}.")
    print(
        f"JAX: {seen.declared}, as the project declares."
        if seen.declared
        else "JAX: no release is declared; the newest known one counts."
    )
    where = "" if args.folder == "." else f" {args.folder}"
    print(f"\nRun `jaxlint check{where}` next; `jaxlint config{where}` shows the settings that hold.")
    if args.pre_commit:
        print("Run `pre-commit install`, so that the hook runs before each commit.")
    else:
        print(f"`jaxlint init --pre-commit{where}` adds a hook of pre-commit.")


def look(folder: str, configs: Configs) -> Seen:
    """What can be seen of the project in ``folder``. Raises ConfigError."""
    if not os.path.isdir(folder):
        raise ConfigError(f"{folder} is no folder; name that of the project")
    files = [path for path in discover([folder], configs).files if path.endswith(".py")]
    found: set[str] = set()
    for path in files[:_MOST_FILES]:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                found.update(_imported(file.read()))
        except OSError:
            continue
    declared = dict(configs.for_folder(folder).declared).get("jax")
    tests = next((name for name in ("test", "testing") if _holds_tests(os.path.join(folder, name))), None)
    return Seen(len(files), tuple(sorted(found)), declared, tests)


def _imported(text: str) -> set[str]:
    """The packages of interest that a text imports, as far as its lines say."""
    names = {
        name.split(".")[0].split()[0]
        for match in _IMPORT.finditer(text)
        for name in (match[1] or match[2]).split(",")
        if name.strip(" .")
    }
    return names.intersection(OF_JAX)


def _holds_tests(folder: str) -> bool:
    return os.path.isdir(folder) and any(name.endswith(".py") for name in os.listdir(folder))


def settings(folder: str, seen: Seen) -> Change:
    """The pyproject.toml with a table of settings. Raises ConfigError where there is one, or none can be added."""
    path = os.path.join(folder, "pyproject.toml")
    before = _read(path)
    document: dict[str, Any] = {}
    if before is not None:
        _, document = parse_toml(before, path)
        if "jaxlint" in _table(document, "tool"):
            row = min(rows(path).values(), default=2) - 1
            raise ThereAlready("[tool.jaxlint] is there already; `jaxlint config` shows what holds", path, max(row, 1))
    lines = ["[tool.jaxlint]"]
    if seen.declared:
        lines.append(
            f"# The code is judged for jax {seen.declared}, which the project declares; target-jax would outrank that."
        )
    else:
        lines.append("# No release of JAX is declared: the newest known one counts.")
        lines.append('# target-jax = ">=0.4.30"')
    if seen.tests:
        lines.append(f"test-files = {toml([*DEFAULT_TEST_FILES, f'{seen.tests}/'])}")
    after = _appended(before, "\n".join(lines) + "\n")
    try:
        _, now = parse_toml(after, path)
    except ConfigError:
        now = {}
    if {**_table(now, "tool"), "jaxlint": None} != {**_table(document, "tool"), "jaxlint": None} or not now:
        raise ConfigError("no table can be added behind what is there; write `[tool.jaxlint]` by hand", path)
    return Change(path, before, after)


def hook(folder: str) -> Change:
    """The configuration of pre-commit with a hook that runs jaxlint. Raises ConfigError where it cannot be added."""
    path = os.path.join(folder, _HOOKS)
    before = _read(path)
    if before is None:
        return Change(path, None, ("repos:\n" + _entry("")).encode())
    text = before.decode("utf-8", "surrogateescape")
    lines = text.splitlines(keepends=True)
    if "jaxlint" in text:
        row = next(number for number, line in enumerate(lines, 1) if "jaxlint" in line)
        raise ConfigError("a hook of jaxlint is there already", path, row)
    start = next((number for number, line in enumerate(lines) if re.match(r"repos:\s*(#.*)?$", line)), None)
    items = [match for line in lines if (match := re.match(r"([ ]*)- ", line))]
    if start is None or not items:
        raise ConfigError("no list of `repos:` is there to add a hook to; add one by hand", path)
    # The list ends where the next key of the document begins.
    end = next((number for number in range(start + 1, len(lines)) if re.match(r"[^\s#-]", lines[number])), len(lines))
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    newline = "\r\n" if "\r\n" in text else "\n"
    head = "".join(lines[:end])
    head += "" if head.endswith("\n") else newline
    entry = _entry(items[0][1]).replace("\n", newline)
    return Change(path, before, (head + entry + "".join(lines[end:])).encode("utf-8", "surrogateescape"))


def _entry(indent: str) -> str:
    lines = (
        "- repo: local",
        "  hooks:",
        "    - id: jaxlint",
        "      name: jaxlint",
        "      entry: jaxlint check --force-exclude",
        "      language: python",
        f'      additional_dependencies: ["flake8-jaxlint=={__version__}"]',
        "      types_or: [python, jupyter]",
        "      require_serial: true",
    )
    return "".join(f"{indent}{line}\n" for line in lines)


def _read(path: str) -> bytes | None:
    try:
        refuse_link_out(path, os.path.dirname(path))
        with open(path, "rb") as file:
            return file.read()
    except SourceError as error:
        raise ConfigError(error.message, path) from error
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot read the file: {error.strerror}; check its permissions", path) from error


def _appended(before: bytes | None, table: str) -> bytes:
    """``before`` byte for byte, and the table behind it in the same newlines."""
    if not before:
        return table.encode()
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    gap = newline if before.endswith(b"\n") else newline * 2
    return before + gap + table.encode().replace(b"\n", newline)


def _table(document: dict[str, Any], name: str) -> dict[str, Any]:
    table = document.get(name)
    return table if isinstance(table, dict) else {}
