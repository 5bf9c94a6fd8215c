"""How much linting costs beside parsing: `jaxlint check` against libCST alone over the same files.

    python tests/benchmarks/linting.py [PACKAGE] [--repeat N]

Both run as fresh processes, in turn, so that imports count and a busy machine slows both alike. The
figures are CPU time (user and system) of the whole process. The floor imports libCST and parses the
files that jaxlint parses, which are those that mention JAX, with the garbage collector off.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from jaxlint.config import Configs  # noqa: E402
from jaxlint.project import discover  # noqa: E402
from jaxlint.relevance import touches_jax  # noqa: E402
from jaxlint.source import Source  # noqa: E402

AIM = 2.0

PARSE = """\
import gc, sys
gc.disable()
import libcst
for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        libcst.parse_module(file.read())
"""


def cpu_seconds(command: list[str], stdin: str = "") -> float:
    """User and system time of a process. Exits where it fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment, text=True
    )
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: there are findings
        sys.exit(f"{' '.join(command[:5])} ...: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", nargs="?", default="flax", help="an installed package (default: flax)")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, whose median counts (default: 5)")
    args = parser.parse_args()
    spec = importlib.util.find_spec(args.package)
    if spec is None or not spec.submodule_search_locations:
        parser.error(f"{args.package} is not installed as a package; pip install {args.package}")
    folder = next(iter(spec.submodule_search_locations))
    files = discover([folder], Configs()).files
    parsed = [path for path in files if touches_jax(Source.read(path).text)]
    lines = sum(Source.read(path).text.count("\n") for path in parsed)
    lint = [sys.executable, "-m", "jaxlint", "check", "--jobs", "1", "--no-cache", "--output-format", "json", folder]
    cpu_seconds(lint)  # compiles the bytecode, and reads the files into memory
    floors, lints = [], []
    for _ in range(args.repeat):
        floors.append(cpu_seconds([sys.executable, "-c", PARSE], "\n".join(parsed)))
        lints.append(cpu_seconds(lint))
    floor, cost = statistics.median(floors), statistics.median(lints)
    ratio = statistics.median(one / other for one, other in zip(lints, floors))
    print(f"{args.package}: {len(parsed)} files of {len(files)}, {lines} lines; medians of {args.repeat} runs, CPU time")
    print(f"  libcst.parse_module alone   {floor:6.2f} s   ({min(floors):.2f} to {max(floors):.2f})")
    print(f"  jaxlint check               {cost:6.2f} s   ({min(lints):.2f} to {max(lints):.2f})")
    print(f"  ratio                       {ratio:6.2f}     (aim: at most {AIM})")
    return 0 if ratio <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
