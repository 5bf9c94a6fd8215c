"""Every fixture is linted and fixed, and what is said is compared with what is expected. Nothing runs under JAX."""

from pathlib import Path

import pytest

from jaxlint.hazards.registry import all_rules
from jaxlint.hazards.resources import fixtures_root
from jaxlint.verify import lint, messages
from jaxlint.verify.bless import bad_files
from jaxlint.verify.claims import check_claims
from jaxlint.verify.fixture import Expectation, FixtureFile
from jaxlint.verify.folders import DOCUMENTS, TOOL, document_files, folder_of, model_files
from jaxlint.verify.linted import CHECKS, Pair, check_silent

ROOT = fixtures_root()
RULES = {folder_of(ROOT, rule): rule for rule in all_rules() if rule.family != TOOL and rule.status != "removed"}


@pytest.mark.parametrize("folder", RULES, ids=lambda folder: folder.name)
def test_rule(folder: Path) -> None:
    rule = RULES[folder]
    for path in bad_files(folder):
        pair = Pair.read(path, rule)
        assert [problem for check in CHECKS.values() for problem in check(pair)] == []
    assert check_silent(FixtureFile.read(folder / "good.py"), rule) == []


@pytest.mark.parametrize("path", model_files(ROOT), ids=lambda path: path.stem)
def test_model(path: Path) -> None:
    assert check_claims(path) == []


@pytest.mark.parametrize("path", document_files(ROOT), ids=lambda path: path.stem)
def test_examples_of_documents(path: Path) -> None:
    examples = FixtureFile.read(path)
    reported = lint.diagnostics(examples.linted, str(path), None)
    found = {
        Expectation(each.start.row, each.start.column, each.code, each.fix.applicability.value if each.fix else "none")
        for each in reported
    }
    wanted = set(examples.expectations)
    assert {"missed": wanted - found, "false": found - wanted} == {"missed": set(), "false": set()}
    assert messages.difference(messages.rendered(reported, examples.linted, path), path, DOCUMENTS) == []
