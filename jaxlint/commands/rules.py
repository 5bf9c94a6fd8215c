"""``jaxlint rules``: the table of rules."""

from __future__ import annotations

import argparse
import json
import os
import sys

from jaxlint.commands.configs import add_configuration, complain, configs_of
from jaxlint.configuration.table import ConfigError
from jaxlint.explain.pages import description
from jaxlint.hazards.registry import all_rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output-format", choices=("table", "json"), default="table", help="how to print them (default: table)"
    )
    add_configuration(parser)


def run(args: argparse.Namespace) -> int:
    if not know_plugins("rules", args):
        return 2
    if args.output_format == "json":
        json.dump([description(rule) for rule in all_rules()], sys.stdout, indent=2)
        sys.stdout.write("\n")
        return 0
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=True, header_style="bold")
    for column in ("code", "name"):
        table.add_column(column, no_wrap=True)
    table.add_column("what it reports", overflow="fold")
    for column in ("fix", "on"):
        table.add_column(column, no_wrap=True)
    for rule in all_rules():
        table.add_row(rule.code, rule.name, rule.summary, "-" if rule.fixable == "none" else rule.fixable, rule.on)
    # A pipe has no width of its own; 80 columns would fold nearly every line.
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 120)
    console.print(table)
    return 0


def know_plugins(command: str, args: argparse.Namespace) -> bool:
    """Load the plugins that the arguments or the configuration of the working directory name; say what is wrong with it.

    Gives False where it is an argument.
    """
    try:
        configs = configs_of(args)
    except ConfigError as error:
        print(f"jaxlint {command}: {error}", file=sys.stderr)
        return False
    configs.for_folder(os.getcwd())
    complain(command, configs)
    return True
