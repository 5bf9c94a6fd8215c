"""Linting and fixing fixtures, as the command line does it."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from jaxlint.config import Config
from jaxlint.diagnostic import Diagnostic, Edit
from jaxlint.engine import check_source
from jaxlint.fixing import apply_edits
from jaxlint.rule import Rule
from jaxlint.source import Source

_MOST_PASSES = 100  # one pass mends at least one finding; no fixture has more


def diagnostics(text: str, filename: str, rule: Optional[Rule]) -> list[Diagnostic]:
    """Findings of the default rules and of ``rule``; without one, of the default and the preview rules."""
    folder = str(Path(filename).parent)
    config = Config(root=folder, extend_select=(rule.code,)) if rule else Config(root=folder, preview=True)
    return check_source(Source.from_text(text, filename), config).diagnostics


def fix(text: str, filename: str, rule: Rule) -> str:
    """The text after all fixes, unsafe ones and whole replacements that are only displayed included."""
    for _ in range(_MOST_PASSES):
        edits = _compatible(diagnostics(text, filename, rule))
        if not edits:
            return text
        text = apply_edits(text, edits)
    raise RuntimeError(f"{filename}: fixes do not come to an end after {_MOST_PASSES} passes")


def _compatible(found: list[Diagnostic]) -> list[Edit]:
    """Edits of as many fixes as fit beside each other; the others wait for the next pass."""
    chosen: list[Edit] = []
    for each in found:
        edits = [edit for edit in each.fix.edits if edit not in chosen] if each.fix else []
        if not any(_overlap(edit, other) for edit in edits for other in chosen):
            chosen += edits
    return sorted(chosen, key=lambda edit: (edit.start, edit.end))


def _overlap(one: Edit, other: Edit) -> bool:
    if one.start == one.end == other.start == other.end:
        return True  # two insertions at one place have no order
    return one.start < other.end and other.start < one.end
