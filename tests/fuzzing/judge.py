"""What may not happen to any file: an internal error, a hang, a fix that does not parse or comes to no end."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jaxlint.cli import main

BUDGET = 20.0  # seconds for one run over one file; what takes longer hangs
CHECK = ["check", "--no-cache", "--jobs", "1", "--preview", "--select", "JAX", "--output-format", "json"]
FIX = [*CHECK, "--fix", "--unsafe-fixes"]


@dataclass
class Judged:
    wrong: str | None  # what happened that may not
    parses: bool
    fixed: bool
    seconds: float


class Hangs(Exception):
    pass


def judge(path: Path, raw: bytes) -> Judged:
    """Lint, fix and lint the file at ``path``, with these bytes in it."""
    path.write_bytes(raw)
    began, parses = time.monotonic(), _parses(raw)
    fixed = False
    try:
        wrong = _run(CHECK, path)
        wrong = wrong or _run(FIX, path)
        after = path.read_bytes()
        fixed = after != raw
        if not wrong and fixed:
            if parses and not _parses(after):
                wrong = "what is fixed does not parse"
            else:
                wrong = _run(FIX, path)
                if not wrong and path.read_bytes() != after:
                    wrong = "a second run fixes more"
        elif not wrong and not parses and after != raw:
            wrong = "a file that does not parse is changed"
    except Hangs:
        wrong = f"more than {BUDGET:.0f} s"
    except Exception:
        wrong = traceback.format_exc()
    return Judged(wrong, parses, fixed, time.monotonic() - began)


def _run(command: list[str], path: Path) -> str | None:
    said, complained = io.StringIO(), io.StringIO()
    with _budget(), contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained), warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning that reaches the user is one too many
        code = main([*command, str(path)])
    if "Traceback" in complained.getvalue():
        return f"on standard error: {complained.getvalue()[-600:]}"
    internal = [each["message"] for each in json.loads(said.getvalue()) if each["code"] == "JAX902"]
    if internal:
        return f"JAX902 {internal[0]}"
    return None if code in (0, 1) else f"exit code {code}"


@contextlib.contextmanager
def _budget() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, BUDGET)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _parses(raw: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(raw, "file.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
