"""Generated programs of a fixed seed: jaxlint reports what fails under real JAX, where it fails, and nothing else."""

import pytest

pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")

from jaxlint.knowledge.operations import OPERATIONS  # noqa: E402
from jaxlint.verify.differential.campaign import campaign, figures  # noqa: E402
from jaxlint.verify.differential.compare import compare, shrunk  # noqa: E402
from jaxlint.verify.differential.grammar import (
    OPERATION, ROUTES, TRANSFORMS, Item, is_declared, numbered_program, pair_of, whole_table, write,
)  # noqa: E402  # fmt: skip
from jaxlint.verify.differential.report import summary, table  # noqa: E402

SEED = 7
# What the model does not follow; each is the smallest program.
KNOWN = [
    pytest.param(
        (Item("remat", 358), Item(OPERATION, "np.random.seed(n)")),
        id="NumPy asks a captured array for an operation of its own, which staging makes a tracer",
    ),
    pytest.param(
        (
            Item("scan", 114), Item("fori_loop", 746), Item("loop", 365), Item("other_file", 760),
            Item(OPERATION, "assert x > 0"),
        ),  # fmt: skip
        id="a function of another file is looked at in a bounded number of contexts",
    ),
]


@pytest.mark.parametrize("grammar, programs", [("operations", 420), ("keys", 80)])
def test_programs_of_a_fixed_seed(grammar, programs, capsys):
    records = list(campaign(grammar, SEED, programs, jobs=1))
    found = figures(records)
    with capsys.disabled():
        print(f"\n{summary(grammar, found)}", end="")
    assert found.programs == programs and found.failing > programs / 5
    assert not found.disagreeing, table(grammar, found)


@pytest.mark.xfail(strict=True, reason="the model does not follow it")
@pytest.mark.parametrize("program", KNOWN)
def test_what_is_not_followed(program):
    assert compare(program).agrees


def test_numbers_lead_through_the_whole_table():
    """Every operation in every transform by every route. What stands around them may take the pair apart."""
    kinds, operations = [None, *sorted(TRANSFORMS)], len(OPERATIONS)
    pairs = len(kinds) * len(ROUTES)
    assert whole_table() == operations * pairs
    assert len({pair_of(turn, 3) for turn in range(pairs)}) == pairs
    for turn in range(0, pairs, 7):
        transform, route = pair_of(turn, 3)
        found = [item.kind for item in numbered_program(SEED, turn * operations + 3)]
        assert transform is None or transform in found
        assert route == "direct" or route in found


def test_programs_hold_every_operation_and_are_declared():
    programs = [numbered_program(SEED, number) for number in range(len(OPERATIONS))]
    assert {program[-1].choice for program in programs} == {operation.name for operation in OPERATIONS}
    for program in programs:
        assert is_declared(program)
        text = write(program)
        for file, content in text.files.items():
            compile(content, file, "exec")
        assert set(text.rows.values()) == {i for i, item in enumerate(program) if item.kind == OPERATION}


def test_a_disagreement_shrinks(monkeypatch):
    """With a linter that says nothing, all that is left is what fails."""
    monkeypatch.setattr("jaxlint.verify.differential.compare.findings", lambda text: {})
    program = (Item("branch", 1), Item("jit", 2), Item("loop", 3), Item(OPERATION, "float(x)"))
    found = compare(program)
    assert found.missed == {"float(x)": "ConcretizationTypeError"}
    smallest = shrunk(found)
    assert smallest.missed == found.missed and len(smallest.program) < len(program)
    assert {"jit", OPERATION} <= {item.kind for item in smallest.program}


def test_a_campaign_goes_on_where_it_was(tmp_path):
    kept = tmp_path / "kept.jsonl"
    first = list(campaign("operations", SEED, 3, 1, kept))
    with kept.open("a", encoding="utf-8") as handle:
        handle.write('{"number": 3, "constr')  # cut off
    lines = kept.read_text(encoding="utf-8").count("\n")
    again = list(campaign("operations", SEED, 3, 1, kept))
    assert again == first and kept.read_text(encoding="utf-8").count("\n") == lines
