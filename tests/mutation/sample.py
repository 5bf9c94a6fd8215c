"""Samples of mutants, drawn by seed: a line at random, then an operator, then one of its mutants there."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from operators import Mutant, Place, compiles, mutants

ROOT = Path(__file__).resolve().parents[2]

# What is mutated, and how many mutants of it a sample holds.
AREAS = {
    "analysis": (120, ["jaxlint/analysis", "jaxlint/ir"]),
    "hazards": (100, ["jaxlint/hazards"]),
    "fixing": (
        45,
        [
            "jaxlint/rewrite", "jaxlint/fixing", "jaxlint/configuration/safety.py", "jaxlint/run/cross_file_fixes.py",
            "jaxlint/source/files.py",
        ],
    ),
    "suppression": (20, ["jaxlint/diagnostics/suppressions.py", "jaxlint/diagnostics/unused_suppressions.py"]),
    "cache": (15, ["jaxlint/run/cache.py", "jaxlint/run/serialization.py"]),
    "baseline": (15, ["jaxlint/diagnostics/baseline.py", "jaxlint/diagnostics/fingerprint.py"]),
}  # fmt: skip


def area_of(path: str) -> str:
    return next(
        area for area, (_, paths) in AREAS.items() for each in paths if path == each or path.startswith(each + "/")
    )


def files(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """The modules below some paths, all relative to the root."""
    found = []
    for path in paths:
        below = root / path
        found += sorted(below.rglob("*.py")) if below.is_dir() else [below]
    return [each.relative_to(root).as_posix() for each in found]


def draw(seed: int, root: Path = ROOT, areas: dict[str, tuple[int, list[str]]] = AREAS) -> list[Mutant]:
    """A sample; the same for the same seed and the same code."""
    drawn = []
    for area, (count, paths) in areas.items():
        generator = random.Random(f"{seed} {area}")
        places: dict[tuple[str, int], list[Place]] = defaultdict(list)
        texts = {path: (root / path).read_text(encoding="utf-8") for path in files(paths, root)}
        for path, text in texts.items():
            for place in mutants(text, path):
                places[path, place.mutant.line].append(place)
        lines = sorted(places)
        generator.shuffle(lines)
        chosen: list[Mutant] = []
        for line in lines:
            if len(chosen) == count:
                break
            operators = defaultdict(list)
            for place in places[line]:
                operators[place.mutant.operator].append(place)
            place = generator.choice(operators[generator.choice(sorted(operators))])
            if compiles(place, texts[line[0]]):
                chosen.append(place.mutant)
        drawn += sorted(chosen, key=lambda mutant: (mutant.path, mutant.line))
    return drawn


def find(mutant: Mutant, root: Path = ROOT) -> Place | None:
    """Where a mutant stands now, or None: the code it changes is another one."""
    path = root / mutant.path
    if not path.exists():
        return None
    return next(
        (place for place in mutants(path.read_text(encoding="utf-8"), mutant.path) if place.mutant.key == mutant.key),
        None,
    )


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, record: dict[str, Any]) -> None:
    """A record with a mutant a line."""
    head = {name: value for name, value in record.items() if name != "mutants"}
    lines = ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in record["mutants"])
    text = json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "mutants": [\n' + lines + "\n ]\n}\n"
    path.write_text(text, encoding="utf-8")


def mutant_of(row: dict[str, Any]) -> Mutant:
    return Mutant(**{name: row[name] for name in Mutant.__dataclass_fields__})
