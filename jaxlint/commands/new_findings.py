"""``--baseline`` and ``--diff-base``: of all findings, those that are new."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jaxlint.configuration.config import Configs
from jaxlint.configuration.table import ConfigError
from jaxlint.report.text import counted, listed, visible
from jaxlint.run.job import Outcome
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.text import Position, Source

if TYPE_CHECKING:
    from jaxlint.diagnostics.baseline import Baseline
    from jaxlint.diagnostics.git_changes import Base, Changes

# What contains other statements is new by its first line, not by what has changed inside.
_BLOCK = re.compile(r"(?:async\s+)?(?:def|class|for|while|with|if|try|match)\b|@")


class NewFindings:
    """What the options ask for, read before the work for it is done. Raises ConfigError."""

    def __init__(self, args: argparse.Namespace, configs: Configs, paths: Sequence[str]) -> None:
        if args.fix or args.fix_only or args.diff or args.ask:
            raise ConfigError(
                "--baseline and --diff-base say what to report, and a fix mends what is old as well; "
                "apply the fixes in a run without them"
            )
        self.configs = configs
        self.paths = paths
        self.old = 0  # how many findings were taken from the outcomes
        self.quiet: bool = args.quiet
        self.whole = args.shard is None  # the other shards may find what this one does not
        self.baseline: Baseline | None = None
        self.base: Base | None = None
        if args.baseline is not None:
            from jaxlint.diagnostics.baseline import Baseline

            self.baseline = Baseline.read(args.baseline)
        if args.diff_base is not None:
            from jaxlint.diagnostics.git_changes import Base

            if "-" in paths:
                raise ConfigError(
                    "--diff-base is about files, and standard input is none; name the file instead of `-`"
                )
            self.base = Base.find(args.diff_base)

    def keep(self, outcomes: Sequence[Outcome]) -> None:
        """Take from the outcomes what is not new."""
        before = sum(len(outcome.diagnostics) for outcome in outcomes)
        if self.baseline is not None:
            self._compare(outcomes, self.baseline)
        if self.base is not None:
            _keep_changed(outcomes, self.base)
        self.old = before - sum(len(outcome.diagnostics) for outcome in outcomes)

    def _compare(self, outcomes: Sequence[Outcome], baseline: Baseline) -> None:
        from jaxlint.diagnostics.baseline import judged

        codes, new, sources = {}, {}, {}
        for outcome in outcomes:
            name = outcome.filename
            codes[name] = judged(outcome.diagnostics, self.configs.for_file(name).codes_for(name))
            new[name], sources[name] = baseline.without_known(outcome.diagnostics, outcome.source), outcome.source
        new, renamed = baseline.without_renamed(new, sources)
        for outcome in outcomes:
            outcome.diagnostics = new[outcome.filename]
        if renamed and self.whole:
            self._note(
                baseline,
                "lists findings of files that were renamed",
                [f"{before} is {now}" for before, now in renamed],
                "writes the new names",
            )
        left = baseline.left(codes) if self.whole and baseline.covered_by(self.paths) else {}
        if left:
            number = sum(sum(counts.values()) for counts in left.values())
            self._note(
                baseline,
                f"lists {counted(number, 'finding')} that no longer exist{'s' if number == 1 else ''}",
                [f"{path}: {', '.join(sorted(counts))}" for path, counts in left.items()],
                "removes them",
            )

    def _note(self, baseline: Baseline, stale: str, places: list[str], remedy: str) -> None:
        """Say which entries of the baseline are stale."""
        from jaxlint.diagnostics.baseline import command

        if self.quiet:
            return
        print(
            f"jaxlint: note: {visible(baseline.filename)} {stale} ({listed(places, 'more files')});"
            f" `{visible(command(baseline.filename))}` {remedy}",
            file=sys.stderr,
        )


def _keep_changed(outcomes: Sequence[Outcome], base: Base) -> None:
    """Leave the findings that a change since ``base`` has to do with."""
    found = [each for outcome in outcomes for each in outcome.diagnostics]
    if not found:
        return
    changes = base.changes(
        {name for each in found for name in (each.filename, *(step.filename for step in each.related))}
    )
    sources = {outcome.filename: outcome.source for outcome in outcomes if outcome.source is not None}
    for outcome in outcomes:
        outcome.diagnostics = [each for each in outcome.diagnostics if _has_changed(each, changes, sources)]


def _has_changed(each: Diagnostic, changes: Changes, sources: Mapping[str, Source]) -> bool:
    if each.code == "JAX902":  # what could not be looked into is no less new than anything else
        return True
    places = [(step.filename, step.start, step.end) for step in each.related]
    source = sources.get(each.filename)
    whole = source is None or not _BLOCK.match(source.line(each.start.row)[each.start.column - 1 :])
    places.append((each.filename, each.start, each.end if whole else each.start))
    return any(
        changes.touch(filename, *(_line(position, sources.get(filename)) for position in (start, end)))
        for filename, start, end in places
    )


def _line(position: Position, source: Source | None) -> int:
    """The row of a position as Git counts them: a carriage return alone ends none."""
    if source is None or "\r" not in source.text:
        return position.row if source is None else source.file_row(position.row)
    try:
        return source.text.count("\n", 0, source.offset(Position(position.row, 1))) + 1
    except ValueError:  # past the end of the text
        return position.row
