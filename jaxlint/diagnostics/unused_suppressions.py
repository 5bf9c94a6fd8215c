"""Comments that silence nothing (JAX901), where that is certain: what they say cannot be obeyed, or nothing is found there.

What a function finds depends on who calls it, and callers may be in files that are not of the run. So a comment is
judged only where the file alone decides, whoever imports it: on rows where no code begins; on rows of the module's own
body that have nothing to do with functions that are defined in the project; for names of libraries wherever the name
can be nothing else; and for rules about tracers where every value of the row is known, in a function whose name the
file uses for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from jaxlint.analysis.domain import values as v
from jaxlint.diagnostics.shared_keys import rows
from jaxlint.diagnostics.suppressions import Directive, Suppressions
from jaxlint.hazards import registry
from jaxlint.hazards.rule import Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Diagnostic, Edit, Fix
from jaxlint.source.text import Position, Source

CODE = "JAX901"

_FOREIGN = "\ue000"  # a line of a notebook that is not Python is no comment


def unused(source: Source, suppressions: Suppressions, file: File, codes: frozenset[str]) -> Iterator[Diagnostic]:
    """The diagnostics for what the comments of a file list and never need; ``codes`` are those that are on in it."""
    for problem in suppressions.problems:
        if _FOREIGN not in source.text[source.offset(problem.start) : source.offset(problem.end)]:
            yield _diagnostic(source, problem.start, problem.end, problem.message)
    judge = _Judge(file, suppressions)
    for directive in suppressions.directives:
        if directive.prefixes is None or _FOREIGN in directive.text:
            continue
        for number, prefixes in directive.listed():
            meant = [rule for rule in registry.all_rules() if rule.code.startswith(prefixes)]
            if not meant or any(rule.code not in codes or not rule.hazards for rule in meant):
                continue
            if any(code.startswith(prefixes) for code in directive.used) or not judge.certain(directive, meant):
                continue
            yield _idle(source, directive, number)


def _diagnostic(source: Source, start: Position, end: Position, message: str) -> Diagnostic:
    rule = registry.find(CODE)
    return Diagnostic(
        rule.code, rule.name, message, source.filename, start, end, category=rule.category, noqa_row=start.row
    )


def _idle(source: Source, directive: Directive, number: int) -> Diagnostic:
    """The diagnostic for one code or name in a comment."""
    start, end = directive.names[number]
    listed = source.text[start:end]
    edits = _edits(source, directive, number)
    message = f"Unused suppression of `{listed}`"
    if directive.key is not None:
        message = f"Unused shared-key declaration of `{listed}`"
    found = _diagnostic(source, source.position(start), source.position(end), message)
    fix = None if edits is None else Fix(f"Remove `{listed}`", edits, Applicability.SAFE)
    return replace(found, help=f"Remove `{listed}`.", fix=fix)


def _edits(source: Source, directive: Directive, number: int) -> tuple[Edit, ...] | None:
    """What takes one name out of a comment, or the whole comment where it lists no other."""
    names = directive.names
    if len(names) > 1:
        start, end = (names[0][0], names[1][0]) if number == 0 else (names[number - 1][1], names[number][1])
        return (Edit(start, end, ""),) if directive.ended is None else None
    spans = [(source.offset(directive.start), source.offset(directive.end), *directive.whole)]
    if directive.ended is not None:
        start, end = directive.ended
        if "," in source.text[start:end]:
            return None  # it ends other blocks as well
        spans.append((start, end, start, end))
    return tuple(_removed(source.text, *span) for span in spans)


def _removed(text: str, start: int, end: int, first: int, last: int) -> Edit:
    """The edit that takes ``first`` to ``last`` out of a comment, and leaves neither a sign nor blanks behind."""
    before, after = text[start:first].rstrip(), text[last:end].strip()
    if not before.strip("# \t") and not after:
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        if text[line:start].strip():
            return Edit(line + len(text[line:start].rstrip()), end, "")
        while end < len(text) and text[end] not in "\r\n":
            end += 1
        end += 2 if text[end : end + 2] == "\r\n" else 1
        return Edit(line, min(end, len(text)), "")
    if not after:
        return Edit(start + len(before), end, "")
    if after.startswith("#"):
        return Edit(first, last + len(text[last:end]) - len(text[last:end].lstrip()), "")
    return Edit(first, last + len(text[last:end]) - len(text[last:end].lstrip()), "" if before.strip("#") else "# ")


class _Judge:
    """Knows which code begins on which row of a file, and what its values are; both are asked for seldom."""

    def __init__(self, file: File, suppressions: Suppressions) -> None:
        self.file = file
        self.suppressions = suppressions
        self.nodes: dict[int, list[Any]] | None = None  # by the row on which they begin
        self.stored: set[int] = set()  # sites of the names that are bound
        self.mentioned: set[str] = set()

    def certain(self, directive: Directive, meant: list[Rule]) -> bool:
        """Whether none of the rules can find anything on the rows of the comment, whoever imports the file."""
        by_row = self._by_row()
        if directive.key is not None:
            return self._names_no_key(directive, directive.key)
        first = self.suppressions.line_with(directive.first).start
        last = self.suppressions.line_with(directive.last).stop - 1
        nodes = [node for row, found in by_row.items() if first <= row <= last for node in found]
        return all(self._finds_nothing({hazard.decided_by for hazard in rule.hazards}, nodes) for rule in meant)

    def _names_no_key(self, directive: Directive, name: str) -> bool:
        """Whether the statements on the rows of the comment neither make nor use a key of that name more than once."""
        nodes = []
        for node in self.file.unit.own:
            if not isinstance(node, (ir.Statement, ir.Function)):
                continue
            try:
                first, last = rows(self.file, node)
            except LookupError:
                continue
            if first <= directive.last and directive.first <= last:
                if isinstance(node, ir.Function) and any(parameter.name == name for parameter in node.parameters):
                    return False
                nodes += [inner for row in range(first, last + 1) for inner in self._by_row().get(row, ())]
        named = [node for node in nodes if ir.dotted(node) == name]
        if all(map(self._is_no_key, named)):
            return True
        if any(isinstance(node, ir.Function) and name.partition(".")[0] in node.free for node in self.file.unit.own):
            return False  # which is called from anywhere
        return all(map(self._is_decided_here, nodes))

    def _is_no_key(self, node: Any) -> bool:
        """Whether an expression, or the value that is stored in a name, is known and not a random key."""
        above = self.file.unit.parent(node.site)
        stored = node.site in self.stored
        found = self._values(above.value if stored and isinstance(above, ir.Assign) else node)
        return bool(found) and all(
            type(value) in (v.Const, v.Static, v.Api, v.FunctionValue)
            or (type(value) is v.Array and value.aval.dtype is not None and value.aval.dtype not in (*v.KEYS, "uint32"))
            for value in found
        )

    def _by_row(self) -> dict[int, list[Any]]:
        if self.nodes is None:
            self.nodes = {}
            for node in self.file.unit.own:
                try:
                    start, _ = self.file.span(node.site)
                except LookupError:
                    continue
                self.nodes.setdefault(self.file.source.position(start).row, []).append(node)
                if isinstance(node, ir.Name):
                    self.mentioned.add(node.id)
                elif isinstance(node, ir.Attribute):
                    self.mentioned.add(node.attr)
                elif isinstance(node, ir.Constant) and isinstance(node.value, str):
                    self.mentioned.add(node.value)
                for target in (*getattr(node, "targets", ()), getattr(node, "target", None)):
                    if type(target) is ir.Name and type(node) is not ir.Augment:
                        self.stored.add(target.site)
        return self.nodes

    def _finds_nothing(self, decided_by: set[str], nodes: list[Any]) -> bool:
        if not nodes:
            return True
        if decided_by == {"name"} and all(map(self._names_nothing_else, nodes)):
            return True
        if decided_by == {"tracer"} and all(map(self._is_no_tracer, nodes)):
            return True
        return "elsewhere" not in decided_by and all(map(self._is_decided_here, nodes))

    def _values(self, node: Any) -> list[v.Value]:
        return self.file.values(node.site)

    def _functions(self, node: Any) -> list[Any]:
        around = [node, *self.file.unit.ancestors(node.site)]
        return [each for each in around if type(each) is ir.Function]

    def _is_decided_here(self, node: Any) -> bool:
        """Code of the module's body, which runs once and alike whoever imports it."""
        around = [node, *self.file.unit.ancestors(node.site)]
        if any(type(each) in (ir.Function, ir.ClassDefinition, ir.Define, ir.DefineClass) for each in around):
            return False
        if not isinstance(node, ir.Expression) or node.site in self.stored:
            return True
        found = self._values(node)
        plain = (
            (v.Const, v.Static, v.Host, v.Array)
            if type(node) is ir.Call
            else (v.Const, v.Static, v.Host, v.Array, v.Api)
        )
        return bool(found) and all(type(value) in plain for value in found)

    def _names_nothing_else(self, node: Any) -> bool:
        """Code that names something of a library which a caller cannot change."""
        if type(node) in (ir.Starred, ir.Alias, ir.Import, ir.ImportFrom) or (
            type(node) is ir.Keyword and node.name is None
        ):
            return self._is_decided_here(node)
        if type(node) not in (ir.Name, ir.Attribute, ir.Call) or node.site in self.stored:
            return True
        found = self._values(node)
        above = self.file.unit.parent(node.site)
        if type(node) is not ir.Call and (
            type(above) is ir.Attribute or (isinstance(above, ir.Call) and above.func is node)
        ):
            return bool(found) and all(type(value) is not v.Unknown for value in found)
        return bool(found)

    def _is_no_tracer(self, node: Any) -> bool:
        """Code whose values are known and no tracers, in a function that nothing calls in a way of its own."""
        functions = self._functions(node)
        if functions and (functions[-1].is_lambda or functions[-1].name in self.mentioned):
            return False
        if not isinstance(node, ir.Expression) or node.site in self.stored:
            return type(node) not in (ir.Define, ir.DefineClass) or not functions[1:]
        if self._is_known(node):
            return True
        # An attribute that is known asks nothing of what it is read from.
        above = self.file.unit.parent(node.site)
        return type(node) in (ir.Name, ir.Attribute) and type(above) is ir.Attribute and self._is_known(above)

    def _is_known(self, node: Any) -> bool:
        found = self._values(node)
        return bool(found) and all(map(_known, found))


def _known(value: v.Value) -> bool:
    if type(value) is v.Tuple:
        return all(map(_known, value.items)) if value.items is not None else _known(value.element)
    return type(value) in (v.Const, v.Static, v.Api)
