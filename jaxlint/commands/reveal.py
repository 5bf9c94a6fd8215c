"""``jaxlint reveal FILE[:LINE]``: what the model knows of each expression, and why; or why nothing is reported."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from jaxlint.commands.configs import add_configuration, chosen_plugins, complain, configs_of
from jaxlint.configuration.config import Config
from jaxlint.configuration.table import ConfigError
from jaxlint.run.reveal import Revealed
from jaxlint.source.reading import read_source
from jaxlint.source.text import Source, SourceError

OK, ERROR = 0, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE[:LINE]", help="a Python file, or one line of it")
    parser.add_argument(
        "--root",
        action="append",
        default=[],
        metavar="FILE",
        help="a file whose calls are read too, such as a test or a training script (may be given several times)",
    )
    parser.add_argument(
        "--why-silent",
        action="store_true",
        help="list the hazards considered on the line, and what kept each from being reported",
    )
    parser.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="how to print it (default: full)"
    )
    add_configuration(parser)


def run(args: argparse.Namespace) -> int:
    filename, row = split_line(args.file)
    try:
        roots = [read_source(each) for each in dict.fromkeys(args.root) if each != filename]
        configs = configs_of(args, {"plugins": chosen_plugins(args) or []}, [filename, *args.root])  # no rule runs
        config = configs.for_file(filename)
        complain("reveal", configs)
        if args.why_silent:
            if row is None:
                print(f"jaxlint reveal: --why-silent needs a line: {filename}:12", file=sys.stderr)
                return ERROR
            if args.root:
                print("jaxlint reveal: --why-silent takes no --root: it looks at the file itself", file=sys.stderr)
                return ERROR
            return _why_silent(read_source(filename), row, config, args.output_format)
        models = [Revealed(read_source(filename), roots, config.root, config.conventions)]
    except (SourceError, ConfigError) as error:
        print(f"jaxlint reveal: {error}", file=sys.stderr)
        return ERROR
    entries = [entry for model in models for entry in model.entries(row)]
    if args.output_format == "json":
        json.dump(entries, sys.stdout, indent=2, ensure_ascii=False)
        sys.stdout.write("\n")
    elif entries:
        _print(models, entries)
    else:
        print(f"jaxlint reveal: {args.file} has no expression that is evaluated", file=sys.stderr)
    return OK


def _why_silent(source: Source, row: int, config: Config, output_format: str) -> int:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from jaxlint.report.text import shown_path, visible
    from jaxlint.run.why_silent import REPORTED, why_silent

    if not 1 <= row <= len(source.text.splitlines()):
        print(f"jaxlint reveal: {source.filename} has no line {row}", file=sys.stderr)
        return ERROR
    found = why_silent(source, row, config)
    if output_format == "json":
        entries = [
            {
                "filename": source.filename,
                "location": {"row": each.start.row, "column": each.start.column},
                "code": each.rule.code if each.rule is not None else None,
                "name": each.rule.name if each.rule is not None else None,
                "expression": each.code,
                "activation": each.function,
                "outcome": each.outcome,
            }
            for each in found
        ]
        json.dump(entries, sys.stdout, indent=2, ensure_ascii=False)
        sys.stdout.write("\n")
        return OK
    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 120)
    console.print(Text(f"{shown_path(source.filename)}:{row}", style="cyan"), soft_wrap=True)
    console.print(Text("  " + visible(source.line(row)), style="bold"), soft_wrap=True)
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, max_width=40, overflow="ellipsis")
    table.add_column(overflow="fold")
    for each in found:
        name = f"{each.rule.code} {each.rule.name}" if each.rule is not None else ""
        outcome = each.outcome if each.outcome == REPORTED or each.rule is None else f"not reported: {each.outcome}"
        table.add_row(Text("    " + name), Text(visible(each.code)), Text(visible(outcome), style="dim"))
    console.print(table)
    return OK


def split_line(argument: str) -> tuple[str, int | None]:
    """``train.py:12`` as file and line; a file that is really called so is taken whole."""
    head, colon, tail = argument.rpartition(":")
    if colon and tail.isdigit() and not os.path.exists(argument):
        return head, int(tail)
    return argument, None


def _print(models: list[Revealed], entries: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from jaxlint.report.text import shown_path, visible

    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 120)
    sources = {model.source.filename: model.source for model in models}
    styles = {"traced": "bold magenta", "undecided": "magenta", "concrete": "green", "unknown": "dim"}
    rows = dict.fromkeys((entry["filename"], entry["location"]["row"]) for entry in entries)
    for filename, row in rows:
        source = sources[filename]
        console.print(Text(f"{shown_path(filename)}:{row}", style="cyan"), soft_wrap=True)
        console.print(Text("  " + visible(source.line(row)), style="bold"), soft_wrap=True)
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True, max_width=40, overflow="ellipsis")
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for entry in entries:
            if (entry["filename"], entry["location"]["row"]) != (filename, row):
                continue
            kind = " ".join(filter(None, (entry["value"], entry["class"])))
            reason = " · ".join([f"in {entry['activation']}"] + entry["why"])
            table.add_row(
                Text("    " + _code(source, entry)),
                Text(kind, style=styles.get(entry["value"], "")),
                Text(visible(reason), style="dim"),
            )
        console.print(table)


def _code(source: Source, entry: dict[str, Any]) -> str:
    """Text of the expression on one line."""
    from jaxlint.report.text import visible
    from jaxlint.source.text import Position

    start, end = (
        source.offset(Position(entry[name]["row"], entry[name]["column"])) for name in ("location", "end_location")
    )
    return visible(" ".join(source.text[start:end].split()))
