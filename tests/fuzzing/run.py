"""Lint, fix and re-lint what no one would write: no crash, no hang, and what is fixed parses and stays.

    python tests/fuzzing/run.py [--seconds N] [--seed N] [--kept FOLDER] [--only KIND] [FOLDER ...]

Inputs are programs of Python's grammar (by hypothesmith), files below the folders with changes at random (by default the
fixtures), and bytes. What goes wrong is printed and kept; so is the input at hand, for where the process itself is killed.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from inputs import KINDS, files, made
from judge import judge

GRAMMATICAL = 8  # one number in as many: making such a program takes seconds
FIXTURES = Path(__file__).parents[2] / "fixtures"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES], metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which inputs (default: 0)")
    parser.add_argument(
        "--kept", type=Path, metavar="FOLDER", help="where inputs that go wrong are kept (default: a new folder)"
    )
    parser.add_argument("--only", choices=KINDS, help="inputs of this kind alone")
    options = parser.parse_args()
    kept = (options.kept or Path(tempfile.mkdtemp(prefix="fuzzing"))).resolve()
    kept.mkdir(parents=True, exist_ok=True)
    originals = files([folder.resolve() for folder in options.folders])
    kinds = [options.only] if options.only else list(KINDS)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    slowest, end = 0.0, time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="fuzzed") as folder:
        os.chdir(folder)
        (Path(folder) / "pyproject.toml").write_text("[tool.jaxlint]\n", encoding="utf-8")
        for number in itertools.count():
            if time.monotonic() > end:
                break
            for kind in kinds:
                if kind == "grammatical" and len(kinds) > 1 and number % GRAMMATICAL:
                    continue
                raw = made(kind, options.seed, number, originals)
                if raw is None:
                    continue
                (kept / "at-hand.py").write_bytes(raw)
                found = judge(Path(folder) / "m.py", raw)
                slowest = max(slowest, found.seconds)
                counts[kind].update(inputs=1, parse=found.parses, fixed=found.fixed, wrong=bool(found.wrong))
                if found.wrong:
                    name = f"{kind}-{options.seed}-{number}.py"
                    (kept / name).write_bytes(raw)
                    print(f"{kept / name}: {found.wrong}", flush=True)
    for kind, count in counts.items():
        print(
            f"{kind}: {count['inputs']} inputs, {count['parse']} parse, {count['fixed']} are fixed, {count['wrong']} go wrong"
        )
    print(f"the slowest took {slowest:.1f} s for its three runs")
    return int(any(count["wrong"] for count in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
