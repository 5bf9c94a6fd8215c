"""The linted file as rules and fixes see it: its text, the places of its nodes, and names to write code with."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from dataclasses import replace
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, TypeVar

from jaxlint.ir.nodes import Call, Sequence, Subscript, index
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest
from jaxlint.source.library_sources import dotted_name

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import Value
    from jaxlint.analysis.model import Model, Names
    from jaxlint.ir.nodes import Unit
    from jaxlint.source.text import Source, Spans

_Made = TypeVar("_Made")
_LAST_WORD = re.compile(r"\w+\Z")


class ElsewhereError(LookupError):
    """A node of another file was asked for: a fix edits one file, and a span is of one text."""


class File:
    """What a rule may ask about the file beyond the hazard: its text, and names to write code with.

    ``elsewhere`` gives the file of a site that is not of this one.
    """

    def __init__(
        self,
        source: Source,
        model: Model,
        spans: Callable[[], Spans],
        unit: Unit | None = None,
        elsewhere: Callable[[int], File] | None = None,
        names: Names | None = None,
    ):
        self.source = source
        self.model = model
        self.unit: Unit = unit or model.unit
        self._spans = spans
        # A method of what holds this file; kept, the two would wait for a garbage collection.
        self._elsewhere = None if elsewhere is None else weakref.WeakMethod(elsewhere)
        self._remembered: dict[tuple[str, object], Any] = {}
        self.names: Names = names or model.names

    @property
    def is_imported(self) -> bool:
        """Whether this is a module that the linted file imports; others may call it with other values."""
        return self.unit is not self.model.unit

    def once(self, what: str, about: object, make: Callable[[], _Made]) -> _Made:
        """What ``make`` gives, which is asked for again and again, by its name and what it is about."""
        if (what, about) not in self._remembered:
            self._remembered[what, about] = make()
        made: _Made = self._remembered[what, about]
        return made

    def span(self, site: int) -> tuple[int, int]:
        """Start and end offset of a node in the decoded text, parentheses around it left out.

        Raises ElsewhereError for a node of another file.
        """
        if site not in self.unit:
            raise ElsewhereError(f"node {site} is of another file")
        span = self._spans()[index(site)]
        if span is None:
            raise LookupError(f"node {site} has no span")
        match self.unit.nodes[site]:
            case Sequence(kind="tuple", elements=[*_, last]) if type(self.unit.parent(site)) is Subscript:
                return span[0], self.outer_span(last.site)[1]  # several indices have no brackets of their own
        return span

    def outer_span(self, site: int) -> tuple[int, int]:
        """Like ``span``, taking in the parentheses that enclose the expression, if there are any."""
        start, end = self.span(site)
        text = self.source.text
        while True:
            left = start - 1
            while left >= 0 and text[left] in " \t":
                left -= 1
            right = end
            while right < len(text) and text[right] in " \t":
                right += 1
            # The opening parenthesis of a call belongs to the call, not to the argument.
            if not (left >= 0 and right < len(text) and text[left] == "(" and text[right] == ")"):
                return start, end
            before = text[:left].rstrip(" \t")
            word = _LAST_WORD.search(before)
            if before[-1:] in (")", "]", '"', "'") or (word and not (iskeyword(word[0]) and word[0][0].islower())):
                return start, end
            start, end = left, right + 1

    def holding(self, site: int) -> File:
        """The file of a site, which may be another one. Raises ElsewhereError where it cannot be asked."""
        elsewhere = None if self._elsewhere is None else self._elsewhere()
        if site not in self.unit and elsewhere is None:
            raise ElsewhereError(f"node {site} is of another file")
        return self if site in self.unit or elsewhere is None else elsewhere(site)

    def placed(self, fix: Fix, site: int) -> Fix:
        """A fix that edits the file of ``site``, which may be another one."""
        return fix if site in self.unit else replace(fix, at=site)

    def code(self, site: int, limit: int | None = None) -> str:
        """Source text of a node of any file; longer than ``limit`` code points is shortened with an ellipsis."""
        try:
            start, end = self.span(site)
        except ElsewhereError:
            return self.holding(site).code(site, limit)
        text = self.source.text[start:end]
        if limit is not None:
            text = " ".join(text.split())
            if len(text) > limit:
                text = text[: limit - 1].rstrip() + "…"
        return text

    def called(self, site: int, otherwise: str | None) -> str:
        """The function that a call calls, as it is written; ``otherwise`` where the node is no call."""
        node = self.unit.nodes[site]
        return self.code(node.func.site, 40) if isinstance(node, Call) else str(otherwise)

    def replace(self, site: int, content: str) -> Edit:
        """Edit that puts ``content`` in the place of a node."""
        start, end = self.span(site)
        return Edit(start, end, content)

    def insert(self, offset: int, content: str) -> Edit:
        return Edit(offset, offset, content)

    def has_comment(self, start: int, end: int) -> bool:
        """Whether the text between two offsets holds a comment (a `#` outside string literals)."""
        from jaxlint.source.lexer import has_comment

        return has_comment(self.source.text[start:end])

    def indentation(self, site: int) -> str:
        """White space in front of the line on which the node starts."""
        start, _ = self.span(site)
        line = self.source.text.rfind("\n", 0, start) + 1
        end = line
        while end < len(self.source.text) and self.source.text[end] in " \t":
            end += 1
        return self.source.text[line:end]

    def api(self, canonical: str) -> tuple[str, frozenset[ImportRequest]]:
        """How to write a canonical API name in this file, and the imports that takes.

        ``api("jax.numpy.where")`` is ``("jnp.where", frozenset())`` where the module already has
        ``import jax.numpy as jnp``, and ``("jnp.where", {ImportRequest("jax.numpy", alias="jnp")})``
        where it has no way to say it yet.
        """
        return self.names.spell(canonical)

    def values(self, site: int) -> list[Value]:
        """What the analysis took an expression for, each time it came to it; empty where it never did.

        In a module that the linted file imports: as that file calls it. This is for fixes: whether an argument beside the offending
        one is a number, an array or a string decides what may be written.
        """
        return self.model.values_at(site)

    def always(self, site: int, test: Callable[[Value], bool]) -> bool:
        """Whether an expression is known, and a test holds for all that the analysis took it for."""
        values = self.values(site)
        return bool(values) and all(map(test, values))

    def api_names(self, site: int) -> set[str]:
        """The canonical names of the library functions that an expression stands for; an empty one for anything else."""
        from jaxlint.analysis.domain.values import Api, FunctionValue

        def name(value: Value) -> str | None:
            if type(value) is FunctionValue:  # that a source of ours stands for
                return dotted_name(self.model.file(value.function.site), value.function.qualname)
            return value.name if type(value) is Api else None

        return {name(value) or "" for value in self.values(site)}

    def api_name(self, site: int) -> str:
        """The canonical name of the one library function that an expression stands for; empty for anything else."""
        names = self.api_names(site) - {""}
        return names.pop() if len(names) == 1 else ""

    def is_api(self, site: int, *names: str) -> bool:
        """Whether an expression certainly stands for one of the library functions of these canonical names."""
        found = self.api_names(site)
        return bool(found) and found <= set(names)

    def stands_for(self, site: int, canonical: str) -> bool:
        """Like ``is_api``, for a library function, class or module; in an imported module it may be told by its spelling."""
        if not self.values(site) and self.is_imported:  # only what the other file calls is known, and no decorators
            spelled, imports = self.api(canonical)
            return not imports and self.code(site) == spelled
        return self.is_api(site, canonical)
