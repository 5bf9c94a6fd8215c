"""Edits, imports, passes, and files written whole or not at all."""

import os
import re
import stat
import subprocess
from dataclasses import replace

import pytest

from jaxlint.fixing.apply import Asked, apply_edits, fix_source, resolve_imports, unified_diff
from jaxlint.source.diagnostic import Applicability, Diagnostic, Edit, Fix, ImportRequest, Position
from jaxlint.source.files import write_atomic
from jaxlint.source.reading import decoded
from jaxlint.source.text import Source, SourceError

JNP = ImportRequest("jax.numpy", alias="jnp")
JAX = ImportRequest("jax")
PARTIAL = ImportRequest("functools", "partial")


# --- edits -----------------------------------------------------------------------------------


def test_edits_are_made_wherever_they_stand_in_the_list():
    assert apply_edits("abcdef", [Edit(4, 5, "E"), Edit(0, 1, "A"), Edit(2, 2, "-")]) == "Ab-cdEf"


def test_equal_edits_count_once():
    assert apply_edits("abc", [Edit(1, 1, "x"), Edit(1, 1, "x")]) == "axbc"


@pytest.mark.parametrize("edits", [[Edit(0, 2, ""), Edit(1, 3, "")], [Edit(2, 9, "")], [Edit(2, 1, "")]])
def test_edits_that_overlap_or_leave_the_text_are_refused(edits):
    with pytest.raises(ValueError):
        apply_edits("abc", edits)


# --- imports ---------------------------------------------------------------------------------


def with_imports(text, *requests, around=None):
    source = Source.from_text(text, "a.py")
    edits = () if around is None else (Edit(around[0], around[1], text[slice(*around)]),)
    return apply_edits(text, resolve_imports(source, requests or (JNP,), edits))


def test_an_import_that_the_fix_changes_itself_is_left_as_it_is():
    text = "from jax import tree_map, jit\n\n\njit(tree_map)\n"
    edits = [Edit(text.index("tree_map"), text.index("jit"), "")]
    imports = resolve_imports(Source.from_text(text, "a.py"), [ImportRequest("jax", "tree")], edits)
    assert apply_edits(text, [*edits, *imports]) == "from jax import jit\nfrom jax import tree\n\n\njit(tree_map)\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", "import jax.numpy as jnp\n\nx = 1\n"),
        ("\nx = 1\n", "import jax.numpy as jnp\n\nx = 1\n"),
        ("", "import jax.numpy as jnp\n"),
        ('"""Doc."""\nx = 1\n', '"""Doc."""\n\nimport jax.numpy as jnp\n\nx = 1\n'),
        ('"""Doc."""\n\nx = 1\n', '"""Doc."""\n\nimport jax.numpy as jnp\n\nx = 1\n'),
        ('"""Doc."""', '"""Doc."""\n\nimport jax.numpy as jnp\n'),
        (
            '"""Doc.\n\nimport sys\n"""\nfrom __future__ import annotations\n\ndef f(): pass\n',
            '"""Doc.\n\nimport sys\n"""\nfrom __future__ import annotations\n\nimport jax.numpy as jnp\n\ndef f(): pass\n',
        ),
        ("import os\n\nimport jax\nimport z\n", "import os\n\nimport jax\nimport jax.numpy as jnp\nimport z\n"),
        ("import os\nimport sys  # why\n\nx = 1\n", "import os\nimport sys  # why\n\nimport jax.numpy as jnp\n\nx = 1\n"),
        ("from jax import (\n    jit,\n)\nx = 1\n", "import jax.numpy as jnp\nfrom jax import (\n    jit,\n)\nx = 1\n"),
        ("import jax", "import jax\nimport jax.numpy as jnp\n"),
        ("import jax\r\nx = 1\r\n", "import jax\r\nimport jax.numpy as jnp\r\nx = 1\r\n"),
        ("#!/usr/bin/env python\n# Licence\n\nx = 1\n", "#!/usr/bin/env python\n# Licence\n\nimport jax.numpy as jnp\n\nx = 1\n"),
        ("#!/usr/bin/python\n# of x\nx = 1\n", "#!/usr/bin/python\n\nimport jax.numpy as jnp\n\n# of x\nx = 1\n"),
        ("import os\ntry:\n    import q\nexcept E:\n    q = 0\nimport jax\n\n\ndef f():\n    import sys\n",
         "import os\ntry:\n    import q\nexcept E:\n    q = 0\nimport jax\nimport jax.numpy as jnp\n\n\ndef f():\n    import sys\n"),
        ("import os\ndef f(): pass\nimport jax\n", "import os\n\nimport jax.numpy as jnp\ndef f(): pass\nimport jax\n"),
        ("import os; import jax\nx = '''\nimport jax\n'''\n", "import os; import jax\nimport jax.numpy as jnp\nx = '''\nimport jax\n'''\n"),
        ("import a, \\\n    b\nx = 1\n", "import a, \\\n    b\nimport jax.numpy as jnp\nx = 1\n"),
    ],
)  # fmt: skip
def test_import_is_written_where_it_belongs(text, expected):
    assert with_imports(text) == expected


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("import jax.numpy as jnp\n", JNP),
        ("import os, jax.numpy as jnp\n", JNP),
        ("from functools import (\n    cache,\n    partial,\n)\n", PARTIAL),
        ("import os; import jax\n", JAX),
    ],
)
def test_import_that_is_there_is_not_repeated(text, request_):
    assert resolve_imports(Source.from_text(text, "a.py"), [request_]) == []


def test_other_name_for_the_same_module_is_another_import():
    assert "import jax.numpy as jnp\n" in with_imports("import jax.numpy as np\n")


def test_several_requests_are_sorted_into_sections():
    requests = [JNP, PARTIAL, ImportRequest("functools", "reduce", "r"), JAX, ImportRequest("os")]
    assert with_imports("import os\nx = 1\n", *requests) == (
        "import os\nfrom functools import partial, reduce as r\n\nimport jax\nimport jax.numpy as jnp\nx = 1\n"
    )


def test_imports_that_other_statements_part_do_not_say_how_sections_are_parted():
    text = "import equinox\nx = 1\nimport os\n"
    assert with_imports(text, PARTIAL) == f"from functools import partial\n\n{text}"


LAX = ImportRequest("jax", "lax")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from jax import jit\n", "from jax import jit, lax\n"),
        ("from jax import vmap, jit\n", "from jax import vmap, jit, lax\n"),
        ("from jax import jit, vmap  # why\n", "from jax import jit, lax, vmap  # why\n"),
        ("from jax import (jit, vmap)\n", "from jax import jit, lax, vmap\n"),
        ("from jax import (\n    jit,\n    vmap,\n)\n", "from jax import (\n    jit,\n    lax,\n    vmap,\n)\n"),
        ("from jax import (\r\n  jit,\r\n)\r\n", "from jax import (\r\n  jit,\r\n  lax,\r\n)\r\n"),
        ("from jax import jit", "from jax import jit, lax"),
        (
            "from jax import (\n    jit,  # why\n    vmap,\n)\n",
            "from jax import (\n    jit,  # why\n    vmap,\n)\nfrom jax import lax\n",
        ),
        ("from jax import *\n", "from jax import *\nfrom jax import lax\n"),
        ("from jax import jit; import os\n", "from jax import jit; import os\nfrom jax import lax\n"),
        (
            "from jax import custom_jvp, custom_vjp, eval_shape, linearize, make_jaxpr, value_and_grad\n",
            "from jax import (\n    custom_jvp,\n    custom_vjp,\n    eval_shape,\n    lax,\n    linearize,\n"
            "    make_jaxpr,\n    value_and_grad,\n)\n",
        ),
        (
            # 88 columns stay on one line, and 89 do not
            f"from jax import {'a' * 67}\n",
            f"from jax import {'a' * 67}, lax\n",
        ),
        (
            f"from jax import {'a' * 68}\n",
            f"from jax import (\n    {'a' * 68},\n    lax,\n)\n",
        ),
        ("import jax\n", "import jax\nfrom jax import lax\n"),
    ],
)
def test_name_joins_the_statement_that_imports_others_from_its_module(text, expected):
    assert with_imports(text, LAX) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "import os\n\nos.environ['XLA_FLAGS'] = ''\n\nimport numpy\n",
            "import os\n\nos.environ['XLA_FLAGS'] = ''\n\nimport jax.numpy as jnp\nimport numpy\n",
        ),
        (
            "import numpy\nx = 1\nfrom jax import jit\n",
            "import numpy\nx = 1\nimport jax.numpy as jnp\nfrom jax import jit\n",
        ),
        ("from . import a\n", "import jax.numpy as jnp\n\nfrom . import a\n"),
        ("import sys\nfrom . import a\n", "import sys\nimport jax.numpy as jnp\nfrom . import a\n"),
        (
            "import sys\n\n# ours\nfrom . import a\n",
            "import sys\n\nimport jax.numpy as jnp\n\n# ours\nfrom . import a\n",
        ),
        ("# Licence\nimport numpy\n", "# Licence\nimport jax.numpy as jnp\nimport numpy\n"),
        (
            "from absl import app\nimport flax\nfrom z import y\n",
            "from absl import app\nimport flax\nimport jax.numpy as jnp\nfrom z import y\n",
        ),
        # a statement that imports several modules stands where the first of them belongs
        ("import equinox, numpy\nx = 1\n", "import equinox, numpy\nimport jax.numpy as jnp\nx = 1\n"),
        ("import equinox; import numpy\nx = 1\n", "import equinox; import numpy\nimport jax.numpy as jnp\nx = 1\n"),
        ("import numpy, equinox\nx = 1\n", "import jax.numpy as jnp\nimport numpy, equinox\nx = 1\n"),
    ],
)
def test_import_keeps_the_order_of_the_file(text, expected):
    assert with_imports(text) == expected


def test_code_between_imports_gets_its_import_above():
    text = "import numpy as np\nx = np.zeros(3)\nimport jax\n"
    assert with_imports(text, around=(text.index("np.zeros"),) * 2) == (
        "import jax.numpy as jnp\nimport numpy as np\nx = np.zeros(3)\nimport jax\n"
    )


@pytest.mark.parametrize(
    "late",
    ["from jax import jit", "from jax import (\n        jit,\n        vmap,\n    )", "import jax; import os"],
)
def test_import_in_a_function_goes_below_the_one_that_is_there(late):
    text = f"def f(x):\n    {late}\n    return np.sin(x)\n"
    assert with_imports(text, around=(text.index("np.sin"),) * 2) == (
        f"def f(x):\n    {late}\n    import jax.numpy as jnp\n    return np.sin(x)\n"
    )


def test_import_goes_above_all_of_the_code_that_needs_it():
    text = "def f(x):\n    y = np.cos(x)\n    import jax\n    return jax.jit(np.sin)(x)\n"
    assert with_imports(text, around=(text.index("np.cos"), text.index("(x)\n", text.index("np.sin")))) == (
        "def f(x):\n    import jax.numpy as jnp\n\n    y = np.cos(x)\n    import jax\n    return jax.jit(np.sin)(x)\n"
    )


def test_import_behind_other_code_of_its_line_is_left_alone():
    text = "x = 1;from jax import jit\n"
    assert with_imports(text, ImportRequest("jax", "vmap")) == f"from jax import vmap\n\n{text}"


# --- passes ----------------------------------------------------------------------------------


def unjudged(*_):
    """What these fixes write is not meant to run."""
    return ""


def rewriting(pattern, replacement, imports=(), applicability=Applicability.SAFE):
    """A check that offers to rewrite each match of a pattern."""

    def check(source):
        diagnostics = []
        for match in re.finditer(pattern, source.text):
            edits = [Edit(match.start(), match.end(), match.expand(replacement))]
            edits = sorted([*edits, *resolve_imports(source, imports)], key=lambda edit: edit.start)
            position = source.position(match.start())
            fix = Fix("rewrite", tuple(edits), applicability)
            diagnostics.append(Diagnostic("JAX103", "any", "message", "a.py", position, position, fix=fix))
        return diagnostics

    return check


def fixed(text, check, allow=(Applicability.SAFE,)):
    return fix_source(Source.from_text(text, "a.py"), check, allow, judge=unjudged)


def test_fixes_are_applied_and_share_their_import():
    outcome = fixed("a = np.f(1)\nb = np.f(2)\n", rewriting(r"\bnp\.f", "jnp.f", [JNP]))
    assert outcome.source.text == "import jax.numpy as jnp\n\na = jnp.f(1)\nb = jnp.f(2)\n"
    assert len(outcome.fixed) == 2 and outcome.remaining == [] and outcome.error is None


def test_overlapping_fixes_wait_for_the_next_pass():
    outcome = fixed("x = f(f(f(1)))\n", rewriting(r"f\((?=(.*)\))(.*)\)", r"g(\1)"))
    assert outcome.source.text == "x = g(g(g(1)))\n"
    assert len(outcome.fixed) == 3


def test_equal_brackets_of_two_fixes_stay_two():
    def wrap(source):
        end = source.text.index("\n")
        position = Position(1, 1)
        found = []
        for name, start in (("v", source.text.index("a")), ("w", source.text.index("b"))):
            if f"{name}(" not in source.text:
                fix = Fix("wrap", (Edit(start, start, f"{name}("), Edit(end, end, ")")), Applicability.SAFE)
                found.append(Diagnostic("JAX103", "any", "message", "a.py", position, position, fix=fix))
        return found

    assert fixed("a + b\n", wrap).source.text == "v(a + w(b))\n"


def test_what_is_put_behind_a_statement_waits_until_it_is_rewritten():
    def check(source):
        line = source.text.removesuffix("\n")
        edits = [Edit(0, len(line), "x = new")] if line == "x = old" else []
        edits += [Edit(len(line), len(line), f"; print({line!r})")] if ";" not in line else []
        return [
            Diagnostic("JAX103", "any", "message", "a.py", Position(1, n), Position(1, n), fix=Fix("fix", (edit,)))
            for n, edit in enumerate(edits, 1)
        ]

    assert fixed("x = old\n", check, list(Applicability)).source.text == "x = new; print('x = new')\n"


def test_only_allowed_levels_are_applied():
    check = rewriting(r"\bnp", "jnp", applicability=Applicability.UNSAFE)
    outcome = fixed("x = np.f\n", check)
    assert outcome.source.text == "x = np.f\n" and len(outcome.remaining) == 1 and outcome.fixed == []
    assert fixed("x = np.f\n", check, [Applicability.SAFE, Applicability.UNSAFE]).source.text == "x = jnp.f\n"


def test_fixes_that_break_the_syntax_are_taken_back():
    outcome = fixed("x = np.f\ny = 1\n", rewriting(r"np\.f", "jnp.("))
    assert outcome.source.text == "x = np.f\ny = 1\n"
    assert outcome.fixed == [] and len(outcome.remaining) == 1
    assert outcome.error.startswith("the fix of JAX103 at line 1 was taken back: syntax error: ")


def test_bad_fix_does_not_take_the_good_ones_back_with_it():
    def check(source):
        good = rewriting(r"\bnp\.f", "jnp.f")(source)
        return good + [replace(each, code="JAX104") for each in rewriting(r"bad", "def")(source)]

    outcome = fixed("".join(f"x{n} = np.f({'bad' if n in (3, 7) else n})\n" for n in range(10)), check)
    assert outcome.source.text == "".join(f"x{n} = jnp.f({'bad' if n in (3, 7) else n})\n" for n in range(10))
    assert [each.code for each in outcome.fixed] == ["JAX103"] * 10
    assert outcome.error == (
        "the fix of JAX104 at line 4 was taken back: syntax error: invalid syntax; "
        "the fix of JAX104 at line 8 was taken back: syntax error: invalid syntax"
    )


def test_fix_that_only_the_compiler_refuses_is_taken_back():
    outcome = fixed("def f():\n    x = np.f\n", rewriting(r"def f\(\):\n    x = np\.f", "return np"))
    assert outcome.source.text == "def f():\n    x = np.f\n"
    assert outcome.error == "the fix of JAX103 at line 1 was taken back: syntax error: 'return' outside function"


def test_bad_fix_does_not_hold_up_one_that_overlaps_it():
    def check(source):
        wide = [replace(each, code="JAX101") for each in rewriting(r"x = np\.f\(1\)", "x = (")(source)]
        return wide + rewriting(r"\bnp\.f", "jnp.f")(source)

    outcome = fixed("x = np.f(1)\n", check)
    assert outcome.source.text == "x = jnp.f(1)\n"


def test_rule_without_end_does_not_take_the_others_back():
    def check(source):
        endless = [replace(each, code="JAX101") for each in rewriting(r"\b1+\b", r"\g<0>1")(source)]
        return endless + rewriting(r"\bnp\.f", "jnp.f")(source)

    outcome = fixed("x = 1\ny = np.f\n", check)
    assert outcome.source.text == "x = 1\ny = jnp.f\n"
    assert outcome.error == "the fixes of JAX101 were taken back: they do not come to an end in 20 passes"
    assert outcome.banned == {"JAX101"}


@pytest.mark.parametrize(
    "imports",
    [
        "try:\n    import numpy as np\nexcept ImportError:\n    pass\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import numpy as np\n",
        "class A:\n    import numpy as np\n",
        "def g():\n    import numpy as np\n",
        "import numpy as np\n\ndel np\n",
        "import numpy as np\n\nglobals()['np']\n",
        "from __future__ import annotations as np\n",
        "import jax\nimport numpy as np  # np\n",
        "from numpy import (  # noqa\n    np,\n)\n",
        "import project.np as np\n",
        "from .numpy import array as np\n",
    ],
)
def test_import_that_is_held_in_place_stays(imports):
    outcome = fixed(imports + "x = np.f(1)\n", rewriting(r"(?<=x = )np\.f", "f"))
    assert outcome.source.text == imports + "x = f(1)\n" and outcome.removed == []


def test_import_of_a_submodule_stays_where_another_import_may_reach_it():
    """`import jax.scipy.special` is what makes `scipy.special` an attribute that is there."""
    for other in ("from jax import scipy", "import jax.nn"):
        text = f"import jax.scipy.special\n{other}\n"
        outcome = fixed(text + "x = jax.f(1)\n", rewriting(r"(?<=x = )jax\.f", "f"))
        assert outcome.source.text.startswith("import jax.scipy.special\n")
    outcome = fixed("import jax.scipy.special\nx = jax.f(1)\n", rewriting(r"(?<=x = )jax\.f", "f"))
    assert outcome.source.text == "x = f(1)\n"


def test_import_that_goes_takes_no_other_byte_with_it():
    raw = "\ufeff# é\r\nimport os\r\n\r\nimport numpy as np\r\n\x0c\r\nx = np.f(os)".encode()
    outcome = fix_source(decoded(raw, "a.py"), rewriting(r"\bnp\.f", "f"), [Applicability.SAFE], judge=unjudged)
    assert outcome.source.raw == raw.replace(b"import numpy as np\r\n\x0c\r\n", b"").replace(b"np.f", b"f")
    assert outcome.removed == ["import numpy as np"]


def test_fixes_that_undo_each_other_are_taken_back():
    def check(source):
        return rewriting("a", "b")(source) or rewriting("b", "a")(source)

    outcome = fixed("x = a\n", check)
    assert outcome.source.text == "x = a\n"
    assert outcome.error == "the fixes of JAX103 were taken back: they undo each other"


def test_fixes_without_end_are_taken_back():
    outcome = fixed("x = 1\n", rewriting(r"1\b", "11"))
    assert outcome.source.text == "x = 1\n"
    assert "do not come to an end in 20 passes" in outcome.error


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbfx = np.f\r\ny = '\xc3\xa9'\r\n",
        b"# -*- coding: latin-1 -*-\nx = np.f  # \xe9\n",
        b"x = '''\r\n\n'''\r\nnp.f",
        b"\x0c\nx = np.f\n\x0cy = 1\n",
    ],
)
def test_bytes_around_a_fix_are_kept(raw):
    outcome = fix_source(decoded(raw, "a.py"), rewriting(r"\bnp", "jnp"), [Applicability.SAFE], judge=unjudged)
    assert outcome.source.raw == raw.replace(b"np", b"jnp")


def test_fix_the_encoding_cannot_hold_is_taken_back():
    source = decoded(b"# coding: latin-1\nx = np\n", "a.py")
    outcome = fix_source(source, rewriting("np", "'\u03bb'"), [Applicability.SAFE], judge=unjudged)
    assert outcome.source is source
    assert "cannot be written in iso8859-1; save the file as UTF-8" in outcome.error


def test_text_whose_bytes_would_not_come_back_is_not_fixed():
    source = decoded(b"# coding: utf-7\nx = np  # +AGEAYg-\n", "a.py")
    assert source.encode(source.text) != source.raw
    outcome = fix_source(source, rewriting("np", "jnp"), [Applicability.SAFE], judge=unjudged)
    assert outcome.source is source and "loses bytes" in outcome.error


@pytest.mark.parametrize("broken", ["'\\x1'", "'\\N{no such name}'", "b'\u00e9'"])
def test_import_stays_in_a_file_that_python_itself_cannot_read(broken):
    """A literal that means nothing is none of the grammar, which alone decides whether a file is linted."""
    text = f"import numpy as np\n\nx = np.f({broken})\n"
    outcome = fixed(text, rewriting(r"\bnp\.f", "f"))
    assert outcome.source.text == text.replace("np.f", "f") and outcome.removed == []


# --- asking ----------------------------------------------------------------------------------


def asking(text, answers, check):
    """The text after fixes to which ``answers`` (line of code -> yes or no) agree, and the lines that were asked about."""
    lines = []

    def consent(diagnostic, source):
        lines.append(source.line(diagnostic.start.row))
        return answers.get(lines[-1], True)

    source = Source.from_text(text, "a.py")
    return fix_source(source, check, [Applicability.SAFE], Asked(consent), judge=unjudged).source.text, lines


def test_what_was_agreed_to_is_done_and_the_rest_is_not():
    text, lines = asking("x = np.f\ny = np.f\n", {"x = np.f": False}, rewriting(r"\bnp", "jnp"))
    assert text == "x = np.f\ny = jnp.f\n"
    assert lines == ["x = np.f", "y = np.f"]


def test_no_is_asked_for_once_however_many_passes_there_are():
    def steps(source):
        rewrites = [(r"\bnp", "jnp"), (r"\bf0\b", "f1"), (r"\bf1\b", "f2")]
        return [each for rewrite in rewrites for each in rewriting(*rewrite)(source)]

    text, lines = asking("x = np.f\nx = np.f\ny = f0\n", {"x = np.f": False}, steps)
    assert text == "x = np.f\nx = np.f\ny = f2\n"
    assert lines == ["x = np.f", "x = np.f", "y = f0", "y = f1"]


# --- files -----------------------------------------------------------------------------------


def test_write_keeps_permissions_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    path.chmod(0o751)
    write_atomic(str(path), b"new", str(tmp_path))
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert os.listdir(tmp_path) == ["a.py"]


def test_write_through_a_link_keeps_the_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.py").write_bytes(b"old")
    os.symlink("real/a.py", tmp_path / "link.py")
    write_atomic(str(tmp_path / "link.py"), b"new", str(tmp_path))
    assert os.readlink(tmp_path / "link.py") == "real/a.py"
    assert (tmp_path / "real" / "a.py").read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_write_keeps_the_owner(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    os.chown(path, 12345, 23456)
    write_atomic(str(path), b"new", str(tmp_path))
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


def test_write_that_fails_leaves_the_file(tmp_path):
    folder = tmp_path / "a.py"
    folder.mkdir()  # a folder of that name cannot be replaced by a file
    (folder / "inner").write_bytes(b"kept")
    with pytest.raises(SourceError, match="cannot write the file: Is a directory; it is unchanged"):
        write_atomic(str(folder), b"new", str(tmp_path))
    assert os.listdir(tmp_path) == ["a.py"] and (folder / "inner").read_bytes() == b"kept"


def test_file_that_is_read_only_is_left(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(SourceError, match="it is read-only; it is unchanged, check its permissions"):
        write_atomic(str(path), b"new", str(tmp_path))
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["a.py"]


def test_file_that_is_gone_is_not_made_anew(tmp_path):
    with pytest.raises(SourceError, match="No such file"):
        write_atomic(str(tmp_path / "a.py"), b"new", str(tmp_path))
    assert os.listdir(tmp_path) == []


def test_file_changed_meanwhile_is_left(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"edited by hand")
    with pytest.raises(SourceError, match="has changed since it was read; run again"):
        write_atomic(str(path), b"new", str(tmp_path), expected=b"old")
    assert path.read_bytes() == b"edited by hand"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("a\r\nb\r\n", "a\r\nc\r\n"),
        ("a\nb", "a\nc"),
        ("a\nb", "a\nb\nc\n"),
        ("a\x0cb\n", "a\x0cc\n"),
    ],
)
def test_diff_is_one_that_git_applies(tmp_path, before, after):
    (tmp_path / "a.py").write_bytes(before.encode())
    diff = unified_diff(before, after, "a.py").encode()
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff, check=True)
    assert (tmp_path / "a.py").read_bytes() == after.encode()


def test_no_change_gives_no_diff():
    assert unified_diff("a\n", "a\n", "a.py") == ""
