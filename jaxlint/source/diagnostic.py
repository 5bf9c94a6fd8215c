"""What a run says: diagnostics, where they stand, and the edits that would mend them.

Positions shown to people are 1-based rows and columns in Unicode code points. Edits are kept as
offsets into the decoded text of the file, in code points, because that is what is spliced.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

from jaxlint.source.text import Position


class Applicability(str, Enum):
    """How far a fix can be trusted.

    SAFE: the original could not run anywhere, or the rewrite gives the same type, dtype, shape and
    bits. UNSAFE: right in the usual case; the fix says what may change. DISPLAY: shown, never
    applied.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"

    def at_most(self, other: Applicability) -> Applicability:
        """This level, or the other one where that trusts less."""
        return max(self, other, key=list(Applicability).index)


class Category(str, Enum):
    """What the hazard does; sets SARIF level and editor severity."""

    FAILS = "fails"  # raises at run time
    WRONG = "wrong"  # runs, and gives something else than it says
    SLOW = "slow"
    STYLE = "style"


@dataclass(frozen=True)
class Edit:
    """Replace ``text[start:end]`` by ``content``; offsets are code points of the decoded text."""

    start: int
    end: int
    content: str


@dataclass(frozen=True, order=True)
class ImportRequest:
    """An import a fix needs. ``import module as alias``, or ``from module import name as alias``."""

    module: str
    name: str | None = None
    alias: str | None = None

    @property
    def spelled(self) -> str:
        """The name or module that is imported, as it stands behind ``import``."""
        name = self.name or self.module
        return f"{name} as {self.alias}" if self.alias else name


@dataclass(frozen=True)
class Fix:
    """A rewrite. ``edits`` do not overlap; ``imports`` are merged once for each file.

    When a diagnostic leaves the engine the imports have been resolved into edits, which are sorted, and
    ``imports`` is empty.
    """

    title: str  # what it does: "Choose with `jnp.where`"
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.UNSAFE
    imports: frozenset[ImportRequest] = field(default_factory=frozenset)
    # What may change where it is applied: "both sides are computed". Every unsafe fix has it; of a safe one it is said
    # where something else lowers it.
    changes: str = ""
    at: int | None = None  # a node of the file that it edits, where that is not the file of the finding

    @property
    def message(self) -> str:
        """What people read."""
        said = self.changes and self.applicability is not Applicability.SAFE
        return f"{self.title}; {self.changes}" if said else self.title

    def lowered(self, to: Applicability, changes: str = "") -> Fix:
        """This fix, trusted no further than ``to``, as ``changes`` says where it says nothing itself."""
        level = self.applicability.at_most(to)
        return replace(self, applicability=level, changes=self.changes or (changes if level is to else ""))


class RemoteFix(NamedTuple):
    """A fix, the file that it edits, and where in that file it begins."""

    filename: str
    start: Position
    fix: Fix


# Of a finding that stands at a call because the file where it fails is not of the run: that place.
FAILS_HERE = "it fails here"


@dataclass(frozen=True)
class Related:
    """Another place that explains a diagnostic: one step of the chain that makes a value traced."""

    message: str
    filename: str
    start: Position
    end: Position


class KeyUse(NamedTuple):
    """The rows of a statement that makes or uses the random key that a diagnostic is about, and the key's name there."""

    name: str
    first: int
    last: int


@dataclass(frozen=True)
class Diagnostic:
    """One report, complete: nothing outside it is needed to print it."""

    code: str  # "JAX103"
    name: str  # "branch-on-tracer"
    message: str
    filename: str
    start: Position
    end: Position
    category: Category = Category.FAILS
    help: str | None = None
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    noqa_row: int | None = None  # the row whose suppression comment is asked
    url: str | None = None
    key_uses: tuple[KeyUse, ...] = field(default=(), compare=False)  # where a comment may declare its key as shared
    remote: RemoteFix | None = field(default=None, compare=False)  # of another file than this one, where `fix` is None
    convention: str = ""  # the convention by which a transform is presumed around the code; empty where one is certain

    @property
    def basis(self) -> str:
        """What the report rests on: "certain", or "presumed" where a convention stands for a transform that is not visible."""
        return "presumed" if self.convention else "certain"

    @property
    def shown_fix(self) -> RemoteFix | None:
        """The fix that a report shows, of this file or of another one."""
        return self.remote if self.fix is None else RemoteFix(self.filename, self.start, self.fix)

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.filename, self.start.row, self.start.column, self.code, self.message)

    def agreed(self, other: Diagnostic) -> Diagnostic:
        """This, with the fix that ``other`` has as well: the same thing found from another file, with its values."""
        if self.fix is None or (other.fix is not None and other.fix.edits == self.fix.edits):
            return self
        return replace(self, fix=None)
