"""Count how many staged functions the analysis knows to be staged, on code that it was not fitted to.

    python tests/ecosystem/staged_functions.py FOLDER ... [--jobs N] [--presume NAME ...] [--missed]

In a copy of each folder, `print(argument)` becomes the first statement of every function that is decorated with a transform
of JAX, and of every `__call__` and `@nn.compact` method of a class that derives from a module of Flax, Haiku or Equinox.
A function counts as known if the print is reported (JAX303). Functions are chosen by their syntax alone, and not by what
the analysis says of them; tests are left out, since a print is not reported there.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover
from jaxlint.configuration.options import DEFAULT_TEST_FILES
from jaxlint.run.runner import Job, run

MODULES = {"flax.linen.Module", "flax.nnx.Module", "haiku.Module", "equinox.Module"}
TRANSFORMS = {
    f"jax.{name}" for name in ("jit", "pmap", "vmap", "grad", "value_and_grad", "checkpoint", "remat")
} | {"flax.linen.jit", "flax.nnx.jit", "equinox.filter_jit", "equinox.filter_grad", "equinox.filter_value_and_grad"}  # fmt: skip
KINDS = ("decorated", "__call__")


class Place(NamedTuple):
    """A function: the row of its first statement after the docstring, and the argument that is printed."""

    kind: str  # one of KINDS
    row: int
    column: int
    argument: str


def places(text: str) -> list[Place]:
    tree = ast.parse(text)
    names = dict(imported(tree))
    classes: set[str] = set()
    found: dict[int, Place] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(is_module(base, names, classes) for base in node.bases):
            classes.add(node.name)
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and (
                    member.name == "__call__" or decorated(member, names, {"flax.linen.compact"})
                ):
                    if not decorated(member, names, {"builtins.property"}):
                        found.update(at(member, "__call__"))
        elif isinstance(node, ast.FunctionDef) and decorated(node, names, TRANSFORMS):
            found.update(at(node, "decorated"))
    return sorted(found.values(), key=lambda place: place.row)


def at(function: ast.FunctionDef, kind: str) -> dict[int, Place]:
    """The place in a function, unless it stands on one line or has no argument but a static one."""
    body = function.body
    docstring = (
        isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    )
    first = body[1] if docstring and len(body) > 1 else body[0]
    defaults = len(function.args.defaults)
    required = function.args.args[: len(function.args.args) - defaults] if defaults else function.args.args
    arguments = [argument.arg for argument in required if argument.arg not in ("self", "cls")]
    if not arguments or first.lineno == function.lineno or (docstring and len(body) == 1):
        return {}
    row = min([first.lineno, *(decorator.lineno for decorator in getattr(first, "decorator_list", ()))])
    return {row: Place(kind, row, first.col_offset, arguments[0])}


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (
                    alias.asname or alias.name.partition(".")[0],
                    alias.name if alias.asname else alias.name.partition(".")[0],
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def dotted(node: ast.expr, names: dict[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        base = dotted(node.value, names)
        return None if base is None else f"{base}.{node.attr}"
    return None


def is_module(base: ast.expr, names: dict[str, str], classes: set[str]) -> bool:
    name = dotted(base, names)
    if name is not None:
        return name.removeprefix("flax.experimental.") in MODULES
    return isinstance(base, ast.Name) and base.id in classes


def decorated(function: ast.FunctionDef, names: dict[str, str], wanted: set[str]) -> bool:
    for decorator in function.decorator_list:
        node = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(decorator, ast.Call) and dotted(node, names) == "functools.partial" and decorator.args:
            node = decorator.args[0]
        if dotted(node, names) in wanted:
            return True
    return False


def planted(text: str, chosen: list[Place]) -> tuple[str, dict[int, Place]]:
    """The text with its prints, and the places by the rows of the prints."""
    lines = text.splitlines(keepends=True)
    rows = {}
    for number, place in reversed(list(enumerate(chosen))):
        lines.insert(place.row - 1, " " * place.column + f"print({place.argument})\n")
        rows[place.row + number] = place
    return "".join(lines), rows


def count(
    folder: Path, presume: list[str] | None, jobs: int, missed: bool = False
) -> tuple[Counter[str], Counter[str]]:
    """How many functions of each kind there are in a folder, and how many are known."""
    total: Counter[str] = Counter()
    known: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"), symlinks=True)
        os.chdir(copy)
        configs = Configs({"presume": presume, "select": ["JAX303"], "test_files": list(DEFAULT_TEST_FILES)})
        wanted: dict[tuple[str, int], Place] = {}
        files = [path for path in discover(["."], configs).files if path.endswith(".py")]
        for path in files:
            try:
                text = Path(path).read_bytes().decode("utf-8")
                chosen = [] if configs.for_file(path).is_test(path) else places(text)
            except (SyntaxError, ValueError, RecursionError):
                continue
            if chosen and "\r" not in text and "\t" not in text:
                changed, rows = planted(text, chosen)
                Path(path).write_text(changed, encoding="utf-8")
                wanted.update({(path, row): place for row, place in rows.items()})
        total.update(place.kind for place in wanted.values())
        outcomes = run([Job(path, configs.for_file(path)) for path in files], jobs)
        reported = {
            (each.filename, each.start.row)
            for outcome in outcomes
            for each in outcome.diagnostics
            if each.code == "JAX303"
        }
        known.update(place.kind for key, place in wanted.items() if key in reported)
        for key, place in sorted(wanted.items()):
            if missed and key not in reported:
                print(f"{folder.name}/{key[0]}:{place.row}: {place.kind} ({place.argument})")
        os.chdir(folder)
    return total, known


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--presume", nargs="*", default=None)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--missed", action="store_true", help="list the functions that are not known")
    args = parser.parse_args()
    total: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for folder in args.folder:
        here, of_them = count(Path(folder).resolve(), args.presume, args.jobs, args.missed)
        total, known = total + here, known + of_them
        print(
            f"{Path(folder).name}: " + ", ".join(f"{kind} {of_them[kind]} of {here[kind]}" for kind in KINDS),
            flush=True,
        )
    print(
        "all: "
        + ", ".join(
            f"{kind} {known[kind]} of {total[kind]} ({known[kind] / max(total[kind], 1):.1%})" for kind in KINDS
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
