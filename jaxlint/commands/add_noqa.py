"""``--add-noqa``: a ``# noqa`` for every finding that is left, so that only new ones are reported from now on."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from jaxlint.configuration.config import Configs
from jaxlint.diagnostics.suppressions import Silenced, Suppressions, silencing_edit, spot
from jaxlint.fixing.apply import apply_edits
from jaxlint.report.text import counted
from jaxlint.run.job import Outcome
from jaxlint.source.files import write_atomic
from jaxlint.source.reading import decoded
from jaxlint.source.text import SourceError, deep_recursion, parse


def apply(outcomes: Sequence[Outcome], configs: Configs) -> None:
    """Add the comments to the files. The outcomes keep what no comment can silence, and what could not be written."""
    findings = files = 0
    for outcome in outcomes:
        done = _silence(outcome, configs)
        findings += done
        files += bool(done)
    print(f"jaxlint: {counted(findings, 'finding')} silenced in {counted(files, 'file')}", file=sys.stderr)


def _silence(outcome: Outcome, configs: Configs) -> int:
    """Add the comments to one file; how many findings they silence."""
    before = source = outcome.source
    if before is None or source is None:
        return 0
    left = []
    for diagnostic in outcome.diagnostics:
        # A comment stands at the end of a line, so that the rows of the findings below stay what they are.
        if not Suppressions.parse(source).covers(diagnostic):
            edit = silencing_edit(source, diagnostic)
            if edit is None:
                left.append(diagnostic)
                continue
            text = apply_edits(source.text, [edit])
            source = decoded(source.encode(text), source.filename)
    if source is before:
        return 0
    try:
        if before.encode(before.text) != before.raw:
            raise SourceError(
                f"decoding the file from {before.encoding} loses bytes; save it as UTF-8", before.filename
            )
        with deep_recursion():
            parse(source)
        write_atomic(outcome.filename, source.raw, configs.for_file(outcome.filename).root, expected=before.raw)
    except SourceError as error:
        outcome.problem = f"no comment was added: {error.message}"
        return 0
    done = [each for each in outcome.diagnostics if each not in left]
    outcome.diagnostics, outcome.source = left, source
    outcome.silenced += [Silenced(each.code, spot(each), ()) for each in done]
    return len(done)
