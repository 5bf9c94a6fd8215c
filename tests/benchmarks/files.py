"""What the benchmarks read: packages that are installed, and programs that are made."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import shutil
import tempfile
from pathlib import Path

from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover
from jaxlint.source.reading import read_source
from jaxlint.source.relevance import touches_jax

# Cold runs are measured on these.
PACKAGES = ("equinox", "optax", "haiku", "flax", "jax")


@functools.cache
def folder_of(package: str) -> Path:
    """A copy of an installed package, in a project of its own; exits where it is not installed.

    Where it is installed, whatever else is there and imports it would be analysed with it.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package} is not installed; pip install {' '.join(PACKAGES)} (haiku is dm-haiku)")
    place = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    (place / "pyproject.toml").touch()
    installed = next(iter(spec.submodule_search_locations))
    return Path(shutil.copytree(installed, place / package, ignore=shutil.ignore_patterns("__pycache__", "*.so")))


def files_of(folder: Path) -> list[str]:
    """The files of a folder that jaxlint parses."""
    return [path for path in discover([str(folder)], Configs()).files if touches_jax(read_source(path).text)]


def lines_of(files: list[str]) -> int:
    return sum(read_source(path).text.count("\n") for path in files)


def block(target: Path, lines: int) -> int:
    """Copy whole modules of Optax, up to so many lines; gives how many there are."""
    source = folder_of("optax")
    copied = 0
    for path in files_of(source):
        count = lines_of([path])
        if copied + count <= lines:
            place = target / "optax" / Path(path).relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
            copied += count
    return copied


def _function(body: list[str]) -> str:
    return "\n".join(["@jax.jit", "def f(x, k):", *(f"    {line}" for line in body), "    return x", ""])


def pathological() -> dict[str, str]:
    """Programs of the kinds that make an analysis take forever."""
    head = "import jax\nimport jax.numpy as jnp\n\n"
    loops = [f"{'    ' * depth}for i{depth} in range(k + {depth}):" for depth in range(18)] + [
        "    " * 18 + "x = jnp.sin(x)"
    ]
    ifs = [f"{'    ' * depth}if k > {depth}:" for depth in range(90)] + ["    " * 90 + "x = jnp.sin(x)"]
    chain = "\n".join(f"def f{n}(x):\n    return f{n + 1}(x + {n})\n" for n in range(1000))
    doubling = "\n".join(
        f"def g{n}(x, y):\n    return g{n + 1}((x, {n}), y) + g{n + 1}((y, '{n}'), x)\n" for n in range(60)
    )
    table = ", ".join(f"{n}: jnp.float32({n})" for n in range(5000))
    return {
        "10,000 statements": head + _function([f"x{n} = jnp.sin(x) * {n}" for n in range(10_000)]),
        "90 nested `if`": head + _function(ifs),
        "18 nested loops": head + _function(loops),
        "a chain of 1,000 calls": f"{head}{chain}\ndef f1000(x):\n    return x\n\n\nprint(jax.jit(f0)(1.0))\n",
        "mutual recursion": head
        + "@jax.jit\ndef f(x):\n    return g(x) + g((x, 1))\n\n\ndef g(x):\n    return f((x, x)) + g(x)\n",
        "a dict of 5,000": f"{head}TABLE = {{{table}}}\n\n\n@jax.jit\ndef f(x):\n    return TABLE[x]\n",
        "2^60 calling contexts": f"{head}{doubling}\ndef g60(x, y):\n    return 1.0\n\n\nprint(jax.jit(g0)(1.0, 2.0))\n",
        "1,000 branches in turn": head
        + _function([line for n in range(1000) for line in (f"if k > {n}:", f"    x = x + {n}")]),
    }
