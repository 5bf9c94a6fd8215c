"""Count the calls and modules of jaxlint that one ten-line file passes, from the command line to the report.

    python tests/benchmarks/calls.py

The second run in one process is counted, so that imports and tables built once are left out.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import jaxlint
from jaxlint.cli import main

PROGRAM = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    y = jnp.sin(x) * 2
    if y.sum() > 0:
        return y
    return -y
"""


def counted() -> Counter[str]:
    """Calls by module, of the second run."""
    package = os.path.dirname(os.path.abspath(jaxlint.__file__)) + os.sep
    calls = Counter[str]()

    def seen(frame: FrameType, event: str, argument: Any) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(package):
            calls[name[len(package) :]] += 1

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        Path("step.py").write_text(PROGRAM)
        command = ["check", "--no-cache", "--jobs", "1", "--output-format", "concise", "step.py"]
        assert main(command) == 1
        sys.setprofile(seen)
        try:
            main(command)
        finally:
            sys.setprofile(None)
    return calls


if __name__ == "__main__":
    calls = counted()
    print(f"{sum(calls.values())} calls in {len(calls)} modules")
    for name, count in calls.most_common(15):
        print(f"{count:6} {name}")
