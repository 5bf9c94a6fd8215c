"""The texts of a file that its fixes make, linted for their trial."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from jaxlint.fixing.trial import Values, objection
from jaxlint.run.pipeline import check_root
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic

if TYPE_CHECKING:
    from jaxlint.configuration.config import Config
    from jaxlint.project.resolver import Loader
    from jaxlint.run.pipeline import Result
    from jaxlint.source.text import Source


class OnTrial:
    """Lints the texts of a file, and objects to fixes that make modules fail which the file calls."""

    def __init__(self, config: Config, loader: Loader, noqa: bool = True, first: Result | None = None) -> None:
        self._config, self._loader, self._noqa = config, loader, noqa
        self._results: dict[str, Result] = {}
        if first is not None and first.source is not None:
            self._results[first.source.text] = first

    def check(self, text: Source) -> list[Diagnostic]:
        found = check_root(text, self._config, self._loader, noqa=self._noqa)
        self._results[text.text] = found
        return found.diagnostics

    def result(self, text: Source) -> Result:
        """What was found in a text that was linted."""
        return self._results[text.text]

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


def _place(each: Diagnostic) -> tuple[str, str, int]:
    return each.code, each.filename, each.start.row
