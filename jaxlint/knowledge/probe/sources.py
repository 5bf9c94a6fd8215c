"""The public names of a release too old to be run, read from its sources.

Names that a module makes while it is imported are not seen. Reading serves for names that later releases
lack: what is read and still there is asked for by name in all releases that are run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jaxlint.knowledge.probe.walk import NOT_IMPORTED, TESTS

_TYPE_VARIABLE = re.compile(r"(\w+\.)*(TypeVar|NewType|ParamSpec)\(")
_MODULE, _CLASS, _FUNCTION, _CONSTANT = "module", "class", "function", "constant"


class _Reader:
    def __init__(self, root: Path, package: str) -> None:
        self.package = package
        self.files = {_dotted(file.relative_to(root)): file for file in sorted((root / package).rglob("*.py"))}
        self.bound: dict[str, dict[str, str]] = {}
        self.said: dict[str, str] = {}  # what is announced of deprecated names
        self.by_the_way: set[str] = set()  # names of public modules that are imported for their own use

    def names(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for module in self.files:
            if _is_private(module) or module.startswith(NOT_IMPORTED):
                continue
            found[module] = {"kind": _MODULE}
            for name, kind in self.read(module).items():
                if not name.startswith("_") and f"{module}.{name}" not in self.by_the_way:
                    path = f"{module}.{name}"
                    found[path] = {"kind": kind, **({"message": self.said[path]} if path in self.said else {})}
        return found

    def read(self, module: str) -> dict[str, str]:
        """The names that a module binds and that are the package's own, with their kinds."""
        if module not in self.bound:
            found: dict[str, str] = {}
            self.bound[module] = found
            file = self.files.get(module)
            if file is not None:
                tree = ast.parse(file.read_text(encoding="utf-8"))
                for statement in _statements(tree.body):
                    self._bind(statement, module, file.name == "__init__.py", found)
        return self.bound[module]

    def _bind(self, statement: ast.stmt, module: str, is_package: bool, found: dict[str, str]) -> None:
        if isinstance(statement, ast.ClassDef):
            found[statement.name] = _CLASS
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[statement.name] = _FUNCTION
        elif isinstance(statement, ast.ImportFrom):
            self._bind_imported(statement, module, is_package, found)
        elif isinstance(statement, ast.Delete):
            for target in statement.targets:
                found.pop(getattr(target, "id", ""), None)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if (
                        isinstance(each, ast.Name)
                        and each.id == "_deprecations"
                        and isinstance(statement.value, ast.Dict)
                    ):
                        self._bind_deprecated(statement.value, module, found)
                    # A type variable is nobody's to use.
                    elif isinstance(each, ast.Name) and not _TYPE_VARIABLE.match(ast.unparse(statement.value)):
                        found[each.id] = _kind(statement.value, found)

    def _bind_deprecated(self, table: ast.Dict, module: str, found: dict[str, str]) -> None:
        """The names that a module's ``__getattr__`` looks up: name -> message and value, None for one that is gone."""
        for key, entry in zip(table.keys, table.values):
            if isinstance(key, ast.Constant) and isinstance(entry, ast.Tuple) and len(entry.elts) == 2:
                message, value = entry.elts
                if isinstance(message, ast.Constant) and not (isinstance(value, ast.Constant) and value.value is None):
                    name = str(key.value)
                    found[name] = _kind(value, found)
                    self.said[f"{module}.{name}"] = " ".join(str(message.value).split())

    def _bind_imported(self, statement: ast.ImportFrom, module: str, is_package: bool, found: dict[str, str]) -> None:
        source = self._source(statement, module, is_package)
        if source is None:
            return
        for alias in statement.names:
            if alias.name == "*":
                found.update((name, kind) for name, kind in self.read(source).items() if not name.startswith("_"))
                continue
            name = alias.asname or alias.name
            child = f"{source}.{alias.name}"
            if child in self.files:
                if is_package and name == alias.name:
                    found[name] = _MODULE
            elif source in self.files:
                # The import succeeds, even if it is not seen how the other module binds the name.
                found[name] = self.read(source).get(alias.name, _FUNCTION)
                if not (is_package or _is_private(source) or alias.asname == alias.name):
                    self.by_the_way.add(f"{module}.{name}")

    def _source(self, statement: ast.ImportFrom, module: str, is_package: bool) -> str | None:
        source = statement.module or ""
        if statement.level:
            parts = module.split(".")
            kept = len(parts) - statement.level + is_package
            source = ".".join([*parts[:kept], *([source] if source else [])])
        return source if source.split(".")[0] == self.package else None


def _dotted(path: Path) -> str:
    parts = list(path.with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_private(module: str) -> bool:
    return any(part.startswith("_") or TESTS.search(part) for part in module.split("."))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those under conditions and in attempts included."""
    for statement in body:
        yield statement
        only_else = isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test)
        for inner in ("orelse",) if only_else else ("body", "orelse", "handlers", "finalbody"):
            if isinstance(statement, (ast.If, ast.Try, ast.With)):
                for part in getattr(statement, inner, ()):
                    yield from _statements(part.body if isinstance(part, ast.ExceptHandler) else [part])


def _kind(value: ast.expr, found: dict[str, str]) -> str:
    if isinstance(value, ast.Name):
        return found.get(value.id, _CONSTANT)
    return _FUNCTION if isinstance(value, (ast.Lambda, ast.Call)) else _CONSTANT


def _options(root: Path, package: str) -> list[str]:
    """The options that are defined anywhere in the package: `define_bool_state(name="jax_...")` and the like."""
    found: set[str] = set()
    for file in (root / package).rglob("*.py"):
        if any(TESTS.search(part) for part in file.with_suffix("").relative_to(root).parts):
            continue
        text = file.read_text(encoding="utf-8")
        if "define_" in text.lower():
            found.update(filter(None, map(_option, ast.walk(ast.parse(text)))))
    return sorted(found)


def _option(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call) or "define_" not in ast.unparse(node.func).lower():
        return None
    named = [keyword.value for keyword in node.keywords if keyword.arg == "name"]
    first = next(iter([*named, *node.args]), None)
    name = first.value if isinstance(first, ast.Constant) else None
    return name if isinstance(name, str) and name.startswith("jax_") else None


def read(root: Path, package: str, version: str) -> dict[str, Any]:
    """The release that is unpacked below ``root``, as `walk` prints one."""
    names = _Reader(root, package).names()
    return {"version": version, "names": names, "options": _options(root, package) if package == "jax" else []}
