"""What JAX did with the programs of earlier runs, kept by their text: after a change to the model only the linter runs again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax

from jaxlint.verify.differential.grammar import Text

Verdict = dict[str, Any]  # as JSON has it


class Verdicts:
    """The verdicts in a file, one a line, which processes may add to at the same time; without a file nothing is kept."""

    def __init__(self, file: Path | None = None):
        self.file = file
        self.known: dict[str, Verdict] = dict(_read(file)) if file else {}

    def of(self, question: str, text: Text, ask: Callable[[], Verdict]) -> Verdict:
        """The answer to a question about a program, which ``ask`` has from JAX."""
        if self.file is None:
            return ask()
        asked = json.dumps([question, jax.__version__, jax.default_backend(), sorted(text.files.items())])
        name = hashlib.sha256(asked.encode()).hexdigest()[:24]
        if name not in self.known:
            self.known[name] = ask()
            with self.file.open("ab", buffering=0) as handle:  # a line is one write
                handle.write(json.dumps([name, self.known[name]]).encode() + b"\n")
        return self.known[name]


def _read(file: Path) -> Iterator[tuple[str, Verdict]]:
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                name, verdict = json.loads(line)
            except ValueError:
                continue  # a run that was killed left half a line
            yield name, verdict
