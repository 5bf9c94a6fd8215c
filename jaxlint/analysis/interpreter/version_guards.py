"""Whether code runs only where a name exists: guards that check a version, a module or an attribute.

    try: from jax import tree_map                  if jax.__version_info__ >= (0, 4, 25): …
    except ImportError: …                          if hasattr(jax, "tree_map"): … else: …

A guard encloses the code, or precedes it and exits early (`if not HAS_MAPS: return`). A comparison of a
package's version with a literal narrows its releases; any other guard means that the author handles the
difference, as do variables and functions computed from such checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.project.target import Releases

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_MISSING = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "NameError"})
_BROAD = frozenset({"Exception", "BaseException"})
_AVAILABILITY_CHECKS = frozenset({"find_spec", "find_loader", "importorskip"})
_VERSIONS = frozenset({"__version__", "__version_info__"})
_SKIPS = frozenset({"skipif", "skipIf", "skipUnless", "xfail", "skip", "expectedFailure"})
_PARSERS = frozenset({"parse", "Version", "LooseVersion", "StrictVersion", "parse_version"})
_NEGATED = {">=": "<", ">": "<=", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}
_MIRRORED = {">=": "<=", ">": "<", "<": ">", "<=": ">=", "==": "==", "!=": "!="}
_LITERAL = re.compile(r"\d+(\.\d+)*")

# A verdict: the releases for which code runs, or None where a guard shows that the author handles the others.
_Verdict = Releases | None


class Guards:
    """The guards of one file. They are collected at the first query."""

    def __init__(self, unit: ir.Unit) -> None:
        self.unit = unit
        self._guards: frozenset[str] | None = None
        self._imported: frozenset[str] | None = None

    def releases(self, site: int, releases: Releases) -> _Verdict:
        """Those of ``releases`` in which the code at ``site`` runs; None where a guard keeps it from failing."""
        inner = self.unit.nodes[site]
        for node in self.unit.ancestors(site):
            found = self._around(node, inner, releases)
            if found is None:
                return None
            inner, releases = node, found
        return releases

    # --- guards around, and before ------------------------------------------------------------

    def _around(self, node: ir.Node, inner: ir.Node, releases: Releases) -> _Verdict:
        found: _Verdict = releases
        if type(node) is ir.Handler:  # its `try` is the next one up
            return found
        if type(node) is ir.Try:
            if inner not in node.final and self._catches_missing(node):
                return None
        elif type(node) is ir.If:
            if inner is not node.test:
                found = self._assuming(node.test, any(inner is each for each in node.body), releases)
        elif type(node) is ir.Conditional:
            if inner is not node.test:
                found = self._assuming(node.test, inner is node.body, releases)
        elif type(node) is ir.While:
            if inner is not node.test:
                found = self._assuming(node.test, True, releases)
        elif type(node) is ir.Boolean:
            if inner is node.right:
                found = self._assuming(node.left, node.op == "and", releases)
        elif type(node) is ir.Comprehension:
            for clause in node.clauses:
                for condition in clause.conditions:
                    if found is not None and inner is not clause:
                        found = self._assuming(condition, True, found)
        elif isinstance(node, (ir.Function, ir.ClassDefinition)) and any(map(self._skips, node.decorators)):
            return None
        if found is not None:
            found = self._after(node, inner, found)
        return found

    def _after(self, node: ir.Node, inner: ir.Node, found: Releases) -> _Verdict:
        """What statements before ``inner`` in the same block have ruled out."""
        if not isinstance(inner, ir.Statement):
            return found
        result: _Verdict = found
        for block in _blocks(node):
            if not any(inner is each for each in block):
                continue
            for statement in block:
                if statement is inner or result is None:
                    break
                if type(statement) is ir.If and _exits(statement.body):
                    result = self._assuming(statement.test, False, result)
                elif (
                    type(statement) is ir.If
                    and statement.orelse
                    and _exits(statement.orelse)
                    or type(statement) is ir.Assert
                ):
                    result = self._assuming(statement.test, True, result)
        return result

    def _catches_missing(self, node: ir.Try) -> bool:
        for handler in node.handlers:
            names = set(_last_names(handler.type)) if handler.type is not None else _BROAD
            # A handler that catches everything and raises it again is no fallback.
            if names & _MISSING or (names & _BROAD and not ends_in_raise(handler.body)):
                return True
        return False

    def _skips(self, decorator: ir.Node) -> bool:
        func = decorator.func if type(decorator) is ir.Call else decorator
        name = func.attr if type(func) is ir.Attribute else getattr(func, "id", "")
        if name in ("skip", "xfail", "expectedFailure"):
            return True
        return name in _SKIPS and type(decorator) is ir.Call and any(map(self.checks_availability, decorator.args))

    # --- conditions ---------------------------------------------------------------------------

    def _assuming(self, test: ir.Node, truth: bool, found: Releases) -> _Verdict:
        """The releases left where ``test`` is true, or is not."""
        if type(test) is ir.Unary and test.op == "not":
            return self._assuming(test.operand, not truth, found)
        if type(test) is ir.Boolean and (test.op == "and") is truth:
            left = self._assuming(test.left, truth, found)
            return None if left is None else self._assuming(test.right, truth, left)
        if isinstance(test, (ir.Name, ir.Attribute)) and ir.last_name(test) == "TYPE_CHECKING":
            return None if truth else found
        if not truth and type(test) is ir.Call and ir.last_name(test.func) == "hasattr":
            # What an object lacks, it lacks in some releases. Where all of them lack it, nothing is asked.
            return found if self._all_lack(test, found) else None
        compared = self._version_comparison(test) if type(test) is ir.Compare and len(test.ops) == 1 else None
        if compared is not None and compared[0] == found.package:
            op = compared[1] if truth else _NEGATED[compared[1]]
            return found.limited(op, compared[2])
        return None if self.checks_availability(test) else found

    def _all_lack(self, test: ir.Call, found: Releases) -> bool:
        """Whether `hasattr` asks a module for a name that none of the releases has."""
        if len(test.args) != 2 or type(test.args[1]) is not ir.Constant:
            return False
        dotted, node = str(test.args[1].value), test.args[0]
        while type(node) is ir.Attribute:
            dotted, node = f"{node.attr}.{dotted}", node.value
        if type(node) is not ir.Name or node.id != found.package or not self._is_library(node):
            return False
        history = knowledge.history(f"{node.id}.{dotted}")
        return history is not None and found.all_lack(history)

    def checks_availability(self, test: ir.Node) -> bool:
        """Whether an expression checks a version, a module or an attribute."""
        guards = self._guard_names()
        return any(self._is_availability_check(node) or ir.last_name(node) in guards for node in ir.walk([test]))

    def _is_availability_check(self, node: ir.Node) -> bool:
        if ir.last_name(node) in _VERSIONS or ir.last_name(node) in _AVAILABILITY_CHECKS:
            return True
        if type(node) is not ir.Call or not node.args:
            return False
        asked = ir.last_name(node.func)
        if asked == "signature":  # of a function, for a parameter that not all releases have
            return self._is_library(node.args[0])
        # Of other objects the same functions ask what they are.
        return (asked == "hasattr" or (asked == "getattr" and len(node.args) == 3)) and self._is_library(node.args[0])

    def _is_library(self, node: ir.Node) -> bool:
        """Whether an expression leads to something that is imported."""
        while type(node) is ir.Attribute:
            node = node.value
        if self._imported is None:
            self._imported = frozenset(
                each.asname or each.name.partition(".")[0] for each in self.unit.own if type(each) is ir.Alias
            )
        return type(node) is ir.Name and node.id in self._imported

    def _version_comparison(self, test: ir.Compare) -> tuple[str, str, str] | None:
        """(package, operator, version) of a comparison of a package's version with a literal one."""
        op = test.ops[0]
        if op not in _NEGATED:
            return None
        left, right = test.left, test.rights[0]
        for side, other, read in ((left, right, op), (right, left, _MIRRORED[op])):
            version = _literal(other)
            package, parts = self._version(side) if version is not None else (None, 0)
            if package is None or version is None:
                continue
            # A version truncated to n parts decides only `>=` and `<`, and only against a literal of at most n parts.
            if parts is None or (read in (">=", "<") and version.count(".") < parts):
                return package, read, version
        return None

    def _version(self, node: ir.Node) -> tuple[str | None, int | None]:
        """(package, parts) of an expression that is the version of a package, in a form that orders like versions.

        ``parts`` is how many of its numbers are left, None for all. `jax.__version_info__`,
        `version.parse(jax.__version__)`, `tuple(int(x) for x in jax.__version__.split(".")[:2])`, or a variable
        that is assigned such an expression once.
        """
        if type(node) is ir.Name:
            assigned = [
                each.value
                for each in self.unit.own
                if type(each) is ir.Assign and node.id in set(_targets(each.targets))
            ]
            return (
                self._version(assigned[0]) if len(assigned) == 1 and type(assigned[0]) is not ir.Name else (None, None)
            )
        if type(node) is ir.Call and len(node.args) == 1 and ir.last_name(node.func) in _PARSERS:
            return _package_of(node.args[0], "__version__"), None
        if type(node) is ir.Call and len(node.args) == 1 and ir.last_name(node.func) in ("tuple", "list"):
            return _split_version(node.args[0])
        if type(node) is ir.Comprehension:
            return _split_version(node)
        if type(node) is ir.Subscript:
            package, _ = self._version(node.value)
            return package, _length(node)
        return _package_of(node, "__version_info__"), None

    def _guard_names(self) -> frozenset[str]:
        """Variables and functions of the file that hold the result of such a check."""
        if self._guards is None:
            found: set[str] = set()
            self._guards = frozenset()
            while True:
                self._guards = frozenset(found)
                for node in self.unit.own:
                    found.update(self._guards_bound_by(node))
                if found == self._guards:
                    break
        return self._guards

    def _guards_bound_by(self, node: ir.Node) -> Iterator[str]:
        if type(node) is ir.Assign:
            if self.checks_availability(node.value):
                yield from _targets(node.targets)
        elif type(node) is ir.Annotate and node.value is not None:
            if self.checks_availability(node.value):
                yield from _targets([node.target])
        elif type(node) is ir.Define:
            returned = [each.value for each in ir.walk([node.function]) if type(each) is ir.Return and each.value]
            if any(map(self.checks_availability, returned)):
                yield node.function.name
        elif type(node) is ir.Try and self._catches_missing(node):
            if any(type(each) in (ir.Import, ir.ImportFrom) or self._is_library(each) for each in ir.walk([node])):
                yield from _flags(node)
        elif type(node) is ir.If and self.checks_availability(node.test):
            yield from _flags(node)


def _flags(node: ir.Node) -> Iterator[str]:
    """Names that a branch sets to a constant: `HAS_MAPS = True`, `maps = None`."""
    for each in ir.walk([node]):
        if type(each) is ir.Assign and type(each.value) is ir.Constant and not isinstance(each.value.value, str):
            yield from _targets(each.targets)


def _targets(targets: Iterable[ir.Node]) -> Iterator[str]:
    for target in targets:
        if type(target) is ir.Sequence:
            yield from _targets(target.elements)
        else:
            yield ir.last_name(target)


def _package_of(node: ir.Node, attribute: str) -> str | None:
    """The package that ``jax.__version__`` or ``jax.version.__version__`` belongs to."""
    if type(node) is not ir.Attribute or node.attr != attribute:
        return None
    head = node.value
    while type(head) is ir.Attribute:
        head = head.value
    package = getattr(head, "id", None)
    return package if package in knowledge.packages() else None


def _split_version(node: ir.Node) -> tuple[str | None, int | None]:
    """The package whose version is split into numbers: `map(int, jax.__version__.split("."))`."""
    if (
        type(node) is ir.Call
        and ir.last_name(node.func) == "map"
        and len(node.args) == 2
        and ir.last_name(node.args[0]) == "int"
    ):
        node = node.args[1]
    elif type(node) is ir.Comprehension and len(node.clauses) == 1 and not node.clauses[0].conditions:
        if type(node.element) is not ir.Call or ir.last_name(node.element.func) != "int":
            return None, None
        node = node.clauses[0].iterable
    parts = None
    if type(node) is ir.Subscript:
        parts = _length(node)
        node = node.value
    if type(node) is ir.Call and ir.last_name(node.func) == "split" and type(node.func) is ir.Attribute:
        return _package_of(node.func.value, "__version__"), parts
    return None, None


def _length(node: ir.Subscript) -> int:
    """How many items `x[:n]` leaves, 0 where that is not known."""
    index = node.index
    if type(index) is ir.Slice and index.lower is None and index.step is None and type(index.upper) is ir.Constant:
        return index.upper.value if type(index.upper.value) is int else 0
    return 0


def _last_names(node: ir.Node) -> Iterator[str]:
    for each in node.elements if type(node) is ir.Sequence else (node,):
        yield ir.last_name(each)


def _literal(node: ir.Node) -> str | None:
    """A version as text: `(0, 4, 25)`, `version.parse("0.4.25")`."""
    if type(node) is ir.Sequence and node.kind == "tuple":
        numbers = [each.value if type(each) is ir.Constant else None for each in node.elements]
        if numbers and all(type(number) is int and v.is_small(number) for number in numbers):
            return ".".join(map(str, numbers))
        return None
    if type(node) is ir.Call and len(node.args) == 1 and ir.last_name(node.func) in _PARSERS:
        text = node.args[0].value if type(node.args[0]) is ir.Constant else None
        return text if isinstance(text, str) and _LITERAL.fullmatch(text) else None
    return None


def _blocks(node: ir.Node) -> Iterator[list[ir.Statement]]:
    for name in ("body", "orelse", "final"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def _exits(block: list[ir.Statement]) -> bool:
    """Whether a block ends the code around it."""
    last = block[-1] if block else None
    if isinstance(last, (ir.Return, ir.Raise, ir.Continue, ir.Break)):
        return True
    return (
        type(last) is ir.Evaluate
        and type(last.value) is ir.Call
        and ir.last_name(last.value.func) in ("skip", "skipTest", "exit", "_exit", "fail", "abort", "quit")
    )


def ends_in_raise(block: list[ir.Statement]) -> bool:
    return bool(block) and type(block[-1]) is ir.Raise


class ReleasesAt(Component):
    """Component of the interpreter: the releases that the code at a place must run on, by the conditions around it."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._packages: dict[str, Releases | None] = {}
        self._guards: Guards | None = None

    def at(self, node: ir.Node, releases: Releases) -> Releases | None:
        """Those of ``releases`` that run the code at a node; None where a guard shows that the author handles the others."""
        if self._guards is None:
            self._guards = Guards(self.i.unit)
        return self._guards.releases(node.site, releases)

    def of(self, name: str, node: ir.Node) -> Releases | None:
        """The releases of the package of a name that is used at a node; None in imported code and in the package itself."""
        if node.site not in self.i.unit:
            return None
        package = name.partition(".")[0]
        if package not in self._packages:
            releases = self.i.target.of("jax" if package == "Array" else package)
            self._packages[package] = None if releases is None or self.i.api.owns(releases.package) else releases
        return self._packages[package]
