"""The texts of a file that its fixes make, linted for their trial."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from jaxlint.fixing.trial import Evaluated, objection
from jaxlint.run.pipeline import check_root, with_calls
from jaxlint.run.reveal import expressions
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic
from jaxlint.source.text import SourceError

if TYPE_CHECKING:
    from jaxlint.configuration.config import Config
    from jaxlint.fixing.trial import Values
    from jaxlint.project.resolver import Loader
    from jaxlint.run.pipeline import Files, Result
    from jaxlint.source.text import Source

_KEPT = 4  # texts whose values are at hand: before and after the last passes


class OnTrial:
    """Lints the texts of a file, and objects to fixes that make modules fail which the file calls.

    ``first`` is what was found in the text as it is, where that is known. With ``calls`` the findings hold what fails in other
    modules, at the calls in the file that lead there.
    """

    def __init__(
        self, config: Config, loader: Loader, noqa: bool = True, first: Result | None = None, calls: bool = False
    ) -> None:
        self._config, self._loader, self._noqa, self._calls = config, loader, noqa, calls
        self._results: dict[str, Result] = {}
        self._evaluated: dict[str, Callable[[], list[Evaluated]]] = {}  # of the last texts
        if first is not None and first.source is not None:
            self._remember(first.source, first)

    def check(self, text: Source) -> list[Diagnostic]:
        found = self.result(text)
        return with_calls(found.diagnostics, found.elsewhere) if self._calls else found.diagnostics

    def _lint(self, text: Source) -> Result:
        return self._remember(text, check_root(text, self._config, self._loader, noqa=self._noqa))

    def _remember(self, text: Source, result: Result) -> Result:
        files, result.files = result.files, None
        self._results[text.text] = result
        self._evaluated[text.text] = functools.cache(lambda: _evaluated(files))
        if len(self._evaluated) > _KEPT:
            del self._evaluated[next(iter(self._evaluated))]
        return result

    def result(self, text: Source) -> Result:
        """What is found in a text."""
        return self._results.get(text.text) or self._lint(text)

    def values(self, text: Source) -> list[Evaluated]:
        """What the expressions of a text are taken for."""
        if text.text not in self._evaluated:
            self._lint(text)
        return self._evaluated[text.text]()

    def judge(
        self,
        before: Source,
        found: Sequence[Diagnostic],
        applied: Collection[Diagnostic],
        after: Source,
        left: Sequence[Diagnostic],
        allow: Collection[Applicability],
        values: Values | None = None,
    ) -> str:
        why = objection(before, found, applied, after, left, allow, values)
        if why or all(each.fix and each.fix.applicability is Applicability.SAFE for each in applied):
            return why
        known = {_place(each.diagnostic) for each in self.result(before).elsewhere}
        for each in (new.diagnostic for new in self.result(after).elsewhere):
            if each.category is Category.FAILS and _place(each) not in known:
                name = PurePath(each.filename).name
                return f"it leads to {each.code} in line {each.start.row} of `{name}`: {each.message}"
        return ""


def _evaluated(files: Files | None) -> list[Evaluated]:
    if files is None:  # nothing was analysed
        return []
    own = [each for each in files.model.values if files.model.part(each[0]) is None]
    try:
        return [Evaluated(each.start, each.end, each.value) for each in expressions(files, own)]
    except SourceError:
        return []


def _place(each: Diagnostic) -> tuple[str, str, int]:
    return each.code, each.filename, each.start.row
