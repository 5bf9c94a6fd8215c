"""``--baseline`` and ``--diff-base``: of all findings, those that are new."""

from __future__ import annotations

import argparse
import sys
from typing import Optional, Sequence

from jaxlint.baseline import Baseline, command, judged
from jaxlint.config import ConfigError, Configs
from jaxlint.report.text import visible
from jaxlint.runner import Outcome

NAMED = 5  # files named in a note


class NewFindings:
    """What the options ask for, read before the work for it is done. Raises ConfigError."""

    def __init__(self, args: argparse.Namespace, configs: Configs, paths: Sequence[str]) -> None:
        if args.fix or args.fix_only or args.diff:
            raise ConfigError(
                "--baseline and --diff-base say what to report, and a fix mends what is old as well; "
                "apply the fixes in a run without them"
            )
        self.configs = configs
        self.paths = paths
        self.baseline: Optional[Baseline] = None if args.baseline is None else Baseline.read(args.baseline)

    def keep(self, outcomes: Sequence[Outcome]) -> None:
        """Take from the outcomes what is not new."""
        if self.baseline is not None:
            self._compare(outcomes, self.baseline)

    def _compare(self, outcomes: Sequence[Outcome], baseline: Baseline) -> None:
        codes = {}
        for outcome in outcomes:
            config = self.configs.for_file(outcome.filename)
            codes[outcome.filename] = judged(outcome.diagnostics, config.codes_for(outcome.filename))
            outcome.diagnostics = baseline.without_known(outcome.diagnostics, outcome.source)
        if not baseline.covered_by(self.paths):
            return
        left = baseline.left(codes)
        if left:
            number = sum(sum(counts.values()) for counts in left.values())
            places = [f"{path}: {', '.join(sorted(counts))}" for path, counts in left.items()]
            if len(places) > NAMED:
                places[NAMED:] = [f"{len(places) - NAMED} more files"]
            entries = "1 finding" if number == 1 else f"{number} findings"
            print(
                f"jaxlint: note: {entries} of {visible(baseline.filename)} found no more "
                f"({visible('; '.join(places))}); `{visible(command(baseline.filename))}` leaves them out",
                file=sys.stderr,
            )
