"""Symbolic dimensions, held to JAX: what is decided here is decided there in the same way, and what is open is open."""

import operator

import pytest
from hypothesis import given, settings, strategies as st

from jaxlint.analysis.domain.dimensions import Dimension, compared, is_open, parsed, underivable

export = pytest.importorskip("jax.export")
jax = pytest.importorskip("jax")
errors = pytest.importorskip("jax.errors")
# Where the older releases have it.
InconclusiveDimensionOperation = (
    getattr(errors, "InconclusiveDimensionOperation", None) or jax.core.InconclusiveDimensionOperation
)

sums = st.lists(
    st.tuples(st.integers(-3, 3), st.sampled_from(["a", "b", "floordiv(a, 2)", "mod(b, 3)", "a*b"])),
    min_size=1,
    max_size=3,
).flatmap(
    lambda terms: st.integers(-6, 6).map(
        lambda constant: " + ".join([*(f"{n}*{atom}" for n, atom in terms), str(constant)])
    )
)
COMPARISONS = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}


@settings(max_examples=100, deadline=None)
@given(sums, sums, st.sampled_from(sorted(COMPARISONS)))
def test_comparisons(left, right, op):
    # The symbols by themselves first, so that the texts are of one scope.
    *_, first, second = export.symbolic_shape(f"a, b, {left}, {right}")
    *_, a, b = parsed(f"a, b, {left}, {right}")
    decided = compared(op, a, b)
    try:
        answer = bool(COMPARISONS[op](first, second))
    except InconclusiveDimensionOperation:
        assert decided is None
        return
    if decided is not None:
        assert answer is decided
    elif is_open(a, b):
        assert op in ("==", "!=") and answer is (op == "!=")


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "2*a",
        "a + 1",
        "a - 1",
        "a*a",
        "a + b",
        "a, a + b",
        "a*b, a",
        "a*b, a, b",
        "floordiv(a, 2)",
        "a, b, 3*b + a",
    ],
)
def test_what_an_export_can_solve(text):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape(text), "float32")
    try:
        export.export(jax.jit(lambda x: x))(spec)
    except ValueError as error:
        assert "Cannot solve for values of dimension variables" in str(error)
        assert underivable(parsed(text))
    else:
        assert not underivable(parsed(text))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a, 2*b", ["a", "2*b"]), ("(a, b)", ["a", "b"]), ("2*a + a - 3*a", ["0"]), ("mod(4*a, 2)", ["0"]),
        ("floordiv(4*a + 2, 2)", ["2*a + 1"]), ("a, ...", ["a", "None"]), ("_", ["None"]), ("4", ["4"]),
    ],
)  # fmt: skip
def test_texts(text, expected):
    assert [repr(size) for size in parsed(text)] == expected


@pytest.mark.parametrize("text", ["a b", "a,, b", "a +"])
def test_texts_that_are_none(text):
    assert parsed(text) is None


def test_a_symbol_with_constraints_is_not_open():
    a, b = Dimension.symbol("a", constrained=True), Dimension.symbol("b")
    assert compared(">", a, 3) is None and not is_open(a, 3)
    assert compared(">", b, 3) is None and is_open(b, 3)
