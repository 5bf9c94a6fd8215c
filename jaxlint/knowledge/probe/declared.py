"""A second opinion: the static arguments that JAX declares in its own source.

A public function that is itself decorated with ``@jit(static_argnames=...)`` says which parameters
must be concrete; all others it traces itself, so those cannot need to be. Reading that off the
source is independent of calling anything.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterator
from typing import Any

from jaxlint.knowledge.probe import names


def compare(rows: dict[str, dict[str, Any]]) -> tuple[int, list[str]]:
    """On how many parameters the measured ``rows`` and JAX's own declarations agree, and where they do not."""
    compared = list(_compare(rows))
    return sum(agrees for _, agrees in compared), [line for line, agrees in compared if not agrees]


def _compare(rows: dict[str, dict[str, Any]]) -> Iterator[tuple[str, bool]]:
    for name in names.names():
        row = rows.get(name.path)
        static = declared_static(name.value) if row is not None else None
        if row is None or static is None:
            continue
        for parameter in row.get("static", ()):
            yield f"{name.path}: {parameter} is measured static and declared traced", parameter in static
        for parameter in row.get("dynamic", ()):
            yield f"{name.path}: {parameter} is measured traceable and declared static", parameter not in static


def declared_static(function: Any) -> set[str] | None:
    """The static parameters a jit decorator of this very function names; None without such a decorator."""
    if not callable(function):
        return None
    try:
        inner = inspect.unwrap(function)
        code = inner.__code__
        parameters = list(inspect.signature(inner).parameters)
    except (AttributeError, ValueError, TypeError):
        return None
    decorators = _decorated(code.co_filename).get((code.co_name, code.co_firstlineno), ())
    for decorator in decorators:
        if "jit" in ast.unparse(decorator).replace("(", " ").replace(",", " ").replace(".", " ").split():
            return _static(decorator, parameters)
    return None


def _static(decorator: ast.expr, parameters: list[str]) -> set[str] | None:
    found: set[str] = set()
    for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
        if keyword.arg in ("static_argnames", "static_argnums"):
            try:
                value = ast.literal_eval(keyword.value)
            except ValueError:
                return None
            for item in value if isinstance(value, (tuple, list, set)) else (value,):
                found.add(parameters[item] if isinstance(item, int) else item)
    return found


@functools.cache
def _decorated(path: str) -> dict[tuple[str, int], list[ast.expr]]:
    """Decorators of every function in a file, by its name and the line its code starts on."""
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError):
        return {}
    return {
        (node.name, node.decorator_list[0].lineno): node.decorator_list
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    }
