"""The page of a rule for a client: as text, as a file that an editor opens, and the address it refers to."""

from __future__ import annotations

import tempfile
from pathlib import Path

from jaxlint.explain.pages import markdown
from jaxlint.hazards.registry import find


class RulePages:
    """Pages of rules, and the files of those that an editor was asked to show."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None  # which goes when the process ends

    def text(self, selector: str) -> str:
        """The page of the rule with this code or name, as Markdown. Raises UnknownRule."""
        return markdown(find(selector))

    def file(self, selector: str) -> Path:
        """A file that holds the page of a rule. Raises UnknownRule, and OSError where there is no room for it."""
        rule = find(selector)
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="jaxlint-")
        path = Path(self._folder.name) / f"{rule.code}-{rule.name}.md"
        path.write_text(markdown(rule), encoding="utf-8")
        return path

    def reference(self, selector: str) -> str | None:
        """The address that the page of a rule refers to first. Raises UnknownRule."""
        return find(selector).reference
