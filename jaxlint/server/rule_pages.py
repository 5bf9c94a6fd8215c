"""The page of a rule for a client: as text, as a file that an editor opens, its address, and the address it refers to."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Iterable
from pathlib import Path

from jaxlint.explain.pages import markdown
from jaxlint.hazards.registry import UnknownRule, find
from jaxlint.report import links
from jaxlint.source.diagnostic import Diagnostic


class RulePages:
    """Pages of rules, and the files of those that an editor may show."""

    @functools.cached_property
    def _folder(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(prefix="jaxlint-")  # which goes when the process ends

    def text(self, selector: str) -> str:
        """The page of the rule with this code or name, as Markdown. Raises UnknownRule."""
        return markdown(find(selector))

    def file(self, selector: str) -> Path:
        """A file that holds the page of a rule. Raises UnknownRule, and OSError where there is no room for it."""
        rule = find(selector)
        path = self._path(rule.code, rule.name)
        if not path.exists():
            path.write_text(markdown(rule), encoding="utf-8")
        return path

    def address(self, each: Diagnostic) -> str | None:
        """Where the page about a finding is: on the site, or in a file that ``write`` writes."""
        try:
            return links.page(each.code, each.name) or self._path(each.code, each.name).as_uri()
        except OSError:
            return each.url

    def write(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Write the files to which the addresses of findings lead."""
        for code in sorted({each.code for each in diagnostics if links.page(each.code, each.name) is None}):
            with contextlib.suppress(UnknownRule, OSError):
                self.file(code)

    def reference(self, selector: str) -> str | None:
        """The address that the page of a rule refers to first. Raises UnknownRule."""
        return find(selector).reference

    def _path(self, code: str, name: str) -> Path:
        return Path(self._folder.name) / f"{code}-{name}.md"
