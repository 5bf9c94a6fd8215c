"""A registry of known content for tests of selectors: the real one grows."""

import pytest

from jaxlint.hazards import registry
from jaxlint.hazards.rule import Rule
from jaxlint.source.diagnostic import Category


def _rule(code, name, on="default"):
    return Rule(code, name, "", Category.FAILS, on=on)


RULES = (
    _rule("JAX101", "cast"),
    _rule("JAX103", "branch"),
    _rule("JAX111", "leaf", on="preview"),
    _rule("JAX301", "numpy"),
    _rule("JAX312", "time", on="opt-in"),
)


@pytest.fixture
def some_rules(monkeypatch):
    """Puts ``RULES`` in the place of the registry; gives them by code."""
    monkeypatch.setattr(registry, "all_rules", lambda: RULES)
    registry._by_selector.cache_clear()
    yield {rule.code: rule for rule in RULES}
    registry._by_selector.cache_clear()
