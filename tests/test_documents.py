"""The hazards that JAX's, Haiku's and Flax's own documents warn of fail under real JAX as they say."""

from pathlib import Path

import pytest

from jaxlint.hazards.resources import fixtures_root

pytest.importorskip("jax", reason="the examples run under real JAX, which is not installed")

from jaxlint.verify import place, proofs
from jaxlint.verify.fixture import FixtureFile
from jaxlint.verify.folders import document_files

FILES = document_files(fixtures_root())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples_fail_as_the_document_says(path: Path) -> None:
    examples = FixtureFile.read(path)
    starts = [case.start for case in examples.cases] + [len(examples.text.splitlines()) + 2]
    problems = []
    for case, end in zip(examples.cases, starts[1:]):
        codes = [each.code for each in examples.expectations if case.start <= each.row < end]
        if not case.proofs or not codes:
            problems.append(f"{path.name}:{case.start}: an example proves something, and is reported")
            continue
        for proof in case.proofs:
            if place.speaks(case, proof):
                shown = [proofs.show(examples, case, proof, code).problem for code in dict.fromkeys(codes)]
                if all(shown):
                    problems.append(f"{path.name}:{case.start}: {shown[0]}")
    assert problems == []


def test_every_error_class_of_jax_has_an_example() -> None:
    import jax

    text = (fixtures_root() / "documents" / "errors.py").read_text(encoding="utf-8")
    # Bases of the others, and what XLA or JAX itself raises for reasons that no source shows.
    unseen = {"JAXTypeError", "JAXIndexError", "JaxRuntimeError", "JaxprTypeError"}
    classes = {name for name in dir(jax.errors) if name[0].isupper()} - unseen
    assert {name for name in classes if f"# {name}: " not in text} == set()
