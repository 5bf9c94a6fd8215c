"""What the model takes expressions of small programs to give: shapes, dtypes, and what is known of numbers."""

import pytest

from jaxlint.analysis.domain.values import Value
from jaxlint.run.reveal import Analysis
from jaxlint.source.text import Source

HEAD = """\
import jax
import jax.numpy as jnp
from jax import export

from elsewhere import sizes

x = jnp.arange(3)
u = jnp.zeros(sizes)
m = jnp.ones((3, 4))
batch = jnp.ones((2, 3, 4))
(b,) = export.symbolic_shape("b")
"""


def given(program: str, expression: str) -> Value:
    """The value of the last expression of this text."""
    source = Source.from_text(program, "program.py")
    analysis = Analysis(source)
    assert not analysis.model.failures
    [*_, value] = [each.value for each in analysis.own() if source.text[each.start : each.end] == expression]
    return value


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("m @ jnp.ones(4)", "float32[3]"),
        ("jnp.ones(3) @ m", "float32[4]"),
        ("batch @ jnp.ones(4)", "float32[2, 3]"),
        ("batch @ jnp.ones((4, 5))", "float32[2, 3, 5]"),
        ("jnp.ones(3) @ jnp.ones(3)", "float32[]"),
        ("jnp.pad(m, 2)", "float32[7, 8]"),
        ("jnp.pad(m, (1, 2))", "float32[6, 7]"),
        ("jnp.pad(m, ((1, 2), (3, 4)))", "float32[6, 11]"),
        ("jnp.atleast_2d(jnp.ones(3))", "float32[1, 3]"),
        ("jnp.atleast_3d(batch)", "float32[2, 3, 4]"),
        ("jnp.atleast_3d(m)", "?[...]"),  # (3, 4, 1)
        ("jnp.atleast_3d(jnp.ones(3))", "?[...]"),  # (1, 3, 1)
        ("jnp.tensordot(u, m)", "float32[...]"),
        ("jnp.tensordot(m, u)", "float32[...]"),
        ("jnp.tensordot(m, m.T, 1)", "float32[3, 3]"),
        ("jnp.maximum(m, 0.0)", "float32[3, 4]"),
        ("jnp.less(m, 1.0)", "bool[3, 4]"),
        ("jnp.take(u, x, axis=0)", "float32[...]"),
        ("jnp.take(m, x, axis=0)", "float32[3, 4]"),
        ("jnp.take(m, x, axis=1)", "float32[3, 3]"),
        ("jnp.squeeze(jnp.ones((1, 3, 1)), axis=0)", "float32[3, 1]"),
        ("jnp.squeeze(jnp.ones((1, 3, 1)), axis=-1)", "float32[1, 3]"),
        ("jnp.squeeze(jnp.ones((1, 3, 1)))", "float32[3]"),
        *((f"jnp.array_split(jnp.ones(8), 3)[{part}]", f"float32[{size}]") for part, size in enumerate((3, 3, 2))),
        *((f"jnp.split(jnp.ones(8), [1, 5])[{part}]", f"float32[{size}]") for part, size in enumerate((1, 4, 3))),
        ("jnp.array_split(jnp.ones(8), [1, 5])[-1]", "float32[3]"),
        ("jnp.stack([u, u])", "float32[...]"),
        ("divmod(m, 2)[0]", "float32[3, 4]"),
        ("pow(m, 2)", "float32[3, 4]"),
        ("pow(x, x > 1)", "?[3]"),  # what a boolean counts for is not said
        ("jax.scipy.special.erf(x)", "float32[3]"),
        ("jax.scipy.special.erfc(x)", "float32[3]"),
        ("jnp.moveaxis(m, sizes, 0)", "float32[None, None]"),
        ("jnp.moveaxis(m, (0, 1), 0)", "float32[None, None]"),
        ("jnp.nonzero(m, size=5)[1]", "int32[5]"),
        ("jax.lax.dynamic_slice_in_dim(m, 0, 2, axis=1)", "float32[3, 2]"),
        ("jnp.split(u, 3)[2]", "float32[...]"),
        ("jnp.zeros(2 * b if sizes else 2 * b)", "float32[2*b]"),  # one size, computed twice
    ],
)
def test_shape_and_dtype(expression, expected):
    assert repr(given(f"{HEAD}\n{expression}\n", expression).aval) == expected


@pytest.mark.parametrize(
    "name",
    [
        "nn.relu", "nn.relu6", "nn.log1mexp",
        *(f"scipy.special.{each}" for each in "expi fresnel log_ndtr logit poch sici xlog1py xlogy zeta".split()),
    ],
)  # fmt: skip
def test_function_with_a_rule_of_its_own_is_wrapped_where_anything_is_mapped(name):
    """Under `vmap` JAX gives a tracer even of numbers."""
    call = f"jax.{name}({'2.0, 3.0' if name.endswith(('poch', 'xlog1py', 'xlogy', 'zeta')) else '0.5'})"
    program = f"{HEAD}\ndef f(x):\n    results = {call}, jnp.sin(0.5)\n    return x\n\n\njax.vmap(f)(x)\n"
    result = given(program, call)
    parts = result.items if result.kind == "ref" else (result,)
    assert {part.mode for part in parts} == {"maybe"}
    assert given(program, "jnp.sin(0.5)").mode == "concrete"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("(2, 3, 2).count(2)", "Static(int)"),
        ("(2, 3, 2).index(3)", "Static(int)"),
        ("bool(b)", "Const(True)"),
        ("bool(b - 2)", "Const(True)"),
        ("bool(b * 0)", "Const(False)"),
    ],
)
def test_number_that_is_no_array(expression, expected):
    assert repr(given(f"{HEAD}\n{expression}\n", expression)) == expected


@pytest.mark.parametrize(
    ("shape", "known"),
    [("'a, b'", True), ("'a, ...'", True), ("'a'", False), ("'a, b, c'", False), ("read()", False)],
)
def test_specifications_of_arguments_where_their_shapes_are_known(shape, known):
    program = f"{HEAD}\n(spec,) = export.symbolic_args_specs((m,), ({shape},))\nspec\n"
    assert (given(program, "spec").kind == "unknown") is not known


@pytest.mark.parametrize(
    ("program", "expression", "expected"),
    [
        ("len(jnp.split(jnp.ones(8), [len(sizes), 5]))", "len(jnp.split(jnp.ones(8), [len(sizes), 5]))", "Const(3)"),
        (
            "step = jax.jit(lambda y, n: y, static_argnums=1)\nfor pair in enumerate([1] * 20):\n    step(m, pair)",
            "pair",
            "Tuple",
        ),
        ("@jax.jit\ndef f(y):\n    if isinstance(y, (jax.Array, jax.core.Tracer)):\n        return +y", "+y", "Array"),
        ("@jax.jit\ndef f(y):\n    if isinstance(y, (jax.Array, list)):\n        return [y]", "y", "Unknown"),
        ("items = [1]\nitems.extend((2, 3))\nlen(items)", "len(items)", "Const(3)"),
        ("items = []\nitems.extend(u)\nitems[0]", "items[0]", "Array"),
        ("items = [m]\nitems.extend(u)\nitems[0]", "items[0]", "Array"),
        ("items = []\nif sizes:\n    items.append(m)\nitems[0]", "items[0]", "Array"),
        ("items = []\nif sizes:\n    pass\nelse:\n    items.append(m)\nitems[0]", "items[0]", "Array"),
        ("y = [(last := each) + each for each in (1, 2)]", "(last := each) + each", "Static(int)"),
        ("y = [(last := each) + each for each in (1, 2)]\nlast", "last", "Const"),
        ("def f(*args):\n    return args\n", "args", "Tuple"),
        ("list(filter(sizes))", "filter(sizes)", "Unknown"),
        ("sum()", "sum()", "Unknown"),
        ("export.symbolic_shape('b', constraints=sizes)", "export.symbolic_shape('b', constraints=sizes)", "Unknown"),
        ("jax.tree.leaves([m])[0]", "jax.tree.leaves([m])[0]", "Array(concrete, float32[3, 4])"),
        ("jax.tree.leaves(tree=[m])[0]", "jax.tree.leaves(tree=[m])[0]", "Array(concrete, float32[3, 4])"),
        ("jax.tree.leaves([m], sizes)[0]", "jax.tree.leaves([m], sizes)[0]", "Unknown"),
        ("m.sharding", "m.sharding", "Unknown"),  # an object of the host
        ("jnp.shape(m)", "jnp.shape(m)", "Tuple((Const(3), Const(4)))"),
        ("jnp.ndim(m)", "jnp.ndim(m)", "Const(2)"),
        ("jnp.size(m)", "jnp.size(m)", "Const(12)"),
        ("export.symbolic_args_specs((m,), ('a', 'b'))", "export.symbolic_args_specs((m,), ('a', 'b'))", "Unknown"),
        ("export.symbolic_args_specs(sizes, 'a')", "export.symbolic_args_specs(sizes, 'a')", "Unknown"),
        (
            "items = [m]\nexport.symbolic_args_specs(items, ('a', 'b'))\nitems[0]",
            "items[0]",
            "Array(concrete, float32[3, 4])",
        ),
        (
            "def f(y, **options):\n    return options['a']\n\n\njax.checkpoint(f)(1, **{name: None for name in sizes})",
            "options['a']",
            "Const(None)",
        ),
        # what comes after an assertion, and after a body that has not failed
        ("@jax.jit\ndef f(y):\n    assert isinstance(y, jax.Array)\n    return [y]", "y", "Array"),
        ("@jax.jit\ndef f(y):\n    return [y]", "y", "Undecided"),
        ("try:\n    pass\nexcept ValueError:\n    y = m\nelse:\n    y = m\n+y", "y", "Array(concrete, float32[3, 4])"),
        ("try:\n    pass\nexcept ValueError:\n    raise\nelse:\n    y = m\n+y", "y", "Array(concrete, float32[3, 4])"),
        ("try:\n    raise ValueError\nexcept ValueError:\n    y = 2\nelse:\n    y = m\n+y", "y", "Const(2)"),
        # what a call that is not seen may change, however deep it lies, and what a dict is made of
        ("items = [1]\nsizes((((items,),),))\nitems[0]", "items[0]", "Unknown"),
        ("len(dict(**sizes))", "len(dict(**sizes))", "Static(int)"),
        # long texts are not worked out
        *(
            (f"('{'a' * size}').upper()", f"('{'a' * size}').upper()", found)
            for size, found in ((400, "Const('AAA"), (401, "Static(str)"))
        ),
        ("max(u, key=lambda y: 1)", "max(u, key=lambda y: 1)", "Array(concrete, float32[...])"),
    ],
)
def test_value(program, expression, expected):
    assert repr(given(f"{HEAD}\n{program}\n", expression)).startswith(expected)


def on_both_paths(value, test):
    """What is known of a name where a condition about it holds, and where it does not."""
    program = f"import numpy as np\n\n\n@jax.jit\ndef f(x):\n    n = {value}\n    if {test}:\n        return +n\n    return ~n\n"
    source = Source.from_text(HEAD + program, "program.py")
    analysis = Analysis(source)
    assert not analysis.model.failures
    found = {"+": None, "~": None}
    for each in analysis.own():
        before = source.text[each.start - 1 : each.start]
        if source.text[each.start : each.end] == "n" and before in found:
            found[before] = repr(each.value)
    return tuple(found.values())


TRACER, INT, FLOAT = "Array(staged, ?[...])", "Static(int)", "Static(float)"


@pytest.mark.parametrize(
    ("value", "test", "expected"),
    [
        # an argument that is an array, or a tree of arrays
        ("x", "isinstance(n, jax.Array)", (TRACER, "Unknown")),
        ("x", "isinstance(n, (jax.Array, np.ndarray))", ("Unknown", "Unknown")),
        ("x", "isinstance(n, int)", (INT, "Unknown")),
        ("x", "isinstance(n, (int, float))", ("Static()", "Unknown")),
        ("x", "isinstance(n, (int, jax.Array))", ("Unknown", "Unknown")),
        ("x", "isinstance(n, (int, list))", ("Unknown", "Unknown")),
        ("x", "isinstance(n, sizes)", ("Unknown", "Unknown")),
        ("x", "n is None", ("Const(None)", "Undecided(staged)")),
        ("x", "n is not None", ("Undecided(staged)", "Const(None)")),
        ("x", "None is n", ("Const(None)", "Undecided(staged)")),
        ("x", "not n is None", ("Undecided(staged)", "Const(None)")),
        ("x", "n is True", ("Const(True)", "Undecided(staged)")),
        ("x", "n == 'a'", ("Const('a')", "Undecided(staged)")),
        ("x", "n != 'a'", ("Undecided(staged)", "Const('a')")),
        ("x", "n is None and sizes", ("Const(None)", "Unknown")),
        ("x", "n is None or sizes", ("Undecided(staged)", "Undecided(staged)")),
        ("x", "not (n is None or sizes)", ("Undecided(staged)", "Undecided(staged)")),
        ("x", "sizes(n)", ("Unknown", "Unknown")),
        ("x", "jnp.ndim(n) == 2", ("Undecided(staged)", "Undecided(staged)")),
        ("x", "callable(n)", ("Unknown", "Unknown")),
        ("x", "all(sizes(leaf) for leaf in jax.tree.leaves(n))", ("Unknown", "Unknown")),
        # what is a tracer for certain
        ("x + 1", "isinstance(n, jax.Array)", (TRACER, None)),
        ("x + 1", "isinstance(n, sizes)", ("Unknown", TRACER)),
        ("x + 1", "n is None", (None, TRACER)),
        # what is known of plain values stays known where the test may hold of them
        ("len(x)", "isinstance(n, int)", (INT, INT)),
        ("len(x)", "isinstance(n, (int, jax.Array))", (INT, INT)),
        ("len(x)", "isinstance(n, sizes)", (INT, INT)),
        ("len(x)", "sizes(n)", (INT, INT)),
        ("float(open('a').read())", "isinstance(n, (float, jax.Array))", (FLOAT, FLOAT)),
        # one of two objects: which of them it is was not worked out
        ("(x, x)", "isinstance(n, sizes)", ("Tuple((Undecided(staged), Undecided(staged)))", "Unknown")),
    ],
)
def test_what_a_condition_tells_on_both_paths(value, test, expected):
    assert on_both_paths(value, test) == expected


@pytest.mark.parametrize(
    ("program", "expression", "known", "unknown", "bound"),
    [
        ("", "0x{:x} + 0", "Const", "Static(int)", 4096),  # bits of an integer
        ("x = ''", "x + '{:a<}'", "Const", "Static(str)", 200_000),  # characters
        ("x = [1]\n{}", "len(x)", "Const(131072)", "Static(int)", 17),  # doublings: 2**18 is more than 200,000
        ("x = 1\n{}", "x", "Tuple((Tuple((Tuple((", "Tuple(Unknown)", 12),  # tuples in one another
    ],
    ids=["bits", "characters", "elements", "tuples"],
)
def test_what_code_works_out_is_known_up_to_a_bound(program, expression, known, unknown, bound):
    """docs/robustness.md names these bounds."""
    for size, found in ((bound, known), (bound + 1, unknown)):
        if "{:x}" in expression:
            code = expression.format(2 ** (size - 1))
        elif "{:a<}" in expression:
            code = expression.replace("{:a<}", "a" * size)
        else:
            code = expression
        steps = ("x = x + x\n" if "len" in expression else "x = (x,)\n") * size if "{}" in program else ""
        assert repr(given(f"{HEAD}\n{program.format(steps)}\n{code}\n", code)).startswith(found)


@pytest.mark.parametrize("names", ["'a, b'", "['a', 'b']", "('a', 'b')"])
def test_arguments_of_a_parametrised_test_are_known(names):
    program = f"import pytest\n\n\n@pytest.mark.parametrize({names}, [(3, 4)])\ndef test(a, b):\n    return a, b\n"
    source = Source.from_text(program, "test_program.py")
    found = {source.text[each.start : each.end]: repr(each.value) for each in Analysis(source).own()}
    assert (found["a"], found["b"]) == ("Const(3)", "Const(4)")


def test_imaginary_part_of_what_is_not_complex_is_made_without_it():
    """Under `vmap` JAX gives an array of zeros for a float, and a tracer for a complex number."""
    program = f"{HEAD}\ndef f(z):\n    return z.imag\n\n\njax.vmap(f)({{}})\n"
    assert given(program.format("m"), "z.imag").mode == "maybe"
    assert given(program.format("m + 0j"), "z.imag").mode == "batched"
