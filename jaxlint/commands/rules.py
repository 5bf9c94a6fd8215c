"""``jaxlint rules``: the rules by family, each with what it prevents."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from jaxlint.commands.configs import add_configuration, configs_of, refuse
from jaxlint.explain.pages import description, prevented
from jaxlint.hazards.registry import all_rules
from jaxlint.hazards.rule import Rule
from jaxlint.hazards.selectors import TITLES
from jaxlint.report.terminal import console, grid


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="WORD",
        help="list the rules that have all of the words in their code, name, family, description or what they prevent",
    )  # fmt: skip
    parser.add_argument(
        "--output-format", choices=("table", "json"), default="table", help="how to print them (default: table)"
    )
    add_configuration(parser)


def run(args: argparse.Namespace) -> int:
    know_plugins("rules", args)
    listed = [rule for rule in all_rules() if all(_has(rule, word.lower()) for word in args.words)]
    if not listed:
        words = " ".join(args.words)
        return refuse("rules", f"no rule is about `{words}`; `jaxlint explain {words}` searches the pages")
    if args.output_format == "json":
        json.dump([description(rule) for rule in listed], sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        _print(listed)
    return 0


def _has(rule: Rule, word: str) -> bool:
    """Whether a rule is listed for a word, which is in lower case."""
    about = (rule.code, rule.name, rule.family, TITLES[rule.family], rule.summary, prevented(rule), rule.error or "")
    return any(word in text.lower() for text in about)


def _print(rules: Sequence[Rule]) -> None:
    """A table for each family."""
    out = console(140)  # 80 columns would fold nearly every line
    widths = {"code": max(len(rule.code) for rule in rules), "name": max(len(rule.name) for rule in rules)}
    last = {
        "what it prevents": max(len(prevented(rule)) for rule in rules),
        "fix": len("display"),
        "on": len("default"),
    }
    columns = (
        *({"header": name, "no_wrap": True, "width": width} for name, width in widths.items()),
        {"header": "what it reports", "overflow": "fold", "ratio": 1},
        *({"header": name, "no_wrap": True, "width": max(width, len(name))} for name, width in last.items()),
    )
    for family, title in TITLES.items():
        members = [rule for rule in rules if rule.family == family]
        if not members:
            continue
        out.print(title, style="bold")
        table = grid(*columns, header=True)
        for rule in members:
            fix = "-" if rule.fixable == "none" else rule.fixable
            table.add_row(rule.code, rule.name, rule.summary, prevented(rule), fix, rule.on)
        out.print(table)
        out.print()


def know_plugins(command: str, args: argparse.Namespace) -> None:
    """Load the plugins that the arguments or the configuration of the working directory name; say what is wrong with it.

    Raises ConfigError for an argument.
    """
    configs = configs_of(args)
    configs.for_folder(os.getcwd())
    refuse(command, *configs.problems)
