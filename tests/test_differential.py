"""Generated programs of a fixed seed: jaxlint reports what fails under real JAX, where it fails, and nothing else."""

import pytest

pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")

from jaxlint.knowledge.operations import OPERATIONS
from jaxlint.verify.differential.campaign import _verdicts, campaign, figures
from jaxlint.verify.differential.compare import compare, shrunk
from jaxlint.verify.differential.grammar import OPERATION, TRANSFORMS, Item, write
from jaxlint.verify.differential.programs import (
    ROUTES,
    form_program,
    is_declared,
    numbered_program,
    pair_of,
    whole_table,
)
from jaxlint.verify.differential.report import summary, table

SEED = 7
# Of campaigns over the whole table: the smallest programs for what the model has to know beside the rules.
FOUND = [
    (Item("remat", 358), Item(OPERATION, "np.random.seed(n)")),
    (Item("cond_of_closures", 841), Item("change", 214), Item(OPERATION, "np.isnan(v)")),
    (Item("fori_loop", 948), Item("decorated", 176), Item("guard", 556), Item(OPERATION, "v.at[v > 0].set(0.0)")),
    (
        Item("hessian", 373),
        Item("cond_of_closures", 714),
        Item("constants", 276),
        Item(OPERATION, "y = x * 2.0; if x == y: pass"),
    ),
    (Item("remat", 484), Item("vjp", 474), Item("constants", 340), Item(OPERATION, "jnp.where(v > 0)")),
    (
        Item("remat", 733),
        Item("vectorize", 372),
        Item("constants", 82),
        Item("guard", 555),
        Item(OPERATION, "jnp.ones((n, 2))"),
    ),
    (
        Item("scan", 114),
        Item("fori_loop", 746),
        Item("loop", 365),
        Item("other_file", 760),
        Item(OPERATION, "assert x > 0"),
    ),
]


@pytest.mark.parametrize("grammar, programs", [("operations", 340), ("language", 80), ("keys", 80)])
def test_programs_of_a_fixed_seed(grammar, programs, capsys):
    records = list(campaign(grammar, SEED, programs, jobs=1))
    found = figures(records)
    with capsys.disabled():
        print(f"\n{summary(grammar, found)}", end="")
    assert found.programs == programs and found.failing > programs / 5
    assert not found.disagreeing, table(grammar, found)


@pytest.mark.parametrize("program", FOUND, ids=lambda program: " ".join(map(str, program)))
def test_programs_of_other_seeds(program):
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


@pytest.mark.parametrize("made", [numbered_program, form_program])
def test_programs_hold_every_operation_and_are_declared(made):
    programs = [made(SEED, number) for number in range(len(OPERATIONS))]
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


@pytest.mark.parametrize("grammar", ["operations", "keys"])
def test_what_jax_says_is_kept(grammar, tmp_path, monkeypatch):
    """And what the linter says is asked anew."""
    kept = tmp_path / "kept.jsonl"
    first = list(campaign(grammar, SEED, 3, 1, kept))
    with kept.open("a", encoding="utf-8") as handle:
        handle.write('["0123", {"operat')  # cut off
    lines = kept.read_text(encoding="utf-8").count("\n")
    _verdicts.cache_clear()
    monkeypatch.setattr("jaxlint.verify.differential.oracle.run", None)
    monkeypatch.setattr("jaxlint.verify.differential.keys.consumptions", None)
    assert list(campaign(grammar, SEED, 3, 1, kept)) == first
    assert kept.read_text(encoding="utf-8").count("\n") == lines
    monkeypatch.setattr(
        f"jaxlint.verify.differential.{'compare' if grammar == 'operations' else 'keys'}.findings", lambda text: {}
    )
    with pytest.raises(TypeError):  # JAX is asked for the smallest program that disagrees
        list(campaign(grammar, SEED, 3, 1, kept))
