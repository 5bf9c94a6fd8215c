"""What `jaxlint check` does to files: imports that come and go, levels, answers at a terminal, fixes across files."""

import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import textwrap
import time

import pytest

from jaxlint.cli import main
from jaxlint.configuration.config import Config, Configs
from jaxlint.configuration.table import ConfigError
from jaxlint.run import cross_file_fixes, runner
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

STORE = "import jax.numpy as jnp\n\n\ndef f():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"
STORED = STORE.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")  # JAX308, safe
CHOICE = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    return 1.0 if x > 2 else 2.0\n"
CHOSEN = CHOICE.replace("1.0 if x > 2 else 2.0", "jnp.where(x > 2, 1.0, 2.0)")  # JAX103, unsafe


@pytest.fixture
def jaxlint(tmp_path, monkeypatch, capfd):
    """Runs the command in this process, in a folder of its own. Returns exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["check", "--no-cache", "--jobs", "1", *map(str, arguments)])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.fixture
def fix(jaxlint, tmp_path):
    """Writes a file, fixes it, and gives what is in it then."""

    def run(text, name="a.py"):
        path = tmp_path / name
        path.write_bytes(textwrap.dedent(text).encode())
        jaxlint("--fix", "--unsafe-fixes", name)
        return path.read_bytes().decode()

    return run


# --- imports that nothing uses any more ------------------------------------------------------


@pytest.mark.parametrize(
    ("comment", "left"), [("  # type: ignore", ""), ("  # noqa: F401", ""), ("  # old", "pass  # old\n")]
)
def test_import_goes_with_a_comment_that_is_for_tools(fix, comment, left):
    text = f"import os\nfrom jax.experimental.shard_map import shard_map{comment}\nfrom jax import debug\n\nf = shard_map(debug, mesh=os)\n"
    assert fix(text).partition("from jax import debug, shard_map\n")[0] == f"import os\n{left}"


BODY = """

@jax.jit
def f(x):
    return USE(x)
"""


def program(imports, use="np.sin", extra=""):
    return imports + BODY.replace("USE", use) + extra


JAX = "import jax\nimport jax.numpy as jnp\n"
DONE = BODY.replace("USE", "jnp.sin")


@pytest.mark.parametrize(
    ("imports", "use", "left"),
    [
        (JAX + "import numpy as np\n", "np.sin", JAX),
        ("import numpy as np\n\n" + JAX, "np.sin", JAX),
        (
            "import os\n\nimport numpy as np\n\n" + JAX + "\nos.getcwd()\n",
            "np.sin",
            "import os\n\n" + JAX + "\nos.getcwd()\n",
        ),
        ('"""Doc."""\n\nimport numpy as np\n' + JAX, "np.sin", '"""Doc."""\n\n' + JAX),
        (JAX + "from numpy import sin\n", "sin", JAX),
        (JAX + "from numpy import pi, sin\n\nTAU = 2 * pi\n", "sin", JAX + "from numpy import pi\n\nTAU = 2 * pi\n"),
        (
            JAX + "from numpy import (\n    pi,\n    sin,\n)\n\nTAU = 2 * pi\n",
            "sin",
            JAX + "from numpy import (\n    pi,\n)\n\nTAU = 2 * pi\n",
        ),
        (
            JAX + "from numpy import (pi,\n    sin)\n\nTAU = 2 * pi\n",
            "sin",
            JAX + "from numpy import (pi)\n\nTAU = 2 * pi\n",
        ),
        (
            JAX + "from numpy import sin as sine, pi as p\n\nTAU = 2 * p\n",
            "sine",
            JAX + "from numpy import pi as p\n\nTAU = 2 * p\n",
        ),
        (JAX + "import numpy as np, os\n\nos.getcwd()\n", "np.sin", JAX + "import os\n\nos.getcwd()\n"),
        (JAX + "# Arrays on the host.\nimport numpy as np\n", "np.sin", JAX + "# Arrays on the host.\n"),
        (JAX + '"""Says np in prose."""\nimport numpy as np\n', "np.sin", JAX + '"""Says np in prose."""\n'),
    ],
)
def test_import_goes_with_its_last_use(fix, imports, use, left):
    assert fix(program(imports, use)) == left + DONE


@pytest.mark.parametrize(
    ("imports", "extra"),
    [
        ("import numpy as np\n", "\n\nSIZE = np.prod((2, 3))\n"),
        ("import numpy as np  # noqa: F401\n", ""),
        ("import numpy as np  # sets up the BLAS\n", ""),
        ("import numpy as np\n\n__all__ = ['f', 'np']\n", ""),
        ("if True:\n    import numpy as np\n", ""),
        ("import numpy as np\n", '\n\ndef g(x: "np.ndarray"):\n    return x\n'),
        ("import numpy as np\n", '\n\ndef g(x):\n    """Half.\n\n    >>> g(np.ones(3))\n    """\n    return x / 2\n'),
        ("import numpy as np\n", "\n\nSOURCE = 'x\\nnp.ones(3)'\n"),
        ("import numpy as np\n", "\n\nx = []  # type: list[np.ndarray]\n"),
        ("import os; import numpy as np\n", "\n\nos.getcwd()\n"),
    ],
    ids=["used", "noqa", "comment", "all", "if", "annotation", "doctest", "string", "type comment", "semicolon"],
)
def test_import_that_something_else_may_need_stays(fix, imports, extra):
    assert fix(program(JAX + imports, extra=extra)) == JAX + imports + DONE + extra


@pytest.mark.parametrize("alias", ["from numpy import sin as sin", "import math as math"])
def test_import_that_is_passed_on_stays(fix, alias):
    use = "sin" if "sin" in alias else "math.sin"
    assert fix(program(JAX + alias + "\n", use)) == JAX + alias + "\n" + DONE


def test_imports_of_a_package_are_what_it_offers(fix):
    text = program(JAX + "import numpy as np\n")
    assert fix(text, "__init__.py") == text.replace("np.sin", "jnp.sin")


def test_import_of_the_project_may_do_something(fix, tmp_path):
    (tmp_path / "helpers.py").write_text("from numpy import sin\n")
    assert fix(program(JAX + "from helpers import sin\n", "sin")).startswith(JAX + "from helpers import sin\n")


def test_import_that_was_not_used_before_is_not_ours_to_take(fix):
    text = program("import os\n\n" + JAX + "import numpy as np\n")
    assert fix(text) == "import os\n\n" + JAX + DONE


def test_without_a_fix_nothing_goes(fix):
    text = "import jax\nimport numpy as np\n\n\ndef f(x):\n    return jax.numpy.sin(x)\n"
    assert fix(text) == text


def test_import_in_a_function_goes_and_leaves_a_body(fix):
    text = JAX + "\n\n@jax.jit\ndef f(x):\n    import numpy as np\n\n    return np.sin(x)\n"
    assert fix(text) == JAX + DONE


def test_import_in_front_of_its_use_goes(fix):
    text = JAX + "\n\n@jax.jit\ndef f(x):\n    import pdb; pdb.set_trace()\n    return x\n"
    assert fix(text) == text.replace("import pdb; pdb.set_trace()", "jax.debug.breakpoint()")


def test_what_goes_is_said(jaxlint, tmp_path):
    text = program(JAX + "import numpy as np\n")
    (tmp_path / "a.py").write_text(text)
    code, out, _err = jaxlint("--diff", "--unsafe-fixes")
    assert code == 1 and "-import numpy as np\n" in out
    assert out.startswith("# a.py: `import numpy as np` goes: nothing uses it after the fixes\n--- a/a.py\n")
    subprocess.run(["git", "apply", "-"], input=out, text=True, check=True, cwd=tmp_path)
    assert (tmp_path / "a.py").read_text() == JAX + DONE
    (tmp_path / "a.py").write_text(text)
    assert "a.py: `import numpy as np` goes" in jaxlint("--fix", "--unsafe-fixes")[2]
    assert (tmp_path / "a.py").read_text() == JAX + DONE


def test_diff_of_several_files_is_one_patch(jaxlint, tmp_path):
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(program(JAX + "import numpy as np\n").rstrip("\n"))
    out = jaxlint("--diff", "--unsafe-fixes")[1]
    subprocess.run(["git", "apply", "-"], input=out, text=True, check=True, cwd=tmp_path)
    assert {path.read_text() for path in tmp_path.glob("*.py")} == {(JAX + DONE).rstrip("\n")}


OFF = JAX + "# fmt: off\nfrom numpy import (pi,\n    cos, sin, exp)\n# fmt: on\n\nTAU = 2 * pi, cos\n"


@pytest.mark.parametrize(
    ("imports", "left"),
    [
        (OFF, OFF.replace(", sin, exp", "")),
        (OFF.replace("# fmt: off", "# yapf: disable").replace("# fmt: on", "# yapf: enable"), None),
        (OFF.replace("# fmt: off\n", "").replace("exp)\n# fmt: on", "exp)  # fmt: skip"), None),
        (
            OFF.replace("# fmt: off\n", "").replace("# fmt: on\n", ""),
            JAX + "from numpy import (pi, cos)\n\nTAU = 2 * pi, cos\n",
        ),
    ],
)
def test_layout_of_imports_that_no_formatter_may_touch(fix, imports, left):
    fixed = fix(program(imports, "sin(exp", ")").replace("sin(exp(x)\n)", "sin(exp(x))\n"))
    head = fixed.partition("\n\n\n@jax.jit")[0] + "\n"
    assert head == left if left else ("(pi,\n    cos)" in head or "skip" in head)


LONG = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(argument):\nHEAD    return 1000000.0 if argument.sum() > 2.000000000000000 else argument.mean()TAIL\n"


@pytest.mark.parametrize(
    ("head", "tail", "breaks"),
    [
        ("", "", True),
        ("    # fmt: off\n", "", False),
        ("    # fmt: off\n    # fmt: on\n", "", True),
        ("", "  # fmt: skip", False),
        ("    x = '# fmt: off'\n", "", True),
        ("    if True:\n        # fmt: off\n        pass\n", "", True),
    ],
)
def test_lines_that_no_formatter_may_touch_stay_whole(fix, tmp_path, head, tail, breaks):
    (tmp_path / "pyproject.toml").write_text("[tool.black]\nline-length = 81\n")
    fixed = fix(LONG.replace("HEAD", head).replace("TAIL", tail))
    assert ("    return jnp.where(\n" in fixed) is breaks and "jnp.where(" in fixed


@pytest.mark.parametrize("first", ["(rng, state)", "((rng), state)", "make(state)"])
def test_tuple_whose_first_and_last_elements_are_in_parentheses_gets_a_line_for_each(fix, tmp_path, first):
    text = f"import jax.numpy as jnp\n\n\ndef f(rng, state, x):\n    return {first}, jnp.msort(x), (x)\n"
    (tmp_path / "pyproject.toml").write_text(f"[tool.black]\nline-length = {len(text.splitlines()[-1])}\n")
    assert fix(text).endswith(f"    return (\n        {first},\n        jnp.sort(x, axis=0),\n        (x),\n    )\n")


@pytest.mark.parametrize(
    ("around", "given", "broken"),
    [
        ("make(\n        {}\n    )", "MADE, make(x, x, x, x, x)", "MADE,\n        make(x, x, x, x, x),"),
        ("make(\n        {}\n    )", "x, *MADE, key=make(x)  # why", "x,\n        *MADE,\n        key=make(x),  # why"),
        ("make(\n        {}\n    )", "of=make(x) + make * (MADE)", None),
        (
            "[\n        {}\n    ]",
            "make(MADE, x * x * x * x),",
            "make(\n            MADE,\n            x * x * x * x,\n        ),",
        ),
        ("make(x,\n         {})", "MADE, make(x, x, x, x, x)", None),
        ('make(x, "(",  # (\n         {})', "MADE, make(x, x, x, x, x)", None),
        ("{{\n        {}\n    }}", "1: MADE, 2: make(x, x, x)", None),
    ],
)
def test_arguments_on_a_line_of_their_own_get_no_parentheses(fix, tmp_path, around, given, broken):
    text = f"import jax.numpy as jnp\n\n\ndef f(make, x):\n    return {around.format(given)}\n".replace(
        "MADE", "jnp.msort(x)"
    )
    (tmp_path / "pyproject.toml").write_text(f"[tool.black]\nline-length = {max(map(len, text.splitlines()))}\n")
    after = text.replace(given.replace("MADE", "jnp.msort(x)"), broken or given).replace("MADE", "jnp.sort(x, axis=0)")
    assert fix(text) == after.replace("jnp.msort(x)", "jnp.sort(x, axis=0)")


@pytest.mark.parametrize(
    ("below", "after"),
    [
        ("from jax.lax import add\nfrom tqdm import tqdm", "from jax.lax import add\nMOVED\nfrom tqdm import tqdm"),
        ("from tqdm import tqdm\nfrom jax.lax import add", "MOVED\nfrom tqdm import tqdm\nfrom jax.lax import add"),
        ("\nfrom jax.lax import add\nfrom tqdm import tqdm", "MOVED\n\nfrom jax.lax import add\nfrom tqdm import tqdm"),
        (
            "from jax.lax import add  # why\nfrom tqdm import tqdm",
            "MOVED\nfrom jax.lax import add  # why\nfrom tqdm import tqdm",
        ),
        ("from jax.tree_util import tree_reduce", "from jax.tree_util import tree_map, tree_reduce"),
        (
            "from jax.tree_util import tree_reduce, tree_all",
            "from jax.tree_util import tree_reduce, tree_all, tree_map",
        ),
    ],
)
def test_import_from_another_module_stands_in_its_order(fix, below, after):
    uses = "\n\nprint(jit, tree_map, *map(globals().get, ['add', 'tqdm', 'tree_reduce', 'tree_all']))\n"
    after = after.replace("MOVED", "from jax.tree_util import tree_map")
    assert fix(f"from jax import jit, tree_map\n{below}{uses}") == f"from jax import jit\n{after}{uses}"


def test_import_that_a_fix_makes_too_long_is_broken(fix, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.black]\nline-length = 48\n")
    text = "from jax.experimental import optimizers, stax\n\nnet = stax.Dense(optimizers)\n"
    assert (
        fix(text)
        == "from jax.example_libraries import (\n    optimizers,\n    stax,\n)\n\nnet = stax.Dense(optimizers)\n"
    )


# --- imports that are added ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "use", "left"),
    [
        ("import jax\nimport jax.numpy as np\n", "np.where", None),
        ("import jax\nfrom jax import numpy as xp\n", "xp.where", None),
        ("import os\nfrom jax import jit\n\nos.getcwd()\n", "jnp.where", "import os\nimport jax.numpy as jnp\nfrom jax import jit\n\nos.getcwd()\n"),
        (
            '"""Doc."""\nfrom __future__ import annotations\n\nfrom jax import jit\n', "jnp.where",
            '"""Doc."""\nfrom __future__ import annotations\n\nimport jax.numpy as jnp\nfrom jax import jit\n',
        ),
        ("import numpy\nfrom jax import jit\n", "jnp.where", "import numpy\nimport jax.numpy as jnp\nfrom jax import jit\n"),
    ],
)  # fmt: skip
def test_fix_speaks_as_the_file_does(fix, head, use, left):
    body = "\n\n@jax.jit\ndef f(x):\n    return 1.0 if x > 2 else 2.0\n"
    body = body if "import jax\n" in head else body.replace("jax.jit", "jit")
    fixed = body.replace("1.0 if x > 2 else 2.0", f"{use}(x > 2, 1.0, 2.0)")
    assert fix(head + body) == (left or head) + fixed


@pytest.mark.parametrize(
    ("head", "called", "left"),
    [
        ("import jax\nfrom jax import jit\n", "jax.debug.breakpoint", None),
        ("from jax import jit\n", "debug.breakpoint", "from jax import debug, jit\n"),
        ("from jax import (\n    jit,\n    vmap,\n)\n", "debug.breakpoint", "from jax import (\n    debug,\n    jit,\n    vmap,\n)\n"),
        ("from jax import jit\n\ndebug = True\n", "jax.debug.breakpoint", "import jax\nfrom jax import jit\n\ndebug = True\n"),
        ("from jax import jit, vmap\n\n\ndef g(debug):\n    return debug\n", "jax.debug.breakpoint",
         "import jax\nfrom jax import jit, vmap\n\n\ndef g(debug):\n    return debug\n"),
    ],
)  # fmt: skip
def test_name_is_taken_from_jax_where_the_file_takes_names_from_it(fix, head, called, left):
    body = "\n\n@jit\ndef f(x):\n    breakpoint()\n    return x\n"
    assert fix(head + body) == (left or head) + body.replace("breakpoint", called)


def test_file_that_imports_jax_late_keeps_doing_so(fix):
    text = """\
    import os


    def main():
        import jax

        @jax.jit
        def f(x):
            return 1.0 if x > 2 else 2.0

        return f(os.getpid())
    """
    fixed = textwrap.dedent(text).replace("import jax\n", "import jax\n    import jax.numpy as jnp\n")
    assert fix(text) == fixed.replace("1.0 if x > 2 else 2.0", "jnp.where(x > 2, 1.0, 2.0)")


def test_function_that_needs_what_another_imports_late(fix):
    text = """\
    def choose(x):
        \"\"\"Doc.\"\"\"
        return 1.0 if x > 2 else 2.0


    def main():
        import jax

        return jax.jit(choose)(3.0)
    """
    fixed = textwrap.dedent(text).replace('"""Doc."""\n', '"""Doc."""\n    import jax.numpy as jnp\n')
    assert fix(text) == fixed.replace("1.0 if x > 2 else 2.0", "jnp.where(x > 2, 1.0, 2.0)")


# --- exit codes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [
        (STORE, ["--fix"], 0),
        (STORE, ["--fix", "--exit-non-zero-on-fix"], 1),
        (STORE, ["--fix-only"], 0),
        (STORE, ["--fix-only", "--exit-non-zero-on-fix"], 1),
        (STORE, ["--diff"], 1),
        (STORE, ["--diff", "--exit-zero"], 0),
        (STORE, ["--fix", "--exit-non-zero-on-fix", "--exit-zero"], 0),
        (CHOICE, ["--fix"], 1),
        (CHOICE, ["--fix-only"], 0),
        (CHOICE, ["--fix-only", "--exit-non-zero-on-fix"], 0),
        (CHOICE, ["--diff"], 0),
        (CHOICE, ["--diff", "--unsafe-fixes"], 1),
        (CHOICE, ["--fix", "--unsafe-fixes"], 0),
        (STORED, ["--fix", "--exit-non-zero-on-fix"], 0),
    ],
)
def test_exit_codes_are_those_of_ruff(jaxlint, tmp_path, text, arguments, code):
    (tmp_path / "a.py").write_text(text)
    assert jaxlint(*arguments)[0] == code


def test_diff_goes_to_standard_output_and_the_summary_to_standard_error(jaxlint, tmp_path):
    (tmp_path / "a.py").write_text(STORE)
    (tmp_path / "b.py").write_text(CHOICE)
    code, out, err = jaxlint("--diff")
    assert code == 1 and out.startswith("--- a/a.py\n") and "Would" not in out
    assert err.endswith("Would fix 1 error of 2.\n")
    assert jaxlint("--diff", "--unsafe-fixes")[2] == "Would fix 2 errors.\n"
    assert (tmp_path / "a.py").read_text() == STORE and (tmp_path / "b.py").read_text() == CHOICE


# --- levels by configuration -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "store", "choice"),
    [
        ("", True, False),
        ('extend-safe-fixes = ["JAX103"]', True, True),
        ('extend-safe-fixes = ["JAX1"]', True, True),
        ('extend-safe-fixes = ["branch-on-tracer"]', True, True),
        ('extend-unsafe-fixes = ["JAX308"]', False, False),
        ('extend-unsafe-fixes = ["JAX"]', False, False),
        ('extend-safe-fixes = ["JAX103"]\nextend-unsafe-fixes = ["JAX"]', False, True),
        ('extend-safe-fixes = ["JAX"]\nextend-unsafe-fixes = ["JAX3"]', False, True),
        ('extend-safe-fixes = ["JAX1"]\nextend-unsafe-fixes = ["JAX1"]', True, False),
        ('unfixable = ["item-assignment"]', False, False),
        ('fixable = ["JAX3"]\nextend-safe-fixes = ["JAX1"]', True, False),
        ('fixable = ["JAX308"]\nunfixable = ["JAX"]', True, False),
        ('fixable = ["JAX"]\nunfixable = ["JAX308"]', False, False),
        ("fixable = []", False, False),
    ],
)
def test_levels_can_be_configured(jaxlint, tmp_path, options, store, choice):
    (tmp_path / "pyproject.toml").write_text(f"[tool.jaxlint]\n{options}\n")
    (tmp_path / "store.py").write_text(STORE)
    (tmp_path / "choice.py").write_text(CHOICE)
    jaxlint("--fix")
    assert (tmp_path / "store.py").read_text() == (STORED if store else STORE)
    assert (tmp_path / "choice.py").read_text() == (CHOSEN if choice else CHOICE)


def test_levels_on_the_command_line_outrank_the_file(jaxlint, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nunfixable = ["JAX308"]\n')
    (tmp_path / "a.py").write_text(STORE)
    assert jaxlint("--fix")[0] == 1
    assert jaxlint("--fix", "--fixable", "JAX3", "--unfixable", "JAX308")[0] == 1
    assert jaxlint("--fix", "--fixable", "JAX3,JAX4")[0] == 0
    assert (tmp_path / "a.py").read_text() == STORED


def displayed(jaxlint):
    report = json.loads(jaxlint("--output-format", "json", "--preview")[1])
    return [each["fix"]["applicability"] for each in report if each["fix"] is not None]


def test_what_is_displayed_is_never_promoted(jaxlint, tmp_path):
    from jaxlint.configuration.safety import Safety
    from jaxlint.source.diagnostic import Applicability

    everything = Safety(safe=["JAX"])
    assert everything.of("JAX103", Applicability.UNSAFE) is Applicability.SAFE
    assert everything.of("JAX103", Applicability.DISPLAY) is Applicability.DISPLAY
    # The first fix of the fixtures that is displayed with its edits, through the command.
    bad = next(path for path in _fixtures() if " display" in path.read_text())
    text = bad.read_text()
    (tmp_path / "a.py").write_text(text)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nextend-safe-fixes = ["JAX"]\n')
    shown = displayed(jaxlint)
    assert "display" in shown and "unsafe" not in shown


def _fixtures():
    from pathlib import Path

    return sorted((Path(__file__).parent.parent / "fixtures").glob("*/*/bad.py"))


def test_levels_of_the_report_are_those_that_hold_and_the_cache_knows_them(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(CHOICE)
    os.utime(tmp_path / "a.py", (time.time() - 10,) * 2)
    seen = []
    for options in ("", 'extend-safe-fixes = ["JAX1"]', 'unfixable = ["JAX1"]', ""):
        (tmp_path / "pyproject.toml").write_text(f"[tool.jaxlint]\n{options}\n")
        main(["check", "--output-format", "json", "a.py"])
        [entry] = json.loads(capfd.readouterr().out)
        seen.append(entry["fix"]["applicability"])
    assert seen == ["unsafe", "safe", "display", "unsafe"]
    assert (tmp_path / ".jaxlint_cache").is_dir()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'extend-safe-fixes = ["JAX193"]',
            "`extend-safe-fixes` in [tool.jaxlint] is wrong: no rule is called `JAX193`; did you mean",
        ),
        ('extend-unsafe-fixes = "JAX1"', "`extend-unsafe-fixes` in [tool.jaxlint] must be a list of strings"),
        (
            'extend-safe-fix = ["JAX1"]',
            "unknown option `extend-safe-fix` in [tool.jaxlint]; did you mean `extend-safe-fixes`?",
        ),
        ('unfixable = ["item-asignment"]', "did you mean `item-assignment`?"),
        (
            "line-length = 5",
            "`line-length` in [tool.jaxlint] must be a number of columns from 40 to 1000, not the number 5",
        ),
        ("fixable = true", "`fixable` in [tool.jaxlint] must be a list of strings, not the boolean true"),
    ],
)
def test_wrong_levels_name_file_option_and_what_would_do(tmp_path, line, message):
    (tmp_path / "pyproject.toml").write_text(f"[tool.jaxlint]\npreview = false\n{line}\n")
    configs = Configs()
    configs.for_file(str(tmp_path / "a.py"))
    [problem] = configs.problems
    assert message in str(problem) and (problem.filename, problem.row) == (str(tmp_path / "pyproject.toml"), 3)
    assert isinstance(problem, ConfigError)


# --- fixes that another file finds -----------------------------------------------------------

HELPER = "import jax.numpy as jnp\n\n\ndef scale(x):\n    return 1.0 if x > 2 else 2.0\n"
SCALED = HELPER.replace("1.0 if x > 2 else 2.0", "jnp.where(x > 2, 1.0, 2.0)")
TRAIN = "import jax\nfrom helpers import scale\n\nstep = jax.jit(scale)\n"


def test_fix_goes_into_the_file_where_it_stands(jaxlint, tmp_path):
    (tmp_path / "helpers.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "eval.py").write_text(TRAIN)
    code, out, err = jaxlint("--diff", "--unsafe-fixes", ".")
    assert code == 1 and out.count("+++ b/helpers.py") == 1 and err == "Would fix 1 error.\n"
    assert (tmp_path / "helpers.py").read_text() == HELPER
    code, out, err = jaxlint("--fix", "--unsafe-fixes", ".")
    assert (code, out, err) == (0, "Found 1 error (1 fixed, 0 left).\n", "")
    assert (tmp_path / "helpers.py").read_text() == SCALED
    assert (tmp_path / "train.py").read_text() == (tmp_path / "eval.py").read_text() == TRAIN


CONFIG = "from dataclasses import dataclass\n\n\n@dataclass\nclass Config:\n    width: int = 2\n"
CONFIGURED = (
    "from functools import partial\n\nimport jax\nfrom config import Config\n\n\n"
    '@partial(jax.jit, static_argnames="config")\ndef scaled(x, config):\n    return x * config.width\n\n\n'
    "y = scaled(1.0, config=Config())\n"
)
LOSSES = "import jax\n\n\ndef encoded(labels, classes):\n    return jax.nn.one_hot(labels, classes)\n"


@pytest.mark.parametrize(
    "other, wrong, train, before, after",
    [
        (
            "config.py", CONFIG, CONFIGURED, "@dataclass\n", "@dataclass(frozen=True)\n",
        ),
        (
            "train.py",
            "import jax\nfrom losses import encoded\n\n\n@jax.jit\ndef loss(labels, classes):\n    return encoded(labels, classes)\n\n\n"
            "y = loss([1], 3)\n",
            LOSSES, "@jax.jit\n", '@functools.partial(jax.jit, static_argnames=("classes",))\n',
        ),
        (
            "mapping.py", "import jax\nfrom train import centred\n\ny = jax.vmap(centred)(jax.numpy.ones(3))\n",
            'import jax\n\n\ndef centred(x):\n    return x - jax.lax.pmean(x, "rows")\n',
            "jax.vmap(centred)", 'jax.vmap(centred, axis_name="rows")',
        ),
        (
            "moving.py",
            "import jax\n\n\ndef moved(x, step):\n    return x + step.sum()\n\n\nall_moved = jax.vmap(moved)\n",
            "import jax.numpy as jnp\nfrom moving import all_moved\n\nSTEP = jnp.ones(2)\n\n\ndef main():\n"
            "    x = jnp.zeros(5)\n    return all_moved(x, STEP)\n\n\nmain()\n",
            "jax.vmap(moved)", "jax.vmap(moved, in_axes=(0, None))",
        ),
        (
            "start.py", "import jax.numpy as jnp\n\n\ndef zero(count):\n    return {'sum': jnp.zeros(count, jnp.int32)}\n",
            "import jax\nimport jax.numpy as jnp\nimport start\n\n\ndef add(total, x):\n    return {'sum': total['sum'] + x}, None\n\n\n"
            "def run(xs):\n    return jax.lax.scan(add, start.zero(3), xs)\n\n\nrun(jnp.ones((2, 3)))\n",
            "jnp.int32", "jnp.float32",
        ),
    ],
)  # fmt: skip
def test_fix_goes_into_another_file_than_the_finding(jaxlint, tmp_path, other, wrong, train, before, after):
    """The class of an argument that has no hash, the `jax.jit` of a caller, what maps a function, and the start of a carry."""
    (tmp_path / other).write_text(wrong)
    (tmp_path / ("losses.py" if other == "train.py" else "train.py")).write_text(train)
    assert jaxlint(".")[0] == 1
    assert jaxlint("--fix", "--unsafe-fixes", ".")[0] == 0
    assert before not in (text := (tmp_path / other).read_text()) and after in text
    assert jaxlint("--fix", "--unsafe-fixes", ".")[0] == 0 and (tmp_path / other).read_text() == text


def test_fix_of_another_file_is_reported_with_its_path(jaxlint, tmp_path):
    """As one that is applied where the file is of the run, and as a suggestion where it is not, or where it leads to something."""
    (tmp_path / "config.py").write_text(CONFIG)
    (tmp_path / "train.py").write_text(CONFIGURED)

    def reported(*paths):
        [entry] = json.loads(jaxlint("--output-format", "json", *paths)[1])
        return entry

    entry = reported(".")
    [edit] = entry["fix"]["edits"]
    assert entry["filename"] == str(tmp_path / "train.py") and entry["fix"]["applicability"] == "unsafe"
    assert (edit["filename"], edit["content"]) == (str(tmp_path / "config.py"), "(frozen=True)")
    assert edit["location"] == edit["end_location"] == {"row": 4, "column": 11}
    assert reported("train.py")["fix"]["applicability"] == "display"
    [run] = json.loads(jaxlint("--output-format", "sarif", ".")[1])["runs"]
    [change] = run["results"][0]["fixes"][0]["artifactChanges"]
    assert (
        change["artifactLocation"]["uri"] == "config.py"
        and change["replacements"][0]["deletedRegion"]["startLine"] == 4
    )
    _, out, _ = jaxlint(".")
    assert "  ::: config.py:5:1\n 4 - @dataclass\n 4 + @dataclass(frozen=True)\n" in out
    assert "1 fix available with --fix --unsafe-fixes." in out


def test_fix_of_another_file_is_tried_before_it_is_reported(jaxlint, tmp_path, monkeypatch):
    (tmp_path / "config.py").write_text(CONFIG)
    (tmp_path / "train.py").write_text(CONFIGURED)
    monkeypatch.setattr(cross_file_fixes, "objection", lambda *given: "it does not stand its trial")
    [entry] = json.loads(jaxlint("--output-format", "json", ".")[1])
    assert entry["fix"]["applicability"] == "display"
    assert entry["fix"]["message"].startswith("Freeze `Config` (not applied: it does not stand its trial)")


def test_fix_of_a_file_that_is_not_of_the_run_is_not_made(jaxlint, tmp_path):
    (tmp_path / "helpers.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(TRAIN)
    code, out, _ = jaxlint("--fix", "--unsafe-fixes", "--output-format", "json", "train.py")
    [entry] = json.loads(out)
    assert entry["filename"] == str(tmp_path / "helpers.py") and entry["fix"]["applicability"] == "display"
    assert code == 1 and (tmp_path / "helpers.py").read_text() == HELPER


def test_fixes_of_the_file_itself_and_of_another_go_together(jaxlint, tmp_path):
    own = "\n\ndef g():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"
    (tmp_path / "helpers.py").write_text(HELPER.replace("def scale", own.strip("\n") + "\n\n\ndef scale"))
    (tmp_path / "train.py").write_text(TRAIN)
    assert jaxlint("--fix", "--unsafe-fixes", ".")[0] == 0
    fixed = own.strip("\n").replace("y[0] = 1.0", "y = y.at[0].set(1.0)")
    assert (tmp_path / "helpers.py").read_text() == SCALED.replace("def scale", fixed + "\n\n\ndef scale")


WAITS = """import jax.numpy as jnp


def wait(buffer, ready):
    while not ready:
        buffer, ready = buffer.add(buffer)
    return buffer


def double(x, flag):
    return 2 * x if flag else x
"""


def test_fix_that_leads_to_another_finding_in_what_a_file_imports_is_not_made(jaxlint, tmp_path):
    (tmp_path / "helpers.py").write_text(WAITS)
    uses = "    return helpers.wait(x, x.sum() > 0), helpers.double(x, x.sum() > 0)\n"
    (tmp_path / "train.py").write_text(f"import helpers\nimport jax\n\n\n@jax.jit\ndef step(x):\n{uses}")
    code, out, _ = jaxlint("--fix", "--unsafe-fixes", "--output-format", "json", ".")
    after = WAITS.replace("2 * x if flag else x", "jnp.where(flag, 2 * x, x)")
    assert (tmp_path / "helpers.py").read_text() == after and code == 1
    [fix] = [entry["fix"] for entry in json.loads(out) if entry["code"] == "JAX105"]
    assert fix["applicability"] == "display" and "(not applied: it leads to JAX104 in line 5: " in fix["message"]


def test_files_stay_where_fixes_of_several_do_not_come_to_an_end(jaxlint, tmp_path, monkeypatch):
    """The file that would change says so, and no other."""
    monkeypatch.setattr(cross_file_fixes, "MAX_PASSES", 1)  # the second one would find nothing left to do
    (tmp_path / "helpers.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(TRAIN)
    code, _, err = jaxlint("--fix", "--unsafe-fixes", "--output-format", "concise", ".")
    assert code == 2 and (tmp_path / "helpers.py").read_text() == HELPER
    assert err == ("jaxlint: helpers.py: the fixes of JAX103 were taken back: they do not come to an end in 1 passes\n")


def test_comment_at_the_call_or_in_the_helper_keeps_the_fix_away(jaxlint, tmp_path):
    (tmp_path / "train.py").write_text(TRAIN)
    silent = HELPER.replace("else 2.0", "else 2.0  # noqa: JAX103")
    (tmp_path / "helpers.py").write_text(silent)
    assert jaxlint("--fix", "--unsafe-fixes", ".")[0] == 0
    assert (tmp_path / "helpers.py").read_text() == silent


NUMPY = "import numpy as np\n\n\ndef length(x):\n    return np.{}\n"
# What the helper calls, the roots that call the helper with tracers, and what the fix makes of it: the values that the
# helper has in the other files decide whether `jnp` takes the arguments as they stand.
TRACED = "import jax\nfrom helpers import length\n\nstep = jax.{}\n"


@pytest.mark.parametrize(
    "call, roots, is_fixed",
    [
        ("sqrt(x)", ["jit(length)"], True),
        ("stack([x, x])", ["jit(lambda x: length(x + 1))", "vmap(length)"], True),
        ("max(x)", ["jit(lambda x: length([x, x]))"], False),  # a list, which `jnp` refuses
    ],
)
def test_numpy_in_a_module_that_another_file_traces(jaxlint, tmp_path, call, roots, is_fixed):
    (tmp_path / "helpers.py").write_text(NUMPY.format(call))
    for number, root in enumerate(roots):
        (tmp_path / f"train{number}.py").write_text(TRACED.format(root))
    found = json.loads(jaxlint("--select", "JAX301", "--output-format", "json", ".")[1])
    assert [(os.path.basename(each["filename"]), each["location"]["row"]) for each in found] == [("helpers.py", 5)]
    fix = found[0]["fix"]
    assert (fix is not None) == is_fixed
    assert fix is None or (fix["applicability"] == "unsafe" and "become 32-bit JAX arrays" in fix["message"])
    jaxlint("--fix", "--unsafe-fixes", "--select", "JAX301", ".")
    of_jax = NUMPY.replace("numpy as np", "jax.numpy as jnp").replace("np.{}", "jnp.{}")
    assert (tmp_path / "helpers.py").read_text() == (of_jax if is_fixed else NUMPY).format(call)


def test_fix_that_does_not_suit_all_files_that_call_is_not_made(jaxlint, tmp_path):
    helper = NUMPY.format("square(x)")
    (tmp_path / "helpers.py").write_text(helper)
    (tmp_path / "arrays.py").write_text(TRACED.format("jit(length)"))
    arguments = ("--unsafe-fixes", "--select", "JAX301")
    assert "jnp.square(x)" in jaxlint("--diff", *arguments, ".")[1]
    (tmp_path / "lists.py").write_text(TRACED.format("jit(lambda x: length([x, x]))"))
    _code, out, _ = jaxlint("--output-format", "json", *arguments, ".")
    assert [each["fix"] for each in json.loads(out)] == [None]
    assert jaxlint("--fix", *arguments, ".")[0] == 1 and (tmp_path / "helpers.py").read_text() == helper


def test_result_does_not_depend_on_the_number_of_workers(jaxlint, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "LARGE_RUN", 0)  # else so few bytes start no processes
    for number in range(20):
        (tmp_path / f"h{number}.py").write_text(HELPER)
        (tmp_path / f"t{number}.py").write_text(TRAIN.replace("helpers", f"h{number}"))
    assert jaxlint("--fix", "--unsafe-fixes", "--jobs", "3", ".")[:2] == (0, "Found 20 errors (20 fixed, 0 left).\n")
    assert all((tmp_path / f"h{number}.py").read_text() == SCALED for number in range(20))


# --- answers at a terminal -------------------------------------------------------------------

TWO = STORE + STORE.partition("\n\n\n")[2].join(["\n\n", ""]).replace("def f", "def g")
ASK = [sys.executable, "-m", "jaxlint", "check", "--ask", "--no-cache", "--output-format", "concise"]


def own_terminal():
    """Makes standard input the terminal whose keys send signals."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which whoever started the tests may have turned off


def converse(folder, answers, *arguments):
    """Runs `--ask` at a terminal of its own and types an answer at each question. Returns exit code and what was shown."""
    terminal, other = pty.openpty()
    process = subprocess.Popen(
        [*ASK, *arguments], cwd=folder, stdin=other, stdout=other, stderr=other, preexec_fn=own_terminal
    )
    os.close(other)
    shown, asked, left = b"", 0, list(answers)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # the other side is closed
                break
            shown += piece
        while shown.count(b"[q]uit: ") > asked and left:
            asked += 1
            os.write(terminal, left.pop(0).encode())
        if process.poll() is not None and not select.select([terminal], [], [], 0.1)[0]:
            break
    os.close(terminal)
    assert left == [], f"never asked for: {left}\n{shown.decode()}"
    return process.wait(timeout=60), shown.decode().replace("\r\n", "\n")


def store_and_choice(folder):
    (folder / "a.py").write_text(TWO)
    (folder / "b.py").write_text(CHOICE)


def contents(folder):
    return (folder / "a.py").read_text(), (folder / "b.py").read_text()


BOTH = TWO.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")
FIRST = TWO.replace("y[0] = 1.0", "y = y.at[0].set(1.0)", 1)


@pytest.mark.parametrize(
    ("answers", "code", "a", "b"),
    [
        (["y\n", "y\n", "y\n"], 0, BOTH, CHOSEN),
        (["n\n", "n\n", "n\n"], 1, TWO, CHOICE),
        (["y\n", "n\n", "y\n"], 1, FIRST, CHOSEN),
        (["a\n", "n\n"], 1, BOTH, CHOICE),
        (["y\n", "q\n"], 1, FIRST, CHOICE),
        (["y\n", "\x04"], 1, FIRST, CHOICE),
        (["what\n", "y\n", "y\n", "no\n"], 1, BOTH, CHOICE),
        (["f\n", "n\n"], 1, BOTH, CHOICE),
        (["s\n", "y\n"], 1, TWO, CHOSEN),
        (["n\n", "u\n", "y\n", "n\n", "n\n"], 1, FIRST, CHOICE),
        (["y\n", "u\n", "n\n", "n\n", "y\n"], 1, TWO, CHOSEN),
        (["u\n", "y\n", "u\n", "f\n", "u\n", "n\n"], 1, BOTH, CHOICE),
    ],
)
def test_each_fix_is_asked_about(tmp_path, answers, code, a, b):
    store_and_choice(tmp_path)
    status, shown = converse(tmp_path, answers)
    assert (status, *contents(tmp_path)) == (code, a, b), shown
    assert (
        "Apply this fix? [y]es, [n]o, [a]ll of JAX308, all in this [f]ile, [s]kip this file, [u]ndo, [q]uit: " in shown
    )
    assert "-     y[0] = 1.0" in shown.replace("\x1b[31m", "").replace("\x1b[0m", "")


def test_interrupt_leaves_every_file(tmp_path):
    store_and_choice(tmp_path)
    status, _ = converse(tmp_path, ["y\n", "\x03"])
    assert status == 130 and contents(tmp_path) == (TWO, CHOICE)


def test_fix_that_another_file_finds_is_asked_about(tmp_path):
    (tmp_path / "helpers.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(TRAIN)
    assert converse(tmp_path, ["y\n"])[0] == 0
    assert (tmp_path / "helpers.py").read_text() == SCALED


def test_nobody_to_ask(tmp_path):
    store_and_choice(tmp_path)
    run = subprocess.run(ASK, cwd=tmp_path, input="y\n", capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert (
        run.stderr
        == "jaxlint check: --ask asks at a terminal, and there is none; use --fix, or --diff to see the fixes first\n"
    )
    assert contents(tmp_path) == (TWO, CHOICE)


@pytest.mark.parametrize(("arguments", "says"), [(["--diff"], "--diff changes nothing"), (["-"], "name the file")])
def test_ask_with_what_does_not_go_with_it(jaxlint, arguments, says):
    code, _, err = jaxlint("--ask", *arguments)
    assert code == 2 and says in err


@pytest.mark.parametrize(("safe", "unsafe"), [("branch-on-tracer", "JAX103"), ("jax103", "branch-on-tracer")])
def test_name_and_code_mean_a_rule_equally_and_the_one_that_trusts_less_decides(safe, unsafe):
    from jaxlint.configuration.safety import Safety
    from jaxlint.source.diagnostic import Applicability

    assert Safety(safe=[safe], unsafe=[unsafe]).of("JAX103", Applicability.UNSAFE) is Applicability.UNSAFE
    assert Safety(safe=[safe], unsafe=["JAX1"]).of("JAX103", Applicability.UNSAFE) is Applicability.SAFE


# --- the fixes of one line -------------------------------------------------------------------

STORES = STORE.replace("    return y\n", "    y[1] = 2.0\n    print(y.sum())\n    return y\n")


@pytest.mark.parametrize(
    ("place", "changes"),
    [
        ("a.py:7", {"y[1] = 2.0": "y = y.at[1].set(2.0)"}),
        ("a.py:7:JAX308", {"y[1] = 2.0": "y = y.at[1].set(2.0)"}),
        ("a.py:6:item-assignment", {"y[0] = 1.0": "y = y.at[0].set(1.0)"}),
        ("a.py:7:JAX3", {"y[1] = 2.0": "y = y.at[1].set(2.0)"}),
        ("a.py:7:JAX103", {}),
        ("a.py:5", {}),
    ],
)
def test_only_the_fixes_of_the_line_are_applied(jaxlint, tmp_path, place, changes):
    (tmp_path / "a.py").write_text(STORES)
    left = STORES
    for old, new in changes.items():
        left = left.replace(old, new)
    _, shown, _ = jaxlint("--diff", place)
    assert [line[1:].strip() for line in shown.splitlines() if line.startswith("+ ")] == list(changes.values())
    assert (tmp_path / "a.py").read_text() == STORES
    _, out, err = jaxlint("--fix", place)
    assert (tmp_path / "a.py").read_text() == left
    assert ("nothing is fixed here" in err) is (not changes)
    assert f"({len(changes)} fixed" in out or not changes


def test_lines_of_several_files_and_a_file_as_a_whole(jaxlint, tmp_path):
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(STORES)
    jaxlint("--fix", "a.py:6", "a.py:7", "b.py:6", "c.py:6", "c.py")
    stored = STORES.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")
    both = stored.replace("y[1] = 2.0", "y = y.at[1].set(2.0)")
    assert [(tmp_path / name).read_text() for name in ("a.py", "b.py", "c.py")] == [both, stored, both]


def test_unsafe_fix_of_a_line_needs_the_option(jaxlint, tmp_path):
    (tmp_path / "a.py").write_text(CHOICE + STORE.partition("\n\n\n")[2].join(["\n\n", ""]))
    assert "a.py:7: nothing is fixed here: the fix is unsafe; add --unsafe-fixes" in jaxlint("--fix", "a.py:7")[2]
    jaxlint("--fix", "--unsafe-fixes", "a.py:7")
    text = (tmp_path / "a.py").read_text()
    assert "jnp.where" in text and "y[0] = 1.0" in text


def test_line_is_followed_through_the_passes(jaxlint, tmp_path):
    """A second finding of the line waits for the pass after the first, which has put an import above it."""
    text = "from jax import jit\n\n\n@jit\ndef f(x):\n    return (1.0 if x > 2 else 2.0) + (1.0 if (2.0 if x > 1 else 3.0) > 2 else 4.0)\n"
    text += "\n\n@jit\ndef g(x):\n    return 1.0 if x > 2 else 2.0\n"
    (tmp_path / "a.py").write_text(text)
    jaxlint("--fix", "--unsafe-fixes", "a.py:6")
    after = (tmp_path / "a.py").read_text()
    assert after.count("jnp.where(") == 3 and after.endswith("    return 1.0 if x > 2 else 2.0\n")


def test_line_in_a_file_that_another_one_calls(jaxlint, tmp_path):
    twice = HELPER + HELPER.partition("\n\n\n")[2].join(["\n\n", ""]).replace("def scale", "def rescale")
    (tmp_path / "helpers.py").write_text(twice)
    (tmp_path / "train.py").write_text(
        TRAIN.replace("import scale", "import rescale, scale") + "other = jax.jit(rescale)\n"
    )
    jaxlint("--fix", "--unsafe-fixes", "helpers.py:5", "train.py")
    assert (tmp_path / "helpers.py").read_text() == twice.replace(
        "1.0 if x > 2 else 2.0", "jnp.where(x > 2, 1.0, 2.0)", 1
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["a.py:6"], "add --fix, --diff or --ask"),
        (["--fix", "a.py:6:JAX999"], "`a.py:6:JAX999` ends with what is no rule"),
        (["--fix", "a.py:6:5"], "write FILE:LINE:CODE or FILE:LINE"),
        (["--fix", "a.ipynb:6"], "name the notebook without a line"),
    ],
)
def test_place_that_cannot_be_meant(jaxlint, tmp_path, arguments, says):
    (tmp_path / "a.py").write_text(STORES)
    code, _, err = jaxlint(*arguments)
    assert code == 2 and says in err and (tmp_path / "a.py").read_text() == STORES


def test_file_that_is_called_like_a_place(jaxlint, tmp_path):
    (tmp_path / "a.py:6").write_text(STORES)
    (tmp_path / "a.py").write_text(STORES)
    jaxlint("--fix", "a.py:6")
    assert (tmp_path / "a.py").read_text() == STORES and ".at[1]" in (tmp_path / "a.py:6").read_text()


def test_a_statement_does_not_move_above_the_import_that_may_bind_its_names(tmp_path):
    (tmp_path / "common.py").write_text("import jax\nimport jax.numpy as jnp\n\ngrid = jnp.linspace(0.0, 1.0, 5)\n")
    script = tmp_path / "main.py"
    script.write_text('from common import *\n\njax.config.update("jax_enable_x64", True)\nprint(grid)\n')
    (found,) = check_source(Source.from_text(script.read_text(), str(script)), Config(root=str(tmp_path))).diagnostics
    assert (found.code, found.fix) == ("JAX520", None)
