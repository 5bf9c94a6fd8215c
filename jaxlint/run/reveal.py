"""``jaxlint reveal FILE[:LINE]``: what the model knows of each expression, and why."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.commands.configs import add_configuration, chosen_plugins, complain, configs_of
from jaxlint.configuration.config import ConfigError
from jaxlint.ir import nodes as ir
from jaxlint.project.custom_names import NOTHING, Conventions
from jaxlint.source.text import Source, SourceError

if TYPE_CHECKING:
    from jaxlint.analysis.budgets import Budget
    from jaxlint.analysis.domain.values import Value
    from jaxlint.analysis.model import Activation
    from jaxlint.run.pipeline import Files

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
        "--output-format", choices=("full", "json"), default="full", help="how to print it (default: full)"
    )
    add_configuration(parser)


def run(args: argparse.Namespace) -> int:
    filename, row = split_line(args.file)
    try:
        roots = [Source.read(each) for each in dict.fromkeys(args.root) if each != filename]
        configs = configs_of(args, {"plugins": chosen_plugins(args) or []}, [filename, *args.root])  # no rule runs
        config = configs.for_file(filename)
        complain("reveal", configs)
        models = [Revealed(Source.read(filename), roots, config.root, config.conventions)]
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


def split_line(argument: str) -> tuple[str, int | None]:
    """``train.py:12`` as file and line; a file that is really called so is taken whole."""
    head, colon, tail = argument.rpartition(":")
    if colon and tail.isdigit() and not os.path.exists(argument):
        return head, int(tail)
    return argument, None


@dataclass(frozen=True)
class Expression:
    """An expression in one activation: where it stands in the text, and its value."""

    start: int
    end: int
    value: Value
    activation: Activation
    scope: int  # site of the activated body, counted from the beginning of its file
    site: int
    files: Files

    @property
    def is_generic(self) -> bool:
        """Whether the body was run for an unknown caller."""
        return self.activation.stage == "unknown"


class Analysis:
    """A root, analysed with the modules it imports. Raises SourceError like ``parse``."""

    def __init__(
        self, root: Source, project: str = ".", conventions: Conventions = NOTHING, budget: Budget | None = None
    ) -> None:
        from jaxlint.analysis import analyse
        from jaxlint.analysis.budgets import LINT
        from jaxlint.ir.from_libcst import lower
        from jaxlint.project.resolver import Loader
        from jaxlint.run.pipeline import Files
        from jaxlint.source.text import deep_recursion, parse

        self.loader = Loader(project)
        with deep_recursion():
            module = parse(root)
            self.model = analyse(
                lower(module, root.filename),
                record=True,
                loader=self.loader,
                conventions=conventions,
                budget=budget or LINT,
            )
        self.files = Files(self.model, root, module)
        self.imported = {part.filename: part for part in self.model.parts}

    def own(self) -> list[Expression]:
        """The expressions of the root itself."""
        return self._between(0, self.model.unit.last)

    def of(self, filename: str) -> list[Expression]:
        """The expressions of an imported module."""
        part = self.imported[filename]
        return self._between(part.first, part.last)

    def _between(self, first: int, last: int) -> list[Expression]:
        """One for each expression and activation.

        An expression that is evaluated several times in one activation (a loop is analysed until
        nothing changes) has the join of its values.
        """
        from jaxlint.analysis.domain.values import join
        from jaxlint.source.text import deep_recursion

        joined: dict[tuple[int, int], Expression] = {}
        with deep_recursion():
            for site, value, activation in self.model.values:
                if not first <= site < last:
                    continue
                key = (site, id(activation))
                if key in joined:
                    value = join(joined[key].value, value)
                try:
                    span = self.files.of(site).span(site)
                except LookupError:  # a node without a place
                    continue
                scope = activation.scope.site - first
                joined[key] = Expression(*span, value, activation, scope, site, self.files)
        return list(joined.values())


class Revealed:
    """A file and what the model says of every expression in it. Raises SourceError like ``parse``.

    ``roots`` are files that import this one: their calls give activations too. ``project`` is the
    folder in which modules of the project are looked for, ``conventions`` what it says of its names.
    """

    def __init__(
        self, source: Source, roots: Sequence[Source] = (), project: str = ".", conventions: Conventions = NOTHING
    ) -> None:
        self.source = source
        self._conventions = conventions
        self._targets: list[tuple[int, int]] = []
        called = [each for root in roots for each in self._seen_from(root, project)]
        known = {each.scope for each in called}
        # A function that nothing in its own file calls is analysed for any caller; the roots show real ones.
        own = [each for each in self._seen_from(source, project) if not (each.is_generic and each.scope in known)]
        self.expressions = own + called
        self.expressions.sort(key=lambda each: (each.start, each.end, each.activation.label))

    def _seen_from(self, root: Source, project: str) -> list[Expression]:
        """Those of the file in the analysis of one root."""
        analysis = Analysis(root, project, self._conventions)
        if root is self.source:
            self._targets = list(_targets(analysis.model.unit, analysis.files))
            return analysis.own()
        wanted = [name for name in analysis.imported if analysis.loader.same(name, self.source.filename)]
        return analysis.of(wanted[0]) if wanted else []

    def bound(self) -> list[tuple[int, Value]]:
        """For each name that is assigned to, the offset where it ends and what it is given first."""
        values = {each.site: each.value for each in reversed(self.expressions)}
        return [(end, values[site]) for end, site in self._targets if site in values]

    def why(self, each: Expression) -> list[str]:
        """The reason chain as sentence parts, from the value to the transform."""
        if each.value.origin is None:
            return []
        return [f"{step.text} ({self._place(each.files, step.site)})" for step in each.value.origin.steps()]

    def _place(self, files: Files, site: int) -> str:
        """Line of a site, with the file where that is another one."""
        file = files.of(site)
        name = "" if file.source.filename == self.source.filename else f"{os.path.basename(file.source.filename)} "
        try:
            return f"{name}line {file.source.position(file.span(site)[0]).row}"
        except LookupError:
            return f"{name}line 1"

    def entries(self, row: int | None = None) -> list[dict[str, Any]]:
        """Plain data, for the whole file or for the expressions that begin on one row."""
        entries = []
        seen = set()
        for each in self.expressions:
            start, end = self.source.position(each.start), self.source.position(each.end)
            why = self.why(each)
            # Activations that differ only in what they were called with may say the same.
            said = (start, end, each.value.kind, each.value.cls, each.activation.label, *why)
            if said in seen or (row is not None and start.row != row):
                continue
            seen.add(said)
            entry = {
                "filename": self.source.filename,
                "location": {"row": start.row, "column": start.column},
                "end_location": {"row": end.row, "column": end.column},
                "value": each.value.kind,
                "class": each.value.cls,
                "activation": each.activation.label,
                "why": why,
            }
            entries.append(entry)
        return entries


def _targets(unit: ir.Unit, files: Files) -> Iterator[tuple[int, int]]:
    """Where each name ends that an assignment gives a value, and the site of the value."""
    for node in unit.own:
        if isinstance(node, ir.Assign):
            for target in node.targets:
                if isinstance(target, ir.Name):
                    yield files.of(target.site).span(target.site)[1], node.value.site


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
