"""What a run ends with: its report and its exit code."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from jaxlint.report import FAILURES, Report, write
from jaxlint.report.text import shown_path, visible

if TYPE_CHECKING:
    from jaxlint.configuration.config import Config, Configs
    from jaxlint.run.job import Outcome
    from jaxlint.source.diagnostic import Diagnostic

CLEAN, FINDINGS, ERROR = 0, 1, 2


def configuration_errors(configs: Configs) -> list[Diagnostic]:
    """What is wrong with the configuration, as findings."""
    if not configs.problems:
        return []
    from jaxlint.hazards.registry import find
    from jaxlint.source.diagnostic import Diagnostic
    from jaxlint.source.text import Position

    rule = find("JAX903")
    return [
        Diagnostic(rule.code, rule.name, problem.message, problem.filename or "-", at, at, category=rule.category)
        for problem in configs.problems
        for at in [Position(problem.row, problem.column)]
    ]


def diff(outcome: Outcome) -> str:
    """What fixes change in a file, as a patch."""
    if outcome.before is None or outcome.source is None:
        return ""
    from jaxlint.fixing.apply import cell_diffs, unified_diff

    # What stands above the first line of a diff is a comment to whatever applies it.
    above = "".join(f"# {removed}\n" for removed in _removed(outcome))
    path = shown_path(outcome.filename)
    if outcome.filename.endswith(".ipynb"):
        return above + cell_diffs(outcome.before, outcome.source, path)
    return above + unified_diff(outcome.before.text, outcome.source.text, path)


def _removed(outcome: Outcome) -> list[str]:
    """What is said of imports that go with the fixes of a file."""
    path = shown_path(outcome.filename)
    return [f"{path}: `{visible(statement)}` goes: nothing uses it after the fixes" for statement in outcome.removed]


def merged(outcomes: Sequence[Outcome], broken: Sequence[Diagnostic], unsafe: bool = False) -> Report:
    """The report on outcomes, and on what is wrong with the configuration."""
    diagnostics = sorted(
        (diagnostic for outcome in outcomes for diagnostic in outcome.diagnostics),
        key=lambda diagnostic: diagnostic.sort_key,
    )
    diagnostics = [*broken, *diagnostics]  # a broken configuration puts all that follows in another light
    sources = {outcome.filename: outcome.source for outcome in outcomes if outcome.source is not None}
    fixed = sum(len(outcome.fixed) for outcome in outcomes)
    return Report(diagnostics, sources, fixed, unsafe, silenced=sum(len(outcome.silenced) for outcome in outcomes))


def report(
    args: argparse.Namespace,
    settings: Config,
    outcomes: Sequence[Outcome],
    broken: Sequence[Diagnostic],
    stream: TextIO,
    shard: Mapping[str, Any] | None = None,
    incomplete: bool = False,
    old: int = 0,
) -> None:
    """Write the report to ``stream``, or to the file that the arguments name. Raises ConfigError.

    ``incomplete``: a path that was named could not be read. ``old`` findings are left out because they are not new.
    """
    for outcome in outcomes:
        if outcome.problem is not None:
            print(f"jaxlint: {visible(outcome.filename)}: {visible(outcome.problem)}", file=sys.stderr)
        if not args.diff and not args.quiet:
            for removed in _removed(outcome):
                print(f"jaxlint: {removed}", file=sys.stderr)
    incomplete = incomplete or any(outcome.problem is not None for outcome in outcomes)
    found = merged(outcomes, broken, settings.unsafe_fixes)._replace(
        planned=args.diff, shard=shard, incomplete=incomplete, isolated=args.isolated, quiet=args.quiet, old=old
    )
    if args.fix_only:
        failures = [each for each in found.diagnostics if each.code in FAILURES]
        found = found._replace(diagnostics=failures, unfixed=len(found.diagnostics) - len(failures))
    target = stream if args.output_file is None else io.StringIO()
    if args.statistics:
        from jaxlint.report import statistics

        cut_short = [(outcome.filename, place) for outcome in outcomes for place in outcome.budget_reached]
        presumed = sum(outcome.presumed for outcome in outcomes)
        statistics.write(found, cut_short, presumed, settings.output_format, target)
    else:
        write(settings.output_format, found, target)
    if isinstance(target, io.StringIO) and args.output_file is not None:
        from jaxlint.report import output_file

        output_file.write(args.output_file, target.getvalue())


def exit_code(args: argparse.Namespace, outcomes: Sequence[Outcome], broken: Sequence[Diagnostic]) -> int:
    diagnostics = [diagnostic for outcome in outcomes for diagnostic in outcome.diagnostics]
    if broken or any(each.code in FAILURES for each in diagnostics) or any(outcome.problem for outcome in outcomes):
        return ERROR
    if args.exit_zero:
        return CLEAN
    fixed = any(outcome.fixed for outcome in outcomes)
    if args.diff:
        return FINDINGS if fixed else CLEAN
    if fixed and args.exit_non_zero_on_fix:
        return FINDINGS
    return FINDINGS if diagnostics and not args.fix_only else CLEAN
