"""``python -m jaxlint.knowledge.probe --out FILE [--section NAME ...]``: measure the installed JAX."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path

# The probe compiles thousands of tiny programs and cares about none of their speed.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_backend_optimization_level=0"

SECTIONS = ("names", "functions", "members", "host")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m jaxlint.knowledge.probe", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="data file to write")
    parser.add_argument(
        "--section", action="append", choices=SECTIONS, help="measure this alone and keep the rest of the file"
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="PATTERN",
        help="measure alone the functions whose names the regular expression matches, and keep the other rows",
    )
    options = parser.parse_args()
    out = options.out.resolve()
    sections = json.loads(out.read_text(encoding="utf-8")) if (options.section or options.only) and out.exists() else {}
    wanted = options.section or SECTIONS
    report = sys.stdout
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder) if sys.version_info >= (3, 11) else contextlib.nullcontext(),
    ):
        with open(os.devnull, "w") as silence, contextlib.redirect_stdout(silence):
            from jaxlint.knowledge.probe import run, write

            measured = run.measure(wanted, report, options.only)
            if options.only:
                measured["functions"] = {**sections.get("functions", {}), **measured.get("functions", {})}
            sections.update(measured)
        write.write(out, sections)
        print(run.coverage(sections), file=report)
        for call in run.broken_examples():
            print(f"example call does not work: {call}", file=report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
