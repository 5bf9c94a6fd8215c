"""Moving a code base to a newer JAX: `jaxlint check --select JAX8 --fix --target-jax SPEC`, run for real."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from jaxlint.configuration.config import Configs
from jaxlint.configuration.requirements import specifiers
from jaxlint.configuration.table import ConfigError
from jaxlint.project.target import Target, TargetError, admitted
from jaxlint.run.job import Job
from jaxlint.run.pipeline import check_source
from jaxlint.run.runner import process
from jaxlint.source.text import Source

ROOT = Path(__file__).parent.parent


def jaxlint(folder, *arguments):
    """One run of the command in a process of its own: exit code, standard output, standard error."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "jaxlint", *arguments]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


def project(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"))
    return folder


def findings(folder, *arguments):
    _, out, _ = jaxlint(folder, "check", "--select", "JAX8", "--output-format", "concise", *arguments, ".")
    return [line for line in out.splitlines() if ": JAX" in line]


OLD = {
    "pyproject.toml": """
        [project]
        name = "model"
        version = "1"
        dependencies = ["jax>=0.4.20", "numpy"]
    """,
    "model/__init__.py": """
        from model.trees import total
    """,
    "model/trees.py": """
        '''Trees of parameters.'''

        import jax
        import jax.numpy as jnp
        from jax import tree_map, tree_leaves
        from jax.tree_util import tree_structure


        def total(tree):
            doubled = tree_map(lambda x: 2 * x, tree)
            assert tree_structure(doubled) == jax.tree_structure(tree)
            return sum(jnp.sum(leaf) for leaf in tree_leaves(doubled))


        def halved(tree):
            return jax.tree_map(
                lambda x: x / 2,  # of each leaf
                tree,
            )
    """,
    "model/networks.py": """
        import jax, numpy as np
        import jax.experimental.stax as st
        from jax.experimental import stax
        from jax.experimental.optimizers import (
            sgd,
            adam as make_adam,
        )


        class Network:
            layers = [stax.Dense(2), st.Relu]

            def fit(self, step: "int" = 0):
                init, update, get = sgd(0.1)
                return get(init(np.zeros(2)))


        def optimiser():
            return make_adam(0.1)
    """,
    "model/numerics.py": """
        import jax.numpy as jnp


        def area(y, low=-jnp.inf):
            return jnp.clip(jnp.trapz(y), a_min=low, a_max=10.0)


        def members(x, wanted):
            return jnp.in1d(x, wanted)
    """,
    "model/compatible.py": """
        import jax

        try:
            from jax import tree_map
        except ImportError:
            from jax.tree_util import tree_map

        if jax.__version_info__ >= (0, 4, 26):
            leaves = jax.tree.leaves
        else:
            leaves = jax.tree_leaves
    """,
}

USE = """
import jax.numpy as jnp
from model import compatible, networks, numerics, total
from model.trees import halved

assert total({"a": jnp.ones(2)}) == 4.0
assert halved({"a": jnp.ones(2)})["a"].tolist() == [0.5, 0.5]
assert numerics.area(jnp.array([1.0, 3.0])) == 2.0
assert numerics.members(jnp.array([1, 2]), jnp.array([2])).tolist() == [False, True]
assert networks.Network().fit().tolist() == [0.0, 0.0]
assert len(networks.optimiser()) == 3
assert compatible.tree_map(len, ["ab"]) == [2]
"""


def use(folder):
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    return subprocess.run([sys.executable, "-c", USE], cwd=folder, env=environment, capture_output=True, text=True)


def test_a_project_moves_to_the_newest_jax(tmp_path):
    pytest.importorskip("jax")
    project(tmp_path, OLD)
    before = use(tmp_path)
    assert before.returncode != 0 and "ImportError" in before.stderr
    code, out, err = jaxlint(tmp_path, "check", "--select", "JAX8", "--fix", "--target-jax", ">=0.10", ".")
    assert (code, err) == (0, ""), out
    after = use(tmp_path)
    assert after.returncode == 0, after.stderr
    trees = (tmp_path / "model" / "trees.py").read_text()
    assert "from jax import" not in trees
    assert "from jax.tree_util import tree_leaves, tree_map, tree_structure\n" in trees
    assert "jax.tree.map(\n        lambda x: x / 2,  # of each leaf\n" in trees
    networks = (tmp_path / "model" / "networks.py").read_text()
    assert "import jax.example_libraries.stax as st\nfrom jax.example_libraries import stax\n" in networks
    assert "from jax.example_libraries.optimizers import" in networks
    compatible = (tmp_path / "model" / "compatible.py").read_text()
    assert compatible == textwrap.dedent(OLD["model/compatible.py"]).lstrip("\n")
    assert findings(tmp_path, "--target-jax", ">=0.10") == []


def test_only_what_all_releases_have_is_written(tmp_path):
    """`jax.tree.map` is there from 0.4.25 on; the project declares `jax>=0.4.20`."""
    project(tmp_path, OLD)
    jaxlint(tmp_path, "check", "--select", "JAX8", "--fix", ".")
    trees = (tmp_path / "model" / "trees.py").read_text()
    assert "jax.tree.map" not in trees
    assert "jax.tree_util.tree_map(\n" in trees


def test_a_deprecated_name_is_not_replaced_by_another_one(tmp_path):
    project(tmp_path, {"a.py": "import optax\n\nnorm = optax.global_norm\n"})
    project(tmp_path, {"pyproject.toml": "[project]\nname = 'x'\nversion = '1'\ndependencies = ['optax>=0.2.5']\n"})
    _, out, _ = jaxlint(tmp_path, "check", "--select", "JAX8", "--fix", ".")
    assert "Use `optax.tree.norm`, available from optax 0.2.8; the target starts at 0.2.5." in out
    assert "optax.global_norm" in (tmp_path / "a.py").read_text()


def test_the_declared_releases_decide_what_is_gone(tmp_path):
    code = "import jax\n\nprint(jax.tree_map(str, [1]))\n"
    pyproject = '[project]\nname = "a"\nversion = "1"\ndependencies = ["jax[cpu]{}"]\n'
    for specifier, expected in (("==0.4.20", []), ("<0.5", ["JAX802"]), (">=0.4.20", ["JAX801"]), ("", ["JAX801"])):
        project(tmp_path, {"pyproject.toml": pyproject.format(specifier), "a.py": code})
        assert [line.split()[1] for line in findings(tmp_path)] == expected, specifier


def test_the_option_outranks_the_declaration(tmp_path):
    project(tmp_path, {"requirements.txt": "jax==0.4.20\n", "a.py": "import jax\n\nprint(jax.tree_map)\n"})
    assert findings(tmp_path) == []
    assert ["JAX801" in line for line in findings(tmp_path, "--target-jax", ">=0.4.20")] == [True]


def test_a_target_that_cannot_be_used_is_refused(tmp_path):
    code, _out, err = jaxlint(tmp_path, "check", "--target-jax", "newest", ".")
    assert code == 2
    assert "`--target-jax`" in err or "--target-jax" in err
    assert 'such as "0.6.2", or a specifier such as ">=0.4.30,<0.8", not \'newest\'' in err
    with pytest.raises(ConfigError, match="admits no release of jax"):
        Configs({"target_jax": ">=0.8,<0.5"})


@pytest.mark.parametrize(
    "specifier, lowest, newest",
    [
        ("0.6.2", "0.6.2", "0.6.2"),
        ("==0.4.37", "0.4.37", "0.4.37"),
        (">=0.4.30,<0.8", "0.4.30", "0.7.2"),
        ("~=0.6.2", "0.6.2", "0.6.2"),
        ("<0.1", "0.4.20", "0.4.20"),
    ],
)
def test_specifiers(specifier, lowest, newest):
    target = Target.parse(specifier)
    assert (target.lowest, target.newest) == (lowest, newest)
    assert target.admits(lowest) and not target.admits("0.12.0.1")


def test_a_specifier_without_an_upper_end_reaches_the_newest_release():
    assert Target.parse(">=0.4.30").newest == Target().newest
    assert admitted(">=99").newest == "99"
    with pytest.raises(TargetError, match="must be a release of flax"):
        admitted("newest", "flax")


@pytest.mark.parametrize(
    "name, text, expected",
    [
        (
            "pyproject.toml",
            '[project]\ndependencies = ["jax>=0.4.30", "Flax==0.8.0"]',
            {"jax": ">=0.4.30", "flax": "==0.8.0"},
        ),
        ("pyproject.toml", '[project.optional-dependencies]\ngpu = ["jax[cuda12]>=0.5"]', {"jax": ">=0.5"}),
        ("pyproject.toml", '[tool.poetry.dependencies]\njax = "^0.4.30"', {"jax": "<0.5,>=0.4.30"}),
        ("pyproject.toml", '[tool.poetry.dependencies]\njax = {version = "~0.6.1"}', {"jax": "<0.7,>=0.6.1"}),
        ("setup.cfg", "[options]\ninstall_requires =\n    jax >= 0.4.1\n    numpy\n", {"jax": ">=0.4.1"}),
        (
            "requirements-dev.txt",
            "-r other.txt\njax==0.4.30  # pinned\ndm_haiku>=0.0.9\n",
            {"jax": "==0.4.30", "haiku": ">=0.0.9"},
        ),
        ("pyproject.toml", '[project]\ndependencies = ["jax"]', {}),
        ("pyproject.toml", "not toml jax", {}),
    ],
)
def test_declarations(tmp_path, name, text, expected):
    (tmp_path / name).write_text(text)
    assert specifiers(str(tmp_path)) == expected


def test_a_folder_without_a_declaration_is_none(tmp_path):
    assert specifiers(str(tmp_path)) is None
    (tmp_path / "requirements.txt").write_text("numpy\n")
    assert specifiers(str(tmp_path)) is None


def test_names_of_keys_move_without_the_rule_about_keys(tmp_path):
    project(tmp_path, {"train.py": """
        import jax
        from jax.random import KeyArray
        from jax import tree_map


        def f(key: jax.random.KeyArray) -> KeyArray:
            return tree_map(abs, key)
    """})  # fmt: skip
    _, found, _ = jaxlint(tmp_path, "check", "train.py", "--output-format", "concise")
    assert [line.split(" ")[1] for line in found.splitlines()[:-1]] == ["JAX409", "JAX801", "JAX409"]
    # What is added to a statement waits until the statement itself has been rewritten.
    code, _, problem = jaxlint(tmp_path, "check", "train.py", "--select", "JAX8", "--fix", "--unsafe-fixes")
    assert (code, problem) == (0, "")
    assert (
        (tmp_path / "train.py")
        .read_text()
        .startswith(
            "import jax\nfrom jax import Array\nfrom jax.tree_util import tree_map\n\n\n"
            "def f(key: jax.Array) -> Array:\n"
        )
    )


@pytest.mark.parametrize("specifier", [">=0.10", ">=0.9", ">=0.8", ">=0.7", ">=0.6", "==0.5"])
def test_a_release_is_spelled_as_it_was_released(specifier):
    """Two spellings of one release are the same release: which of them a message names may not depend on their hashes."""
    bound = specifier.lstrip("<>=")
    assert admitted(specifier).lowest == f"{bound}.0"


# --- names of the project itself -------------------------------------------------------------

OWN = """[tool.jaxlint.migrations]
"mylib.old" = "mylib.new"
"mylib.sub" = "mylib.other"
"ext.a.f" = "ext.b.g"
"package" = "successor"
"""


@pytest.fixture
def mended(tmp_path, monkeypatch):
    """Fixes a file of a project that says what its names became; gives the codes that were found, and the text after."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "pyproject.toml": OWN,
        "mylib/__init__.py": "from mylib.core import new\n",
        "mylib/core.py": "def new(x):\n    return x\n",
        "mylib/other.py": "def h():\n    pass\n",
        "apart/pyproject.toml": "[tool.jaxlint]\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def run(text, name="train.py"):
        (tmp_path / name).write_text(text)
        outcome = process(Job(name, Configs().for_file(name), fix=True, write=False))
        fixed = text if outcome.source is None else outcome.source.text
        return {each.code for each in (*outcome.fixed, *outcome.diagnostics)}, fixed

    return run


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import mylib\n\nmylib.old(1)\n", "import mylib\n\nmylib.new(1)\n"),
        ("import mylib as m\n\nf = m.old\n", "import mylib as m\n\nf = m.new\n"),
        ("from mylib import old\n\nold(1)\n", "from mylib import new\n\nnew(1)\n"),
        ("from mylib import old as f\n\nf(1)\n", "from mylib import new as f\n\nf(1)\n"),
        ("from mylib import old\n\n__all__ = ['old']\n", "from mylib import new as old\n\n__all__ = ['old']\n"),
        ("from mylib.sub import h\n\nh()\n", "from mylib.other import h\n\nh()\n"),
        ("import mylib.sub\n\nmylib.sub.h()\n", "import mylib.other\n\nmylib.other.h()\n"),
        ("from mylib import sub\n\nsub.h()\n", "from mylib import other\n\nother.h()\n"),
        ("import ext.a\n\next.a.f(1)\n", "import ext.a\nimport ext.b\n\next.b.g(1)\n"),
        ("from ext.a import f, k\n\nf(k)\n", "from ext.a import k\nfrom ext.b import g\n\ng(k)\n"),
        ("import package.x as p\n\np.f()\n", "import successor.x as p\n\np.f()\n"),
        ("import package\n\npackage.x.f()\n", "import successor\n\nsuccessor.x.f()\n"),
        (
            "def f():\n    from mylib import old\n\n    return old(1)\n",
            "def f():\n    from mylib import new\n\n    return new(1)\n",
        ),
    ],
)
def test_names_of_the_project_move(mended, old, new):
    assert mended(old) == ({"JAX801"}, new)
    assert mended(new) == (set(), new)


def test_relative_imports_move(mended):
    text = "from . import old\nfrom .sub import h\n\nprint(old, h)\n"
    fixed = "from mylib import new\nfrom mylib.other import h\n\nprint(new, h)\n"
    assert mended(text, "mylib/use.py") == ({"JAX801"}, fixed)


@pytest.mark.parametrize(
    "text",
    [
        "def f(old):\n    return old(1)\n",
        "import mylib\n\nmylib.older(1)\n",
        "from other import old\n\nold(1)\n",
        "try:\n    from mylib import old\nexcept ImportError:\n    from mylib import new as old\n\nold(1)\n",
    ],
)
def test_other_names_stay(mended, text):
    assert mended(text) == (set(), text)


def test_only_the_configuration_that_governs_a_file_moves_its_names(mended):
    text = "from mylib import old\n\nold(1)\n"
    assert mended(text, "apart/use.py") == (set(), text)


def test_a_name_that_has_moved_is_reported_with_the_new_one(tmp_path):
    config = Configs({"migrations": {"mylib.old": "mylib.new"}}, isolated=True).for_file("a.py")
    (found,) = check_source(Source.from_text("import mylib\nmylib.old\n", "a.py"), config).diagnostics
    assert found.message == "`mylib.old` renamed to `mylib.new` in `migrations` of this project"
    assert (found.help, found.fix.applicability.value) == ("Use `mylib.new`.", "safe")
