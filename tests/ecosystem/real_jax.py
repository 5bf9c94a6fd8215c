"""Import every module of a package under the JAX that is installed, and say which names it misses.

    python real_jax.py import FOLDER PACKAGE     prints JSON: every error at import, module by module
    python real_jax.py claims < CLAIMS           prints JSON: which of the claims about names and parameters hold

Runs in an environment of its own and needs nothing of jaxlint. An error about a missing name is
noted with its place, and that one place is given a stand-in when the module is imported again, so
that what comes after it is seen too. Every other place still fails, and a guard such as
``try``/``except ImportError`` or ``hasattr`` finds what it would find.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import inspect
import io
import json
import os
import re
import signal
import sys
import traceback
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ATTEMPTS = 300  # to import one module; each removes one obstacle
SECONDS = 900  # for one module; jax alone takes a minute where much else runs

Place = tuple[str, int, str]  # file, row, name that is missing there


class _StandInMeta(type):
    """Everything can be done with a stand-in, and gives a stand-in."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return StandIn

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        return cls

    def __iter__(cls) -> Iterator[Any]:
        return iter(())

    def __getitem__(cls, key: Any) -> Any:
        return cls

    def __instancecheck__(cls, instance: Any) -> bool:
        return False


def _same(cls: Any, *args: Any) -> Any:
    return cls


for _operation in (
    "add",
    "radd",
    "sub",
    "rsub",
    "mul",
    "rmul",
    "truediv",
    "rtruediv",
    "matmul",
    "pow",
    "neg",
    "or",
    "ror",
    "and",
):
    setattr(_StandInMeta, f"__{_operation}__", _same)


class StandIn(metaclass=_StandInMeta):
    """What stands where a name is missing."""


class Walk:
    """The imports of one package."""

    def __init__(self, folder: Path, package: str) -> None:
        self.folder = str(folder.resolve()) + os.sep
        self.package = package
        self.allowed: set[Place] = set()
        self.errors: list[dict[str, Any]] = []
        self._hooked: set[str] = set()
        self._patched: list[Any] = []  # objects other than modules that were given a stand-in
        self._import = builtins.__import__
        builtins.__import__ = self._importing

    def module(self, name: str) -> bool:
        """Import a module, noting and passing by every missing name; whether it came to its end."""
        for _ in range(ATTEMPTS):
            try:
                with _limited(SECONDS):
                    importlib.import_module(name)
                return True
            except BaseException as error:
                passed = self._pass_by(name, error)
                self._forget()
                if not passed:
                    return False
        return False

    def _forget(self) -> None:
        """Import the package anew: what is left of a package that failed does not hold together."""
        for name in list(sys.modules):
            if name.partition(".")[0] == self.package:
                del sys.modules[name]

    def _pass_by(self, module: str, error: BaseException) -> bool:
        frames = [
            frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(self.folder)
        ]
        missing = _missing(error)
        holder = getattr(error, "obj", None)
        note = {
            "module": module,
            "error": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}",
            "missing": missing,
            "path": frames[-1].filename[len(self.folder) :] if frames else None,
            "row": frames[-1].lineno if frames else None,
            # an object that a stand-in kept from being set up lacks more than JAX took away
            "follows": any(holder is each for each in self._patched),
        }
        if note not in self.errors:
            self.errors.append(note)
        if missing is None or not frames:
            return False
        owner, _, name = missing.rpartition(".")
        absent_module = isinstance(error, ModuleNotFoundError)
        place = (frames[-1].filename, frames[-1].lineno or 0, missing if absent_module else name)
        if place in self.allowed:
            return False
        self.allowed.add(place)
        if not absent_module:
            holder = holder if isinstance(error, AttributeError) else sys.modules.get(owner)
            if isinstance(holder, types.ModuleType):
                self._hook(holder)
            else:
                self._patched.append(holder)
                with contextlib.suppress(Exception):
                    setattr(holder, name, StandIn)  # for all places from here on
        return True

    def _hook(self, holder: types.ModuleType) -> None:
        """Let the places that are allowed to find a name that the module lacks."""
        if holder.__name__ in self._hooked:
            return
        self._hooked.add(holder.__name__)
        own = vars(holder).get("__getattr__")

        def lookup(name: str) -> Any:
            if self._is_allowed(name):
                return StandIn
            if own is not None:
                return own(name)
            raise AttributeError(f"module {holder.__name__!r} has no attribute {name!r}", name=name, obj=holder)

        holder.__getattr__ = lookup  # type: ignore[method-assign]

    def _importing(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        try:
            return self._import(name, globals, locals, fromlist, level)
        except ModuleNotFoundError as error:
            if error.name is None or not self._is_allowed(error.name):
                raise
            if fromlist:
                return StandIn
            top = name.partition(".")[0]
            return sys.modules.get(top, StandIn)

    def _is_allowed(self, name: str) -> bool:
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None and (
            frame.f_code.co_filename == __file__ or frame.f_code.co_filename.startswith("<frozen importlib")
        ):
            frame = frame.f_back
        return frame is not None and (frame.f_code.co_filename, frame.f_lineno, name) in self.allowed


def _missing(error: BaseException) -> str | None:
    """The dotted name that is missing, if that is what the error is about."""
    if isinstance(error, ModuleNotFoundError):
        return error.name
    if isinstance(error, ImportError):
        found = re.match(r"cannot import name '(\w+)'", str(error))
        name = found.group(1) if found else None
        return f"{error.name}.{name}" if error.name and name else None
    if isinstance(error, AttributeError) and error.name:
        if isinstance(error.obj, types.ModuleType):
            return f"{error.obj.__name__}.{error.name}"
        kind = error.obj if isinstance(error.obj, type) else type(error.obj)
        return f"{kind.__module__}.{kind.__qualname__}.{error.name}"
    return None


@contextlib.contextmanager
def _limited(seconds: int) -> Iterator[None]:
    def late(*_: Any) -> None:
        raise TimeoutError(f"took longer than {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def modules(folder: Path, package: str) -> list[str]:
    """Every module below a package, outermost first."""
    found = []
    for path in sorted((folder / package).rglob("*.py"), key=lambda path: (len(path.parts), path)):
        parts = path.relative_to(folder).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if all(part.isidentifier() for part in parts) and parts[-1] != "__main__":
            found.append(".".join(parts))
    return found


def import_all(folder: Path, package: str) -> dict[str, Any]:
    sys.path.insert(0, str(folder))
    walk = Walk(folder, package)
    names = modules(folder, package)
    done = []
    for name in names:
        sys.argv = ["import"]  # flags are parsed by some modules
        done.append(walk.module(name))
    return {"modules": len(names), "imported": sum(done), "errors": walk.errors}


def reached(name: str) -> tuple[bool, Any]:
    """The value of a dotted name, if it can be reached: modules are imported, attributes taken."""
    parts = name.split(".")
    try:
        value: Any = importlib.import_module("jax" if parts[0] == "Array" else parts[0])
        value = value.Array if parts[0] == "Array" else value
    except ImportError:
        return False, None
    for count, part in enumerate(parts[1:], start=2):
        try:
            value = getattr(value, part)
            continue
        except AttributeError:
            pass
        try:
            value = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            return False, None
    return True, value


def holds(claim: str) -> Any:
    """True, or what there is instead."""
    kind, name, *more = claim.split()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        there, value = reached(name)
    if kind == "gone":
        return True if not there else f"{name} is there: {value!r:.60}"
    if kind == "private":
        return True if any(part.startswith("_") for part in name.split(".")) else f"{name} has no private part"
    if not there:
        return f"{name} is not there"
    if kind == "there":
        return True
    if kind == "warns":
        return True if caught or _says_so(value) else f"{name} gives no warning"
    return _refuses(value, more[0], kind.partition("-")[2])


def _says_so(function: Any) -> bool:
    """Whether a function warns when it is called: nothing can be seen of that before, but in its source."""
    with contextlib.suppress(TypeError, OSError):
        return "DeprecationWarning" in inspect.getsource(inspect.unwrap(function)) or "eprecated" in (
            function.__doc__ or ""
        )
    return False


def _refuses(function: Any, parameter: str, how: str) -> Any:
    """Whether a function does not take a parameter in the way that is claimed."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        return f"it has no signature: {error}"
    found = signature.parameters.get(parameter)
    if how == "gone":
        anything = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())
        return True if found is None and not anything else f"it takes {signature}"
    wanted = {"positional-only": "POSITIONAL_ONLY", "keyword-only": "KEYWORD_ONLY"}[how]
    return True if found is not None and found.kind.name == wanted else f"it takes {signature}"


def main(arguments: list[str]) -> int:
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")  # modules print
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        if arguments[0] == "claims":
            result: dict[str, Any] = {claim: holds(claim) for claim in sys.stdin.read().splitlines() if " " in claim}
        else:
            result = import_all(Path(arguments[1]).resolve(), arguments[2])
    output.write(json.dumps(result) + "\n")
    output.flush()
    os._exit(0)  # what was imported may have started threads that never end


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
