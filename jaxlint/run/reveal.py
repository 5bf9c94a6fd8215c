"""What the model knows of each expression of a file, and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.ir import nodes as ir
from jaxlint.project.custom_names import NOTHING, Conventions
from jaxlint.source.text import Source

if TYPE_CHECKING:
    from jaxlint.analysis.budgets import Budget
    from jaxlint.analysis.domain.values import Value
    from jaxlint.analysis.model import Activation
    from jaxlint.project.target import Target
    from jaxlint.run.pipeline import Files


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
        self,
        root: Source,
        project: str = ".",
        conventions: Conventions = NOTHING,
        budget: Budget | None = None,
        target: Target | None = None,
    ) -> None:
        from jaxlint.analysis import analyse
        from jaxlint.analysis.budgets import LINT
        from jaxlint.ir.lowering import lower
        from jaxlint.project.resolver import Loader
        from jaxlint.run.pipeline import Files
        from jaxlint.source.text import deep_recursion

        self.loader = Loader(project)
        with deep_recursion():
            self.model = analyse(
                lower(root),
                record=True,
                loader=self.loader,
                target=target,
                conventions=conventions,
                budget=budget or LINT,
            )
        self.files = Files(self.model, root)
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
