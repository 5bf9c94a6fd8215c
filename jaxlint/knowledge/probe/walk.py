"""The public names of one installed release of a package, what they are, and what they say when used.

Run as ``python -m jaxlint.knowledge.probe.walk PACKAGE`` in the environment of the release; with
``--known FILE --ask NAMES`` it does not walk, but adds to what it printed before the names that are there
among those asked for. Prints JSON:

``version``  of the package
``failed``   modules that are there and cannot be imported here: nothing is known of what they hold
``options``  of `jax.config`
``names``    name -> ``kind``, ``signature`` where there is one, and ``message`` where getting or calling it
             warns that it is deprecated
``gone``     name -> what the package says when the name is got and is not there
"""

from __future__ import annotations

import argparse
import ast
import builtins
import contextlib
import enum
import functools
import importlib
import importlib.metadata
import inspect
import io
import json
import logging
import os
import pkgutil
import re
import sys
import types
import typing
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jaxlint.knowledge.parameters import spell
from jaxlint.source.libraries import LIBRARIES

os.environ.setdefault("JAX_PLATFORMS", "cpu")

# These start something when they are imported, or are programs and tests.
NOT_IMPORTED = (
    "jax.collect_profile",
    "jax.tools.jax_to_ir",
    "jax.experimental.jax2tf",
    "jax.experimental.mosaic",
    "jax.experimental.pallas.ops",
    "jax.extend.mlir",
    "jax.interpreters.mlir.ir",
    "flax.configurations",
    "flax.nnx.examples",
)
TESTS = re.compile(r"(^|_)(test|tests|testing|conftest)(_|$)|__main__$")
DISTRIBUTIONS = {each.name: each.distributed_as for each in LIBRARIES if each.measured}

# In these modules names of other libraries are part of the interface (`jax.numpy.finfo`, `flax.linen.relu`).
FACADES = ("jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax.dtypes", "jax.core", "jax.tree_util", "jax.scipy")
FOREIGN = ("jax", "jaxlib", "numpy", "scipy", "optax", "chex", "ml_dtypes", "builtins")

_DEPRECATED = re.compile(r"deprecat|removed in|will be removed|no longer", re.IGNORECASE)
_SAYS_WHY = re.compile(r"deprecat|remov|delet|moved|replaced|no longer|instead|\buse\b", re.IGNORECASE)
_ARRAY = "jax.Array"


class Walk:
    def __init__(self, package: str) -> None:
        self.package = package
        self.names: dict[str, dict[str, Any]] = {}
        self.failed: dict[str, str] = {}
        self.gone: dict[str, str] = {}

    def run(self) -> None:
        if self.package == "jax":
            self._array()  # before modules are imported that add to it
        for path in self._modules():
            module = sys.modules[path]
            for name, message in sorted(self._held(module).items()):
                self._add(module, name, message)

    def _modules(self) -> Iterator[str]:
        todo = [self.package]
        while todo:
            path = todo.pop(0)
            try:
                module, said = _quietly(importlib.import_module, path)
            except BaseException as error:
                self.failed[path] = f"{type(error).__name__}: {error}"[:200]
                continue
            row = self.names[path] = {"kind": "module"}
            if (message := _deprecation(said, path.rpartition(".")[2])) is not None:
                row["message"] = message
            yield path
            if hasattr(module, "__path__"):
                for info in sorted(pkgutil.iter_modules(module.__path__), key=lambda info: info.name):
                    child = f"{path}.{info.name}"
                    if info.name.startswith("_") or TESTS.search(info.name) or child.startswith(NOT_IMPORTED):
                        continue
                    todo.append(child)

    def _held(self, module: types.ModuleType) -> dict[str, str | None]:
        """The names that can be got from a module; with a message those that are announced as deprecated."""
        found: dict[str, str | None] = dict.fromkeys([*vars(module), *getattr(module, "__all__", ())])
        for table in _tables(module):
            for name, entry in table.items():
                if isinstance(name, str) and isinstance(entry, tuple) and entry and isinstance(entry[0], str):
                    if len(entry) > 1 and entry[1] is None:
                        self.gone.setdefault(f"{module.__name__}.{name}", entry[0])
                    else:
                        found[name] = entry[0]
        return {name: message for name, message in found.items() if not name.startswith("_")}

    def _add(self, module: types.ModuleType, name: str, message: str | None) -> None:
        path = f"{module.__name__}.{name}"
        if path in self.names or path.startswith(NOT_IMPORTED):
            return
        try:
            value, said = _quietly(getattr, module, name)
        except Exception as error:
            if message is not None and _SAYS_WHY.search(str(error)):
                self.gone.setdefault(path, str(error))
            return
        if message is None:
            message = _deprecation(said, name)
        if message is not None or self._belongs(module, name, value):
            self.names[path] = _row(value, message)

    def _belongs(self, module: types.ModuleType, name: str, value: Any) -> bool:
        """Whether a name of a module is part of the package, and not something the module merely imports."""
        parent = module.__name__
        exported = name in getattr(module, "__all__", ())
        is_package = hasattr(module, "__path__")
        if inspect.ismodule(value):
            own = value.__name__ == f"{parent}.{name}" or value.__name__.startswith(f"{self.package}._src")
            same = value.__name__.rpartition(".")[2].strip("_") == name
            return self._is_own(value.__name__) and same and (own or is_package or exported)
        if (
            isinstance(value, (typing.TypeVar, logging.Logger))
            or hasattr(builtins, name)
            and value is getattr(builtins, name)
        ):
            return False
        origin = getattr(value, "__module__", None)
        if not isinstance(origin, str):
            origin = type(value).__module__
        root = origin.partition(".")[0]
        if root in ("typing", "typing_extensions", "collections", "__future__", "functools", "types", "abc", "enum"):
            if hasattr(typing, name) or root in ("__future__", "abc", "enum"):
                return False
            return root != "functools" or exported or is_package
        if self._is_own(origin):
            public = "._" not in origin and root != "jaxlib"
            # A function of another public module is there by an import, unless the module is a facade.
            return not public or origin == parent or is_package or exported or parent in FACADES
        constant = not callable(value) and not hasattr(value, "__module__")
        if constant and root in ("builtins", "numpy", "ml_dtypes", "jaxlib"):
            return True
        return (is_package or exported or parent in FACADES) and root in FOREIGN

    def _is_own(self, origin: str) -> bool:
        root = origin.partition(".")[0]
        return root == self.package or (self.package == "jax" and root == "jaxlib")

    def _array(self) -> None:
        import jax

        array = jax.numpy.zeros(3)
        for name in sorted({*dir(array), *dir(getattr(jax, "Array", array))}):
            if name.startswith("_"):
                continue
            with contextlib.suppress(Exception):
                value, said = _quietly(getattr, array, name)
                kind = "function" if callable(value) else "constant"
                self.names[f"{_ARRAY}.{name}"] = {"kind": kind}
                if (message := _deprecation(said, name)) is not None:
                    self.names[f"{_ARRAY}.{name}"]["message"] = message

    def ask(self, path: str) -> None:
        """Look for a name that the walk did not meet: modules may make names on hazard."""
        parent, _, name = path.rpartition(".")
        if path in self.names or path in self.gone or self.names.get(parent, {}).get("kind") != "module":
            return
        try:
            module, _ = _quietly(importlib.import_module, parent)
        except BaseException:
            return
        try:
            value, said = _quietly(getattr, module, name)
        except Exception as error:
            if _SAYS_WHY.search(str(error).replace(name, "")):
                self.gone[path] = str(error)
            return
        self.names[path] = _row(value, _deprecation(said, name))


def _tables(module: types.ModuleType) -> Iterator[dict[Any, Any]]:
    """The tables of deprecated names that a module's ``__getattr__`` looks at."""
    for name in ("_deprecations", "_DEPRECATIONS"):
        table = getattr(module, name, None)
        if isinstance(table, dict):
            yield table
    for cell in getattr(getattr(module, "__getattr__", None), "__closure__", None) or ():
        with contextlib.suppress(ValueError):
            if isinstance(cell.cell_contents, dict):
                yield cell.cell_contents


def _quietly(function: Any, *arguments: Any) -> tuple[Any, list[str]]:
    """The result of a call, and what it warned of."""
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("always")
        with contextlib.redirect_stdout(io.StringIO()):
            result = function(*arguments)
    return result, [str(warning.message) for warning in caught]


def _deprecation(said: list[str], name: str) -> str | None:
    return next((text for text in said if name in text and _DEPRECATED.search(text)), None)


def _row(value: Any, message: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": _kind(value)}
    if row["kind"] in ("function", "class"):
        with contextlib.suppress(Exception):
            row["signature"] = spell(_signature(value))
        message = message or _warns_when_called(value)
    if message is not None:
        row["message"] = " ".join(message.split())
    return row


def _signature(value: Any) -> inspect.Signature:
    """The signature of a callable. Raises ValueError for classes of enumerations: Python gives them one of its own.

    A member takes that of its class from Python 3.12 on; what it is called with is what `__call__` says. A function that
    wraps another one may take keywords of its own, as the assertions of chex do, beside those that it hands on. A metaclass
    that makes the objects itself hands on to `__init__` whatever it is given.
    """
    if isinstance(value, enum.EnumMeta):
        raise ValueError("the signature of an enumeration is Python's, and not the library's")
    called: Any = value
    called = called.__call__ if isinstance(value, enum.Enum) else called
    found = inspect.signature(called)
    if inspect.isclass(value) and _takes_anything(found) and inspect.isfunction(value.__init__):
        made = inspect.signature(value.__init__)
        return made.replace(parameters=list(made.parameters.values())[1:])
    if not inspect.isfunction(called) or not hasattr(called, "__wrapped__"):
        return found
    around = inspect.signature(called, follow_wrapped=False).parameters.values()
    own = [each for each in around if each.kind is each.KEYWORD_ONLY and each.name not in found.parameters]
    parameters = [*found.parameters.values(), *own]
    return found.replace(parameters=sorted(parameters, key=lambda each: each.kind))


def _takes_anything(signature: inspect.Signature) -> bool:
    kinds = [each.kind for each in signature.parameters.values()]
    return kinds == [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]


def _kind(value: Any) -> str:
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "constant"


def _warns_when_called(value: Any) -> str | None:
    """The message of a function that does nothing before it warns that it is deprecated."""
    said = getattr(value, "__deprecated__", None)
    if isinstance(said, str):
        return said
    if inspect.isclass(value):
        value = value.__dict__.get("__init__")
    code = getattr(inspect.unwrap(value), "__code__", None) if callable(value) else None
    if code is None:
        return None
    function = _sources(code.co_filename).get(code.co_firstlineno)
    return (_decorated(function) or _warns(function)) if function is not None else None


@functools.cache
def _sources(path: str) -> dict[int, ast.FunctionDef]:
    """The functions of a file that speaks of deprecation, by their first line."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError:
        return {}
    if not re.search("deprecat|FutureWarning", text, re.IGNORECASE):
        return {}
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return {min([node.lineno, *(each.lineno for each in node.decorator_list)]): node for node in functions}


def _decorated(function: ast.FunctionDef) -> str | None:
    for decorator in function.decorator_list:
        if not re.search(r"\bwarn_deprecated_function\b|(^|[.(])deprecated\b", ast.unparse(decorator)):
            continue
        keywords = {node.arg: node.value for node in ast.walk(decorator) if isinstance(node, ast.keyword)}
        replacement = keywords.get("replacement")
        if isinstance(replacement, ast.Constant):
            return f"{function.name} is deprecated: use {replacement.value!s}"
        words = [str(node.value) for node in ast.walk(decorator) if isinstance(node, ast.Constant)]
        return next((word for word in words if _DEPRECATED.search(word)), f"{function.name} is deprecated")
    return None


def _warns(function: ast.FunctionDef) -> str | None:
    for statement in function.body:
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            if isinstance(statement, (ast.Return, ast.If, ast.For, ast.With, ast.Try)):
                return None
            continue
        call = statement.value
        text = ast.unparse(call)
        is_warning = "DeprecationWarning" in text or "FutureWarning" in text
        if re.match(r"(warnings\.)?warn\b|_?deprecations?\.warn\b", text) and (
            is_warning or "deprecations.warn" in text
        ):
            words = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
            message = max((word for word in words if isinstance(word, str)), key=len, default="")
            # One that is about a parameter is not about the function.
            if function.name == "__init__" or function.name in message:
                return message
    return None


def _options() -> list[str]:
    # In some releases `jax.config` is the object until a module of that name is imported.
    config = importlib.import_module("jax._src.config").config
    for name in ("_value_holders", "values"):
        table = getattr(config, name, None)
        if table:
            return sorted(table)
    return []


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m jaxlint.knowledge.probe.walk", description=__doc__)
    parser.add_argument("package")
    parser.add_argument("--known", type=Path, help="what was printed before")
    parser.add_argument("--ask", type=Path, help="a file with a name on each line")
    options = parser.parse_args()
    walk = Walk(options.package)
    if options.known is None:
        walk.run()
        config = _options() if options.package == "jax" else []
    else:
        known = json.loads(options.known.read_text(encoding="utf-8"))
        walk.names, walk.gone, walk.failed, config = (known[key] for key in ("names", "gone", "failed", "options"))
    if options.ask is not None:
        for name in options.ask.read_text(encoding="utf-8").split():
            walk.ask(name)
    print(
        json.dumps(
            {
                "version": importlib.metadata.version(DISTRIBUTIONS[options.package]),
                "failed": walk.failed,
                "options": config,
                "names": walk.names,
                "gone": {name: " ".join(said.split()) for name, said in walk.gone.items()},
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
