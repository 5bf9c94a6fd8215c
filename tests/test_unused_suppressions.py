"""Comments that silence nothing (JAX901): only where that is certain, and gone without a trace when they are fixed."""

import json
import subprocess
import sys

import pytest

from jaxlint.cli import main
from jaxlint.configuration.config import Config
from jaxlint.hazards.registry import all_rules
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

HEAD = "import jax\nimport jax.numpy as jnp\n\n"


@pytest.fixture
def jaxlint(tmp_path, monkeypatch, capfd):
    """Runs `jaxlint check` in the folder. Returns exit code and output."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["check", *arguments])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        assert err == ""
        return code, out

    return run


@pytest.fixture
def reported(jaxlint):
    """Row and text of each comment, or part of one, that is reported."""

    def run(*arguments):
        _, out = jaxlint("--output-format", "json", *(arguments or ["a.py"]))
        assert "JAX902" not in out
        return [
            (each["location"]["row"], each["message"].split("`")[1])
            for each in json.loads(out)
            if each["code"] == "JAX901"
        ]

    return run


def function(line, head="@jax.jit\ndef f(x, n):"):
    return f"{HEAD}{head}\n    {line}\n"


UNUSED = {
    "module": HEAD + "x = jnp.zeros(3)  # noqa: JAX103\n",
    "no code": HEAD + "x = [\n    1,\n]  # noqa: JAX401\n",
    "blank line": HEAD + "# jaxlint: disable-next=JAX103\n",
    "shape": function("if x.ndim > 2: pass  # noqa: JAX103\n    return x if x.shape[0] > 2 else -x  # noqa: JAX401"),
    "index": function("n = (3, 4, 5)[x.ndim]  # noqa: JAX109\n    return x * n"),
    "hash": function("n = hash(x.shape)  # noqa: JAX109\n    return x * n"),
    "name": function("return jax.tree.map(jnp.sin, x)  # noqa: JAX801"),
    "name of a parameter": function("return jnp.clip(x, 0, 1)  # noqa: JAX803", "def f(x):"),
    "several": HEAD + "x = jnp.zeros(3)  # noqa: E501, JAX103, JAX201\n",
    "ours": HEAD + "x = jnp.zeros(3)  # jaxlint: disable=branch-on-tracer\n",
    "behind one that is used": function("if x > 2: pass  # noqa: JAX103, JAX801"),
    "behind one of ours that is used": function("if x > 2: pass  # jaxlint: disable=JAX103, removed-api"),
    "behind one that is not certain": function("if x: pass  # noqa: JAX103, JAX801", "def f(x):"),
    "without jax": "x = 1  # noqa: JAX103\n",
    "whole file": "x = 1\n# jaxlint: disable-file=JAX103\n",
    "as flake8": "x = 1\n# flake8: noqa: JAX103\n",
    "a block": HEAD + "# jaxlint: disable=JAX103\nx = 1\n# jaxlint: enable=JAX103\nassert x\n",
    "no such key": function("a = jax.random.normal(key)  # jaxlint: shared-key=rng\n    return a", "def f(key):"),
    "not a key": function("n = x.ndim  # jaxlint: shared-key=n\n    return x * n"),
    "an array": function("x = jnp.ones(3)  # jaxlint: shared-key=x\n    return x", "def f():"),
    "used once": HEAD + "key = jax.random.key(0)  # jaxlint: shared-key=key\nx = jax.random.normal(key)\n",
    "above": function("# jaxlint: shared-key=rng\n    return jax.random.normal(key)", "def f(key):"),
}
FIXED = {
    "module": HEAD + "x = jnp.zeros(3)\n",
    "no code": HEAD + "x = [\n    1,\n]\n",
    "blank line": HEAD,
    "shape": function("if x.ndim > 2: pass\n    return x if x.shape[0] > 2 else -x  # noqa: JAX401"),
    "index": function("n = (3, 4, 5)[x.ndim]\n    return x * n"),
    "hash": function("n = hash(x.shape)\n    return x * n"),
    "name": function("return jax.tree.map(jnp.sin, x)"),
    "name of a parameter": function("return jnp.clip(x, 0, 1)", "def f(x):"),
    "several": HEAD + "x = jnp.zeros(3)  # noqa: E501\n",
    "ours": HEAD + "x = jnp.zeros(3)\n",
    "behind one that is used": function("if x > 2: pass  # noqa: JAX103"),
    "behind one of ours that is used": function("if x > 2: pass  # jaxlint: disable=JAX103"),
    "behind one that is not certain": function("if x: pass  # noqa: JAX103", "def f(x):"),
    "without jax": "x = 1\n",
    "whole file": "x = 1\n",
    "as flake8": "x = 1\n",
    "a block": HEAD + "x = 1\nassert x\n",
    "no such key": function("a = jax.random.normal(key)\n    return a", "def f(key):"),
    "not a key": function("n = x.ndim\n    return x * n"),
    "an array": function("x = jnp.ones(3)\n    return x", "def f():"),
    "used once": HEAD + "key = jax.random.key(0)\nx = jax.random.normal(key)\n",
    "above": function("return jax.random.normal(key)", "def f(key):"),
}


@pytest.mark.parametrize("name", UNUSED)
def test_a_comment_that_silences_nothing_goes(tmp_path, name, jaxlint, reported):
    (tmp_path / "a.py").write_text(UNUSED[name])
    assert len(reported()) == (2 if name == "several" else 1)
    code, out = jaxlint("--fix", "a.py")
    assert code == 0, out
    assert (tmp_path / "a.py").read_text() == FIXED[name]


@pytest.mark.parametrize(
    "line, left",
    [
        ("x = 1  # a reason # noqa: JAX103", "x = 1  # a reason"),
        ("x = 1  # type: ignore  # noqa: JAX103", "x = 1  # type: ignore"),
        ("x = 1  # noqa: JAX103  # type: ignore", "x = 1  # type: ignore"),
        ("x = 1  # noqa: JAX103 because of this", "x = 1  # because of this"),
        ("x = 1  # why # noqa: JAX103 because of this", "x = 1  # why because of this"),
        ("x = 1  # noqa: JAX103, E501, F401", "x = 1  # noqa: E501, F401"),
        ("x = 1  # noqa: E501 JAX103 F401", "x = 1  # noqa: E501 F401"),
        ("x = 1  # jaxlint: disable=JAX103,JAX104 - a reason", "x = 1  # a reason"),
        ("# jaxlint: disable-next=JAX103: a reason\nx = 1", "# : a reason\nx = 1"),
        ("    # jaxlint: disable-next=JAX103\r\nx = 1\r\n", "x = 1\r\n"),
    ],
)
def test_other_text_of_the_comment_stays(tmp_path, line, left, jaxlint):
    (tmp_path / "a.py").write_bytes(line.encode())
    jaxlint("--fix", "a.py")
    assert (tmp_path / "a.py").read_bytes().decode().replace("# - a", "# a") == left


SILENT = {
    "used": function("if x.sum() > 2: pass  # noqa: JAX103"),
    "used by our own": function("if x.sum() > 2: pass  # jaxlint: disable=branch-on-tracer"),
    "an index that is traced": function("return (3, 4, 5)[x]  # noqa: JAX109"),
    "an array that is hashed": function("return hash(x)  # noqa: JAX109"),
    "a caller decides about the index": function("return (3, 4, 5)[n]  # noqa: JAX109"),
    "a caller decides about the hash": function("return hash(n)  # noqa: JAX109", "def f(x, n):"),
    "bare": HEAD + "x = jnp.zeros(3)  # noqa\n",
    "of another tool": HEAD + "x = jnp.zeros(3)  # noqa: E501\n",
    "a caller decides": function("if x: pass  # noqa: JAX103", "def f(x):"),
    "a caller decides although it is traced": function("if x: pass  # noqa: JAX103"),
    "a caller decides about the name": function("x.tree_map  # noqa: JAX801", "def f(x):"),
    "the calls of this file say nothing of others": function("if n > 2: pass  # noqa: JAX103", "def f(n):") + "f(3)\n",
    "a key": function("return jax.random.normal(x)  # noqa: JAX401"),
    "a transform, of which other files call the result": HEAD + "def f(x): ...\ng = jax.jit(f)  # noqa: JAX118\n",
    "what ran before": HEAD + "import os\nos.environ['XLA_FLAGS'] = ''  # noqa: JAX520\n",
    "a preview rule among them": HEAD + "x = jnp.zeros(3)  # noqa: JAX51\n",
    "a rule that is off": HEAD + "x = jnp.zeros(3)  # noqa: JAX405\n",
    "itself": HEAD + "x = jnp.zeros(3)  # noqa: JAX103, JAX901\n",
    "no comment": HEAD + "x = '# noqa: JAX103'\n",
    "a file that cannot be read": "x = (  # noqa: JAX103\n",
    "a shared key": function(
        "a = jax.random.normal(key)  # jaxlint: shared-key=key\n    return a + jax.random.normal(key)", "def f(key):"
    ),
    "a key of a caller": function("return jax.random.normal(key)  # jaxlint: shared-key=key", "def f(key):"),
    "a parameter": function("return jax.random.normal(key)", "def f(\n    key,  # jaxlint: shared-key=key\n):"),
    "a key that functions read": HEAD
    + "key = jax.random.key(0)  # jaxlint: shared-key=key\ndef f():\n    return jax.random.normal(key)\n",
    "an array that may be a key": function(
        "y = jnp.asarray(x)  # jaxlint: shared-key=y\n    return jax.random.normal(y)", "def f(x):"
    ),
    **{
        f"a function that another may call: {name}": HEAD
        + f"@jax.jit\ndef f(x):\n    n = x.ndim\n    return 1 if n > 2 else 0  # noqa: JAX103\n{code}\n"
        for name, code in {
            "by its name": "g = f",
            "by an attribute": "import sys\ng = sys.modules[__name__].f",
            "by a string": "g = globals()['f']",
        }.items()
    },
    "an object that may hold one": function("n = [x]  # jaxlint: shared-key=n\n    return n"),
    "a caller decides what it is": function("x.y  # jaxlint: shared-key=x.y", "def f(x):"),
}


@pytest.mark.parametrize("comment, message", [
    ("# jaxlint: shared-kye=key", "no directive"), ("# jaxlint: disable=branch-on-trace", "no rule is called"),
    ("# jaxlint: shared-key=a-b", "not the name of a variable"), ("# jaxlint: shared-key", "must say which keys"),
])  # fmt: skip
def test_a_comment_that_cannot_be_understood_is_reported(tmp_path, jaxlint, comment, message):
    (tmp_path / "a.py").write_text(f"{HEAD}x = 1  {comment}\n")
    code, out = jaxlint("--output-format", "concise", "a.py")
    assert code == 1 and out.startswith("a.py:4:8: JAX901 ") and message in out
    assert jaxlint("--ignore", "JAX901", "a.py")[0] == 0


@pytest.mark.parametrize("name", SILENT)
def test_what_is_not_certain_is_silent(tmp_path, name, reported):
    (tmp_path / "a.py").write_text(SILENT[name])
    assert reported() == []


def test_rules_that_are_not_selected_are_not_judged(tmp_path, reported):
    (tmp_path / "a.py").write_text(UNUSED["module"])
    assert reported("--select", "JAX2", "a.py") == []
    assert reported("--ignore", "JAX103", "a.py") == []
    assert reported("--select", "JAX103", "a.py") == [(4, "JAX103")]
    assert reported("--ignore", "JAX901", "a.py") == []
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint.per-file-ignores]\n"a.py" = ["JAX103"]\n')
    assert reported() == []


def test_rules_that_are_off_in_tests_are_not_judged(tmp_path, reported):
    (rule, *_) = [each for each in all_rules() if not each.in_tests and each.on == "default" and each.hazards]
    text = f"{HEAD}x = [\n    1,\n]  # noqa: {rule.code}\n"
    (tmp_path / "a.py").write_text(text)
    (tmp_path / "test_a.py").write_text(text)
    assert reported() == [(6, rule.code)]
    assert reported("test_a.py") == []


CALLED = "import jax\n\n\ndef helper(x):\n    if x.sum() > 2:  # noqa: JAX103\n        return x\n    return -x\n"
CALLER = "import jax\nfrom a import helper\n\n\n@jax.jit\ndef f(x):\n    return helper(x)\n"


def test_what_a_caller_needs_is_needed_whether_the_caller_is_named_or_not(tmp_path, reported):
    (tmp_path / "a.py").write_text(CALLED)
    (tmp_path / "b.py").write_text(CALLER)
    for arguments in (["a.py"], ["a.py", "b.py"], ["b.py"], ["."]):
        assert reported(*arguments) == []


ODD = "import jax\n\n\ndef helper(x):\n    if x.ndim > 2:  # noqa: JAX103\n        return x\n    return -x\n"
ODD_CALLER = """\
import jax
from a import helper


class Odd:
    def __init__(self, ndim):
        self.ndim = ndim


@jax.jit
def f(x):
    return helper(Odd(x.sum()))
"""


@pytest.mark.parametrize("cached", [False, True])
def test_what_another_file_of_the_run_silences_with_it_is_used(tmp_path, cached, jaxlint, reported):
    (tmp_path / "a.py").write_text(ODD)
    (tmp_path / "b.py").write_text(ODD_CALLER)
    assert reported("--no-cache", "--no-importers", "a.py") == [(5, "JAX103")]
    for named in (["a.py", "b.py"], ["a.py"], ["a.py"]):
        assert reported(*([] if cached else ["--no-cache"]), *named) == []
    (tmp_path / "a.py").write_text(ODD.replace("  # noqa: JAX103", ""))
    assert '"JAX103"' in jaxlint("--output-format", "json", ".")[1]


def test_a_cached_result_says_the_same(tmp_path, reported):
    (tmp_path / "a.py").write_text(UNUSED["module"])
    assert reported() == reported() == [(4, "JAX103")]
    (tmp_path / "a.py").write_text(FIXED["module"])
    assert reported() == []


def test_comments_of_a_notebook_are_judged_cell_by_cell(tmp_path, jaxlint, reported):
    def code(text):
        return {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": text.splitlines(keepends=True),
        }

    cells = [
        code("import jax\n!ls  # noqa: JAX103\n!ls  # jaxlint: disable="),
        code("x = 1  # noqa: JAX103\n# jaxlint: disable-next=JAX103"),
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    assert reported("a.ipynb") == [(1, "JAX103"), (2, "JAX103")]
    assert jaxlint("--fix", "a.ipynb")[0] == 0
    sources = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]
    assert [source.rstrip("\n") for source in sources] == [
        "import jax\n!ls  # noqa: JAX103\n!ls  # jaxlint: disable=",
        "x = 1",
    ]


def test_flake8_looks_after_its_own_comments(tmp_path):
    (tmp_path / "a.py").write_text(UNUSED["module"] + "y = jnp.zeros(3)  # jaxlint: disable=branch-on-tracer\n")
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "JAX", "a.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert [line.split(" ")[:2] for line in run.stdout.splitlines()] == [["a.py:5:38:", "JAX901"]], (
        run.stdout + run.stderr
    )


def test_a_finding_says_what_to_remove(tmp_path, jaxlint):
    (tmp_path / "a.py").write_text(UNUSED["module"])
    assert "help: Remove `JAX103`." in jaxlint("a.py")[1]


@pytest.mark.parametrize("listed", ["JAX103", "JAX104, JAX103", "JAX104, JAX801, JAX103"])
def test_a_silenced_finding_names_the_place_of_its_code(listed):
    text = function(f"if x > 2: pass  # jaxlint: disable={listed}")
    [silenced] = check_source(Source.from_text(text, "a.py"), Config(root="")).silenced
    row = next(line for line in text.split("\n") if "jaxlint" in line)
    assert [spot.column for spot in silenced.by] == [row.index("JAX103") + 1]
