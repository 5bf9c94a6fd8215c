"""What the model knows of each expression of a file, and why."""

from __future__ import annotations

import functools
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.project.custom_names import NOTHING, Conventions
from jaxlint.project.resolver import Loader
from jaxlint.project.sources import HERE, Project
from jaxlint.source.text import Source, deep_recursion

if TYPE_CHECKING:
    from jaxlint.analysis.budgets import Budget
    from jaxlint.analysis.domain.values import Shape, Value
    from jaxlint.analysis.model import Activation, Observed
    from jaxlint.project.target import Target
    from jaxlint.run.pipeline import Files


# What the kinds and classes of values mean to a reader.
KINDS = {
    "traced": "a tracer, which stands for an array while JAX transforms the function",
    "undecided": "a parameter of transformed code: a tracer, or a container of tracers (a pytree)",
    "static": "a Python value that is there while JAX traces, such as a shape; which value is not known here",
    "const": "a Python value that is known",
    "concrete": "a JAX array that has its value",
    "host": "a NumPy array or scalar",
    "ref": "a Python object, such as a container, a function or a module",
    "unknown": "nothing is known of it here",
}
CLASSES = {
    "staged": "recorded by `jit`, `scan` or the like: Python cannot read its value",
    "batched": "mapped by `vmap` or the like: one value for each element of the batch, and Python cannot read them",
    "differentiated": "inside `grad` or the like: a condition can read its value, `float()` and NumPy cannot",
}


def legend(terms: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    """The meaning of each kind and class that is among ``terms``."""
    used = {term for pair in terms for term in pair}
    return {term: meaning for term, meaning in {**KINDS, **CLASSES}.items() if term in used}


def in_words(activation: str) -> str:
    """The label of an activation, for a reader."""
    name, _, called = activation.partition(", ")
    return f"in {'the module' if name == 'module' else f'`{name}`'}{', as it is called' if called else ''}"


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

    @property
    def convention(self) -> str:
        """The convention on which the claim rests; empty where it is certain."""
        around = self.activation.convention
        return around if self.value.origin is None else self.value.origin.convention_within(around)

    def why(self, filename: str) -> tuple[str, ...]:
        """The reason chain as sentence parts, from the value to the transform, for a reader of one file."""
        if self.value.origin is None:
            return ()
        return tuple(f"{step.text} ({self._place(step.site, filename)})" for step in self.value.origin.steps())

    def _place(self, site: int, filename: str) -> str:
        """Line of a site, with the file where that is another one."""
        file = self.files.of(site)
        name = "" if file.source.filename == filename else f"{os.path.basename(file.source.filename)} "
        try:
            return f"{name}line {file.source.position(file.span(site)[0]).row}"
        except LookupError:
            return f"{name}line 1"


def form(value: Value) -> tuple[str | None, Shape | None]:
    """Dtype and shape of an array, each None where it is not known."""
    from jaxlint.analysis.domain.values import Array, Host

    return (value.aval.dtype, value.aval.shape) if isinstance(value, (Array, Host)) else (None, None)


def shown_form(dtype: str | None, shape: Shape | None) -> str:
    """Dtype and shape as text, `float32[3, ?]`; empty where neither is known."""
    if dtype is None and shape is None:
        return ""
    sizes = "…" if shape is None else ", ".join("?" if size is None else str(size) for size in shape)
    return f"{dtype or 'array'}[{sizes}]"


def shown_code(text: str) -> str:
    """The text of an expression on one line, shortened where it is long."""
    code = " ".join(text.split())
    return code if len(code) <= 80 else code[:79] + "…"


class Claim(NamedTuple):
    """What the model says of an expression in one activation, as plain data."""

    start: int
    end: int
    activation: str
    value: str
    cls: str | None
    dtype: str | None
    shape: tuple[int | str | None, ...] | None  # a symbolic dimension is its text
    convention: str  # on which it rests; empty where it is certain
    why: tuple[str, ...]

    @classmethod
    def of(cls, each: Expression, filename: str) -> Claim:
        from jaxlint.analysis.domain.dimensions import Dimension

        value = each.value
        dtype, shape = form(value)
        sizes = None if shape is None else tuple(str(size) if isinstance(size, Dimension) else size for size in shape)
        return cls(
            each.start, each.end, each.activation.label, value.kind, value.cls, dtype, sizes, each.convention,
            each.why(filename),
        )  # fmt: skip

    @property
    def basis(self) -> str:
        """What the claim rests on, in the words of a finding."""
        return "presumed" if self.convention else "certain"


class Analysis:
    """A root, analysed with the modules it imports. Raises SourceError like ``parse``.

    ``unit`` is its IR and ``loader`` finds the modules, where others share them.
    """

    def __init__(
        self,
        root: Source,
        project: Project = HERE,
        conventions: Conventions = NOTHING,
        budget: Budget | None = None,
        target: Target | None = None,
        *,
        unit: ir.Unit | None = None,
        loader: Loader | None = None,
    ) -> None:
        from jaxlint.analysis import analyse
        from jaxlint.ir.lowering import lower
        from jaxlint.run.pipeline import Files

        self.loader = loader or Loader(project)
        with deep_recursion():
            self.model = analyse(
                unit or lower(root),
                detailed=True,
                loader=self.loader,
                target=target,
                conventions=conventions,
                budget=budget,
            )
        self.files = Files(self.model, root)
        self.imported = [part.filename for part in self.model.parts]

    def own(self) -> list[Expression]:
        """The expressions of the root itself."""
        return self.of("")

    def of(self, filename: str) -> list[Expression]:
        """The expressions of an imported module; "" for the root."""
        return expressions(self.files, self._values.get(filename, ()))

    @functools.cached_property
    def _values(self) -> dict[str, list[Observed]]:
        """What was recorded, by file: "" for the root."""
        values = defaultdict(list)
        for each in self.model.values:
            values[self.model.file(each[0])].append(each)
        return values


def expressions(files: Files, observed: Iterable[Observed]) -> list[Expression]:
    """One for each expression and activation, of what an analysis recorded.

    An expression that is evaluated several times in one activation (a loop is analysed until
    nothing changes) has the join of its values.
    """
    from jaxlint.analysis.domain.values import join

    joined: dict[tuple[int, int], Expression] = {}
    with deep_recursion():
        for site, value, activation in observed:
            key = (site, id(activation))
            if key in joined:
                value = join(joined[key].value, value)
            try:
                span = files.of(site).span(site)
            except LookupError:  # a node without a place
                continue
            scope = ir.index(activation.scope.site)
            joined[key] = Expression(*span, value, activation, scope, site, files)
    return list(joined.values())


class Revealed:
    """A file and what the model says of every expression in it. Raises SourceError like ``parse``.

    ``roots`` are files that import this one: their calls give activations too. ``project`` is where
    modules of the project are looked for, ``conventions`` what it says of its names.
    """

    def __init__(
        self, source: Source, roots: Sequence[Source] = (), project: Project = HERE, conventions: Conventions = NOTHING
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

    def _seen_from(self, root: Source, project: Project) -> list[Expression]:
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

    def why(self, each: Expression) -> tuple[str, ...]:
        """The reason chain as sentence parts, from the value to the transform."""
        return each.why(self.source.filename)


def _targets(unit: ir.Unit, files: Files) -> Iterator[tuple[int, int]]:
    """Where each name ends that an assignment gives a value, and the site of the value."""
    for node in unit.own:
        if isinstance(node, ir.Assign):
            for target in node.targets:
                if isinstance(target, ir.Name):
                    yield files.of(target.site).span(target.site)[1], node.value.site
