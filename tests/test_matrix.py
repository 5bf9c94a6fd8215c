"""The model's verdict on every operation under every transform equals what JAX did."""

from __future__ import annotations

import importlib.metadata
import importlib.util

import pytest

from jaxlint.knowledge.harnesses import COLUMNS, HARNESSES, marked_lines, program
from jaxlint.knowledge.matrix import fails, load, value_reason
from jaxlint.knowledge.operations import OPERATIONS
from jaxlint.verify.matrix import DOCUMENT, Cell, cells, render


@pytest.fixture(scope="module")
def table():
    return load()


@pytest.fixture(scope="module")
def found(table) -> list[Cell]:
    return list(cells(table))


def test_table_is_complete(table):
    assert len(OPERATIONS) == 158 == len({operation.name for operation in OPERATIONS})
    assert set(table.outcomes) == {operation.name for operation in OPERATIONS}
    for row in table.outcomes.values():
        assert set(row) == {harness.name for harness in HARNESSES}


@pytest.mark.parametrize("column", COLUMNS)
def test_columns_have_their_transforms(column):
    members = [harness for harness in HARNESSES if harness.column == column]
    classes = ("staged", "batched", "differentiated", "eager")
    assert len(members) >= (2 if column in classes else 1)


def test_transforms_of_a_column_agree_in_jax(table):
    for operation in OPERATIONS:
        for column in COLUMNS:
            outcomes = {table.outcome(operation.name, h.name) for h in HARNESSES if h.column == column}
            assert len(outcomes) == 1, f"{operation.name} in {column}: {outcomes}"


def test_every_program_marks_the_operation():
    for operation in OPERATIONS:
        for harness in HARNESSES:
            text = program(operation, harness)
            assert len(marked_lines(text)) == len(operation.source.splitlines())
            compile(text, "matrix.py", "exec")


def test_value_failures_are_few_and_explained(table):
    cases = [
        (operation, harness)
        for operation in OPERATIONS
        for harness in HARNESSES
        if value_reason(operation, table.outcome(operation.name, harness.name)) is not None
    ]
    assert {(operation.name, harness.column) for operation, harness in cases} == {
        ("v.at[v > 0].set(jnp.array([1.0, 2.0]))", column) for column in ("differentiated", "eager", "associative_scan")
    } | {("jnp.sum(v, axis=n)", column) for column in ("differentiated", "eager", "associative_scan")} | {
        (name, "export") for name in ("NP + v", "total = np.ones(3, dtype=np.float32); total *= v")
    }
    assert all(operation.value_reason for operation, _ in cases)


@pytest.mark.parametrize("column", COLUMNS)
def test_model_agrees_with_jax(found, column, capsys):
    members = [cell for cell in found if cell.harness.column == column]
    failing = [cell for cell in members if fails(cell.outcome)]
    wrong = [cell for cell in members if not cell.agrees]
    with capsys.disabled():
        print(
            f"\nmatrix, {column}: the model agrees with JAX on {len(members) - len(wrong)} of {len(members)} programs,"
            f" {len(failing)} of which fail",
            end="",
        )
    assert not wrong, "\n" + "\n".join(map(str, wrong))


def test_the_document_is_current(found, table):
    assert DOCUMENT.read_text(encoding="utf-8") == render(found, table), (
        f"{DOCUMENT.name} is stale: run `python -m jaxlint.verify.matrix --write`"
    )


def test_jax_still_does_what_the_table_says(table):
    """A sample in which every operation and every transform stands; the probe's ``--check`` runs all."""
    if importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed")
    installed = importlib.metadata.version("jax")
    if installed != table.versions["jax"]:
        pytest.skip(f"the table is of jax {table.versions['jax']}, installed is {installed}")
    from jaxlint.knowledge.probe.operations import probe, sample

    pairs = sample()
    assert {operation for operation, _ in pairs} == set(OPERATIONS)
    assert {harness for _, harness in pairs} == set(HARNESSES)
    for operation, harness, outcome in probe(pairs):
        assert outcome == table.outcome(operation, harness), f"{operation} under {harness}"
