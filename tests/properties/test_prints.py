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


FORMATS = st.sampled_from([".3f", "8.2f", "g", "+.1e", "08.3f", ",.2f"])
LOGS = ["logging.info({})", "logging.warning({})", "log.debug({})", "log.log(20, {})"]


@st.composite
def formatted(draw):
    """A scalar formatted as a number, and where the text goes."""
    spec, text = draw(FORMATS), draw(st.sampled_from(["total", "in {{braces}}", "it's", "100 %"]))
    kind = draw(st.sampled_from(["f-string", "format", "percent", "logged"]))
    if kind == "percent":
        spec = spec.replace(",", "")
        return f'print("{text.replace("%", "%%").replace("{{", "{").replace("}}", "}")} %{spec}" % x.sum())'
    if kind == "format":
        return f'print("{{:{spec}}} {text} {{}}".format(x[0], x.shape))'
    code = f'f"{{x.sum():{spec}}} {text} {{x[0]:{draw(FORMATS)}}}"'
    return (
        draw(st.sampled_from(LOGS)).format(code)
        if kind == "logged"
        else f"print({code}{draw(st.sampled_from(['', ', end=chr(10)']))})"
    )


@tried(x=arrays(("float32",), (3,)), call=formatted(), examples=16)
def test_a_number_that_is_formatted(x, call):
    head = "import logging\n\nlog = logging.getLogger('made')\n\n\n" if "log" in call else ""
    prove(f"{head}@jax.jit\ndef step(x):\n    x = x * 1\n    {call}  # shown\n    return x\n", "JAX110", (x,))


@tried(x=arrays(("float32", "int32"), (3,)), call=prints(), examples=20)
def test_a_print(x, call):
    prove(
        f"@jax.jit\ndef step(x):\n    y = x + 1\n    {call}  # shown\n    return y\n",
        "JAX303",
        (x,),
        fails=False,
    )
