"""`jaxlint reveal --why-silent`: the hazards considered on a line, and what kept each from being reported."""

import json
from pathlib import Path

import pytest

from jaxlint.analysis.domain.hazards import Exclusion
from jaxlint.cli import main
from jaxlint.run.why_silent import EXCLUSIONS

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nimport pytest\nimport flax.linen as nn\n\n\n"
# Reason -> a program whose line with `# here` has a hazard that is excluded for it, and the rule.
EXCLUDED = {
    Exclusion.MUTED: (
        "@jax.jit\ndef f(x, n):\n    if not isinstance(n, jax.core.Tracer):\n        return float(x.sum())  # here\n    return x\n",
        "JAX102",
    ),
    Exclusion.EXPECTED: (
        "def test_f():\n    with pytest.raises(TypeError):\n        jax.jit(lambda a: float(a))(1.0)  # here\n",
        "JAX102",
    ),
    Exclusion.CAUGHT: (
        "@jax.jit\ndef f(x):\n    try:\n        return float(x.sum())  # here\n    except TypeError:\n        return x\n",
        "JAX102",
    ),
    Exclusion.STATIC: (
        "class Model(nn.Module):\n    @nn.compact\n    def __call__(self, x, count):\n        return x * int(count)  # here\n",
        "JAX102",
    ),
    Exclusion.OBJECT: (
        "@jax.jit\ndef f(x):\n    y = elsewhere(1) + x.sum()\n    y[0] = 1.0  # here\n    return y\n",
        "JAX308",
    ),
    Exclusion.HOST_CODE: (
        "class Model(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n        low = float(x.min())\n"
        "        return x - low / float(jnp.max(x))  # here\n",
        "JAX102",
    ),
    Exclusion.CONDITION: (
        "def f(x, ready):\n    size = 2.5\n    if ready(size):\n        return jnp.zeros(size)  # here\n    return x\n",
        "JAX212",
    ),
    Exclusion.ERROR_MESSAGE: (
        '@jax.jit\ndef f(x):\n    if x.ndim > 3:\n        raise ValueError(f"{x.sum():.2f}")  # here\n    return x\n',
        "JAX110",
    ),
    Exclusion.ATTRIBUTE_TEST: (
        '@jax.jit\ndef f(x):\n    y = x.sum()\n    if hasattr(y, "tobytes"):\n        y.tobytes()  # here\n    return y\n',
        "JAX310",
    ),
}


def considered(tmp_path: Path, capsys, program: str, *options: str) -> list[dict]:
    path = tmp_path / "program.py"
    path.write_text(HEAD + program, encoding="utf-8")
    row = next(number for number, line in enumerate((HEAD + program).splitlines(), 1) if "# here" in line)
    assert main(["reveal", "--why-silent", f"{path}:{row}", "--output-format", "json", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["location"]["row"] for each in found} == {row}
    return found


@pytest.mark.parametrize("reason", Exclusion, ids=lambda each: each.name.lower())
def test_an_excluded_hazard_is_listed_with_its_reason(reason, tmp_path, capsys):
    program, code = EXCLUDED[reason]
    found = considered(tmp_path, capsys, program)
    assert (code, EXCLUSIONS[reason]) in {(each["code"], each["outcome"]) for each in found}
    assert main(["check", "--no-cache", "--select", code, str(tmp_path / "program.py")]) == 0


OUTCOMES = {
    "reported": ("@jax.jit\ndef f(x):\n    return float(x.sum())  # here\n", "JAX102", "reported"),
    "comment": (
        "@jax.jit\ndef f(x):\n    return float(x.sum())  # here  # noqa: JAX102\n",
        "JAX102",
        "a comment silences it",
    ),
    "preview": (
        "@jax.jit\ndef f(x):\n    return x + jax.random.normal(jax.random.key(0), x.shape)  # here\n",
        "JAX405",
        "the rule is in preview: `--preview` turns it on",
    ),
    "value": (
        "@jax.jit\ndef f(x):\n    return elsewhere(1)  # here\n",
        None,
        "its value is not known, and nothing is reported of it",
    ),
    "tree": (
        "@jax.jit\ndef f(x):\n    return x  # here\n",
        None,
        "it may be an array or a tree of arrays: no caller says which",
    ),
    "eager": (
        "def f():\n    return jnp.ones(3)  # here\n\n\nf()\n",
        None,
        "f runs eagerly: no transform around it is known",
    ),
    "caller": (
        "def f(x):\n    return jnp.ones(3)  # here\n",
        None,
        "f may be traced or not: no caller of it is known",
    ),
    "nothing": (
        "@jax.jit\ndef f(x):\n    return x\n    # here\n",
        None,
        "no expression that begins on this line is evaluated",
    ),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_what_became_of_a_line(name, tmp_path, capsys):
    program, code, outcome = OUTCOMES[name]
    assert (code, outcome) in {(each["code"], each["outcome"]) for each in considered(tmp_path, capsys, program)}


def test_a_rule_that_is_off_says_so(tmp_path, capsys):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX102"]\n')
    found = considered(tmp_path, capsys, "@jax.jit\ndef f(x):\n    return float(x.sum())  # here\n")
    (outcome,) = [each["outcome"] for each in found if each["code"] == "JAX102"]
    assert outcome == "the configuration turns the rule off for this file"


def test_the_report_for_people_names_rule_place_and_reason(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return float(x.sum())  # noqa: JAX102\n")
    assert main(["reveal", "--why-silent", f"{path}:6"]) == 0
    output = capsys.readouterr().out
    assert "JAX102 python-cast-on-tracer" in output and "x.sum()" in output
    assert "not reported: a comment silences it" in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{path}"], "--why-silent needs a line: {path}:12"),
        (["{path}:7"], "{path} has no line 7"),
        (["{path}:1", "--root", "{path}"], "--why-silent takes no --root"),
        (["{path}:1", "{path}:2"], "--why-silent takes one line: {path}:1"),
    ],
)
def test_a_use_without_an_answer_says_what_to_give(arguments, said, tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text("x = 1\n")
    assert main(["reveal", "--why-silent", *(each.format(path=path) for each in arguments)]) == 2
    assert said.format(path=path) in capsys.readouterr().err
