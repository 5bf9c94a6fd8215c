"""``jaxlint reveal PATH[:LINE]``: what the model knows of each expression, and why; or why nothing is reported."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from jaxlint.commands.configs import ERROR, add_configuration, chosen_plugins, configs_of, refuse
from jaxlint.commands.places import split_line
from jaxlint.configuration.config import Config, Configs
from jaxlint.configuration.discovery import Problem, discover
from jaxlint.report import Report
from jaxlint.report.terminal import console, grid
from jaxlint.report.text import shown_path, visible
from jaxlint.run.reveal import Claim, in_words, legend, shown_code, shown_form
from jaxlint.run.reveal_files import FileClaims, Rows, claims_on
from jaxlint.source.reading import read_source
from jaxlint.source.text import Position, Source, SourceError

if TYPE_CHECKING:
    from rich.table import Table

OK = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH[:LINE]", help="files, folders, and single lines of files")
    parser.add_argument(
        "--root",
        action="append",
        default=[],
        metavar="PATH",
        help="a file whose calls are read too, such as a test or a training script, or a folder of them"
        " (may be given several times)",
    )
    parser.add_argument(
        "--why-silent",
        action="store_true",
        help="list the hazards considered on the line, and what kept each from being reported",
    )
    parser.add_argument(
        "--output-format",
        choices=("full", "json", "json-lines"),
        default="full",
        help="how to print it; `json-lines` is one claim a line (default: full)",
    )
    add_configuration(parser)


def run(args: argparse.Namespace) -> int:
    places = [split_line(each) for each in args.paths]
    try:
        linted = [*(path for path, _ in places), *args.root]
        configs = configs_of(args, {"plugins": chosen_plugins(args) or []}, linted)  # no rule runs
        if args.why_silent:
            return _why_silent_at(places, bool(args.root), configs, args.output_format)
        files, problems = _files(places, configs)
        roots = discover(args.root, configs)
        found = {path: configs.for_file(path) for path in (*files, *roots.files)}
        refuse("reveal", *configs.problems)
    except SourceError as error:
        return refuse("reveal", error)
    problems += roots.problems
    refuse("reveal", *problems)
    if not files and not problems:
        print(f"jaxlint reveal: warning: no Python file to read in {visible(', '.join(args.paths))}", file=sys.stderr)
    settings = {path: (config.project, config.conventions) for path, config in found.items()}
    errors: list[SourceError] = []
    with closing(claims_on(files, roots.files, settings)) as answers:
        told = _without_errors(answers, errors)
        if args.output_format == "full":
            named, terms = {path for path, _ in places}, set[tuple[str, str | None]]()
            for each in told:
                _print(each, files[each.source.filename], each.source.filename in named)
                terms |= {(claim.value, claim.cls) for claim in each.claims}
            _print_legend(terms)
        else:
            _write((_entry(claim, each.source) for each in told for claim in each.claims), args.output_format)
    return ERROR if problems or errors else OK


def _files(places: list[tuple[str, int | None]], configs: Configs) -> tuple[dict[str, Rows | None], list[Problem]]:
    """The files that are asked about, each with the rows that are, or None for all; and what is no file or folder."""
    whole = discover([path for path, row in places if row is None], configs)
    parts = discover([path for path, row in places if row is not None], configs)
    rows = defaultdict(set)
    for path, row in places:
        if row is not None:
            rows[os.path.realpath(path)].add(row)
    files: dict[str, Rows | None] = dict.fromkeys(whole.files)
    known = set(map(os.path.realpath, whole.files))
    files.update({path: rows[real] for path in parts.files if (real := os.path.realpath(path)) not in known})
    return files, whole.problems + parts.problems


def _without_errors(answers: Iterable[FileClaims | SourceError], errors: list[SourceError]) -> Iterator[FileClaims]:
    """The claims; errors are printed, and put into ``errors``."""
    for each in answers:
        if isinstance(each, SourceError):
            errors.append(each)
            refuse("reveal", each)
            continue
        for error in each.source.errors:
            errors.append(error)
            report = Report([], {error.filename: each.source})
            refuse("reveal", f"{report.address(error.filename, Position(error.row, error.column))}: {error.message}")
        yield each
        sys.stdout.flush()


def _entry(claim: Claim, source: Source) -> dict[str, Any]:
    """A claim as plain data."""
    (cell, start), (_, end) = (source.place(source.position(at)) for at in (claim.start, claim.end))
    return {
        "filename": source.filename,
        "cell": cell,
        "location": {"row": start.row, "column": start.column},
        "end_location": {"row": end.row, "column": end.column},
        "expression": shown_code(source.text[claim.start : claim.end]),
        "value": claim.value,
        "class": claim.cls,
        "dtype": claim.dtype,
        "shape": claim.shape,
        "basis": claim.basis,
        "convention": claim.convention or None,
        "activation": claim.activation,
        "why": claim.why,
    }


def _write(entries: Iterable[Mapping[str, Any]], output_format: str) -> None:
    """Write entries as they come, as one array or one a line."""
    if output_format == "json-lines":
        sys.stdout.writelines(json.dumps(each, separators=(",", ":")) + "\n" for each in entries)
        return
    before = "["
    for each in entries:
        text = json.dumps(each, indent=2, ensure_ascii=False)
        sys.stdout.write(f"{before}\n  " + text.replace("\n", "\n  "))
        before = ","
    sys.stdout.write("[]\n" if before == "[" else "\n]\n")


def _why_silent_at(places: list[tuple[str, int | None]], has_roots: bool, configs: Configs, output_format: str) -> int:
    """Say why nothing is reported on a line. Raises SourceError."""
    filename, row = places[0]
    if len(places) > 1:
        return refuse("reveal", f"--why-silent takes one line: {filename}:{row or 12}")
    if row is None:
        return refuse("reveal", f"--why-silent needs a line: {filename}:12")
    if has_roots:
        return refuse("reveal", "--why-silent takes no --root: it looks at the file itself")
    config = configs.for_file(filename)
    refuse("reveal", *configs.problems)
    return _why_silent(read_source(filename), row, config, output_format)


def _why_silent(source: Source, row: int, config: Config, output_format: str) -> int:
    from rich.text import Text

    from jaxlint.run.why_silent import REPORTED, why_silent

    if not 1 <= row <= len(source.text.splitlines()):
        return refuse("reveal", f"{source.filename} has no line {row}")
    found = why_silent(source, row, config)
    if output_format != "full":
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
        _write(entries, output_format)
        return OK
    table = grid(_WHOLE, _SHORTENED, _FOLDED)
    for each in found:
        name = f"{each.rule.code} {each.rule.name}" if each.rule is not None else ""
        outcome = each.outcome if each.outcome == REPORTED or each.rule is None else f"not reported: {each.outcome}"
        table.add_row(Text("    " + name), Text(visible(each.code)), Text(visible(outcome), style="dim"))
    _print_line(source, row, table)
    return OK


# Columns of tables.
_WHOLE = {"no_wrap": True}
_SHORTENED = {"no_wrap": True, "max_width": 40, "overflow": "ellipsis"}
_FOLDED = {"overflow": "fold"}


def _print_line(source: Source, row: int, table: Table) -> None:
    """Print a line of a file, and the table that is about it."""
    from rich.text import Text

    out = console(120)
    out.print(Text(f"{shown_path(source.filename)}:{row}", style="cyan"), soft_wrap=True)
    out.print(Text("  " + visible(source.line(row)), style="bold"), soft_wrap=True)
    out.print(table)


def _print(found: FileClaims, rows: Rows | None, is_named: bool) -> None:
    """Print the claims on a file for people."""
    from rich.text import Text

    source = found.source
    styles = {"traced": "bold magenta", "undecided": "magenta", "concrete": "green", "unknown": "dim"}
    shown = set()
    for row, claims in itertools.groupby(found.claims, lambda claim: source.position(claim.start).row):
        shown.add(row)
        table = grid(_SHORTENED, _WHOLE, _FOLDED)
        for claim in claims:
            kind = " ".join(filter(None, (claim.value, claim.cls, shown_form(claim.dtype, claim.shape))))
            basis = [f"presumed by the convention `{claim.convention}`"] if claim.convention else []
            reason = " · ".join([in_words(claim.activation), *claim.why, *basis])
            table.add_row(
                Text("    " + visible(shown_code(source.text[claim.start : claim.end]))),
                Text(visible(kind), style=styles.get(claim.value, "")),
                Text(visible(reason), style="dim"),
            )
        _print_line(source, row, table)
    empty = [f"{source.filename}:{row}" for row in sorted(set(rows or ()) - shown)]
    if rows is None and is_named and not shown:
        empty.append(source.filename)
    for place in empty:
        refuse("reveal", f"{place} has no expression that is evaluated")


def _print_legend(terms: Collection[tuple[str, str | None]]) -> None:
    """Say what the terms in the tables mean."""
    meanings = legend(terms)
    width = max(map(len, meanings), default=0)
    if meanings:
        print()
    for term, meaning in meanings.items():
        print(f"{term:{width}}  {meaning}")
