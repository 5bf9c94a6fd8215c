"""The options that say which configuration counts, the same on every command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jaxlint.configuration.config import Configs
from jaxlint.configuration.table import ConfigError
from jaxlint.configuration.trust import Trust

ERROR = 2  # the exit code


def add_flag(group: argparse._ActionsContainer, *names: str, help: str, configured: bool = False) -> None:
    """An option without a value; one that is ``configured`` outranks the configuration where it is given."""
    group.add_argument(*names, action="store_true", default=None if configured else False, help=help)


def add_list(group: argparse._ActionsContainer, name: str, metavar: str, help: str) -> None:
    """An option that may be given several times."""
    group.add_argument(name, action="append", metavar=metavar, help=help)


def add_configuration(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("configuration")
    group.add_argument("--isolated", action="store_true", help="ignore every configuration file")
    plugins = group.add_mutually_exclusive_group()
    plugins.add_argument(
        "--plugins",
        action="append",
        metavar="NAME",
        help="the plugins to load, instead of those that the configuration names: installed plugins or modules",
    )
    plugins.add_argument("--no-plugins", action="store_true", help="load no plugin")


def chosen_plugins(args: argparse.Namespace) -> list[str] | None:
    """The plugins that the arguments name; None where the configuration names them."""
    return [] if args.no_plugins else listed(args.plugins)


def configs_of(
    args: argparse.Namespace,
    overrides: Mapping[str, Any] | None = None,
    linted: Iterable[str] = (),
    homes: Sequence[str] = (),
) -> Configs:
    """The configurations that count under the arguments, and under options of the command. Raises ConfigError."""
    given = {"plugins": chosen_plugins(args), **(overrides or {})}
    return Configs(given, isolated=args.isolated, trust=Trust(homes, linted))


def listed(values: list[str] | None) -> list[str] | None:
    """The values of an option that may be given several times, or once with commas."""
    if values is None:
        return None
    return [item.strip() for value in values for item in value.split(",") if item.strip()]


def refuse(command: str, *problems: object) -> int:
    """Say what is wrong, each with its reason on a line of its own, and give the exit code of an error."""
    from jaxlint.report.text import visible

    for problem in problems:
        for each in problem.problems if isinstance(problem, ConfigError) else [problem]:
            print(f"jaxlint {command}: {visible(str(each))}", file=sys.stderr)
    return ERROR
