"""A fix is applied only if the file says nothing after it that it did not say before."""

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from jaxlint.analysis.domain.values import Array, Aval
from jaxlint.configuration.config import Configs
from jaxlint.fixing.apply import Asked, fix_source, tried
from jaxlint.fixing.trial import Evaluated, objection
from jaxlint.run.cache import entry_of
from jaxlint.run.job import Job
from jaxlint.run.pipeline import check_source
from jaxlint.run.runner import process
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic, Edit, Fix
from jaxlint.source.text import Source

BOTH = [Applicability.SAFE, Applicability.UNSAFE]


def source(text):
    return Source.from_text(text, "a.py")


def finding(text, piece, code="JAX103", level=Applicability.UNSAFE, content=""):
    """A finding at a piece of a text, with a fix that replaces it."""
    start = text.index(piece)
    at = source(text).position(start)
    fix = Fix("rewrite", (Edit(start, start + len(piece), content),), level)
    return Diagnostic(code, "any", f"about {piece}", "a.py", at, at, fix=fix)


def against(before, after, found=(), left=(), allow=BOTH, applied=None):
    found = list(found)
    return objection(source(before), found, found if applied is None else applied, source(after), list(left), allow)


@pytest.mark.parametrize("before, after, reason", [
    ("x = 1\n", "x = y\n", "it leaves `y` undefined"),
    ("def f():\n    return 1\n", "def f():\n    return jnp.sin(1)\n", "it leaves `jnp` undefined"),
    ("import jax\n", "from jax.tree import map\n", "it hides the builtin `map`"),
    ("def f(k):\n    a = g(k)\n    b = g(k)\n", "def f(k):\n    a = g(k1)\n    k1, k2 = g(k)\n    b = g(k2)\n", "it reads `k1` before it is assigned"),
    ("from a import *\ndef f(k):\n    a = k\n    b = k\n", "from a import *\ndef f(k):\n    a = c\n    c = k\n", "it reads `c` before it is assigned"),
])  # fmt: skip
def test_names_that_a_fix_breaks(before, after, reason):
    before = "g = len\n" + before
    assert against(before, "g = len\n" + after) == reason


@pytest.mark.parametrize("before, after", [
    ("x = unknown\n", "x = unknown + 1\n"),
    ("map = 1\n", "map = 2\n"),
    ("from lib import *\nx = 1\n", "from lib import *\nx = y\n"),
    ("def f(x):\n    return x\n", "def f(x):\n    for i in range(3):\n        x = x + i\n    return x\n"),
    ("def f(x):\n    return x\n", "def f(x):\n    return [y for y in x]\n"),
    ("def f(x):\n    return x\n", "def f(x):\n    global made\n    made = x\n    return made\n"),
    ("class A:\n    pass\n", "class A:\n    size = 1\n    other = size\n"),
    ("try:\n    pass\nexcept ValueError:\n    pass\n", "try:\n    pass\nexcept ValueError as error:\n    str(error)\n"),
    ("x = 1\n", "x = __file__\n"),
])  # fmt: skip
def test_names_that_are_all_right(before, after):
    assert against(before, after) == ""


TEXT = "a = one\nb = two\nc = three\n"


def test_a_finding_in_a_line_that_the_fix_wrote_speaks_against_it():
    found = [finding(TEXT, "two")]
    after = TEXT.replace("two", "a")
    assert against(TEXT, after, found, [finding(after, "b", "JAX104")], allow=[])
    assert against(TEXT, after, found, [finding(after, "b", "JAX103")], allow=[]), "the finding itself has to go"
    assert against(TEXT, after, found, [finding(after, "b", "JAX104")]) == "", "the next pass fixes it"


def test_a_finding_in_another_line_speaks_against_unsafe_fixes_alone():
    after = TEXT.replace("two", "a")
    left = [finding(after, "three")]
    assert against(TEXT, after, [finding(TEXT, "two")], left, allow=[]) == "it leads to JAX103 in line 3: about three"
    assert against(TEXT, after, [finding(TEXT, "two", level=Applicability.SAFE)], left, allow=[]) == ""


def test_findings_that_were_there_before_do_not_count():
    found = [finding(TEXT, "two"), finding(TEXT, "three")]
    after = "import jax\n" + TEXT.replace("two", "a")
    assert against(TEXT, after, found, [finding(after, "three")], allow=[], applied=found[:1]) == ""
    inside = "if a:\n    c = three\n"
    after = TEXT.replace("b = two\nc = three\n", inside)
    assert against(TEXT, after, found, [finding(after, "three")], allow=[], applied=found[:1]) == ""


def test_only_the_fix_that_does_not_stand_is_left_out():
    text = "import jax\nx = one\ny = two\nz = three\n"

    def check(given):
        pieces = {"one": "1", "two": "undefined", "three": "3"}
        return [finding(given.text, piece, content=pieces[piece]) for piece in re.findall(r"one|two|three", given.text)]

    done = fix_source(source(text), check, BOTH)
    assert done.source.text == "import jax\nx = 1\ny = two\nz = 3\n" and len(done.fixed) == 2 and done.error is None
    (left,) = done.remaining
    assert (
        left.fix.applicability is Applicability.DISPLAY
        and "(not applied: it leaves `undefined` undefined)" in left.fix.message
    )


def test_only_fixes_that_stand_are_asked_about():
    text = "import jax\nx = one\ny = two\n"

    def check(given):
        pieces = {"one": "1", "two": "undefined"}
        return [finding(given.text, piece, content=pieces[piece]) for piece in re.findall(r"one|two", given.text)]

    questions = []
    asked = Asked(lambda each, given: not questions.append(given.line(each.start.row)))
    assert fix_source(source(text), check, BOTH, asked).source.text == "import jax\nx = 1\ny = two\n"
    assert questions == ["x = one"]


def test_no_more_fixes_are_tried_one_by_one_than_a_bounded_number(monkeypatch):
    from jaxlint.fixing import apply

    monkeypatch.setattr(apply, "MAX_TRIALS", 2)
    text = "".join(f"x{number} = two{number}\n" for number in range(4))
    checks = []

    def check(given):
        checks.append(given)
        return [finding(given.text, piece, content="undefined") for piece in re.findall(r"two\d", given.text)]

    done = fix_source(source(text), check, BOTH)
    assert done.source.text == text and len(checks) <= 5
    assert ["too many" in each.fix.message for each in done.remaining] == [False, False, True, True]


@pytest.mark.parametrize("depth, broken", [(3, True), (199, True), (200, False)])
def test_a_line_that_brackets_would_nest_too_deep_stays_long(depth, broken):
    text = f"def f(x, names):\n    return names.x + {'(' * depth}x{')' * depth}\n"
    found = [finding(text, "names.x", content="names.xyz")]
    limit = max(map(len, text.split("\n")))
    done = fix_source(source(text), lambda given: found if given.text == text else [], BOTH, line_length=limit)
    assert ("return (\n        names.xyz + (" in done.source.text) is broken
    assert ("return names.xyz + (" in done.source.text) is not broken


def test_a_rewrite_whose_next_mistake_has_no_fix_is_shown(tmp_path, monkeypatch):
    """`.item()` keeps a traced size from being seen; without it the size is what fails, and nothing can be done about that."""
    monkeypatch.chdir(tmp_path)
    text = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef step(x):\n    y = jnp.abs(x)\n    n = y.sum().item()\n    return jnp.zeros(n)\n"
    config = Configs().for_file("a.py")
    found = check_source(source(text), config).diagnostics
    done = fix_source(source(text), lambda given: check_source(given, config).diagnostics, BOTH)
    assert [each.code for each in found] == ["JAX101"]
    if found[0].fix is not None and found[0].fix.applicability in BOTH:
        assert done.source.text == text and "not applied" in done.remaining[0].fix.message


def repaired(text):
    config = Configs().for_file("a.py")
    return fix_source(source(text), lambda given: check_source(given, config).diagnostics, BOTH).source.text


def test_a_size_that_no_caller_can_compute_is_shown_only():
    """The caller is compiled, too, so that what it passes has no value yet."""
    inner = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef inner(labels):\n    return jnp.zeros(labels.max() + 1)\n"
    outer = "\n\n@jax.jit\ndef outer(labels):\n    return inner(labels)\n"
    assert "int(labels.max() + 1)" in repaired(inner)
    assert repaired(inner + outer) == inner + outer


@pytest.mark.parametrize("shardings", ["P('d')", "(P('d'),)", "spec", "read.spec", "made(spec)", "(None, given)"])
def test_a_pjit_keeps_the_mesh_around_it(shardings):
    """`jax.jit` does not look at `with mesh:`, which is where `pjit` finds the axes of a `PartitionSpec`."""
    text = (
        "from jax.experimental.pjit import pjit\nfrom jax.sharding import PartitionSpec as P\n\nspec = P('d')\n"
        "f = lambda read, given, made, mesh: pjit(lambda x: x, in_shardings={})\n"
    )
    assert repaired(text.format(shardings)) == text.format(shardings)
    partial = text.replace("pjit(lambda x: x, ", "partial(pjit, ").replace(
        "from", "from functools import partial\nfrom", 1
    )
    assert repaired(partial.format(shardings)) == partial.format(shardings)
    older = partial.replace("in_shardings", "in_axis_resources").format(shardings)
    assert repaired(older) == partial.format(shardings)
    assert "pjit" not in repaired(text.format("None"))
    assert "pjit" not in repaired(
        text.format("(jax.sharding.NamedSharding(mesh, spec), None)").replace("from", "import jax\nfrom", 1)
    )


PIECES = {"one": "1", "two": "undefined", "three": "3", "four": "("}


def check_pieces(given):
    return [finding(given.text, piece, content=PIECES[piece]) for piece in re.findall("|".join(PIECES), given.text)]


def levels(found):
    return [(each.fix.applicability.value, "not applied" in each.fix.message) for each in found]


def test_a_report_shows_the_fixes_that_stand_their_trial_at_their_level():
    text = source("x = one\ny = two\nz = three\nw = four\n")
    found = check_pieces(text)
    offered, withheld = ("unsafe", False), ("display", True)
    assert levels(tried(text, found, check_pieces)) == [offered, withheld, offered, withheld]
    assert levels(tried(text, found, check_pieces, only=found[1:2])) == [offered, withheld, offered, offered]
    assert tried(text, found, check_pieces, only=found[:1])[0] is found[0]


def test_the_fixes_of_a_file_are_tried_together_and_then_up_to_a_bounded_number(monkeypatch):
    from jaxlint.fixing import apply

    checks = []

    def check(given):
        checks.append(given)
        return check_pieces(given)

    good = source("x = one\nz = three\n" * 30)
    assert {level for level, _ in levels(tried(good, check_pieces(good), check))} == {"unsafe"} and len(checks) <= 60
    monkeypatch.setattr(apply, "MAX_TRIALS", 2)
    text = source("".join(f"x{number} = two{number}\n" for number in range(5)))
    shown = tried(text, [finding(text.text, f"two{number}", content="undefined") for number in range(5)], check_pieces)
    assert ["too many" in each.fix.message for each in shown] == [False, False, True, True, True]


@pytest.mark.parametrize("output_format", ["json", "json-lines", "sarif"])
def test_what_other_programs_apply_has_been_tried(tmp_path, output_format):
    path = tmp_path / "a.py"
    path.write_text(
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    y = x.sum().item()\n    x = jnp.zeros(y)\n    return x\n"
    )
    config = Configs({"select": ["JAX1", "JAX2"]}).for_file(str(path))
    job = Job(str(path), config)
    (offered,) = process(job).diagnostics
    (shown,) = process(job._replace(tried=True)).diagnostics
    assert offered.fix.applicability is not Applicability.DISPLAY
    assert shown.fix.applicability is Applicability.DISPLAY and "not applied: " in shown.fix.message
    assert (
        entry_of(offered_source := source(path.read_text()), config).path
        != entry_of(offered_source, config, tried=True).path
    )
    done = subprocess.run(
        [sys.executable, "-m", "jaxlint", "check", "--isolated", "--no-cache", "--output-format", output_format, str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ("not applied: " in done.stdout) or output_format == "sarif" and '"fixes"' not in done.stdout


CHOICE = """\
import jax
import jax.numpy as jnp


@jax.jit
def f(x, flag):
    if flag.sum() > 0:
        y = {}
    else:
        y = {}
    return y


f(jnp.ones((4, 3)), jnp.ones(2))
"""


@pytest.mark.parametrize("one, other, objection", [
    ("x.sum(axis=0)", "x.sum(axis=1)", "it leads to JAX213"),
    ("x.mean()", "2.0 * x", "`where` would choose between"),
    ("x", "2.0 * x", None),
    ("x", "0.0", None),
])  # fmt: skip
def test_a_choice_between_two_shapes_is_shown_only(tmp_path, one, other, objection):
    path = tmp_path / "a.py"
    path.write_text(CHOICE.format(one, other))
    (shown,) = process(Job(str(path), Configs().for_file(str(path)), tried=True)).diagnostics
    assert (shown.fix.applicability is Applicability.UNSAFE) is (objection is None)
    assert objection is None or objection in shown.fix.message


def test_a_choice_that_computes_what_fails_is_shown_only(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(CHOICE.format("x", "x").replace("y = x", "y = x[x > 0]", 1))
    found = {each.code: each for each in process(Job(str(path), Configs().for_file(str(path)), tried=True)).diagnostics}
    assert found["JAX103"].fix.applicability is Applicability.DISPLAY
    assert "it leads to JAX203" in found["JAX103"].fix.message


def test_what_other_lines_read_keeps_its_shape_and_kind():
    before, after = "a = 1 + 1\nb = a\n", "a = 2\nb = a\n"

    def judged(*forms):
        kept = {
            text: [Evaluated(text.index("a\n"), text.index("a\n") + 1, Array("staged", Aval(*form)))]
            for text, form in zip((before, after), forms)
        }
        found = [replace(finding(before, "1 + 1"), category=Category.WRONG)]
        return objection(source(before), found, found, source(after), [], BOTH, lambda given: kept[given.text])

    assert judged(("float32", (3,)), ("float32", (1, 3))) == "`a` in line 2 becomes float[1, 3], and is float[3]"
    assert judged(("int32", (3,)), ("float32", (3,))) == "`a` in line 2 becomes float[3], and is int[3]"
    assert judged(("float32", (3,)), ("bfloat16", (3,))) == ""
    assert judged((None, (None,)), ("float32", (3,))) == judged(("float32", None), ("float32", (3,))) == ""


JITTED = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x, y, flag):\n{}\n"


@pytest.mark.parametrize(
    ("body", "stands"),
    [
        ("    return x[:2] if y.sum() > 0 else x", False),
        ("    return x[0] if y.sum() > 0 else x", False),
        ("    return x if y.sum() > 0 else x.mean(axis=0)", False),
        ("    return jnp.concatenate([x, y]) if y.sum() > 0 else x", False),
        ("    if y.sum() > 0:\n        x = x.T\n    return x", False),
        ("    return x if y.sum() > 0 else x.mean(axis=0, keepdims=True)", True),
        ("    return x[:2] if y.sum() > 0 else y[:2]", True),
        ("    return x[..., :] if y.sum() > 0 else x", True),
        ("    return jnp.exp(x) if y.sum() > 0 else x", True),
        ("    z = jnp.where(y > 0, x, x.mean()); return z if y.sum() > 0 else x", True),
    ],
)
def test_a_choice_between_an_array_and_a_part_of_it_is_shown_only(tmp_path, body, stands):
    assert unsafe_fix_stands(tmp_path, JITTED.format(body)) is stands


@pytest.mark.parametrize(
    ("start", "step", "called", "stands"),
    [
        ("0.0", "s = s + x[i]", "", False),
        ("0.0", "s += x[i]", "", False),
        ("0.0", "s = x[i] * s", "", False),
        ("0.0", "s = s + x[i]", "jax.vmap(f, in_axes=(None, None, 0))(jnp.ones(4), jnp.ones(4), jnp.arange(3))", True),
        ("0.0", "s = s + x[i, 0, 0]", "", True),
        ("0.0", "s = s + i", "", True),
        ("x", "s = s[1:]", "", False),
        ("x", "s = jnp.append(s, y[i])", "", True),  # by a static number of rounds
        ("x", "s = s + y[i]", "", True),
    ],
)
def test_a_loop_that_may_change_the_shape_of_what_it_carries_is_shown_only(tmp_path, start, step, called, stands):
    body = f"    s = {start}\n    for i in range(flag):\n        {step}\n    return s"
    text = JITTED.format(body).replace("@jax.jit\n", "" if called else "@jax.jit\n") + f"\n\n{called}\n"
    assert unsafe_fix_stands(tmp_path, text) is stands


def unsafe_fix_stands(folder, text):
    path = folder / "a.py"
    path.write_text(text)
    found = process(Job(str(path), Configs().for_file(str(path)), tried=True)).diagnostics
    assert found
    return any(each.fix is not None and each.fix.applicability is Applicability.UNSAFE for each in found)


CALLEE = "import jax\nimport jax.numpy as jnp\nfrom elsewhere import dropout\n\n\n@jax.jit\ndef f(x, train):\n    return {}\n\n\n{}\n"


@pytest.mark.parametrize(
    ("use", "call", "written"),
    [
        ("dropout(x, not train)", "f(jnp.ones(3), jnp.array(True))", None),
        ("dropout(x, deterministic=not train)", "f(jnp.ones(3), jnp.array(True))", None),
        ("dropout(x, not train)", "f(jnp.ones(3), True)", "static_argnames"),
        ("dropout(x, not train)", "f(jnp.ones(3), train=False)", "static_argnames"),
        ("jnp.where(not train, x, 0.0)", "f(jnp.ones(3), jnp.array(True))", "logical_not"),
    ],
)
def test_a_flag_that_an_unseen_function_may_branch_on_stays_one(tmp_path, use, call, written):
    path = tmp_path / "a.py"
    path.write_text(CALLEE.format(use, call))
    (found,) = process(Job(str(path), Configs().for_file(str(path)), tried=True)).diagnostics
    assert (found.fix.applicability is Applicability.UNSAFE) is (written is not None)
    assert (written or "logical_not") in " ".join(edit.content for edit in found.fix.edits)


def test_a_fix_that_makes_a_module_fail_is_shown_only(tmp_path):
    (tmp_path / "pairs.py").write_text(
        "import jax.numpy as jnp\n\n\ndef energy(x, pairs):\n    return (jnp.take(x, pairs) ** 2).sum()\n"
    )
    path = tmp_path / "a.py"
    head = "import jax\nimport jax.numpy as jnp\nfrom pairs import energy\n\npairs = jnp.array([0, 1])\n"
    path.write_text(head + "print(jax.grad(energy, argnums=1)(jnp.ones(3), pairs))\n")
    config = Configs().for_file(str(path))
    outcomes = [
        process(Job(str(path), config, tried=True)),
        process(Job(str(path), config._replace(unsafe_fixes=True), fix=True, write=False)),
    ]
    for outcome in outcomes:
        (found,) = outcome.diagnostics
        assert found.code == "JAX507" and not outcome.fixed and not outcome.elsewhere
        assert "it leads to JAX212 in line 5 of `pairs.py`" in found.fix.title


ONE_TEXT_EACH = """\
import jax
import jax.numpy as jnp


@jax.jit
def f(x, flag):
    if x.sum() > 0:
        return jnp.where(flag, x, 0.0)
    return x[x > 0].sum() * x


print(f(jnp.ones(3), True))
"""


@pytest.mark.parametrize("way", [{"fix": True, "write": False}, {"tried": True}])
def test_each_text_of_a_trial_is_analysed_once(tmp_path, monkeypatch, way):
    import jaxlint.analysis
    from jaxlint.run import on_trial, pipeline

    runs, texts = [], []
    analyse, check_root = jaxlint.analysis.analyse, on_trial.check_root

    def checked(text, *rest, **said):
        texts.append(text.text)
        return check_root(text, *rest, **said)

    monkeypatch.setattr(jaxlint.analysis, "analyse", lambda unit, **said: runs.append(unit) or analyse(unit, **said))
    for module in (on_trial, pipeline):
        monkeypatch.setattr(module, "check_root", checked)
    path = tmp_path / "a.py"
    path.write_text(ONE_TEXT_EACH)
    outcome = process(Job(str(path), Configs().for_file(str(path))._replace(unsafe_fixes=True), **way))
    assert outcome.fixed or outcome.diagnostics
    assert len(runs) == len(texts) == len(set(texts)) > 1
