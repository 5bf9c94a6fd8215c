"""Count how many staged functions the analysis knows to be staged, on code that it was not fitted to.

    python tests/ecosystem/staged_functions.py FOLDER ... [--plant WHAT] [--jobs N] [--presume NAME ...] [--missed] [--hazards]

In a copy of each folder, `print(argument)` becomes the first statement of every function that is decorated with a transform
of JAX, and of every `__call__` and `@nn.compact` method of a class that derives from a module of Flax, Haiku or Equinox.
A function counts as known if the print is reported (JAX303). Functions are chosen by their syntax alone, and not by what
the analysis says of them; tests are left out, since a print is not reported there.

``print(argument)`` shows the same as outside where the argument is static, or an Equinox module. ``--plant`` says what is planted
instead, in functions and for arguments of which it is wrong in any case:

- ``leaves``: ``print(jax.tree.leaves(argument))``, which shows tracers of any argument that holds an array: whether the main
  argument is known, the first one that is required and that the decorator does not make static.
- ``staged``: ``print(jax.numpy.zeros(()))``, which shows a tracer wherever code is staged: whether the function is known to
  be staged, whatever is known of its arguments. Functions that are only mapped or differentiated are left out.

With ``--hazards`` one of ten hazards is planted in each of these functions instead, behind an assignment of what a function of
JAX, or a layer, makes of a parameter or of such a name: ``h = jnp.dot(x, w)``. A digest of the file's name and the function's row
decides which assignment and which hazard.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from jaxlint import knowledge
from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover
from jaxlint.configuration.options import DEFAULT_TEST_FILES
from jaxlint.run.runner import Job, run

MODULES = {"flax.linen.Module", "flax.nnx.Module", "haiku.Module", "equinox.Module"}
TRANSFORMS = {
    f"jax.{name}" for name in ("jit", "pmap", "vmap", "grad", "value_and_grad", "checkpoint", "remat")
} | {"flax.linen.jit", "flax.nnx.jit", "equinox.filter_jit", "equinox.filter_grad", "equinox.filter_value_and_grad"}  # fmt: skip
STAGING = {
    name for name in TRANSFORMS if name.rpartition(".")[2] in ("jit", "pmap", "checkpoint", "remat", "filter_jit")
}
KINDS = ("decorated", "__call__")
PLANTS = {
    "argument": "print({x})",
    "leaves": "import jax as _jax; print(_jax.tree.leaves({x}))",
    "staged": "import jax as _jax; print(_jax.numpy.zeros(()))",
}
# Statements that fail, or mislead, where `{x}` is a tracer; each with the rules of which one reports it.
HAZARDS = (
    ("print({x})", {"JAX303"}),
    ("{x}.sum().item()", {"JAX101"}),
    ("float({x}.sum())", {"JAX102"}),
    ("if {x}.sum() > 0: pass", {"JAX103"}),
    ("while {x}.sum() > 0: break", {"JAX104"}),
    ("{x}.sum() > 0 and {x}", {"JAX105"}),
    ("range({x}.argmax())", {"JAX107"}),
    ("{x}[{x} > 0]", {"JAX203"}),
    ("import numpy; numpy.sin({x})", {"JAX301"}),
    ("{x}[0] = 0", {"JAX308"}),
)

LAYERS = frozenset("Dense DenseGeneral Conv Dropout Embed LayerNorm BatchNorm GroupNorm RMSNorm Linear".split())


class Place(NamedTuple):
    """Where a statement is planted in a function: the row before which it stands, the statement, rules that report it."""

    kind: str  # one of KINDS
    row: int
    column: int
    statement: str
    rules: frozenset[str]


def places(text: str, path: str = "", hazards: bool = False, plant: str = "argument") -> list[Place]:
    """The places in a file: at the beginning of each staged function, or behind an assignment in it for ``hazards``."""
    tree = ast.parse(text)
    names = dict(imported(tree))
    classes: set[str] = set()
    found: dict[int, Place] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(is_module(base, names, classes) for base in node.bases):
            classes.add(node.name)
            of_class = {**names, **layers_of(node, names)}
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and (
                    member.name == "__call__" or decorated(member, names, {"flax.linen.compact"})
                ):
                    if not decorated(member, names, {"builtins.property"}):
                        found.update(
                            behind(member, "__call__", of_class, path) if hazards else at(member, "__call__", plant)
                        )
        elif isinstance(node, ast.FunctionDef) and decorated(node, names, STAGING if plant == "staged" else TRANSFORMS):
            found.update(behind(node, "decorated", names, path) if hazards else at(node, "decorated", plant))
    return sorted(found.values(), key=lambda place: place.row)


def at(function: ast.FunctionDef, kind: str, plant: str) -> dict[int, Place]:
    """The place in a function, unless it stands on one line or has no argument but a static one."""
    body = function.body
    docstring = (
        isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    )
    first = body[1] if docstring and len(body) > 1 else body[0]
    arguments = required(function)
    if plant == "leaves":
        static = statics(function)
        arguments = [name for name in arguments if name not in static]
    if not arguments or first.lineno == function.lineno or (docstring and len(body) == 1):
        return {}
    row = min([first.lineno, *(decorator.lineno for decorator in getattr(first, "decorator_list", ()))])
    return {row: Place(kind, row, first.col_offset, PLANTS[plant].format(x=arguments[0]), frozenset({"JAX303"}))}


def statics(function: ast.FunctionDef) -> set[str]:
    """The parameters that decorators make static, by literal numbers and names."""
    found: set[str] = set()
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    for decorator in function.decorator_list:
        for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
            if keyword.arg in ("static_argnums", "static_argnames", "static_broadcasted_argnums"):
                for node in ast.walk(keyword.value):
                    entry = node.value if isinstance(node, ast.Constant) else None
                    if isinstance(entry, str):
                        found |= {part.strip() for part in entry.split(",")}
                    elif isinstance(entry, int) and -len(names) <= entry < len(names):
                        found.add(names[entry])
    return found


def required(function: ast.FunctionDef) -> list[str]:
    """The positional parameters without a default, but for the receiver."""
    defaults = len(function.args.defaults)
    ordinary = function.args.args[: len(function.args.args) - defaults] if defaults else function.args.args
    return [argument.arg for argument in ordinary if argument.arg not in ("self", "cls")]


def behind(function: ast.FunctionDef, kind: str, names: dict[str, str], path: str) -> dict[int, Place]:
    """A place behind an assignment of an array that is computed of a parameter, directly or by other such names."""
    computed = set(required(function))
    candidates = []
    for node in sorted(inside(function), key=lambda each: each.lineno):
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Name) and isinstance(node.value, ast.Call):
            if makes_array(node.value, names) and any(mentions(part, computed) for part in node.value.args):
                candidates.append((node, target.id))
                computed.add(target.id)
    if not candidates:
        return {}
    digest = int.from_bytes(hashlib.sha256(f"{path}:{function.lineno}".encode()).digest()[:8], "big")
    statement, name = candidates[digest % len(candidates)]
    text, rules = HAZARDS[digest // 1000 % len(HAZARDS)]
    row = (statement.end_lineno or statement.lineno) + 1
    return {row: Place(kind, row, statement.col_offset, text.format(x=name), frozenset(rules))}


def inside(function: ast.FunctionDef) -> Iterator[ast.Assign]:
    """The assignments of a function, without those of functions and classes in it."""
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Assign):
            yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack += ast.iter_child_nodes(node)


def layers_of(cls: ast.ClassDef, names: dict[str, str]) -> dict[str, str]:
    """The attributes that a module sets to layers, or declares as layers: `self.name` -> the layer's class."""
    found = {}
    for node in ast.walk(cls):
        target, value = None, None
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.Call):
            target, value = node.targets[0], node.value.func
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[f"self.{node.target.id}"] = dotted(node.annotation, names) or ""
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            found[f"self.{target.attr}"] = (dotted(value, names) or "") if value is not None else ""
    return found


def makes_array(call: ast.Call, names: dict[str, str]) -> bool:
    """Whether a call is one of a function of JAX, or of a layer, that gives an array."""
    made = dotted(call.func.func, names) if isinstance(call.func, ast.Call) else None
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "self":
        made = names.get(f"self.{call.func.attr}")
    if made is not None:
        module, _, layer = made.rpartition(".")
        return layer in LAYERS and module in ("flax.linen", "flax.nnx", "haiku", "equinox.nn")
    name = dotted(call.func, names)
    found = knowledge.facts(knowledge.canonical(name)) if name and name.startswith("jax.") else None
    return found is not None and found.result == "array"


def mentions(node: ast.AST, computed: set[str]) -> bool:
    """Whether an expression reads one of the names, and not only what is static of it."""
    if isinstance(node, ast.Attribute) and node.attr in ("shape", "ndim", "dtype", "size"):
        return False
    if isinstance(node, ast.Name):
        return node.id in computed
    return any(mentions(child, computed) for child in ast.iter_child_nodes(node))


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
    """The text with the statements, and the places by their rows."""
    lines = text.splitlines(keepends=True)
    rows = {}
    for number, place in reversed(list(enumerate(chosen))):
        lines.insert(place.row - 1, " " * place.column + place.statement + "\n")
        rows[place.row + number] = place
    return "".join(lines), rows


def count(
    folder: Path,
    presume: list[str] | None,
    jobs: int,
    missed: bool = False,
    hazards: bool = False,
    plant: str = "argument",
) -> tuple[Counter[str], Counter[str]]:
    """How many functions of each kind there are in a folder, and how many are known."""
    total: Counter[str] = Counter()
    known: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"), symlinks=True)
        os.chdir(copy)
        rules = sorted(set().union(*(codes for _, codes in HAZARDS)) if hazards else {"JAX303"})
        configs = Configs({"presume": presume, "select": rules, "test_files": list(DEFAULT_TEST_FILES)})
        wanted: dict[tuple[str, int], Place] = {}
        files = [path for path in discover(["."], configs).files if path.endswith(".py")]
        for path in files:
            try:
                text = Path(path).read_bytes().decode("utf-8")
                chosen = [] if configs.for_file(path).is_test(path) else places(text, path, hazards, plant)
            except (SyntaxError, ValueError, RecursionError):
                continue
            if chosen and "\r" not in text and "\t" not in text:
                changed, rows = planted(text, chosen)
                Path(path).write_text(changed, encoding="utf-8")
                wanted.update({(path, row): place for row, place in rows.items()})
        total.update(place.kind for place in wanted.values())
        outcomes = run([Job(path, configs.for_file(path)) for path in files], jobs)
        found = [each for outcome in outcomes for each in outcome.diagnostics]
        reported = {
            key
            for each in found
            if (key := (each.filename, each.start.row)) in wanted and each.code in wanted[key].rules
        }
        known.update(wanted[key].kind for key in reported)
        for key, place in sorted(wanted.items()):
            if missed and key not in reported:
                print(f"{folder.name}/{key[0]}:{place.row}: {place.kind} ({place.statement})")
        os.chdir(folder)
    return total, known


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--presume", nargs="*", default=None)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--missed", action="store_true", help="list what is not reported")
    parser.add_argument("--hazards", action="store_true", help="plant ten kinds of hazards, one in each function")
    parser.add_argument("--plant", choices=sorted(PLANTS), default="argument", help="what is planted: see above")
    args = parser.parse_args()
    total: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for folder in args.folder:
        here, of_them = count(Path(folder).resolve(), args.presume, args.jobs, args.missed, args.hazards, args.plant)
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
