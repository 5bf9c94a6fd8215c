"""Every rule is proven by its fixtures under real JAX, and the model by its own.

What is reported in them and what fixes make of them is compared without JAX, in `test_reported.py`.
"""

from functools import lru_cache
from pathlib import Path

import pytest

from jaxlint.hazards.registry import all_rules
from jaxlint.hazards.resources import fixtures_root
from jaxlint.verify import linted
from jaxlint.verify.folders import TOOL, folder_of, model_files, rule_folders
from jaxlint.verify.results import CHECKS, Report
from jaxlint.verify.worker import Worker

pytest.importorskip("jax", reason="fixtures run under real JAX, which is not installed")

ROOT = fixtures_root()
FOLDERS = rule_folders(ROOT)


@pytest.fixture(scope="session")
def verified():
    """The report of a folder, made once for all its checks, in a process that pytest has no hand in."""
    worker = Worker(executed=True)
    yield lru_cache(maxsize=None)(worker.verify)
    worker.close()


@pytest.mark.parametrize("check", [each for each in CHECKS if each not in linted.CHECKS])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_rule(folder: Path, check: str, verified) -> None:
    report: Report = verified(folder)
    assert not report.died
    assert report.problems.get(check, []) == [], CHECKS[check]


def test_every_rule_has_fixtures() -> None:
    folders = {folder_of(ROOT, rule) for rule in all_rules() if rule.family != TOOL and rule.status != "removed"}
    assert folders == set(FOLDERS)


@pytest.mark.parametrize("path", model_files(ROOT), ids=lambda path: path.stem)
def test_model(path: Path) -> None:
    from jaxlint.verify.revealed import check_model_file

    assert check_model_file(path) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_model_agrees_with_every_expression_of_a_rule(folder: Path, verified) -> None:
    report: Report = verified(folder)
    assert not report.died
    assert report.oracle["compared"] > 0
    assert report.oracle["disagreements"] == []


@pytest.mark.parametrize("path", model_files(ROOT), ids=lambda path: path.stem)
def test_the_model_agrees_with_every_expression_of_its_fixtures(path: Path) -> None:
    from jaxlint.verify.oracle import compare_file

    assert compare_file(path).disagreements == []
