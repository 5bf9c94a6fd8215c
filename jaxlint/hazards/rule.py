"""A rule: a constant value that names a hazard, and a pure function that reports it.

A rule lives in a module of its own below ``jaxlint.hazards.registry``. The module's name is the rule's; its
docstring is the rule's page, and its first line the summary; ``RULE`` is the rest of the description; ``check`` is
called once for each occurrence of a hazard the rule names, and yields findings::

    RULE = Rule(code="JAX107", category=Category.FAILS, hazards=(RangeOverTracer,), ...)

    def check(hazard: Hazard, file: File) -> Iterator[Finding]:
        yield Finding(hazard.site, f"`range()` over traced value `{file.code(hazard.operand)}`", ...)

A rule holds no state, resolves no names, walks no tree looking for more, and does no input or
output: what it needs to know and cannot read off the hazard is a fact the semantic model lacks.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING

from jaxlint.hazards.selectors import FAMILIES
from jaxlint.source.diagnostic import Category, Fix

if TYPE_CHECKING:
    from jaxlint.analysis.domain.hazards import Hazard
    from jaxlint.rewrite.file import File

_ADDRESS = re.compile(r"https?://[^\s)>]+")


@dataclass(frozen=True)
class Rule:
    """Description of one rule. Everything users see about a rule is generated from this and ``docs``."""

    code: str
    name: str = ""  # else that of the module
    summary: str = ""  # what is reported: a noun phrase, with a full stop; else the first line of `docs`
    category: Category = Category.FAILS
    hazards: tuple[type[Hazard], ...] = ()  # whose occurrences `check` is called with
    error: str | None = None  # the JAX or Python error it prevents, e.g. "TracerBoolConversionError"
    fixable: str = "none"  # best level of fix on offer: "safe", "unsafe", "display" or "none"
    on: str = "default"  # "default", "preview" or "opt-in"
    supersedes: tuple[str, ...] = ()  # codes of rules that are silent where this one says more of the same
    in_tests: bool = True  # False: off in test files, unless its exact code or name is selected
    status: str = "stable"  # "preview", "stable", "deprecated", "removed"
    since: str = "0.1.0"  # version in which the status holds
    docs: str = ""  # the module docstring; set by `of_module`
    check: Callable[[Hazard, File], Iterable[Finding]] | None = None  # set by the registry

    def of_module(self, module: ModuleType) -> Rule:
        """The rule with what the module in which it stands says of it."""
        name = self.name or module.__name__.rpartition(".")[2].replace("_", "-")
        docs = inspect.cleandoc(module.__doc__ or self.summary)
        return replace(self, name=name, summary=self.summary or docs.partition("\n")[0] or name, docs=docs)

    @property
    def family(self) -> str:
        """Name of the family, from the first digit of the code; "plugin" for a rule of others."""
        return FAMILIES[self.code[3]] if self.code.startswith("JAX") else "plugin"

    @property
    def reference(self) -> str | None:
        """The address that its page refers to first; None where it refers to none."""
        found = _ADDRESS.search(self.docs)
        return found[0].rstrip(".,;:") if found else None


@dataclass(frozen=True)
class Finding:
    """What a rule yields. ``site`` is where the report stands; the engine makes the Diagnostic.

    ``message`` begins with a noun phrase or the code; ``help`` says in one or two imperative sentences what to do.
    ``origin`` defaults to the hazard's own.
    """

    site: int
    message: str
    help: str | None = None
    fix: Fix | None = None
    also: tuple[tuple[str, int], ...] = ()  # further places worth showing: (message, site)
