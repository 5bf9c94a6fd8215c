"""The harness itself: that it reads fixtures as documented, and that a false claim does not pass."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint.verify.fixture import Claim, Expectation, FixtureError, FixtureFile, parse_proof

pytest.importorskip("jax", reason="the harness runs fixtures under real JAX, which is not installed")

from jaxlint.verify import command, compare, oracle, place, proofs, worker
from jaxlint.verify.execute import run_case
from jaxlint.verify.instrument import RECORD, instrumented

PRELUDE = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"


def fixture(tmp_path: Path, text: str, name: str = "bad.py") -> FixtureFile:
    path = tmp_path / name
    path.write_text(PRELUDE + text)
    return FixtureFile.read(path)


def problem(tmp_path: Path, text: str):
    """What is wrong with the first proof of the first case."""
    bad = fixture(tmp_path, text)
    return proofs.show(bad, bad.cases[0], bad.cases[0].proofs[0], "JAX103").problem


# --- reading ------------------------------------------------------------------------------------


def test_a_file_is_read_into_cases():
    text = (
        "import jax\n"
        "\n"
        "# run: f(1.0,\n"
        "#      2.0)\n"
        "# proves: raises TypeError later at run on gpu jax>=0.4.31\n"
        "# reference: 3.0\n"
        "# runs: f(1, 2)\n"
        "# fixed: by hand\n"
        "def f(x, y):\n"
        "    return x  # a remark  # expect: JAX103 @12 unsafe, JAX101 @+1:5 none\n"
        "\n"
        "# run: g()\n"
        "# proves: style the guide\n"
        "def g(): ...\n"
    )
    first, second = (read := FixtureFile.parse(text, Path("bad.py"))).cases
    assert (first.start, first.body, first.end, second.end) == (3, 9, 12, 15)
    assert first.run == "f(1.0, 2.0)" and first.reference == "3.0" and first.runs == [("f(1, 2)", 7)]
    assert first.by_hand and not second.by_hand
    proof = first.proofs[0]
    assert (proof.names, proof.later, proof.at, str(proof.condition)) == (
        ("TypeError",),
        True,
        "run",
        "on gpu jax>=0.4.31",
    )
    assert second.proofs[0].text == "the guide"
    assert read.expectations == [Expectation(10, 12, "JAX103", "unsafe"), Expectation(11, 5, "JAX101", "none")]
    assert read.program(second).splitlines()[2:11] == [""] * 9


def test_comments_of_the_harness_are_stripped_and_nothing_else_moves():
    text = "import jax\n\n# run: f()\n# proves: leaks\ndef f():\n    s = '# expect: no'  # kept  # expect: JAX103 @1 none\n"
    read = FixtureFile.parse(text, Path("bad.py"))
    assert read.linted == "import jax\n\n\n\ndef f():\n    s = '# expect: no'  # kept\n"
    assert read.unfixed == "import jax\n\n# run: f()\n# proves: leaks\ndef f():\n    s = '# expect: no'  # kept\n"


def test_crlf_survives_stripping():
    read = FixtureFile.parse("import jax\r\nx = 1  # expect: JAX103 @1 none\r\n", Path("bad.py"))
    assert read.linted == "import jax\r\nx = 1\r\n"


def test_a_revealed_comment_holds_alternatives():
    read = FixtureFile.parse("reveal(x)  # revealed: traced staged; parameter of `f` | static\n", Path("m.py"))
    assert read.revealed == {1: (Claim("traced", "staged", "parameter of `f`"), Claim("static", None, None))}


@pytest.mark.parametrize(
    "text",
    [
        "# proves: explodes\n",
        "# proves: raises\n",
        "# proves: retraces many\n",
        "# proves: prints nothing\n",
        "# proves: leaks here\n",
        "# run: f()\n# run: g()\n",
        "# run: f()\n# fixed: somehow\n",
        "# run: f()\n# also: pmap\n",
        "# run: (f(), g())\n# also: jit\n",
        "# run: f()\n# before: 0.4.30\n",
        "# run: f()\n# before: jax>=0.4.30\n",
        "x = 1  # expect: JAX103 8 unsafe\n",
        "x = 1  # expect: JAX103 @8 certain\n",
        "x = 1  # revealed: tracer\n",
        "x = (\n",
    ],
)
def test_a_comment_that_means_nothing_is_refused_with_its_line(text):
    with pytest.raises(FixtureError, match=r"bad\.py:\d+: "):
        FixtureFile.parse(text, Path("bad.py"))


def test_conditions_are_judged_by_platform_and_version():
    def holds(text: str) -> bool:
        return place.holds(parse_proof(f"leaks {text}".strip(), 1, Path("bad.py")).condition)

    platform = place.here()["platform"]
    other = "gpu" if platform == "cpu" else "cpu"
    assert holds("") and holds(f"on {platform} jax>=0.4") and holds("jax<100")
    assert not holds(f"on {other}") and not holds("jax>=100") and not holds("no-such-package>=0")


# --- proofs: what is true passes, what is not does not -------------------------------------------

BRANCH = "# run: f(1.0)\n# proves: {}\n@jax.jit\ndef f(x):\n    y = x + 1\n    if (\n        x > 0\n    ):{}\n        return x\n    return y\n"


def test_raises_needs_the_error_and_the_line(tmp_path):
    flagged = "  # expect: JAX103 @-1:9 unsafe"
    assert problem(tmp_path, BRANCH.format("raises TracerBoolConversionError", flagged)) is None
    assert "should raise ValueError" in problem(tmp_path, BRANCH.format("raises ValueError", flagged))
    elsewhere = "  # expect: JAX103 @-3:9 unsafe"
    assert "the line should be 10" in problem(tmp_path, BRANCH.format("raises TracerBoolConversionError", elsewhere))
    assert "the line should be 2" in problem(tmp_path, BRANCH.format("raises TracerBoolConversionError at 2", flagged))
    assert "needs the line" in problem(tmp_path, BRANCH.format("raises TracerBoolConversionError later", flagged))


def test_a_compound_statement_does_not_include_its_body():
    text = "for i in (\n    1,\n):\n    f(i)\nelse:\n    g()\n"
    assert proofs.statement_rows(text, 2) == {1, 2, 3, 5}
    assert proofs.statement_rows(text, 4) == {4}


@pytest.mark.parametrize(
    "claim, true, false",
    [
        (
            "differs",
            "# run: f(jnp.ones(2))\n@jax.jit\ndef f(x): return np.array_equal(x, x)\n",
            "# run: f(jnp.ones(2))\n@jax.jit\ndef f(x): return jnp.array_equal(x, x)\n",
        ),
        (
            "retraces 3",
            "# run: [jax.jit(lambda v: f(v))(1.0) for _ in range(3)]\ndef f(x): return x\n",
            "# run: [jax.jit(f)(1.0) for _ in range(3)]\ndef f(x): return x\n",
        ),
        (
            "retraces 3",
            "# run: [jax.jit(lambda v: f(v))(1.0) for _ in range(3)]\nitself = {}\nitself['itself'] = itself\ndef f(x): return x\n",
            "# run: [jax.jit(f)(1.0) for _ in range(3)]\nitself = {}\nitself['itself'] = itself\ndef f(x): return x\n",
        ),
        (
            "prints TRACER",
            "# run: f(1.0)\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n",
            "# run: f(1.0)\n@jax.jit\ndef f(x):\n    jax.debug.print('{}', x)\n    return x\n",
        ),
        (
            "leaks",
            "# run: f(1.0)\nkept = []\n@jax.jit\ndef f(x):\n    kept.append(x)\n    return x\n",
            "# run: f(1.0)\nkept = []\n@jax.jit\ndef f(x):\n    kept.append(1)\n    return x\n",
        ),
        (
            "reuses",
            "# run: (a, b)\nk = jax.random.key(0)\na = jax.random.normal(k)\nb = jax.random.uniform(k)\n",
            "# run: (a, b)\nk, l = jax.random.split(jax.random.key(0))\na = jax.random.normal(k)\nb = jax.random.normal(l)\n",
        ),
        (
            "reuses",
            "# run: (a, b)\nk = jax.random.PRNGKey(0)\na = jax.random.normal(k)\nb = jax.random.normal(k)\n",
            "# run: (a, b)\nk = jax.random.PRNGKey(0)\na = jax.random.normal(k)\nb = jax.random.normal(k) + 1\n",
        ),
        ("warns UserWarning", "# run: jnp.zeros(3, dtype='float64')\nx = 1\n", "# run: jnp.zeros(3)\nx = 1\n"),
        ("measured size", "# run: 3\nx = 1\n", "# run: 'three'\nx = 1\n"),
        ("style the guide", "# run: 3\nx = 1\n", "# run: 1 / 0\nx = 1\n"),
    ],
)
def test_a_claim_passes_only_where_it_is_true(tmp_path, claim, true, false):
    assert problem(tmp_path, f"# proves: {claim}\n{true}") is None
    assert problem(tmp_path, f"# proves: {claim}\n{false}") is not None


def mended(tmp_path: Path, bad_text: str, fixed_text: str) -> list[str]:
    bad, fixed = fixture(tmp_path, bad_text), fixture(tmp_path, fixed_text, "fixed.py")
    return proofs.mended(bad, bad.cases[0], fixed, fixed.cases[0])


def test_a_fix_gives_the_value_of_the_plain_call(tmp_path):
    bad = "# run: f(2.0)\n# proves: raises TracerBoolConversionError\n@jax.jit\ndef f(x):\n    return x if x > 0 else -x\n"
    right = bad.replace("x if x > 0 else -x", "jnp.where(x > 0, x, -x)")
    wrong = bad.replace("x if x > 0 else -x", "jnp.where(x > 0, -x, x)")
    assert mended(tmp_path, bad, right) == []
    assert "differs from the reference" in mended(tmp_path, bad, wrong)[0]
    assert "should run" in mended(tmp_path, bad, bad)[0]


def test_a_fix_without_a_plain_call_needs_a_reference(tmp_path):
    bad = "# run: jax.vmap(f)(jnp.ones(2))\n# proves: raises TracerBoolConversionError\ndef f(x):\n    return x if x > 0 else -x\n"
    fixed = bad.replace("x if x > 0 else -x", "jnp.where(x > 0, x, -x)")
    assert "write a `# reference:`" in mended(tmp_path, bad, fixed)[0]
    assert mended(tmp_path, "# reference: jnp.ones(2)\n" + bad, "# reference: jnp.ones(2)\n" + fixed) == []
    assert mended(tmp_path, "# reference: jnp.zeros(2)\n" + bad, "# reference: jnp.zeros(2)\n" + fixed) != []


def test_a_mended_key_gives_draws_that_differ_and_keep_their_form(tmp_path):
    bad = (
        "# run: (a, b)\n# proves: reuses\nk = jax.random.key(0)\nk1, k2 = jax.random.split(jax.random.key(1))\n"
        "a = jax.random.normal(k, (2,))\nb = jax.random.normal(k, (2,))\n"
    )
    right = bad.replace("b = jax.random.normal(k,", "b = jax.random.normal(k1,")
    assert mended(tmp_path, bad, right) == []
    assert mended(tmp_path, bad, bad) != []
    assert (
        "another form"
        in mended(tmp_path, bad, right.replace("b = jax.random.normal(k1, (2,))", "b = jax.random.normal(k1, (3,))"))[0]
    )


CALLED = (
    "# run: f(jnp.array([1.0, 4.0, -2.0]))\n# proves: raises TracerBoolConversionError\n# also: jit, vmap, grad\n"
    "def f(x):\n    y = x * x\n    return y * 3.0 if x.sum() > 2 else x\n"
)


@pytest.mark.parametrize(
    "fixed_code, wrong",
    [
        ("jnp.where(x.sum() > 2, y * 3.0, x)", []),
        ("jax.lax.stop_gradient(jnp.where(x.sum() > 2, y * 3.0, x))", ["grad"]),
        ("y * 3.0", ["vmap"]),
        ("np.where(x.sum() > 2, y * 3.0, x)", ["jit", "vmap", "grad"]),
        ("jnp.where(x.sum() > 2, y * 3.0, x).astype(jnp.float16)", ["jit", "vmap", "grad"]),
    ],
)
def test_a_fix_is_held_to_the_original_under_other_transforms(tmp_path, fixed_code, wrong):
    from jaxlint.verify import transforms

    bad = fixture(tmp_path, CALLED)
    fixed = fixture(tmp_path, CALLED.replace("y * 3.0 if x.sum() > 2 else x", fixed_code), "fixed.py")
    case, fixed_case = bad.cases[0], fixed.cases[0]
    found = {each: transforms.difference(bad, case, fixed, fixed_case, each) for each in case.also}
    assert [each for each, problem in found.items() if problem] == wrong, found


def test_a_gradient_is_estimated_where_the_original_has_none(tmp_path):
    from jaxlint.verify import transforms

    text = "# run: f(jnp.array([0.5, 1.0]))\n# proves: raises TracerArrayConversionError\n# also: grad\ndef f(x):\n    return np.sin(x)\n"
    bad = fixture(tmp_path, text)
    for code, right in (("jnp.sin(x)", True), ("jnp.sin(x) - jax.lax.stop_gradient(x) + x", False)):
        fixed = fixture(tmp_path, text.replace("np.sin(x)", code), "fixed.py")
        found = transforms.difference(bad, bad.cases[0], fixed, fixed.cases[0], "grad")
        assert (found is None) == right, found


def test_a_run_leaves_no_configuration_behind(tmp_path):
    import jax

    read = fixture(tmp_path, "# run: jnp.ones(1).dtype\njax.config.update('jax_enable_x64', True)\n")
    assert str(run_case(read, read.cases[0]).value) == "float64"
    assert not jax.config.jax_enable_x64


# --- comparison -----------------------------------------------------------------------------------


_HALF_WRITTEN = """
import sys
from pathlib import Path
import jax
from jaxlint.verify.execute import run_case
from jaxlint.verify.fixture import FixtureFile

read = FixtureFile.read(Path(sys.argv[1]))
print(len(run_case(read, read.cases[0]).warnings))
for entry in Path(sys.argv[2]).iterdir():
    entry.write_bytes(entry.read_bytes()[:50])
jax.clear_caches()
print(len(run_case(read, read.cases[0]).warnings))
"""


def test_a_compiled_program_that_another_process_is_writing_is_no_warning_of_the_fixture(tmp_path):
    case = fixture(tmp_path, "# run: f(jnp.ones(3))\n@jax.jit\ndef f(x):\n    return jnp.sin(x) + 1\n").path
    compiled = tmp_path / "compiled"
    environment = {
        **os.environ, "JAX_COMPILATION_CACHE_DIR": str(compiled),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }  # fmt: skip
    command = [sys.executable, "-c", _HALF_WRITTEN, str(case), str(compiled)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert list(compiled.iterdir()) and done.stdout.split() == ["0", "0"], done.stderr


@pytest.mark.parametrize("platform, platforms", [("cpu", "cpu"), ("gpu", "cuda,cpu"), ("tpu", "tpu")])
def test_workers_share_a_platform_and_keep_a_cpu_for_callbacks(monkeypatch, platform, platforms):
    monkeypatch.delenv("XLA_PYTHON_CLIENT_PREALLOCATE", raising=False)
    assert "XLA_PYTHON_CLIENT_PREALLOCATE" not in worker.environment()
    environment = worker.environment(platform)
    assert environment["JAX_PLATFORMS"] == platforms
    assert environment["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"


def test_as_many_folders_are_verified_at_a_time_as_there_are_processors(monkeypatch):
    def jobs(processors):
        monkeypatch.setattr(os, "cpu_count", lambda: processors)
        command.add_arguments(parser := argparse.ArgumentParser())
        return parser.parse_args([]).jobs

    assert [jobs(each) for each in (None, 2, 64)] == [1, 2, 8]


def test_values_are_compared_by_shape_dtype_and_value():
    import jax
    import jax.numpy as jnp
    import numpy as np

    one = jnp.float32(1)
    assert compare.difference({"a": one}, {"a": 1.0}) is None
    assert compare.difference(one, np.float32(1)) is None
    assert compare.difference(jnp.float32(jnp.nan), jnp.float32(jnp.nan)) is None
    assert compare.difference(jax.random.key(0), jax.random.key(0)) is None
    assert compare.difference(jax.random.key(0), jax.random.key(1)) is not None
    assert compare.difference(one, 1) is not None
    assert compare.difference(one, jnp.ones(1)) is not None
    assert compare.difference(one, jnp.float16(1)) is not None
    assert compare.difference([one], (one,)) is not None
    assert compare.difference(one, one + 1e-7) is None
    assert compare.difference(one, np.nextafter(np.float32(1), np.float32(2)) * one, bits=True) is not None
    assert compare.difference(one, np.float32(1), bits=True) is not None


# --- the oracle's execution half -------------------------------------------------------------------

PROGRAM = '''
import jax
import jax.numpy as jnp


class Base:
    def __init__(self):
        self.scale = 2


class Model(Base):
    def __init__(self):
        super().__init__()
        self.__bias = jnp.ones(3)

    def __call__(self, x):
        return x * self.scale + self.__bias


@jax.jit
def step(x, *, k=1 + 1):
    """Docstring."""
    first, *rest = x
    size = x.shape[0]
    x = x.at[0].set(size)
    label = f"é{x.shape[0]:>{k}}"
    if (n := len(x)) > 2:
        del rest
    scaled = [i * x for i in range(3) if i]
    match k:
        case 2:
            x = x[1:, None]
    return x, sum(scaled), {**{"n": n}}


def numbers():
    yield from (yield 1, 2)


out = step(jnp.arange(4.0))
model = Model()(jnp.ones(3))
'''


def test_instrumented_code_does_what_the_original_does():
    observer = oracle.Observer()
    plain, watched = {"__name__": "plain"}, {"__name__": "watched", RECORD: observer}
    exec(compile(PROGRAM, "program.py", "exec"), plain)
    exec(instrumented(PROGRAM, "program.py"), watched)
    assert compare.difference(watched["out"], plain["out"], bits=True) is None
    assert compare.difference(watched["model"], plain["model"], bits=True) is None
    seen = {PROGRAM[start:end]: facts for (start, end), facts in observer.facts.items()}
    assert seen["x.at[0].set(size)"] == {"tracer"}
    assert seen["x.shape[0]"] == {"scalar"}
    assert seen["self.__bias"] == {"array"}
    assert seen["x[1:, None]"] == {"tracer"}
    assert seen["x * self.scale + self.__bias"] == {"array"}
    assert "super" not in seen and "1:" not in seen


def test_only_data_and_scalars_made_from_data_count():
    observer = oracle.Observer()
    exec(instrumented(PROGRAM, "program.py"), {"__name__": "watched", RECORD: observer})
    counted = {PROGRAM[start:end] for start, end in oracle.counting(PROGRAM, observer.facts)}
    assert {"x.shape[0]", "size", "len(x)", "n", "(n := len(x)) > 2"} <= counted
    assert not {"1 + 1", "k", "self.scale", "range(3)", "i"} & counted


# --- results, scaffold ------------------------------------------------------------------------------


def test_what_was_not_run_here_shows_what_was_recorded(tmp_path):
    from jaxlint.verify import results

    def row(platform: str, version: str, **more) -> dict:
        return results.Report(
            "JAX103", "branch-on-tracer", {"platform": platform, "jax": version}, cases=2, **more
        ).row()

    here = row("cpu", "0.10.2")
    assert results.columns([here], []) == {"cpu, jax 0.10.2": {"JAX103": "proven"}, "gpu": {"JAX103": "not yet run"}}
    path = tmp_path / "recorded.json"
    results.record([row("gpu", "0.10.2"), row("cpu", "0.9.0"), here], path)
    results.record([row("gpu", "0.10.2", problems={"proof": ["bad.py:3: did not raise"]})], path)
    earlier = results.recorded(path)
    assert len(earlier) == 3
    (failing,) = (each for each in earlier if each["platform"] == "gpu")
    assert failing["failures"] == ["[proof] bad.py:3: did not raise"]
    date = failing["date"]
    assert {heading: column["JAX103"] for heading, column in results.columns([here], earlier).items()} == {
        "cpu, jax 0.9.0": f"proven ({date})",
        "cpu, jax 0.10.2": "proven",
        "gpu, jax 0.10.2": f"failed ({date})",
    }
    assert f"| JAX103 | branch-on-tracer | 2 | 0 | proven ({date}) | proven | failed ({date}) |" in results.markdown(
        [here], earlier
    )


def test_a_rule_with_proofs_for_other_platforms_only_is_not_proven_here():
    from jaxlint.verify.results import Report

    assert Report("JAX207", "uninitialised-empty", skipped=["bad.py:3: on gpu"], cases=1).outcome == "not run here"


def test_the_messages_of_one_rule_are_recorded_beside_the_others():
    from jaxlint.knowledge import messages
    from jaxlint.verify.raised import raised, versions

    if messages.read()["versions"] != versions():
        pytest.skip("the messages were recorded with other versions of JAX, Python or the frameworks")
    assert raised(frozenset({"JAX114"})) == messages.read()["errors"]


def test_a_new_rule_has_a_module_and_fixtures(tmp_path):
    from jaxlint.verify.scaffold import ScaffoldError, scaffold

    module, bad, good = scaffold(tmp_path / "fixtures", "JAX199", "made-up-rule", tmp_path / "rules")
    assert module == tmp_path / "rules/concretization/made_up_rule.py"
    linted = ["ruff", "check", "--isolated", "--select", "E,F,I,UP", "--line-length", "120", module]
    assert subprocess.run(linted, capture_output=True, check=False).returncode == 0
    namespace = {}
    exec(compile(module.read_text(), str(module), "exec"), namespace)
    assert namespace["RULE"].code == "JAX199"
    assert bad.parent == tmp_path / "fixtures/concretization/made-up-rule"
    assert FixtureFile.read(bad).cases[0].proofs and FixtureFile.read(good).facts
    for code, name in (("JAX199", "made-up-rule"), ("JAX99", "x"), ("JAX198", "Bad_Name"), ("JAX900", "another")):
        with pytest.raises(ScaffoldError):
            scaffold(tmp_path / "fixtures", code, name, tmp_path / "rules")


# --- the checks: a folder that is right passes, each mistake is found by its check --------------------

BAD = (
    PRELUDE
    + """\
# run: step(jnp.float32(4.0))
# proves: raises ConcretizationTypeError
@jax.jit
def step(x):
    return x.item() * 2.5  # expect: JAX101 @12 unsafe


# run: branch(jnp.float32(4.0))
# proves: raises TracerBoolConversionError|ConcretizationTypeError
# fixed: by hand
@jax.jit
def branch(x):
    large = x > 2
    return 2 * x if large.item() else x  # expect: JAX101 @21 unsafe
"""
)
BY_HAND = "    return jnp.where(x > 2, 2, 1) * x\n"


@pytest.fixture
def folder(tmp_path):
    """A fixture folder for JAX101 that passes everything but the number of near misses."""
    from jaxlint.hazards.registry import find
    from jaxlint.verify.bless import bless

    path = tmp_path / "concretization" / "item-on-tracer"
    path.mkdir(parents=True)
    (path / "bad.py").write_text(BAD)
    (path / "good.py").write_text(
        PRELUDE + "# fact: `x` is not traced\n# run: f(jnp.ones(1))\ndef f(x):\n    return x.item()\n"
    )
    bless(path, find("JAX101"))
    written = (path / "fixed.py").read_text()
    head, marker, _ = written.rpartition("def branch(x):\n")
    (path / "fixed.py").write_text(head + marker + BY_HAND)
    return path


def failures(folder: Path, file: str = "", old: str = "", new: str = "") -> dict[str, list[str]]:
    """What each check says after one replacement in one file."""
    from jaxlint.verify.worker import verify_folder

    if file:
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new))
    report = verify_folder(folder)
    assert not report.died
    return {check: problems for check, problems in report.problems.items() if problems}


def test_a_right_folder_passes(folder):
    assert "large" not in (folder / "fixed.py").read_text()
    assert failures(folder) == {"good": [f"{folder / 'good.py'}: has 1 near misses; JAX101 needs at least 12"]}


@pytest.mark.parametrize(
    "check, file, old, new",
    [
        ("findings", "bad.py", "@12 unsafe", "@13 unsafe"),
        ("findings", "bad.py", "@12 unsafe", "@12 none"),
        ("findings", "bad.py", "  # expect: JAX101 @12 unsafe", ""),
        ("findings", "bad.py", "def branch(x):\n", "def branch(x):  # expect: JAX103 @1 none\n"),
        ("messages", "bad.txt", "  JAX101 `.item()`", "  JAX101 `.items()`"),
        ("messages", "bad.txt", "  why: `x` is a parameter of `step`\n       step: def step(«x»):\n", ""),
        ("messages", "bad.txt", "step: def step(«x»):", "step: «def» step(x):"),
        ("messages", "bad.txt", "  fix (unsafe): ", "  fix (safe): "),
        ("messages", "bad.py", "large.item()", "large[0].item()"),
        ("proof", "bad.py", "raises ConcretizationTypeError\n@", "raises ValueError\n@"),
        ("proof", "bad.py", "# proves: raises ConcretizationTypeError\n@", "@"),
        ("values", "fixed.py", BY_HAND, "    return x\n"),
        ("fixed", "fixed.py", BY_HAND, "    return x.missing\n"),
        ("fixed", "fixed.py", "# run: step(jnp.float32(4.0))", "# run: step(jnp.float32(5.0))"),
        ("golden", "fixed.py", "    return x * 2.5\n", "    return x * 2.50\n"),
        ("golden", "fixed.py", BY_HAND, "    large = x > 2\n    return 2 * x if large.item() else x\n"),
        ("good", "good.py", "def f", "@jax.jit\ndef f"),
        ("good", "good.py", "    return x.item()", "    jnp.zeros(3, dtype='float64')\n    return x.item()"),
        ("good", "good.py", "# fact: `x` is not traced\n", ""),
        ("good", "good.py", "# run: f(jnp.ones(1))\n", ""),
        ("safe", "bad.py", "@12 unsafe", "@12 safe"),
    ],
)
def test_each_mistake_is_found(folder, check, file, old, new):
    before = failures(folder)
    after = failures(folder, file, old, new)
    assert set(after.get(check, [])) - set(before.get(check, []))


def test_a_golden_file_of_messages_that_is_missing_is_named_with_the_command_that_writes_it(folder):
    golden = folder / "bad.txt"
    golden.unlink()
    (problem,) = failures(folder)["messages"]
    assert problem == f"{golden}: is missing; `python -m jaxlint.verify bless JAX101` writes it"


def test_a_message_that_explain_does_not_know_is_named_with_the_command_that_writes_it(folder, monkeypatch):
    from jaxlint.knowledge import messages
    from jaxlint.verify import raised

    known = messages.read()
    monkeypatch.setattr(messages, "read", lambda: {**known, "versions": raised.versions()})
    assert "proof" not in failures(folder)
    monkeypatch.setattr(messages, "all_messages", lambda: ())
    problems = failures(folder)["proof"]
    assert len(problems) == 2 and all("does not lead from this message to JAX101: " in each for each in problems)
    assert "`python -m jaxlint.verify.raised` writes it" in problems[0]
    monkeypatch.setattr(messages, "read", lambda: {**known, "versions": {"jax": "0.0"}})
    assert "proof" not in failures(folder), "another release may say it otherwise"


def test_messages_do_not_change_with_the_rows_of_their_code(folder):
    assert "messages" not in failures(folder, "bad.py", PRELUDE, PRELUDE + "\n# A comment.\nunused = 1\n\n\n")


def test_blessing_keeps_what_is_written_by_hand(folder):
    from jaxlint.hazards.registry import find
    from jaxlint.verify.bless import bless

    (folder / "fixed.py").write_text((folder / "fixed.py").read_text().replace("x * 2.5", "x * 99"))
    bless(folder, find("JAX101"))
    text = (folder / "fixed.py").read_text()
    assert "x * 2.5" in text and BY_HAND in text and "expect" not in text
    (folder / "bad.py").write_text(BAD.replace("branch(jnp.float32(4.0))", "branch(jnp.float32(5.0))"))
    said = bless(folder, find("JAX101"))
    assert any("not written" in line for line in said)
    assert (folder / "fixed.py").read_text() == text


def test_a_folder_that_kills_its_process_costs_only_its_own_report(folder, tmp_path):
    from jaxlint.verify.worker import Worker

    fatal = tmp_path / "fatal" / "item-on-tracer"
    fatal.mkdir(parents=True)
    (fatal / "bad.py").write_text("import os\n# proves: leaks\nos._exit(3)\n")
    worker = Worker()
    assert "died" in worker.verify(fatal).died
    report = worker.verify(folder)
    worker.close()
    assert not report.died and report.cases == 2


def test_the_command_prints_a_table_and_fails_for_a_failing_rule(folder, capsys):
    import json

    from jaxlint.cli import main

    root = str(folder.parent.parent)
    assert main(["verify", "JAX101", "--fixtures", root, "--output-format", "json"]) == 1
    (row,) = json.loads(capsys.readouterr().out)["rules"]
    assert (row["rule"], row["outcome"], row["platform"], row["cases"]) == ("JAX101", "failed", "cpu", 2)
    assert row["failures"] == [f"[good] {folder / 'good.py'}: has 1 near misses; JAX101 needs at least 12"]
    assert main(["verify", "no-such-rule", "--fixtures", root]) == 2
    assert "no-such-rule" in capsys.readouterr().err
