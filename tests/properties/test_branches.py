"""Branches on tracers: ternaries, assignments, early returns, chains, and boolean operators in conditions."""

from hypothesis import strategies as st
from proof import arrays, prove, scalars, tried

NUMBERS = st.sampled_from(["x", "y", "x + y", "x * 2", "-y", "x - 1", "y * y"])
CONDITIONS = st.builds(
    "{} {} {}".format, NUMBERS, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.sampled_from(["0", "1", "y"])
)
TWO = st.tuples(scalars(("float32",)), scalars(("float32",)))


def indent(lines):
    return "".join(f"    {line}\n" for line in lines)


@tried(
    arguments=TWO,
    condition=CONDITIONS,
    yes=NUMBERS,
    no=NUMBERS,
    around=st.sampled_from(["{}", "2 * ({})", "jnp.sin({}) + y", "({}, x)"]),
)
def test_a_ternary(arguments, condition, yes, no, around):
    value = around.format(f"{yes} if {condition} else {no}")
    prove(f"@jax.jit\ndef step(x, y):\n    return {value}\n", "JAX103", arguments)


@st.composite
def assignments(draw, depth=1):
    """An ``if`` whose branches assign names that exist before, or in both branches."""
    names = draw(st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=2, unique=True))
    lines = [f"if {draw(CONDITIONS)}:"]
    lines += [f"    {name} {draw(st.sampled_from(['=', '+=', '*=']))} {draw(NUMBERS)}" for name in names]
    for _ in range(draw(st.integers(0, depth))):
        lines.append(f"elif {draw(CONDITIONS)}:  # next")
        lines += [f"    {name} = {draw(NUMBERS)}" for name in names]
    if draw(st.booleans()):
        lines.append("else:")
        lines += [f"    {name} = {draw(NUMBERS)}" for name in draw(st.permutations(names))]
    return lines


@tried(arguments=TWO, first=assignments(), second=st.one_of(st.just([]), assignments()), examples=14)
def test_branches_that_assign(arguments, first, second):
    body = indent(["a = x * 1.0", "b = y * 1.0", *first, *second, "return a, b"])
    prove(f"@jax.jit\ndef step(x, y):\n{body}", "JAX103", arguments)


@st.composite
def returns(draw):
    """Early returns, with or without work before them."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines.append(f"if {draw(CONDITIONS)}:")
        if draw(st.booleans()):
            lines += [f"    z = {draw(NUMBERS)}", "    return z + 1.0"]
        else:
            lines.append(f"    return {draw(NUMBERS)}")
    if draw(st.booleans()):
        lines += ["else:", f"    return {draw(NUMBERS)}"]
    else:
        lines += [f"z = {draw(NUMBERS)}", "return z * 2.0"]
    return lines


@tried(arguments=TWO, lines=returns(), examples=14)
def test_branches_that_return(arguments, lines):
    prove(f"@jax.jit\ndef step(x, y):\n{indent(lines)}", "JAX103", arguments)


@st.composite
def conditions(draw, depth=2):
    """Comparisons of scalars joined by boolean operators."""
    if depth == 0:
        return draw(st.one_of(CONDITIONS, st.sampled_from(["0 < x < 2", "-1 <= x + y <= y", "x in (1, 2)"])))
    kind = draw(st.sampled_from(["and", "or", "not", "leaf"]))
    if kind == "leaf":
        return draw(conditions(0))
    if kind == "not":
        return f"not ({draw(conditions(depth - 1))})"
    left, right = draw(conditions(depth - 1)), draw(conditions(depth - 1))
    return f"({left}) {kind} ({right})"


def is_boolean_operation(condition):
    return any(word in condition for word in (" and ", " or ", "not ", " in ")) or condition.count("<") > 1


@tried(arguments=TWO, condition=conditions().filter(is_boolean_operation), examples=12)
def test_boolean_operators(arguments, condition):
    body = indent(["x = x + 0.0", "y = y + 0.0", f"return {condition}"])
    prove(f"@jax.jit\ndef step(x, y):\n{body}", "JAX105", arguments)


@tried(arguments=TWO, condition=conditions(1).filter(is_boolean_operation), yes=NUMBERS, no=NUMBERS)
def test_boolean_operators_in_the_condition_of_a_branch(arguments, condition, yes, no):
    body = indent(["x = x + 0.0", "y = y + 0.0", f"if {condition}:", f"    return {yes}", f"return {no}"])
    prove(f"@jax.jit\ndef step(x, y):\n{body}", "JAX105", arguments)


@tried(xs=arrays(("float32",), (4,)), condition=CONDITIONS, yes=NUMBERS, no=NUMBERS)
def test_a_branch_in_a_function_that_is_mapped_or_scanned(xs, condition, yes, no):
    condition += " + 0 * x"
    function = (
        f"def each(y, x):\n    if {condition}:\n        y = {yes}\n    else:\n        y = {no}\n    return y\n\n\n"
    )
    plain = "def step(xs):\n    return jnp.stack([each(jnp.float32(1), x) for x in xs])\n"
    text = function + "def step(xs):\n    return jax.vmap(each, (None, 0))(jnp.float32(1), xs)\n"
    namespace = {}
    exec("import jax\nimport jax.numpy as jnp\n" + function + plain, namespace)
    prove(text, "JAX103", (xs,), reference=namespace["step"])
