"""The data files: JSON, sorted, one entry a line, so that a new JAX release reads well as a diff."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jaxlint.knowledge.history import release


def text(sections: dict[str, dict[str, Any]]) -> str:
    parts = []
    for section in sorted(sections):
        rows = [
            f"  {json.dumps(key)}: {json.dumps(_sorted(value))}" for key, value in sorted(sections[section].items())
        ]
        parts.append(f"{json.dumps(section)}: {{\n" + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _sorted(value: Any) -> Any:
    """Tables by name, but what differs in older releases comes last, the newest of them first."""
    if not isinstance(value, dict):
        return [_sorted(item) for item in value] if isinstance(value, list) else value
    rows = {key: _sorted(item) for key, item in sorted(value.items()) if key != "until"}
    if "until" in value:
        until = value["until"]
        rows["until"] = {version: _sorted(until[version]) for version in sorted(until, key=release, reverse=True)}
    return rows


def write(path: Path, sections: dict[str, dict[str, Any]]) -> None:
    path.write_text(text(sections), encoding="utf-8", newline="\n")
