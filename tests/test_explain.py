"""`jaxlint explain` with the name of an error or a traceback: which rule it is a case of, and at which line."""

import importlib
import io
import json
import os
import re
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from jaxlint.cli import main
from jaxlint.configuration.config import Configs
from jaxlint.explain import failure
from jaxlint.explain.traceback import parse
from jaxlint.hazards.registry import all_rules, find
from jaxlint.hazards.resources import fixtures_root
from jaxlint.knowledge import errors, messages, misuse
from jaxlint.verify.errors import derived
from jaxlint.verify.fixture import FixtureFile

PROGRAMS = {
    # JAX's own frames stand between the user's, however it is told to filter them.
    "branch.py": (
        "import jax\n\n\n@jax.jit\ndef clip(x):\n    if x > 0:\n        return x\n    return -x\n\n\nclip(1.0)\n"
    ),
    # The helper is no concern of its own file: only its caller traces it.
    "helper.py": "def clipped(x):\n    if x > 0:\n        return x\n    return -x\n",
    "train.py": "import jax\n\nfrom helper import clipped\n\nstep = jax.jit(lambda x: clipped(x) + 1)\nstep(1.0)\n",
    "wrapped.py": (
        "from branch_only import clip\n\n\ndef run():\n    try:\n        clip(1.0)\n    except Exception as error:\n"
        "        raise RuntimeError('the step failed') from error\n\n\nrun()\n"
    ),
    "cleanup.py": (
        "import jax\nimport jax.numpy as jnp\n\n\ndef clean():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n\n\n"
        "try:\n    {}['seed']\nexcept KeyError:\n    clean()\n"
    ),
    "backwards.py": (
        "import jax\nfrom jax import lax\n\n\ndef grown(x):\n"
        "    return lax.while_loop(lambda c: c < 10.0, lambda c: c * 2, x)\n\n\njax.value_and_grad(grown)(1.0)\n"
    ),
    "callback.py": (
        "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n@jax.jit\ndef closed(x):\n    def host():\n"
        "        return np.asarray(x) + 1\n\n    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype))\n"
        "\n\nclosed(jnp.arange(3.0)).block_until_ready()\n"
    ),
    "leak.py": (
        "import jax\n\nseen = []\n\n\n@jax.jit\ndef remember(x):\n    y = x + 1\n    seen.append(y)\n    return y\n\n\n"
        "remember(1.0)\ntotal = seen[0] + 1\n"
    ),
    "several_lines.py": (
        "import jax\nimport numpy as np\n\n\n@jax.jit\ndef both(x):\n    return (\n        x\n        + np.sin(\n"
        "            x\n        )\n    )\n\n\nboth(1.0)\n"
    ),
    "method.py": (
        "import jax\n\n\nclass Counter:\n    def __init__(self, by):\n        self.by = by\n\n    @jax.jit\n"
        "    def times(self, x):\n        return self.by * x\n\n\nCounter(2).times(3.0)\n"
    ),
    "other.py": "import jax\n\n\ndef load(name):\n    return {}[name]\n\n\nload('seed')\n",
    "own_error.py": "class BadSeedError(Exception):\n    pass\n\n\nraise BadSeedError('seed must be even')\n",
    "test_clip.py": "import branch_only\n\n\ndef test_clip():\n    assert branch_only.clip(1.0) == 1.0\n",
    "branch_only.py": "import jax\n\n\n@jax.jit\ndef clip(x):\n    if x > 0:\n        return x\n    return -x\n",
}
# IPython's own text, made with the module `branch_only` above.
IPYTHON = """\
---------------------------------------------------------------------------
TracerBoolConversionError                 Traceback (most recent call last)
Cell In[1], line 2
      1 import branch_only
----> 2 branch_only.clip(1.0)

    [... skipping hidden 5 frame]

File {folder}/branch_only.py:6, in clip(x)
      4 @jax.jit
      5 def clip(x):
----> 6     if x > 0:
      7         return x
      8     return -x

    [... skipping hidden 1 frame]

File /usr/lib/python3/dist-packages/jax/_src/core.py:1961, in concretization_function_error.<locals>.error(self, arg)
   1960 def error(self, arg):
-> 1961   raise TracerBoolConversionError(arg)

TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].
"""


@pytest.fixture
def explain(capfd, monkeypatch):
    """Runs the command in this process. Returns exit code, standard output and standard error."""

    def run(*arguments, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(["explain", *map(str, arguments)])
        sys.stdout.flush()
        return code, *capfd.readouterr()

    return run


@pytest.fixture
def explained(explain):
    """What the command says of a traceback, as data: exit code, error, how it matches, and code and row of findings."""

    def run(text, subject="-"):
        code, out, _err = explain(subject, "--output-format", "json", stdin=text)
        said = json.loads(out)
        found = [
            (each["code"], os.path.basename(each["filename"]), each["location"]["row"]) for each in said["findings"]
        ]
        return code, said["error"].rpartition(".")[2], said["match"], found

    return run


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A folder to work in, with the programs."""
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_python(*arguments, **environment):
    """What a run of real Python prints, without colours."""
    settings = {**os.environ, "JAX_PLATFORMS": "cpu", "NO_COLOR": "1", **environment}
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, env=settings)
    assert done.returncode != 0, "the program was to fail"
    return done.stdout + done.stderr


# --- names of errors -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["TracerBoolConversionError", "jax.errors.TracerBoolConversionError", "tracerboolconversionerror"]
)
def test_error_of_jax(explain, name):
    code, out, _ = explain(name)
    assert code == 0
    assert out.startswith("jax.errors.TracerBoolConversionError\n")
    assert out.index("JAX103") < out.index("JAX108"), "the rule that is about the error comes first"
    assert "if x.sum() < y.sum():" in out and "jnp.where(x.sum() < y.sum(), x, y)" in out
    assert "# run:" not in out


@pytest.mark.parametrize(
    "name, rule",
    [
        ("NonEmptyStateError", "JAX605"),
        ("flax.errors.TraceContextError", "JAX612"),
        ("dataclasses.FrozenInstanceError", "JAX621"),
        ("InconclusiveDimensionOperation", "JAX711"),
        ("KeyReuseError", "JAX401"),
        ("TypeError", "JAX308"),
    ],
)
def test_error_as_data(explain, name, rule):
    code, out, _ = explain(name, "--output-format", "json")
    said = json.loads(out)
    assert (code, said["error"]) == (0, name.rpartition(".")[2])
    rules = {each["code"]: each for each in said["rules"]}
    assert rules[rule]["example"]["bad"] and said["meaning"]


@pytest.mark.parametrize(
    "name, nearest",
    [
        ("TracerBolConversionError", "TracerBoolConversionError"),
        ("jax.errors.ConcretisationError", "ConcretizationTypeError"),
        ("UnexpectedTracer", "UnexpectedTracerError"),
        ("branch-on-trace", "branch-on-tracer"),
        ("JAX193", "JAX"),
    ],
)
def test_misspelt_name(explain, name, nearest):
    code, out, err = explain(name)
    assert (code, out) == (2, "")
    assert f"`{name}`; did you mean `{nearest}" in err


# --- words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "matched"),
    [
        (["donation"], "JAX505", "name"),
        (["Array has been deleted"], "JAX505", "message"),
        (["Array", "has", "been", "deleted"], "JAX505", "message"),
        (["RuntimeError: Array has been deleted with shape=float32[8]."], "JAX505", "message"),
        (
            ["TypeError: einsum requires ndarray or scalar arguments, got <class 'list'> at position 0."],
            "JAX209",
            "message",
        ),
        (["same random numbers"], "JAX401", "summary"),
        (["boolean index"], "JAX203", "summary"),
        (["slow loop"], "JAX514", "name"),
        (["KeyReuseError in a loop"], "JAX402", "name"),
        (["unhashable"], "JAX502", "name"),
        (["device sync in every iteration"], "JAX514", "summary"),
    ],
)
def test_words_lead_to_the_rule(explain, words, code, matched):
    status, out, err = explain(*words, "--output-format", "json")
    first, *_ = [each for each in json.loads(out) if "code" in each]
    assert (status, err, first["code"], first["matched"]) == (0, "", code, matched)
    status, out, _ = explain(*words)
    assert status == 0 and f"{code} {first['name']}\n  {first['summary']}\n" in out


def test_what_is_found_says_by_which_text(explain):
    code, out, _ = explain("sharding")
    assert code == 0 and "jax._src.core.ShardingTypeError\n" in out
    assert "  message: … To fix this, please call psum under `jax.shard_map`.\n" in out
    assert "\n`jaxlint explain ShardingTypeError` shows a page." in out


def test_all_of_several_words_count(explain):
    both = json.loads(explain("key loop", "--output-format", "json")[1])
    assert {"JAX402"} <= {each.get("code") for each in both} and len(both) < len(
        json.loads(explain("loop", "--output-format", "json")[1])
    )


@pytest.mark.parametrize("words", ["zzzz", "qqq zzz", "\x1b[31m zzz"])
def test_words_that_nothing_is_about(explain, words):
    code, out, err = explain(words)
    assert (code, out) == (2, "") and "no rule and no error is about" in err and "\x1b" not in err


@pytest.mark.parametrize("page", ["errors.html", "101/errors.html"])
def test_address_that_an_error_names_leads_to_our_page_and_back(explain, page):
    address = "https://docs.jax.dev/en/latest/101/errors.html#jax.errors.TracerBoolConversionError"
    code, out, _ = explain(address.replace("101/errors.html", page))
    assert (
        code == 0 and out.startswith("jax.errors.TracerBoolConversionError\n") and f"Its own page: {address}\n" in out
    )
    assert json.loads(explain("flax.errors.NameInUseError", "--output-format", "json")[1])["reference"].endswith(
        "flax.errors.html#flax.errors.NameInUseError"
    )
    assert json.loads(explain("TypeError", "--output-format", "json")[1])["reference"] is None


# --- messages --------------------------------------------------------------------------------


def test_every_error_of_a_fixture_leads_to_its_rules(tmp_path, monkeypatch):
    """What a traceback shows of it, in a file that is not here: the class and the message are all there is to go by."""
    monkeypatch.chdir(tmp_path)
    configs = Configs()
    assert len(messages.all_messages()) > 200
    for each in messages.all_messages():
        known = errors.error(each.error)
        path = each.error if known is None else known.path
        text = f'Traceback (most recent call last):\n  File "/builds/gone.py", line 1, in f\n{path}: {each.text}\n'
        said = failure.explain(parse(text), configs)
        assert said.is_explained and set(each.rules) <= set(said.message_rules), text
        assert all(find(code).code == code for code in each.rules)
        if known is not None:
            assert set(each.rules) <= set(known.rules), "write it anew with `python -m jaxlint.verify.errors`"


def test_a_message_narrows_the_rules_down(explain):
    place = 'Traceback (most recent call last):\n  File "/builds/gone.py", line 9, in f\n'
    code, out, _ = explain("-", stdin=f"{place}ValueError: vmap got inconsistent sizes for array axes to be mapped:\n")
    assert code == 0 and "raises it with such a message" in out and "JAX515" in out and "JAX502" not in out
    assert "Mended" in out
    code, out, _ = explain("-", stdin=f"{place}Exception: Leaked trace DynamicJaxprTrace. Leaked tracer(s): x\n")
    assert code == 0 and "JAX305" in out, "a class that nothing else is known of"
    code, out, _ = explain("-", stdin=f"{place}ValueError: no such colour\n")
    assert code == 0 and "with such a message" not in out and "JAX502" in out


@pytest.mark.parametrize(
    ("message", "template"),
    [
        ("Array has been deleted with shape=float32[3].", "Array has been deleted with shape=…."),
        ("'jaxlib._jax.ArrayImpl' object has no attribute 'fill'", "'ArrayImpl' object has no attribute …"),
        ("unhashable type: 'DynamicJaxprTracer'", "unhashable type: 'Tracer'"),
        ("draw() got an unexpected keyword argument 'shpe'", "…() got an unexpected keyword argument …"),
        ("got <class 'list'> at position 0.", "got … at position …"),
        ("Can't set x. It's frozen.", "Can't set x. It's frozen."),
        ("\n\nsecond line\nthird", "second line"),
        ("function step at /home/me/a.py:12 traced", "function … at … traced"),
        ("", ""),
    ],
)
def test_what_differs_from_program_to_program_is_left_out(message, template):
    assert messages.template(message) == template


@given(st.text())
def test_any_message_is_read(message):
    template = messages.template(message)
    assert "\n" not in template and len(template) <= 202
    messages.alike(None, message)


def test_error_that_no_rule_is_about(explain):
    code, out, _ = explain("flax.errors.TransformTargetError")
    assert code == 0 and "lifted transform" in out and "No rule" in out


def test_table_is_what_the_fixtures_prove():
    stored = {each.name: list(each.rules) for each in errors.all_errors() if each.rules}
    assert stored == derived(), "write it anew with `python -m jaxlint.verify.errors`"


def test_every_error_exists():
    """Each class is where the table says, and none of `jax.errors` is missing."""
    jax = pytest.importorskip("jax")
    measured = misuse.versions()["jax"]
    if jax.__version__ != measured:
        pytest.skip(f"the table is of jax {measured}: private modules move")
    missing = []
    for each in errors.all_errors():
        if each.name in ("XlaRuntimeError", "EquinoxRuntimeError"):
            continue  # of older releases; made when it is raised
        pytest.importorskip(each.module.partition(".")[0])
        if not hasattr(importlib.import_module(each.module), each.name):
            missing.append(each.path)
    assert missing == []
    public = {name for name in dir(importlib.import_module("jax.errors")) if name[0].isupper()}
    assert public - {each.name for each in errors.all_errors()} == set()


# --- tracebacks ------------------------------------------------------------------------------


# Runs each program of the folder and keeps its traceback; one process, as JAX takes long to load.
_DRIVER = """
import sys, traceback, types, warnings
from pathlib import Path
warnings.simplefilter("ignore")
for path in sorted(Path(sys.argv[1]).glob("*.py")):
    module = sys.modules["program"] = types.ModuleType("program")
    try:
        exec(compile(path.read_text(), str(path), "exec"), vars(module))
    except Exception:
        path.with_suffix(".txt").write_text(traceback.format_exc())
"""


def test_documented_hazards(tmp_path, monkeypatch, explained):
    """The examples of the libraries' documents that raise: each traceback leads to the report at its own line."""
    monkeypatch.chdir(tmp_path)
    for package in ("jax", "flax", "haiku"):
        pytest.importorskip(package)
    wanted = {}
    for path in sorted((fixtures_root() / "documents").glob("*.py")):
        examples = FixtureFile.read(path)
        for case in examples.cases:
            if not any(proof.kind == "raises" for proof in case.proofs):
                continue
            name = f"{path.stem}_{case.start}.py"
            call = "" if case.run in (None, "None") else f"\n\njax.block_until_ready({case.run})\n"
            text = FixtureFile.parse(examples.program(case), path).linted
            (tmp_path / name).write_text(text.rstrip() + "\n" + call)
            rows = text.rstrip().count("\n") + 4  # of the call, where some can be reported as well
            wanted[name] = {(each.code, name, row) for each in examples.expected_in(case) for row in (each.row, rows)}
    subprocess.run([sys.executable, "-c", _DRIVER, tmp_path], check=True, env={**os.environ, "JAX_PLATFORMS": "cpu"})
    assert len(wanted) >= 40
    wrong = {}
    for name, expected in wanted.items():
        traceback = (tmp_path / name).with_suffix(".txt")
        if not traceback.exists():
            wrong[name] = "raised nothing"
            continue
        code, _, match, found = explained(traceback.read_text())
        if code != 0 or not expected & set(found):
            wrong[name] = (match, found)
    assert wrong == {}


@pytest.mark.parametrize("filtering", ["off", "remove_frames", "quiet_remove_frames"])
def test_filtering_of_frames(programs, explained, filtering):
    pytest.importorskip("jax")
    text = run_python("branch.py", JAX_TRACEBACK_FILTERING=filtering)
    assert explained(text) == (0, "TracerBoolConversionError", "line", [("JAX103", "branch.py", 6)])


@pytest.mark.parametrize(
    "program, error, match, finding",
    [
        ("train.py", "TracerBoolConversionError", "line", ("JAX103", "helper.py", 2)),
        (
            "wrapped.py",
            "TracerBoolConversionError",
            "line",
            ("JAX103", "branch_only.py", 6),
        ),  # its cause says what failed
        ("cleanup.py", "TypeError", "line", ("JAX308", "cleanup.py", 7)),  # the KeyError was handled
        ("backwards.py", "ValueError", "line", ("JAX511", "backwards.py", 6)),  # by JAX's note on the operation
        ("callback.py", "TracerArrayConversionError", "line", ("JAX704", "callback.py", 9)),  # told inside a message
        ("leak.py", "UnexpectedTracerError", "function", ("JAX305", "leak.py", 9)),  # the message names the function
        ("several_lines.py", "TracerArrayConversionError", "line", ("JAX301", "several_lines.py", 9)),
        ("method.py", "TypeError", "file", ("JAX504", "method.py", 8)),
    ],
)
def test_where_it_comes_from(programs, explained, program, error, match, finding):
    pytest.importorskip("jax")
    code, name, how, found = explained(run_python(program))
    assert (code, name, how) == (0, error, match)
    assert finding in found


@pytest.mark.parametrize("style", ["auto", "short"])
def test_output_of_pytest(programs, explained, style):
    pytest.importorskip("jax")
    text = run_python("-m", "pytest", "-p", "no:cacheprovider", f"--tb={style}", "test_clip.py")
    assert explained(text) == (0, "TracerBoolConversionError", "line", [("JAX103", "branch_only.py", 6)])


def test_output_of_ipython(programs, explained):
    text = IPYTHON.format(folder=programs)
    assert explained(text) == (0, "TracerBoolConversionError", "line", [("JAX103", "branch_only.py", 6)])


PLAIN = """\
Traceback (most recent call last):
  File "{folder}/branch.py", line {row}, in clip
    if x > 0:
       ^^^^^
jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].
--------------------
For simplicity, JAX has removed its internal frames from the traceback of the following exception.
"""
PLAIN_LINES = PLAIN.split("\n")


def test_full_report(programs, explain):
    code, out, err = explain("-", stdin=PLAIN.format(folder=programs, row=6))
    assert (code, err) == (0, "")
    assert "For simplicity" not in out
    assert "Raised at branch.py:6, in `clip`." in out
    assert "jaxlint reports this line (branch.py:6): JAX103 branch-on-tracer." in out
    assert (
        "6 |     if x > 0:" in out
        and "is transformed by `jit`" in out
        and "6 +     return" in out
        and "where(x > 0, x, -x)" in out
    )


def test_finding_without_a_fix_comes_with_the_mended_fixture(programs, explain):
    place = f'  File "{programs}/backwards.py", line 9, in <module>'
    text = f"Traceback (most recent call last):\n{place}\nValueError: no\n"
    code, out, _ = explain("-", stdin=text)
    assert code == 0 and "JAX511" in out and "Mended" in out and "jax.jacfwd(grown)" in out


def test_text_file(programs, explained):
    (programs / "log.txt").write_text("started\n" + PLAIN.format(folder=programs, row=6))
    assert explained(None, "log.txt")[3] == [("JAX103", "branch.py", 6)]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
        lambda text: "".join(f"[rank0]: {line}\n" for line in text.splitlines()),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\x1b[31m" + text.replace("jax.errors", "\x1b[1mjax.errors") + "\x1b[0m",
        lambda text: "epoch 1\n" + text + "\nsee you\n",
    ],
    ids=["mail", "launcher", "windows", "colours", "log"],
)
def test_what_stands_around_it(programs, explained, change):
    found = explained(change(PLAIN.format(folder=programs, row=6)))
    assert found == (0, "TracerBoolConversionError", "line", [("JAX103", "branch.py", 6)])


def test_noqa_does_not_hide_what_was_raised(programs, explained):
    path = programs / "branch.py"
    path.write_text(path.read_text().replace("> 0:", "> 0:  # noqa: JAX103"))
    assert explained(PLAIN.format(folder=programs, row=6))[3] == [("JAX103", "branch.py", 6)]


def test_configuration_of_the_file_counts(programs, explained):
    (programs / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX103"]\n')
    assert explained(PLAIN.format(folder=programs, row=6)) == (0, "TracerBoolConversionError", None, [])


def test_file_that_changed_since(programs, explain):
    path = programs / "branch.py"
    path.write_text("# a comment\n# and another\n" + path.read_text())
    code, out, _ = explain("-", stdin=PLAIN.format(folder=programs, row=6))
    assert code == 0 and "Raised at branch.py:8" in out and "has changed since" in out
    path.write_text(path.read_text().replace("x > 0", "x > 1"))
    code, out, _ = explain("-", stdin=PLAIN.format(folder=programs, row=6))
    assert code == 0 and "no longer there" in out


def test_file_of_another_machine(programs, explain, explained):
    text = PLAIN.format(folder="/builds/project", row=6)
    assert explained(text)[3] == [("JAX103", "branch.py", 6)], "the same path lies below the working directory"
    (programs / "branch.py").unlink()
    code, out, _ = explain("-", stdin=text)
    assert code == 0
    assert "Raised at /builds/project/branch.py:6, in `clip`, which cannot be read here." in out and "JAX103" in out
    code, out, _ = explain("-", stdin=text.replace("    if x > 0:\n       ^^^^^\n", ""))
    assert "No file of yours that the traceback names can be read here" in out and "JAX103" in out


def test_line_that_names_an_error(explain):
    code, out, _ = explain("-", stdin="jax.errors.TracerArrayConversionError: The numpy.ndarray conversion method …\n")
    assert code == 0 and "JAX301" in out


def test_error_that_has_nothing_to_do_with_jax(programs, explain):
    code, out, err = explain("-", stdin=run_python("own_error.py"))
    assert code == 1
    assert "own_error.py:5" in out and "nothing is known of `BadSeedError`" in err
    code, out, _ = explain("-", stdin=run_python("other.py"))
    assert code == 0 and "A dictionary has no such key" in out and "reports nothing in your code" in out


@pytest.mark.parametrize("text", ["", "hello\n", "loss: 0.1\nepoch: 2\n", "\x00\x01"])
def test_text_that_is_no_traceback(explain, text):
    code, out, err = explain("-", stdin=text)
    assert (code, out) == (2, "")
    assert "standard input holds no Python traceback; paste all of it" in err


def test_file_that_is_none(programs, explain):
    code, _, err = explain("branch.py")
    assert code == 2 and "`jaxlint check branch.py`" in err
    code, _, err = explain("missing.txt")
    assert code == 2 and "missing.txt: no such file" in err


def test_broken_configuration_is_told(programs, explain):
    (programs / "pyproject.toml").write_text("[tool.jaxlint]\nselekt = []\n")
    code, out, err = explain("-", stdin=PLAIN.format(folder=programs, row=6))
    assert code == 0 and "JAX103" in out and "pyproject.toml:2:1: " in err and "select" in err


def test_rule_that_is_not_on_by_default(monkeypatch, explain):
    """Who has a traceback is told what `check` would only say when asked."""
    preview, error = next(
        (rule, each) for rule in all_rules() for each in errors.all_errors()
        if rule.on != "default" and rule.code in each.rules
    )  # fmt: skip
    bad = fixtures_root() / preview.family / preview.name / "bad.py"
    row = next(each.row for each in FixtureFile.read(bad).expectations if each.code == preview.code)
    text = f'Traceback (most recent call last):\n  File "{bad}", line {row}, in f\n{error.path}: no\n'
    monkeypatch.chdir(bad.parent)
    code, out, _ = explain("-", stdin=text)
    assert code == 0 and f"`--extend-select {preview.code}`" in out


@given(st.lists(st.sampled_from([*PLAIN_LINES, *IPYTHON.split("\n"), "ValueError: x", "E   KeyError", "", "    x"])))
def test_any_order_of_lines_is_read(lines):
    """A text that was cut and pasted together is no reason to fail, and each frame that is read was in it."""
    text = "\n".join(lines)
    for raised in parse(text):
        assert raised.name in text
        assert all(str(frame.row) in text and frame.filename in text for frame in raised.frames)


def test_chain_of_exceptions():
    chain = parse(
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nKeyError: 'a'\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "a.py", line 2, in <module>\n    f()\n    ^^^\nValueError\n'
    )
    names = [(each.name, each.message, each.link) for each in chain]
    assert names == [("KeyError", "'a'", None), ("ValueError", "", "cause")]
    assert [(frame.row, frame.function, frame.code) for each in chain for frame in each.frames] == [
        (1, "f", "g()"), (2, "<module>", "f()"),
    ]  # fmt: skip


def test_piped_into_the_command(programs):
    """The whole way, as a shell does it."""
    pytest.importorskip("jax")
    done = subprocess.run(
        [sys.executable, "-m", "jaxlint", "explain", "-"], input=run_python("branch.py"), capture_output=True, text=True
    )
    assert done.returncode == 0 and "JAX103 branch-on-tracer" in done.stdout and done.stderr == ""


# --- code that is in no file ------------------------------------------------------------------

# Runs the cells that standard input holds as a notebook does, each error printed as IPython shows it.
NOTEBOOK = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("colors", "nocolor")
for cell in sys.stdin.read().split("# %%\\n"):
    shell.run_cell(cell, store_history=True)
"""
CELLS = """\
import jax
import jax.numpy as jnp
import numpy as np
# %%
def loss(w, x):
    \"\"\"A loss.\"\"\"
    scale = 2.0
    shift = 1.0
    hidden = x @ w
    hidden = hidden * scale + shift
    pred = np.tanh(hidden)
    return (pred**2).sum()
# %%
w = jnp.ones(3)
g = jax.grad(loss)(w, jnp.ones((4, 3)))
# %%
@jax.jit
def clip(x):
    y = x * 2
    if y > 0:
        return y
    return -y
# %%
result = clip(jnp.float32(1.0))
"""


def test_cells_of_a_notebook(tmp_path, monkeypatch, explain, explained):
    """What IPython prints of real errors in cells: the quoted code is linted, the fix is in the user's own names."""
    pytest.importorskip("jax")
    pytest.importorskip("IPython")
    settings = {**os.environ, "JAX_PLATFORMS": "cpu", "IPYTHONDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK], input=CELLS, capture_output=True, text=True, env=settings, check=True
    )
    monkeypatch.chdir(tmp_path)
    begin = "-" * 75 + "\n"
    first, second = (begin + each for each in done.stdout.split(begin)[1:])
    code, out, err = explain("-", stdin=second)
    assert (code, err) == (0, "")
    assert "Raised at notebook:cell 4:4, in `clip`, as the traceback quotes it." in out
    assert "jaxlint reports this line (notebook:cell 4:4): JAX103 branch-on-tracer." in out
    assert "4 +     return jnp.where(y > 0, y, -y)" in out
    assert explained(second) == (0, "TracerBoolConversionError", "line", [("JAX103", "notebook", 4)])
    # Above the line there is a gap, so that `hidden` is of the traced arguments by the exception's word alone.
    code, out, _ = explain("-", stdin=first)
    assert code == 0 and "JAX301 numpy-on-tracer" in out and "np.tanh(hidden)" in out
    # Older kernels give each cell the name of a file, which is gone when the kernel is.
    kernel = re.sub(r"Cell In\[(\d)\], line (\d+)", r"File /tmp/ipykernel_7/3\1.py:\2", second)
    assert explained(kernel)[2:] == ("line", [("JAX103", "ipykernel_7", 4)])
    kernel = re.sub(r"File (/tmp/ipykernel_7/\d+\.py):\d+(?:, in (\w+)\(x\))?", r"\1 in \2()", kernel)
    assert explained(kernel)[2:] == ("line", [("JAX103", "ipykernel_7", 4)])
    older = re.sub(r"Cell In\[(\d)\], line \d+(?:, in (\w+)\(x\))?", r"Input In [\1], in \2()", second)
    assert explained(older.replace("in ()", "in <cell line: 1>()"))[2:] == ("line", [("JAX103", "notebook", 4)])
    oldest = re.sub(r"Cell In\[(\d)\], line \d+(?:, in (\w+)\(x\))?", r"<ipython-input-\1-0ab4> in \2(x)", second)
    assert explained(oldest.replace("in (x)", "in <module>"))[2:] == ("line", [("JAX103", "notebook", 4)])


@pytest.mark.parametrize(
    "line, error, rule",
    [
        ("if x > 0:", "TracerBoolConversionError", "JAX103"),
        ("elif x > 0:", "TracerBoolConversionError", "JAX103"),
        ("while x > 0:", "TracerBoolConversionError", "JAX104"),
        ("return x > 0 and y > 0", "TracerBoolConversionError", "JAX105"),
        ("for i in range(n):", "TracerIntegerConversionError", "JAX107"),
        ("n = int(x)", "ConcretizationTypeError", "JAX102"),
        ("return x.item()", "ConcretizationTypeError", "JAX101"),
        ("y = jnp.zeros(n)", "TypeError: Shapes must be 1D sequences of concrete values, got (JitTracer(),)", "JAX201"),
        ("return x[x > 0]", "NonConcreteBooleanIndexError", "JAX203"),
        ("y = np.sin(x)", "TracerArrayConversionError", "JAX301"),
        ("y[0] = 1.0", "TypeError: JAX arrays are immutable and do not support in-place item assignment.", "JAX308"),
        ("y[0] = 1.0", "TypeError: 'tuple' object does not support item assignment", None),
        ("total = step(", "TracerBoolConversionError", None),
        ("if ready(x):", "TracerBoolConversionError", None),  # nothing says what the function gives
    ],
)
def test_line_of_a_file_that_is_not_here(programs, explain, explained, line, error, rule):
    name, _, message = error.partition(": ")
    prefix = "" if name == "TypeError" else "jax.errors."
    place = f'  File "/builds/gone.py", line 9, in f\n    {line}\n'
    text = f"Traceback (most recent call last):\n{place}{prefix}{name}: {message}\n"
    code, name, how, found = explained(text)
    assert (code, how, found) == (0, "quoted" if rule else None, [])
    code, out, _ = explain("-", stdin=text)
    assert "/builds/gone.py:9, in `f`, which cannot be read here" in out and f"\n    {line}\n" in out
    if rule is not None:
        assert f"traced: {rule} " in out and "Mended" in out


def test_every_error_of_jax_has_a_page(explain):
    """Each says what it means; a base class leads to the rules of the errors that JAX derives from it."""
    module = pytest.importorskip("jax.errors")
    classes = {name: each for name, each in vars(module).items() if isinstance(each, type)}
    assert len(classes) >= 12
    for name, its in classes.items():
        known = errors.error(name)
        if not known.rules:
            below = {other for other, each in classes.items() if issubclass(each, its)} - {name}
            assert {other for other in below if its in classes[other].__bases__} <= set(known.includes) <= below
        code, out, _ = explain(name)
        assert code == 0 and known.meaning[:40] in out
        if hasattr(its, "_error_page"):  # where its own messages lead; the newest releases, to a page that has moved
            moved = its._error_page.replace("/latest/errors.html", "/latest/101/errors.html")
            assert known.reference == f"{moved}#jax.errors.{name}"
        assert "Mended" in out or name == "JaxprTypeError"


@pytest.mark.parametrize(
    "where", ["", " in comparison", " while calling a Python object", " while getting the repr of an object"]
)
def test_a_recursion_without_end_is_known_wherever_it_ends(where):
    found = messages.alike("RecursionError", f"maximum recursion depth exceeded{where}")
    assert messages.rules_of(found) == ("JAX523",)
