"""The data file: JSON, sorted, one entry a line, so that a new JAX release reads well as a diff."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def text(sections: dict[str, dict[str, Any]]) -> str:
    parts = []
    for section in sorted(sections):
        rows = [
            f"  {json.dumps(key)}: {json.dumps(value, sort_keys=True)}"
            for key, value in sorted(sections[section].items())
        ]
        parts.append(f"{json.dumps(section)}: {{\n" + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write(path: Path, sections: dict[str, dict[str, Any]]) -> None:
    path.write_text(text(sections), encoding="utf-8", newline="\n")
