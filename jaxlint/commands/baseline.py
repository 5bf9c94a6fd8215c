"""``jaxlint baseline``: write down the findings there are, for ``jaxlint check --baseline`` to be quiet about."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

from jaxlint.commands.check import (
    add_files,
    add_rules,
    add_work,
    check_working_directory,
    executor,
    importers_of,
    overrides,
    processors,
)
from jaxlint.commands.configs import add_configuration, configs_of
from jaxlint.configuration.discovery import discover
from jaxlint.configuration.table import ConfigError
from jaxlint.diagnostics.baseline import DEFAULT, Baseline
from jaxlint.report import output_file
from jaxlint.report.text import counted, shown_path, visible
from jaxlint.run.job import Job
from jaxlint.run.runner import run as run_jobs

# What is not read would not be in the baseline, and would be reported as new.
_NOT_WRITTEN = "no baseline is written"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files and folders (default: those of the baseline that is there, else .)",
    )
    parser.add_argument("--output", metavar="FILE", default=DEFAULT, help=f"the baseline (default: {DEFAULT})")
    add_rules(parser)
    add_files(parser)
    add_configuration(parser)
    add_work(parser)


def run(args: argparse.Namespace) -> int:
    """Raises ConfigError."""
    check_working_directory()
    output_file.check(args.output, "--output")
    before = _earlier(args.output)
    paths = args.paths or (before.given_paths() if before is not None else []) or ["."]
    configs = configs_of(args, overrides(args), paths)
    if "-" in paths:
        raise ConfigError("`-` is standard input, and a baseline is of files; name files or folders")
    found = discover(paths, configs)
    jobs = [Job(path, configs.for_file(path), cached=not args.no_cache) for path in found.files]
    problems = [*map(str, found.problems), *map(str, configs.problems)]
    if problems:
        raise ConfigError(f"{'; '.join(problems)} ({_NOT_WRITTEN})")
    importers = importers_of(args, configs, paths)
    outcomes = run_jobs(jobs, args.jobs or processors(), executor=executor(args), importers=importers)
    sources = {outcome.filename: outcome.source for outcome in outcomes if outcome.source is not None}
    diagnostics = [each for outcome in outcomes for each in outcome.diagnostics]
    unread = [f"{each.filename}: {each.message}" for each in diagnostics if each.code == "JAX904"]
    if unread:
        raise ConfigError(f"{'; '.join(unread)} ({_NOT_WRITTEN})")
    after = Baseline.of(args.output, paths, diagnostics, sources)
    output_file.write(args.output, after.text(), "--output")
    print(_summary(before, after))
    broken = [each for each in diagnostics if each.code == "JAX902"]
    for each in broken:
        print(f"jaxlint: {shown_path(each.filename)}: {visible(each.message)}", file=sys.stderr)
    return 2 if broken else 0


def _earlier(filename: str) -> Baseline | None:
    """The baseline that is there; what is there and is none is not written over."""
    return Baseline.read(filename, "--output") if os.path.isfile(filename) else None


def _summary(before: Baseline | None, after: Baseline) -> str:
    files = counted(len(after.known), "file")
    text = f"{counted(_number(after.known), 'finding')} in {files} put into {visible(after.filename)}"
    if before is None:
        return f"{text}."
    new = {path: counts - before.known.get(path, Counter()) for path, counts in after.known.items()}
    gone = {path: counts - after.known.get(path, Counter()) for path, counts in before.known.items()}
    renamed = _number(before.renamed(new))
    moved = f", {renamed} in renamed files" if renamed else ""
    return f"{text}: {_number(new) - renamed} new, {_number(gone) - renamed} gone{moved}."


def _number(counts: Mapping[Any, Counter[str]]) -> int:
    return sum(sum(each.values()) for each in counts.values())
