"""What goes wrong with arrays and keys without any tracer's error: measures and writes ``data/misuse.json``.

    python -m jaxlint.knowledge.probe.misuse            write the file
    python -m jaxlint.knowledge.probe.misuse --check    compare the file with this JAX

It runs in a folder of its own: some of the functions it calls write files.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

# Thousands of tiny programs are compiled, and their speed does not matter.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

DATA = Path(__file__).parent.parent / "data" / "misuse.json"


def measure() -> dict[str, dict[str, Any]]:
    import jax
    import numpy as np

    from jaxlint.knowledge.probe import host_arrays, typed_keys

    return {
        "attributes": host_arrays.attributes(),
        "keys": typed_keys.measure(),
        "silent": host_arrays.silent(),
        "versions": {
            "jax": jax.__version__,
            "numpy": np.__version__,
            "python": ".".join(map(str, sys.version_info[:2])),
        },
        "writes": host_arrays.writes(),
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what goes wrong with arrays and keys.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file differs")
    options = parser.parse_args(arguments)
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as silence, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(silence):
                measured = measure()
        finally:
            os.chdir(here)
    from jaxlint.knowledge.probe import write

    if not options.check:
        write.write(DATA, measured)
        return 0
    committed = json.loads(DATA.read_text(encoding="utf-8"))
    lines = differences(committed, measured)
    print("\n".join([*lines, f"{len(lines)} differences between {DATA.name} and this JAX"]))
    return 1 if lines else 0


def differences(committed: dict[str, Any], measured: dict[str, Any]) -> list[str]:
    """The rows in which two measurements differ, one a line."""
    lines = []
    for section in sorted({*committed, *measured} - {"versions"}):
        old, new = committed.get(section, {}), measured.get(section, {})
        for name in sorted({*old, *new}):
            if old.get(name) != new.get(name):
                lines.append(f"{section}: {name}: {old.get(name)} in the file, {new.get(name)} measured")
    return lines


if __name__ == "__main__":
    sys.exit(main())
