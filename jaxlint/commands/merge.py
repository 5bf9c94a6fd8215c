"""``jaxlint merge``: the reports of the shards of a run as the one report of the whole run."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from jaxlint.commands.check import with_arguments_of_all
from jaxlint.commands.configs import add_configuration, configs_of
from jaxlint.commands.results import ERROR, exit_code, report
from jaxlint.configuration.config import Config
from jaxlint.configuration.options import OUTPUT_FORMATS
from jaxlint.configuration.table import ConfigError
from jaxlint.report import output_file
from jaxlint.report.json import SHARD
from jaxlint.report.sarif import SHARD as SARIF_SHARD
from jaxlint.run import shards
from jaxlint.run.runner import merge


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "reports",
        nargs="+",
        metavar="REPORT",
        help="files that `check --shard` wrote as json, json-lines or sarif, of all shards",
    )
    parser.add_argument("--output-format", choices=OUTPUT_FORMATS, help="how to report (default: as the shards did)")
    parser.add_argument("--output-file", metavar="FILE", help="where to put the report (default: standard output)")
    parser.add_argument("--statistics", action="store_true", help="count the findings of each rule instead")
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    add_configuration(parser)


def run(args: argparse.Namespace) -> int:
    """Ends the run that the shards have begun, and exits as it would have done."""
    if args.output_file is not None:
        output_file.check(args.output_file)
        args.output_file = os.path.abspath(args.output_file)
    whole = shards.join({name: _record(name) for name in args.reports})
    home = os.getcwd()
    if os.path.isdir(whole.folder):
        os.chdir(whole.folder)  # names of files are relative to it
    of_all = with_arguments_of_all(whole.arguments)
    of_all.output_file = args.output_file
    of_all.statistics |= args.statistics
    of_all.exit_zero = args.exit_zero  # that the machines of the shards go on says nothing of the run
    settings = Config(output_format=args.output_format or of_all.output_format, unsafe_fixes=of_all.unsafe_fixes)
    outcomes = merge(whole.outcomes, anywhere=not of_all.no_importers)
    old = 0
    if of_all.baseline is not None or of_all.diff_base is not None:
        from jaxlint.commands.check import overrides
        from jaxlint.commands.new_findings import NewFindings

        of_all.plugins = args.plugins  # a report is data, and names no code
        of_all.no_plugins |= args.no_plugins
        of_all.isolated |= args.isolated
        configs = configs_of(of_all, overrides(of_all), of_all.paths, [home])
        new = NewFindings(of_all, configs, of_all.paths or ["."])
        new.keep(outcomes)
        old = new.old
    report(of_all, settings, outcomes, whole.broken, sys.stdout, incomplete=whole.failed, old=old)
    return ERROR if whole.failed else exit_code(of_all, outcomes, whole.broken)


def _record(name: str) -> dict[str, Any]:
    """The record of a shard, from its report. Raises ConfigError."""
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name}: cannot read the report: {getattr(error, 'strerror', None) or error}") from error
    try:
        data = json.loads(text.split("\n", 1)[0] if text.startswith(f'{{"{SHARD}":') else text)
        found = data[SHARD] if SHARD in data else data["runs"][0]["properties"][SARIF_SHARD]
        if not isinstance(found, dict):
            raise TypeError(f"a record is no {type(found).__name__}")
        return found
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{name}: neither JSON nor SARIF ({error}); write it with --output-format json or sarif"
        ) from error
    except (LookupError, TypeError) as error:
        raise ConfigError(f"{name}: not the report of a shard; write it with `jaxlint check --shard`") from error
