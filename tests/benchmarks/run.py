"""The benchmarks of docs/benchmarks.md.

    python tests/benchmarks/run.py [--quick] [--linters PYTHON] [--compiled PYTHON] [--record] [SECTION ...]

Prints a table for each section and says which aims are missed. ``--record`` writes the page, or the tables of the sections
that are named; the others stay as they are. ``--linters`` is the
Python of an environment in which `pip install -r tests/benchmarks/linters.txt` was run, ``--compiled`` of one in which
the compiled wheel is installed (docs/releasing.md). The packages that are read
have to be installed beside jaxlint: equinox, optax, dm-haiku, flax and jax, and numpyro for the editor.
"""

from __future__ import annotations

import argparse
import compileall
import importlib.metadata
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import cold
import compiled
import growth
import kept
import latency
import project
from measure import ROOT, Table

PAGE = ROOT / "docs" / "benchmarks.md"
INTRODUCTION = """\
# Benchmarks

What linting costs, measured on copies of installed packages by

    python tests/benchmarks/run.py --linters PYTHON --compiled PYTHON --record{quick}

where the first PYTHON is that of an environment with the other linters (`pip install -r tests/benchmarks/linters.txt`), and the
second of one with the [compiled wheel](releasing.md#wheels). Figures are
processor time (user and system), median and range; both sides of a ratio are run in turn, and the ratio is taken pair
by pair. Sections may be measured apart, on machines of other speed: seconds compare within one. Python {python}, {packages}.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="some of the sections (default: all)")
    parser.add_argument("--quick", action="store_true", help="fewer packages and runs")
    parser.add_argument("--record", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--linters", type=Path, help="the Python that has the other linters")
    parser.add_argument("--compiled", type=Path, help="the Python that has the compiled wheel")
    args = parser.parse_args()
    sections: dict[str, Callable[[], Table]] = {
        "cold": lambda: cold.packages(args.quick),
        "compiled": lambda: compiled.compiled(args.compiled, args.linters, args.quick),
        "linters": lambda: cold.linters(args.linters, args.quick),
        "plugin": lambda: cold.plugin(args.quick),
        "workers": lambda: cold.workers(args.quick),
        "warm": lambda: kept.warm(args.quick),
        "startup": lambda: kept.startup(args.quick),
        "project": lambda: project.importers(args.quick),
        "growth": lambda: growth.lines(args.quick),
        "hard": growth.hard,
        "server": lambda: latency.server(args.quick),
    }
    compileall.compile_dir(ROOT / "jaxlint", quiet=1)  # as it is where it is installed
    wanted = args.sections or list(sections)
    if unknown := set(wanted) - set(sections):
        parser.error(f"no section is called {', '.join(sorted(unknown))}; there are {', '.join(sections)}")
    for name, python in (("linters", args.linters), ("compiled", args.compiled)):
        if python is None and name in wanted:
            if args.record or args.sections:
                parser.error(f"--{name} PYTHON is needed for the section `{name}`")
            wanted.remove(name)
    tables: list[Table] = []
    for name in wanted:
        began = time.monotonic()
        tables.append(sections[name]())
        print(tables[-1].markdown())
        print(f"({name}: {time.monotonic() - began:.0f} s)\n", flush=True)
    if args.record:
        names = ("libcst", "equinox", "optax", "dm-haiku", "flax", "jax", "numpyro")
        packages = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
        introduction = INTRODUCTION.format(
            quick=" --quick" if args.quick else "", python=platform.python_version(), packages=packages
        )
        if args.sections:
            PAGE.write_text(_replaced(PAGE.read_text(encoding="utf-8"), introduction, tables), encoding="utf-8")
        else:
            PAGE.write_text("\n".join([introduction, *(table.markdown() for table in tables)]), encoding="utf-8")
        print(f"written: {PAGE.relative_to(ROOT)}")
    missed = [each for table in tables for each in table.misses]
    print(f"{len(missed)} aims are missed" + "".join(f"\n  {each}" for each in missed))
    return 1 if missed else 0


def _replaced(page: str, introduction: str, tables: list[Table]) -> str:
    """The page with some tables in the place of those with their titles; a new one comes last. Exits where the page was measured
    with other releases, since its tables then cannot stand beside each other."""
    before, *parts = page.split("\n## ")
    versions = introduction.rstrip().rpartition("\n")[2]
    if versions not in before:
        sys.exit(f"The page was measured with other releases than {versions.rstrip('.')}: record all sections.")
    kept = {part.partition("\n")[0]: f"## {part}".rstrip("\n") + "\n" for part in parts}
    kept.update({table.title: table.markdown() for table in tables})
    return "\n".join([introduction, *kept.values()])


if __name__ == "__main__":
    sys.exit(main())
