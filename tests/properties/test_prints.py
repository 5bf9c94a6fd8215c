"""Prints of tracers."""

from hypothesis import strategies as st
from proof import arrays, prove, tried

VALUES = st.sampled_from(["x", "x.sum()", "x[0] + 1", "x.shape", "-x", "len(x)", "x * 2"])
TEXTS = st.sampled_from(["x is", "total:", "in {braces}", "100 %", "it's", 'a "name"', "one\\ttwo", "{}", "é"])
SPECS = st.sampled_from(["", "!r", "!s"])


@st.composite
def prints(draw):
    kind = draw(st.sampled_from(["parts", "f-string", "format", "percent"]))
    text = draw(TEXTS)
    if kind == "parts":
        parts = [
            draw(st.one_of(VALUES, TEXTS.map(lambda text: f'"{text}"' if '"' not in text else f"'{text}'")))
            for _ in range(2)
        ]
        return f"print(x, {', '.join(parts)})" if draw(st.booleans()) else f"print({', '.join(parts)}, x.max())"
    text = text.replace("'", "").replace('"', "")
    if kind == "percent":
        return f'print("{text.replace("%", "%%")} %s" % x)'
    text = text.replace("{", "{{").replace("}", "}}")
    if kind == "f-string":
        spec = draw(SPECS)
        return f'print(f"x = {{{draw(VALUES)}{spec}}} {text} {{x}}")'
    return f'print("{{}} {text} {{}}".format(x.max(), x))'


@tried(x=arrays(("float32", "int32"), (3,)), call=prints(), examples=20)
def test_a_print(x, call):
    prove(
        f"@jax.jit\ndef step(x):\n    y = x + 1\n    {call}  # shown\n    return y\n",
        "JAX303",
        (x,),
        fails=False,
    )
