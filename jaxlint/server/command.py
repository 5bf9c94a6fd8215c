"""The subcommand: speaks the protocol over standard input and output."""

from __future__ import annotations

import argparse
import sys

from jaxlint.commands.configs import add_configuration, chosen_plugins, configs_of, refuse
from jaxlint.configuration.table import ConfigError

ERROR = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_configuration(parser)
    parser.add_argument(
        "--stdio", action="store_true", help="speak over standard input and output, which is the default"
    )


def run(args: argparse.Namespace) -> int:
    try:
        import pygls  # noqa: F401
    except ImportError:
        print(
            "jaxlint server: pygls is missing; install it with `pip install 'flake8-jaxlint[server]'`", file=sys.stderr
        )
        return ERROR
    if args.plugins:
        try:
            configs_of(args)
        except ConfigError as error:
            return refuse("server", error)
    from jaxlint.server.service import make

    make(args.isolated, chosen_plugins(args)).start_io()
    return 0
