"""Random keys that are consumed more than once."""

import jax
from hypothesis import strategies as st
from proof import PRELUDE, comments, findings, fixed, run, tried

from jaxlint.verify import compare

SAMPLERS = [
    "jax.random.normal({}, (3,))",
    "jax.random.uniform({}, (2,))",
    "jax.random.normal({}, (3,), jnp.float16)",
    "noise({})",
    "jax.random.laplace({}, (4,))",
]
NOISE = "def noise(key):\n    return jax.random.normal(key, (3,))\n\n\n"


def prove_keys(body):
    """The fixed program reuses no key, says JAX, and its draws differ and have the form of the original's."""
    text = PRELUDE + NOISE + body
    found = {each.code for each in findings(text, "JAX401")} & {"JAX401", "JAX402", "JAX403", "JAX404", "JAX406"}
    assert found, f"nothing is reported in\n{text}"
    new = fixed(text, "JAX401")
    left = [each for each in findings(new, "JAX401") if each.code.startswith("JAX4")]
    assert not left, f"still reported: {left[0].code} {left[0].message}\n{new}"
    assert not comments(text) - comments(new), f"comments are lost in\n{new}"
    before = run(text, (jax.random.key(7),))
    after = run(new, (jax.random.key(7),), lambda: jax.debug_key_reuse(True))
    assert after.error is None, f"{type(after.error).__name__}: {after.error}\n{new}"
    assert before.error is None, f"{before.error}\n{text}"
    again = compare.repeated(after.value)
    assert again is None, f"{again}\n{new}"
    form = compare.same_form(after.value, before.value)
    assert form is None, f"{form}\n{new}"


@st.composite
def straight(draw):
    """Draws one after the other, splits in between, some under a static condition; all from one key."""
    lines, names = ["found = []"], ["key"]
    for number in range(draw(st.integers(2, 4))):
        kind = draw(st.sampled_from(["draw", "draw", "draw", "branch", "assign", "split"]))
        sampler = draw(st.sampled_from(SAMPLERS)).format(draw(st.sampled_from(names)))
        if kind == "draw":
            lines.append(f"found.append({sampler})  # {number}")
        elif kind == "assign":
            lines += [f"a{number} = {sampler}", f"found.append(a{number})"]
        elif kind == "branch":
            lines += ["if len(found) < 9:", f"    found.append({sampler})"]
        else:
            lines += ["k1, k2 = jax.random.split(key)", "found += [jax.random.normal(k1), jax.random.normal(k2)]"]
            lines.append("found.append(jax.random.normal(key, (4,)))")
    lines.append("found.append(jax.random.normal(key, (3,)))")
    return lines


@tried(lines=straight(), staged=st.booleans(), examples=8)
def test_a_key_that_is_used_again(lines, staged):
    decorator = "@jax.jit\n" if staged else ""
    prove_keys(f"{decorator}def step(key):\n" + "".join(f"    {line}\n" for line in lines) + "    return found\n")


@tried(
    head=st.sampled_from(
        ["for i in range(3):", "for i, scale in enumerate([1.0, 2.0, 3.0]):", "while len(found) < 3:"]
    ),
    samplers=st.lists(st.sampled_from(SAMPLERS), min_size=1, max_size=2),
    inner=st.sampled_from(["{}", "if len(found) % 2 < 9:\n            {}", "for _ in range(2):\n            {}"]),
    split_first=st.booleans(),
    examples=14,
)
def test_a_key_that_is_used_in_each_pass(head, samplers, inner, split_first):
    statements = [inner.format(f"found.append({sampler.format('key')})") for sampler in samplers]
    before = (
        "    key, first = jax.random.split(key)\n    found = [jax.random.normal(first)]\n"
        if split_first
        else "    found = []\n"
    )
    body = f"def step(key):\n{before}    {head}\n" + "".join(f"        {line}\n" for line in statements)
    prove_keys(body + "    return found\n")


@tried(
    form=st.sampled_from([("", ""), ("  # new\n    earlier = noise(key)", "earlier, ")]),
    sampler=st.sampled_from(SAMPLERS),
)
def test_a_split_that_is_thrown_away(form, sampler):
    above, also = form
    prove_keys(f"def step(key):\n    jax.random.split(key){above}\n    return [{also}{sampler.format('key')}]\n")


@tried(
    function=st.sampled_from(
        [
            "jax.lax.scan(one, 0.0, jnp.arange(3.0))[1]", "jax.lax.scan(one, 0.0, xs=jnp.arange(3))[1]",
            "jax.lax.scan(one, 0.0, None, length=3)[1]", "jax.lax.map(each, jnp.arange(3))", "jax.vmap(each)(jnp.arange(3.0))",
            "jax.vmap(drawn, in_axes=(None, 0))(key, jnp.arange(3.0))",
        ]
    ),
    sampler=st.sampled_from(SAMPLERS),
    examples=5,
)  # fmt: skip
def test_a_key_that_all_steps_of_a_transform_share(function, sampler):
    once = sampler.format("key")
    head = f"def drawn(key, x):\n    return {once} * 1 + 0 * x\n\n\n" if "drawn" in function else ""
    one = f"    def one(carry, x):\n        return carry + 1, {once}  # drawn\n\n" if "(one" in function else ""
    one += f"    def each(x):\n        return {once} + 0 * x  # drawn\n\n" if "(each" in function else ""
    prove_keys(f"{head}def step(key):\n{one}    found = {function}\n    return list(found)\n")
