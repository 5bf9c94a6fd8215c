"""How far the fixes of each rule are trusted, where the configuration says otherwise than the rule.

``extend-safe-fixes`` and ``extend-unsafe-fixes`` say which fixes count as safe or as unsafe, ``fixable`` and
``unfixable`` which are applied at all. Of the selectors that mean a rule the longest decides; of two that are
equally long, the one that trusts less. What a rule only displays stays displayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jaxlint.hazards import registry
from jaxlint.source.diagnostic import Applicability

_EXACT = 100  # stronger than any prefix


class Safety:
    """The levels of fixes under one configuration."""

    def __init__(
        self,
        safe: Iterable[str] = (),
        unsafe: Iterable[str] = (),
        fixable: Iterable[str] | None = None,
        unfixable: Iterable[str] = (),
    ) -> None:
        self._safe = _strengths(safe)
        self._unsafe = _strengths(unsafe)
        self._fixable = None if fixable is None else _strengths(fixable)
        self._unfixable = _strengths(unfixable)

    def of(self, code: str, level: Applicability) -> Applicability:
        """The level of a fix of the rule ``code`` that the rule itself calls ``level``."""
        if level is Applicability.DISPLAY or not self._applied(code):
            return Applicability.DISPLAY
        safe, unsafe = self._safe.get(code, 0), self._unsafe.get(code, 0)
        if safe == unsafe == 0:
            return level
        return Applicability.SAFE if safe > unsafe else Applicability.UNSAFE

    def _applied(self, code: str) -> bool:
        unfixable = self._unfixable.get(code, 0)
        if self._fixable is None:
            return not unfixable
        return self._fixable.get(code, 0) > unfixable


def _strengths(selectors: Iterable[str]) -> Mapping[str, int]:
    """How exactly each rule is meant by the selectors."""
    found: dict[str, int] = {}
    for selector in selectors:
        for rule in registry.meant(selector):
            exact = selector == rule.name or selector.upper() == rule.code
            found[rule.code] = max(found.get(rule.code, 0), _EXACT if exact else len(selector))
    return found
