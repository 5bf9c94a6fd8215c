"""Linting and fixing fixtures, as the command line does it."""

from __future__ import annotations

from pathlib import Path

from jaxlint.configuration.config import Config
from jaxlint.fixing.apply import fix_source
from jaxlint.hazards.rule import Rule
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Applicability, Diagnostic
from jaxlint.source.text import Source
from jaxlint.verify.fixture import FixtureError


def diagnostics(text: str, filename: str, rule: Rule | None) -> list[Diagnostic]:
    """Findings of the default rules and of ``rule``; without one, of the default and the preview rules."""
    return _check(Source.from_text(text, filename), rule)


_WIDTH = 120  # of the lines of fixtures


def _check(source: Source, rule: Rule | None) -> list[Diagnostic]:
    folder = str(Path(source.filename).parent)
    config = Config(root=folder, extend_select=(rule.code,)) if rule else Config(root=folder, preview=True)
    return check_source(source, config).diagnostics


def fix(text: str, filename: str, rule: Rule) -> tuple[str, list[Diagnostic]]:
    """The text after all fixes, unsafe ones and whole replacements that are only displayed included, and what is left in it."""
    outcome = fix_source(
        Source.from_text(text, filename), lambda source: _check(source, rule), list(Applicability), line_length=_WIDTH
    )
    if outcome.error:
        raise FixtureError(Path(filename), 1, outcome.error)
    return outcome.source.text, outcome.remaining
