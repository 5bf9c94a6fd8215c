"""The subcommand: speaks the protocol over standard input and output."""

from __future__ import annotations

import argparse

from jaxlint.commands.configs import add_configuration, chosen_plugins, configs_of, refuse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_configuration(parser)
    parser.add_argument(
        "--stdio", action="store_true", help="speak over standard input and output, which is the default"
    )


def run(args: argparse.Namespace) -> int:
    try:
        import pygls  # noqa: F401
    except ImportError:
        return refuse("server", "pygls is missing; install it with `pip install 'flake8-jaxlint[server]'`")
    if args.plugins:
        configs_of(args)
    from jaxlint.server.service import make

    make(args.isolated, chosen_plugins(args)).start_io()
    return 0
