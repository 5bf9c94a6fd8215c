"""A file and what is to be done with it, and what became of that."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jaxlint.configuration.config import Config
    from jaxlint.diagnostics.suppressions import Silenced
    from jaxlint.fixing.apply import Asked
    from jaxlint.fixing.picked import Place
    from jaxlint.project.resolver import Answer, Question
    from jaxlint.run.pipeline import CrossFileDiagnostic
    from jaxlint.source.diagnostic import Applicability, Diagnostic
    from jaxlint.source.text import Source


class Job(NamedTuple):
    """One file and what is to be done with it.

    With ``fix`` the safe fixes are applied, and the unsafe ones where the configuration says so.
    Without ``write`` the fixed text is only returned. ``source`` is the text of a file that is not
    to be read from disk. With ``cached`` the result of an earlier run counts where it is still true.
    With ``asked`` each fix, safe or not, is applied only where it says so. ``is_importer``: the file is not part of the run,
    and only what its analysis shows in the files of the run counts. Without ``noqa`` the ``# noqa`` comments are left to the
    caller, as flake8 has its own way with them. With ``tried``, a fix that the analysis speaks against is shown only. With
    ``places``, only the fixes of these lines are applied.
    """

    filename: str
    config: Config
    fix: bool = False
    write: bool = True
    source: Source | None = None
    cached: bool = False
    asked: Asked | None = None
    is_importer: bool = False
    noqa: bool = True
    tried: bool = False
    places: tuple[Place, ...] = ()

    @property
    def levels(self) -> frozenset[Applicability]:
        """Which fixes are applied."""
        from jaxlint.source.diagnostic import Applicability  # a run that only reports does without

        if self.config.unsafe_fixes or self.asked is not None:
            return frozenset({Applicability.SAFE, Applicability.UNSAFE})
        return frozenset({Applicability.SAFE})

    @property
    def size(self) -> int:
        """The bytes of the file, which say how long it takes; none where it is gone."""
        if self.source is not None:
            return len(self.source.raw)
        try:
            return os.stat(self.filename).st_size
        except OSError:
            return 0


class Outcome:
    """What became of a job.

    ``silenced`` are the findings that comments silence. ``source`` is the text the diagnostics are about, ``before`` the text
    as it was where fixes have changed it. Both are None where nothing needs them. ``problem`` says why fixes could not be
    applied, ``banned`` which rules have fixes that come to no end. ``removed`` are the imports that went with
    the fixes. ``asked`` is what was asked of the disk about the modules of the project, and the answers: what the
    diagnostics depend on. It is None where they are not to be kept, and once they are. ``read`` are the files among them, where
    fixes need to know.
    """

    def __init__(
        self,
        filename: str,
        diagnostics: list[Diagnostic],
        source: Source | None = None,
        *,
        budget_reached: Iterable[str] = (),
        elsewhere: Iterable[CrossFileDiagnostic] = (),
        silenced: Iterable[Silenced] = (),
        presumed: int = 0,
    ) -> None:
        self.filename = filename
        self.diagnostics = diagnostics
        self.is_known = False  # an earlier run has found it
        self.source = source
        self.before: Source | None = None
        self.fixed: list[Diagnostic] = []
        self.problem: str | None = None
        self.budget_reached = list(budget_reached)
        self.elsewhere = list(elsewhere)
        self.silenced = list(silenced)
        self.presumed = presumed  # functions that were run by a convention
        self.removed: list[str] = []
        self.banned: frozenset[str] = frozenset()
        self.asked: dict[Question, Answer] | None = None
        self.read: frozenset[str] = frozenset()
        self.is_importer = False
