"""Which rules report code that raises an exception: read off the fixtures, whose claims are proven.

``python -m jaxlint.verify.errors`` writes it to ``knowledge/data/errors.json``. Imports no jax.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from jaxlint.hazards.registry import all_rules
from jaxlint.hazards.resources import fixtures_root
from jaxlint.knowledge import errors
from jaxlint.verify.fixture import Case, FixtureFile
from jaxlint.verify.folders import folder_of

# Proofs that are shown by a checker of JAX stand for the error that users meet.
_SHOWN_BY = {"leaks": ("UnexpectedTracerError",), "reuses": ("KeyReuseError",)}


def derived() -> dict[str, list[str]]:
    """Exception -> codes of the rules that have a fixture which raises it, sorted."""
    found: dict[str, set[str]] = {}
    for code, _, case in cases():
        for proof in case.proofs:
            for name in proof.names if proof.kind == "raises" else _SHOWN_BY.get(proof.kind, ()):
                found.setdefault(name, set()).add(code)
    return {name: sorted(codes) for name, codes in sorted(found.items())}


def cases() -> Iterator[tuple[str, FixtureFile, Case]]:
    """The programs of the fixtures that go wrong, each with the code of the rule that reports it and its file."""
    root = fixtures_root()
    for rule in all_rules():
        path = folder_of(root, rule) / "bad.py"
        if path.exists():
            fixture = FixtureFile.read(path)
            for case in fixture.cases:
                yield rule.code, fixture, case
    for path in sorted((root / "documents").glob("*.py")):
        examples = FixtureFile.read(path)
        for case in examples.cases:
            codes = {each.code for each in examples.expected_in(case)}
            if len(codes) == 1:  # else there is no telling which of them raises
                yield codes.pop(), examples, case


def main() -> int:
    data, found = errors.read(), derived()
    unknown = sorted(set(found) - set(data["errors"]))
    if unknown:
        print(
            f"{errors.FILE}: fixtures raise {', '.join(unknown)}, which have no entry; write `module` and `meaning`",
            file=sys.stderr,
        )
        return 1
    for name, row in data["errors"].items():
        row["rules"] = found.get(name, [])
    errors.FILE.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
