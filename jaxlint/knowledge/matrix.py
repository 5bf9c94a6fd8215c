"""The committed outcomes of operations under transforms: what JAX did, operation by operation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jaxlint.knowledge.operations import Operation

TABLE = Path(__file__).parent / "data" / "operations.json"


@dataclass(frozen=True)
class Table:
    versions: dict[str, str]  # package -> version the outcomes were measured with
    platform: str  # JAX's default backend at that time
    outcomes: dict[str, dict[str, str]]  # operation -> harness -> outcome

    def outcome(self, operation: str, harness: str) -> str:
        return self.outcomes[operation][harness]

    def differences(self, other: Table) -> Iterator[str]:
        """Cells in which two tables differ, as text. Cells that ``other`` lacks count too."""
        for operation in sorted(self.outcomes.keys() | other.outcomes.keys()):
            mine, theirs = self.outcomes.get(operation, {}), other.outcomes.get(operation, {})
            for harness in sorted(mine.keys() | theirs.keys()):
                ours, others = mine.get(harness), theirs.get(harness)
                if ours != others:
                    yield f"{operation} under {harness}: {ours} in the table, {others} measured"

    def dumps(self) -> str:
        """JSON with one operation a line, so that a difference between two JAX releases reads well."""
        lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in self.outcomes.items())
        head = f'{{\n  "versions": {json.dumps(self.versions)},\n  "platform": {json.dumps(self.platform)},\n'
        return f'{head}  "outcomes": {{\n{lines}\n  }}\n}}\n'


def load() -> Table:
    data = json.loads(TABLE.read_text(encoding="utf-8"))
    return Table(data["versions"], data["platform"], data["outcomes"])


def fails(outcome: str) -> bool:
    return outcome != "ok"


def value_reason(operation: Operation, outcome: str) -> str | None:
    """Why a failure is one of the operands' values and not of tracing; None if it is not."""
    if operation.value_error is not None and outcome.split()[0] == operation.value_error:
        return operation.value_reason
    return None
