"""Which fixtures there are: ``fixtures/<family>/<rule-name>/`` and ``fixtures/model/``. Imports no jax."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jaxlint.hazards.registry import all_rules, matching
from jaxlint.hazards.rule import Rule
from jaxlint.hazards.selectors import FAMILIES

TOOL = FAMILIES["9"]  # rules about the tool itself have ordinary tests


MODEL = "model"  # the fixtures of the semantic model
DOCUMENTS = "documents"  # the hazards that the documents of libraries warn of


def folder_of(root: Path, rule: Rule) -> Path:
    """Where the fixtures of a rule are, whether they exist or not."""
    return root / rule.family / rule.name


def rule_folders(root: Path) -> list[Path]:
    """Every folder that holds fixtures of a rule, whether the rule exists or not."""
    return sorted(
        folder for family in FAMILIES.values() for folder in (root / family).glob("*") if any(folder.glob("*.py"))
    )


def chosen(selectors: Iterable[str]) -> list[Rule]:
    """The rules that are to be proven: those named, or all that need a proof. Raises UnknownRule."""
    named = [rule for selector in selectors for rule in matching(selector)]
    rules = dict.fromkeys(named) if named else dict.fromkeys(all_rules())
    return [rule for rule in rules if rule.family != TOOL and rule.status != "removed"]


def model_files(root: Path) -> list[Path]:
    """The fixtures of the semantic model."""
    return sorted((root / MODEL).glob("*.py"))


def document_files(root: Path) -> list[Path]:
    """The fixtures of the documents of libraries."""
    return sorted((root / DOCUMENTS).glob("*.py"))
