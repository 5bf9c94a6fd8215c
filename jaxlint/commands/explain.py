"""``jaxlint explain CODE|NAME``: the page of a rule, with code from its own fixtures."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Optional

from jaxlint.resources import fixtures_root
from jaxlint.commands.rules import description
from jaxlint.rule import Rule
from jaxlint.rules import UnknownRule, find


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="CODE|NAME", help="a rule, such as JAX103 or branch-on-tracer")
    parser.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="how to print it (default: full)"
    )


def run(args: argparse.Namespace) -> int:
    try:
        rule = find(args.rule)
    except UnknownRule as unknown:
        print(f"jaxlint explain: {unknown}", file=sys.stderr)
        return 2
    bad, fixed = example(rule, "bad"), example(rule, "fixed")
    if args.output_format == "json":
        page = description(rule)
        page["docs"] = rule.docs
        page["example"] = {"bad": bad, "fixed": fixed}
        json.dump(page, sys.stdout, indent=2)
        sys.stdout.write("\n")
        return 0
    _print(rule, bad, fixed)
    return 0


def example(rule: Rule, part: str) -> Optional[str]:
    """The first case of the rule's fixture ``bad.py`` or ``fixed.py``; None where it has none."""
    from jaxlint.verify.fixture import FixtureFile

    try:
        fixture = FixtureFile.read(fixtures_root() / rule.family / rule.name / f"{part}.py")
    except FileNotFoundError:
        return None
    case = fixture.cases[0]
    return "\n".join(fixture.text.split("\n")[case.start - 1 : case.end - 1]).strip() + "\n"


def _print(rule: Rule, bad: Optional[str], fixed: Optional[str]) -> None:
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.syntax import Syntax

    console = Console(highlight=False, markup=False, emoji=False)
    console.print(f"{rule.code} {rule.name}", style="bold")
    facts = [f"family: {rule.family}", f"{rule.status} since {rule.since}", f"on: {rule.on}", f"fix: {rule.fixable}"]
    if rule.error:
        facts.append(f"prevents: {rule.error}")
    console.print(" · ".join(facts), style="dim", soft_wrap=True)
    console.print()
    console.print(Markdown(rule.docs or rule.summary))
    for title, code in (("Fails, as the rule's own fixture shows", bad), ("Mended", fixed)):
        if code is not None:
            console.print()
            console.print(title, style="bold")
            console.print(Syntax(code, "python", background_color="default", word_wrap=True))
