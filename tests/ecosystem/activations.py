"""Compares the model's claims on a package's expressions with the values recorded while its tests ran.

Activations are told apart on both sides: by the function, whether a transform is around and whether the
code is staged, and what the function is entered with. An *observation* is an expression in one activation
that was run. The claims on it are those of the model's activations that admit it: with the test file as
root, else with the module itself as root. Where several admit it their union counts; where none does, there
is no claim.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jaxlint.analysis.budgets import CLOSE, Budget
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.model import Activation
from jaxlint.project.sources import Project
from jaxlint.run.pipeline import Files
from jaxlint.run.reveal import Analysis, Expression
from jaxlint.source.reading import read_source
from jaxlint.source.text import SourceError
from jaxlint.verify.instrument import Offsets, Span
from jaxlint.verify.oracle import COVERS, DATA, FUNCTION, PARTS, counting, named

Seen = tuple[str, str, tuple[int | None, ...] | None, bool | None]  # class, dtype, shape, weak type

_CANONICAL = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}

# An argument of a traced function of which nothing else is known: if it is an array at all, it is a tracer.
LEAF = "undecided"

# Why an expression is not certain.
NEVER_CALLED = "its function is not called by what is followed from the test"
OTHER_ARGUMENTS = "it is called, and not with such arguments"
BARE = "it is a leaf: a tracer, or a container of tracers"
ENTERED = "an argument, or a variable from around the function, is not known"
MADE_OF = "it is made of what is not known"
RESULT = "what an operation gives, or an object holds, is not known"
NOT_REACHED = "the branch or the loop around it is not reached"


@dataclass(frozen=True)
class Run:
    """An activation that was run."""

    root: str  # the test file; empty for what runs while modules are imported
    function: Span | None
    transformed: bool  # a transform is around, whatever it traces
    staged: bool
    entry: dict[str, Seen]  # what it was entered with; None, a bool, an int and a string have what they say for a dtype
    facts: dict[Span, list[Seen]]

    @cached_property
    def is_traced(self) -> bool:
        """Whether a tracer was seen in it."""
        return self.staged or any(seen[0] == "tracer" for each in self.facts.values() for seen in each)


@dataclass
class Tally:
    """Figures of the observations, or the expressions, of one kind."""

    compared: int = 0
    certain: int = 0  # what it is: a tracer, a jax array, a value of NumPy, of Python
    leaves: int = 0  # a tracer if it is an array at all: so it was
    wrong: int = 0
    details: int = 0  # claims on dtype, shape and weak type
    wrong_details: int = 0

    def __iadd__(self, other: Tally) -> Tally:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


@dataclass
class Findings:
    """What one package shows, in what is traced and elsewhere."""

    expressions: dict[tuple[bool, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    observations: dict[tuple[bool, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    disagreements: dict[str, str] = field(default_factory=dict)  # by place
    unknown: Counter[tuple[str, ...]] = field(default_factory=Counter)  # why nothing is certain, in what is traced
    causes: Counter[str] = field(default_factory=Counter)  # why expressions in what is traced are not certain
    problems: list[str] = field(default_factory=list)


def runs(found: Iterable[dict[str, Any]]) -> dict[str, list[Run]]:
    """What was recorded, by file."""
    result: dict[str, list[Run]] = defaultdict(list)
    for each in found:
        entry = {name: _seen(seen) for name, seen in each["entry"]}
        facts = {(start, end): [_seen(one) for one in seen] for start, end, seen in each["facts"]}
        function = None if each["function"] is None else tuple(each["function"])
        result[each["file"]].append(Run(each["root"], function, each["transformed"], each["staged"], entry, facts))
    return result


def _seen(record: list[Any]) -> Seen:
    what, dtype, shape, weak = record
    return what, dtype, shape if shape is None else tuple(shape), weak


class Claims:
    """What the model says of one file in the analysis of one root, by function and activation."""

    def __init__(self, expressions: list[Expression], functions: dict[Span, Span | None], files: Files) -> None:
        self.files = files
        self.rows: dict[int, int] = {}  # of lambdas, by their sites
        self.activations: dict[Span | None, dict[int, tuple[Activation, dict[Span, v.Value]]]] = defaultdict(dict)
        for each in expressions:
            span = each.start, each.end
            if span in functions:
                values = self.activations[functions[span]].setdefault(id(each.activation), (each.activation, {}))[1]
                # The tuple of `x[(i,)]` stands where `i` does.
                if span not in values or type(each.value) is not v.Tuple:
                    values[span] = each.value

    def claims_on(self, run: Run) -> list[dict[Span, v.Value]]:
        """The claims of the activations that may be this one; those for any caller only where the call itself is not seen."""
        found = [
            (activation, values)
            for activation, values in self.activations[run.function].values()
            if self.describes(activation, run)
        ]
        from_seen_calls = [values for activation, values in found if not activation.for_any]
        return from_seen_calls or [values for _, values in found]

    def why_not(self, run: Run) -> str:
        """Why no call that is seen is this activation; nothing where one is."""
        called = [activation for activation, _ in self.activations[run.function].values() if not activation.for_any]
        if any(self.describes(activation, run) for activation in called):
            return ""
        return OTHER_ARGUMENTS if called else NEVER_CALLED

    def describes(self, activation: Activation, run: Run) -> bool:
        """Whether an activation of the model describes a recorded run: its stage, its transforms and its entry values."""
        if activation.stage != "unknown" and (activation.stage == "staged") != run.staged:
            return False
        if activation.transformed is not None and activation.transformed != run.transformed:
            return False
        return all(
            self._fits(value, run.entry[name]) if name in run.entry else not _is_missing(name, run.entry)
            for name, value in activation.entry.items()
        )

    def row(self, site: int) -> int:
        """The row of a node, counted from 1."""
        if site not in self.rows:
            file = self.files.of(site)
            self.rows[site] = file.source.position(file.span(site)[0]).row
        return self.rows[site]

    def _fits(self, value: v.Value, seen: Seen) -> bool:
        if isinstance(value, v.FunctionValue) and seen[1].startswith(FUNCTION):
            function = value.function
            return seen[1] == (named("<lambda>", self.row(function.site)) if function.is_lambda else named(value.name))
        return _fits(value, seen)


def _is_missing(name: str, entry: dict[str, Seen]) -> bool:
    """Whether an item certainly did not exist: its container was recorded, with fewer than PARTS items."""
    container = name[: name.rindex("[")] if name.endswith("]") else ""
    return container in entry and sum(each.startswith(f"{container}[") for each in entry) < PARTS


def _fits(value: v.Value, seen: Seen) -> bool:
    what, said, shape, weak = seen
    kind = value.kind
    if kind == "const":
        inner = value.value  # type: ignore[attr-defined]
        if inner is None or isinstance(inner, (bool, str)):
            return said == repr(inner) or (what == "other" and not said and isinstance(inner, str))
        if isinstance(inner, (int, float, complex)):
            return what == "scalar" and said == (repr(inner) if type(inner) is int else type(inner).__name__)
        return said not in ("None", "True", "False") and what == "other"
    if kind == "ref":
        return what == "other" and (not said or said.startswith(FUNCTION))
    if kind == LEAF:
        return what in ("tracer", "other") and said != "None"
    if kind == "static":
        return what in ("scalar", "numpy", "other")
    if isinstance(value, v.Host) and what == "scalar":
        return not value.aval.shape
    if isinstance(value, (v.Array, v.Host)) and what in DATA:
        aval = value.aval
        if aval.dtype is not None and said and not _is_dtype(aval.dtype, said, shape):
            return False
        if (
            aval.shape is not None
            and shape is not None
            and aval.dtype not in v.KEYS
            and not _is_shape(aval.shape, shape)
        ):
            return False
        if aval.weak is not None and weak is not None and aval.dtype not in (None, "bool") and aval.weak != weak:
            return False
    return kind not in COVERS or what in COVERS[kind]


class Comparer:
    """Compares a package's runs with the model, root by root."""

    def __init__(self, project: Path, found: Iterable[dict[str, Any]], budget: Budget = CLOSE) -> None:
        self.project = project
        self.budget = budget
        self.files = {name: _File(name, these) for name, these in runs(found).items()}
        self.findings = Findings()

    def compare(self) -> Findings:
        roots = sorted({run.root for file in self.files.values() for run in file.runs} - {""})
        own = {name: self._claims(name) for name in self.files}
        for root in ["", *roots]:
            claims = self._claims(root) if root else {}
            for name, file in self.files.items():
                for run in file.runs:
                    if run.root == root:
                        values = claims[name].claims_on(run) if name in claims else []
                        why = claims[name].why_not(run) if name in claims else NEVER_CALLED
                        values = values or (own[name][name].claims_on(run) if name in own[name] else [])
                        self._observe(file, run, values, why)
        for file in self.files.values():
            file.add_expressions(self.findings)
        return self.findings

    def _claims(self, root: str) -> dict[str, Claims]:
        """What the analysis of one root says, by file."""
        try:
            analysis = Analysis(read_source(root), Project(str(self.project)), budget=self.budget)
            self.findings.problems += [f"{self.shown(root)}: {text}" for text in analysis.model.budget_reached]
            claims = {}
            for name, file in self.files.items():
                imported = [each for each in analysis.imported if analysis.loader.same(each, name)]
                if imported or name == root:
                    claims[name] = Claims(
                        analysis.of(imported[0]) if imported else analysis.own(), file.functions, analysis.files
                    )
            return claims
        except SourceError as error:
            self.findings.problems.append(f"{self.shown(root)}: {error}")
            return {}

    def shown(self, name: str) -> str:
        return str(Path(name).relative_to(self.project.resolve()))

    def _observe(self, file: _File, run: Run, values: list[dict[Span, v.Value]], why_not: str) -> None:
        for span, seen in run.facts.items():
            if span not in file.counted:
                continue
            claimed = [each[span] for each in values if span in each]
            tally = Tally(compared=1)
            kinds = {each.kind for each in claimed}
            what = {each[0] for each in seen}
            if not kinds or not kinds <= COVERS.keys() | {LEAF}:
                if run.is_traced:
                    why = "not followed" if not values else "not reached" if not claimed else "unknown"
                    self.findings.unknown[(why, *file.words(span))] += 1
            elif not what <= set().union(*(COVERS.get(kind, {"tracer"}) for kind in kinds)):
                tally.certain = tally.wrong = 1
                self._disagree(file, run, span, what, kinds)
            else:
                tally.certain, tally.leaves = int(LEAF not in kinds), int(LEAF in kinds)
            if run.is_traced and not tally.certain:
                file.causes.setdefault(span, why_not or (BARE if tally.leaves else file.cause(run, span, values)))
            self._compare_details(file, run, span, seen, claimed, tally)
            self.findings.observations[run.is_traced, _kind(seen)] += tally
            file.add(run.is_traced, span, seen, tally)

    def _compare_details(
        self, file: _File, run: Run, span: Span, seen: list[Seen], claimed: list[v.Value], tally: Tally
    ) -> None:
        """Claims on dtype, shape and weak type, where each activation makes one and they agree on the form."""
        avals = [each.aval for each in claimed if isinstance(each, (v.Array, v.Host)) and each.kind in COVERS]
        if not claimed or len(avals) != len(claimed):
            return
        shapes = [each.shape for each in avals if each.shape is not None]
        for what, dtype, shape, weak in seen:
            if what not in ("tracer", "array", "numpy") or not dtype:
                continue
            wrong = []
            if all(each.dtype is not None for each in avals):
                tally.details += 1
                if not any(_is_dtype(each.dtype, dtype, shape) for each in avals):
                    wrong.append((dtype, sorted(str(each.dtype) for each in avals)))
            shapes = [each.shape for each in avals if each.shape is not None]
            if len(shapes) == len(avals) and shape is not None and not any(each.dtype in v.KEYS for each in avals):
                tally.details += 1
                if not any(_is_shape(each, shape) for each in shapes):
                    wrong.append((str(list(shape)), sorted(str(list(each)) for each in shapes)))
            if (
                weak is not None
                and dtype != "bool"
                and all(each.weak is not None for each in avals)
                and all(each.dtype for each in avals)
            ):
                tally.details += 1
                if not any(each.weak == weak for each in avals):
                    wrong.append(
                        ("weak" if weak else "not weak", ["weak" if each.weak else "not weak" for each in avals])
                    )
            for said, model in wrong:
                tally.wrong_details += 1
                self._disagree(file, run, span, {said}, set(model))
        tally.details, tally.wrong_details = min(tally.details, 3), min(tally.wrong_details, 3)

    def _disagree(self, file: _File, run: Run, span: Span, what: set[str], kinds: set[str]) -> None:
        code = " ".join(file.text[span[0] : span[1]].split())
        place = f"{self.shown(file.name)}:{file.row(span)}: `{code}` is {', '.join(sorted(what))}"
        self.findings.disagreements.setdefault(
            f"{place} and the model says {', '.join(sorted(kinds))}",
            f"seen from {self.shown(run.root) if run.root else 'import'}",
        )


def _is_dtype(claimed: str | None, dtype: str, shape: Any) -> bool:
    if claimed in v.KEYS:
        return dtype.startswith("key<") or (
            claimed == "key" and dtype == "uint32" and bool(shape) and shape[-1] in (2, 4)
        )
    # A value of NumPy may be claimed to have the dtype that it has for JAX.
    return claimed in (dtype, _CANONICAL.get(dtype, dtype))


def _is_shape(claimed: Any, shape: tuple[int | None, ...]) -> bool:
    return len(claimed) == len(shape) and all(type(a) is not int or b is None or a == b for a, b in zip(claimed, shape))


def _kind(seen: list[Seen]) -> str:
    """Kind of an expression by what it was: of several the first in this order."""
    if any(dtype.startswith("key<") for _, dtype, _, _ in seen):
        return "key"
    return next(kind for kind in ("tracer", "array", "numpy", "scalar") if any(each[0] == kind for each in seen))


class _File:
    """A module of the package: its text, its functions, and what was run of it."""

    def __init__(self, name: str, found: list[Run]) -> None:
        self.name = name
        self.text = read_source(name).text
        self.runs = found
        tree = ast.parse(self.text)
        self.offsets = Offsets(self.text)
        self.nodes: dict[Span, ast.expr] = {}
        self.functions = dict(self._functions(tree, None))
        facts: dict[Span, set[str]] = defaultdict(set)
        for run in found:
            for span, seen in run.facts.items():
                facts[span].update(each[0] for each in seen)
        self.counted = counting(self.text, facts)
        self._expressions: dict[tuple[bool, Span], tuple[str, list[Tally]]] = {}
        self.causes: dict[Span, str] = {}

    def _functions(self, node: ast.AST, function: Span | None) -> Iterator[tuple[Span, Span | None]]:
        """The innermost function around each expression. Defaults and decorators stand outside of theirs."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.nodes[self.offsets.span(child)] = child
                yield self.offsets.span(child), function
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                inner = self.offsets.span(child)  # type: ignore[arg-type]
                body = [child.body] if isinstance(child, ast.Lambda) else child.body
                for each in (*child.args.defaults, *child.args.kw_defaults, *getattr(child, "decorator_list", ())):
                    if each is not None:
                        yield from self._functions(ast.Expr(each), function)
                for each in body:
                    yield from self._functions(
                        ast.Expression(each) if isinstance(each, ast.expr) else ast.Module([each], []), inner
                    )
            else:
                yield from self._functions(child, function)

    def row(self, span: Span) -> int:
        return self.text.count("\n", 0, span[0]) + 1

    def words(self, span: Span) -> tuple[str, str]:
        """Kind of an expression in the grammar, and what it is of."""
        node = self.nodes[span]
        about: ast.expr = node
        if isinstance(node, ast.Call):
            about = node.func
        return type(node).__name__, ast.unparse(about)[:60]

    def cause(self, run: Run, span: Span, values: list[dict[Span, v.Value]]) -> str:
        """Why the activations that may be this one say nothing of an expression."""
        if not any(span in each for each in values):
            return NOT_REACHED
        node = self.nodes[span]
        if isinstance(node, ast.Name):
            return ENTERED if node.id in run.entry else MADE_OF
        parts = [self.offsets.span(part) for part in ast.walk(node) if isinstance(part, ast.expr) and part is not node]
        unknown = any(
            each[part].kind not in COVERS.keys() | {LEAF} for part in parts for each in values if part in each
        )
        return MADE_OF if unknown else RESULT

    def add(self, traced: bool, span: Span, seen: list[Seen], tally: Tally) -> None:
        self._expressions.setdefault((traced, span), (_kind(seen), []))[1].append(tally)

    def add_expressions(self, findings: Findings) -> None:
        """An expression is certain where it is in every activation, and wrong where it is in any."""
        for (traced, span), (kind, tallies) in self._expressions.items():
            certain = all(each.certain for each in tallies)
            if traced and not certain:
                findings.causes[self.causes[span]] += 1
            findings.expressions[traced, kind] += Tally(
                1, int(certain), int(not certain and all(each.certain or each.leaves for each in tallies)),
                int(any(each.wrong for each in tallies)),
                max(each.details for each in tallies), max(each.wrong_details for each in tallies),
            )  # fmt: skip
