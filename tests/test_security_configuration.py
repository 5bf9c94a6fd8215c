"""Whose configuration counts, and that no setting reads the environment."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
SECRET = "hunter2-of-the-gate"
STRANGER, OWNER = 12345, 23456  # users that need not exist
CHECK = ("-m", "jaxlint", "check", "--jobs", "1", "--output-format", "concise")
root_alone = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="files are given to other users, which root alone can do"
)


def run(*words, folder, **variables):
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env={**os.environ, "COLUMNS": "300", **variables}, capture_output=True, text=True,
        input=f'Traceback (most recent call last):\n  File "{folder}/a.py", line 6, in f\n    if x.sum() > 2:\n'
        "jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].\n",
    )  # fmt: skip


# --- whose configuration ---------------------------------------------------------------------


@pytest.fixture
def common():
    """A folder that everybody may write to, with a project below it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        folder.chmod(0o1777)
        project = folder / "x" / "project"
        project.mkdir(parents=True)
        (project / "a.py").write_text(BRANCH)
        yield folder


def given(path, owner, text='[tool.jaxlint]\nignore = ["JAX103"]\n'):
    path.write_text(text)
    os.chown(path, owner, owner)


@root_alone
@pytest.mark.parametrize(
    "words",
    [
        CHECK, ("-m", "flake8", "--isolated", "--select=JAX", "a.py"), ("-m", "jaxlint", "config"), ("-m", "jaxlint", "reveal", "a.py"),
        ("-m", "jaxlint", "explain", "-"), ("-m", "jaxlint", "rules"), ("-m", "jaxlint", "baseline"),
    ],
    ids=["check", "flake8", "config", "reveal", "explain", "rules", "baseline"],
)  # fmt: skip
def test_the_file_of_another_user_above_the_project_does_not_count(common, words):
    given(common / "pyproject.toml", STRANGER)
    done = run(*words, folder=common / "x" / "project")
    said = done.stdout + done.stderr
    assert f"{common / 'pyproject.toml'}:1:1: " in said or "pyproject.toml:1:1: JAX903 " in said, said
    assert f"[tool.jaxlint] does not count: the file belongs to another user (UID {STRANGER})" in said
    assert "--isolated" in said and "a pyproject.toml nearer to the code" in said
    if words[1] == "flake8" or "check" in words:
        assert "a.py:6:8: JAX103" in said
    assert not (common / ".jaxlint_cache").exists(), "nothing is kept where others may write"


@root_alone
def test_what_is_said_to_do_helps(common):
    project = common / "x" / "project"
    given(common / "pyproject.toml", STRANGER)
    assert run(*CHECK, folder=project).returncode == 2
    isolated = run(*CHECK, "--isolated", folder=project)
    assert (isolated.returncode, isolated.stderr) == (1, "") and "JAX103" in isolated.stdout
    (project / "pyproject.toml").write_text("[tool.jaxlint]\n")
    own = run(*CHECK, folder=project)
    assert (own.returncode, own.stderr) == (1, "") and "JAX903" not in own.stdout


@root_alone
def test_a_file_that_is_not_ours_to_judge_is_passed_over(common):
    """One without the table, whoever wrote it."""
    given(common / "pyproject.toml", STRANGER, '[project]\nname = "jaxlint"\n')
    assert "JAX903" not in run(*CHECK, folder=common / "x" / "project").stdout


@root_alone
def test_a_link_of_another_user_does_not_count(common):
    """It could make anybody's settings those of the project."""
    other = common / "other.toml"
    given(other, 0)
    (common / "pyproject.toml").symlink_to(other)
    os.lchown(common / "pyproject.toml", STRANGER, STRANGER)
    done = run(*CHECK, folder=common / "x" / "project")
    assert f"(UID {STRANGER})" in done.stdout and "JAX103" in done.stdout
    os.lchown(common / "pyproject.toml", 0, 0)
    assert "JAX103" not in run(*CHECK, folder=common / "x" / "project").stdout
    os.chown(other, STRANGER, STRANGER)
    assert f"(UID {STRANGER})" in run(*CHECK, folder=common / "x" / "project").stdout


@root_alone
def test_a_nested_file_of_another_user_does_not_count(common):
    nested = common / "x" / "project" / "sub"
    nested.mkdir()
    (nested / "b.py").write_text(BRANCH)
    given(nested / "pyproject.toml", STRANGER)
    done = run(*CHECK, folder=common / "x" / "project")
    assert "sub/pyproject.toml:1:1: JAX903" in done.stdout and "sub/b.py:6:8: JAX103" in done.stdout


@root_alone
@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml", "setup.cfg"])
def test_releases_that_another_user_declares_do_not_count(common, name):
    """They decide which names of JAX are reported as gone."""
    text = {
        "requirements.txt": "jax==0.4.1\n",
        "pyproject.toml": '[project]\nname = "x"\ndependencies = ["jax==0.4.1"]\n',
        "setup.cfg": "[options]\ninstall_requires = jax==0.4.1\n",
    }[name]
    code = "from jaxlint.configuration.config import Configs\nprint(Configs().for_folder('.').dependencies.found)"
    for owner, counts in ((STRANGER, False), (0, True)):
        given(common / name, owner, text)
        done = run("-c", code, folder=common / "x" / "project")
        assert done.stdout.strip() == ("(('jax', '==0.4.1'),)" if counts else "()"), done.stderr


@root_alone
@pytest.mark.parametrize(("file", "user", "counts"), [
    (STRANGER, 0, False), (STRANGER, OWNER, False), (STRANGER, STRANGER, True), (OWNER, 0, True), (OWNER, OWNER, True),
    (OWNER, STRANGER, True), (0, 0, True), (0, OWNER, True), (0, STRANGER, True),
])  # fmt: skip
def test_this_user_root_and_the_owner_of_the_working_directory_have_a_say(common, file, user, counts):
    """A container has a checkout of another user's, which it may be run in by root and by anybody."""
    project = common / "x" / "project"
    for path in (common / "x", project, project / "a.py"):
        os.chown(path, OWNER, OWNER)
    given(common / "pyproject.toml", file)
    code = (  # what is loaded later lies where others may not read
        "import os, sys\nimport jaxlint.configuration.config, tempfile\ntry:\n    import tomllib\nexcept ImportError:\n    import tomli\n"
        f"os.setresuid({user}, {user}, {user})\nconfigs = jaxlint.configuration.config.Configs()\n"
        "print(configs.for_folder('.').ignore, len(configs.problems))"
    )
    done = run("-c", code, folder=project)
    assert done.stdout.strip() == ("('JAX103',) 0" if counts else "() 1"), done.stderr


@root_alone
def test_a_checkout_of_another_user_is_linted_with_its_plugins_table_and_cache(common):
    """The whole tree is another user's, as in a container."""
    project = common / "x" / "project"
    given(project / "pyproject.toml", OWNER, '[tool.jaxlint]\nextend-select = ["JAX316"]\n')
    for path in (project, project / "a.py"):
        os.chown(path, OWNER, OWNER)
    done = run(*CHECK, folder=project)
    assert done.returncode == 1 and "JAX903" not in done.stdout and (project / ".jaxlint_cache").is_dir()


# --- the environment -------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(BRANCH)
    return folder


@pytest.mark.parametrize("value", ["/x/$SECRET", "${SECRET}", "../$SECRET", "~/x", "~root/x", "a/$SECRET/b"])
@pytest.mark.parametrize("where", ["", "sub"])
def test_no_setting_expands_the_environment(project, where, value):
    sub = project / "sub"
    sub.mkdir()
    (sub / "a.py").write_text(BRANCH)
    (project / where / "pyproject.toml").write_text(f'[tool.jaxlint]\npreview = true\ncache-dir = "{value}"\n')
    home = project.parent / "home"
    home.mkdir()
    before = sorted(map(str, project.rglob("*")))
    for words in (
        CHECK,
        ("-m", "jaxlint", "config", where or "."),
        ("-m", "flake8", "--isolated", "--select=JAX", "."),
    ):
        done = run(*words, folder=project, SECRET=SECRET, HOME=str(home))
        said = done.stdout + done.stderr
        assert SECRET not in said and str(home) not in said
        assert f"`cache-dir` is taken as it is written, and {value} is not expanded" in said
        assert "pyproject.toml:3:" in said
    left = {str(path) for path in (project / where).rglob("*") if ".jaxlint_cache" not in path.parts}
    assert left <= set(before) and not any(home.iterdir()), "nothing is made of the name either"


@pytest.mark.parametrize(
    ("value", "target"), [("link", "outside"), ("link/inner", "outside"), ("../outside/x", None), (None, "outside")]
)
def test_a_cache_outside_is_refused_by_the_words_of_the_setting(project, value, target):
    """Where links lead to is not for the report of a pull request to say."""
    outside = project.parent / "outside"
    outside.mkdir()
    (project / "pyproject.toml").write_text("[tool.jaxlint]\n" + ("" if value is None else f'cache-dir = "{value}"\n'))
    if target is not None:
        (project / ("link" if value else ".jaxlint_cache")).symlink_to(outside)
    done = run(*CHECK, folder=project)
    assert (
        f"`cache-dir` leads out of the project: {value or '.jaxlint_cache'}; name a folder outside with --cache-dir"
        in done.stdout
    )
    assert str(project.parent) not in done.stdout + done.stderr and not any(outside.iterdir())


def test_the_command_line_expands_nothing_either(project):
    """That is for the shell, which has done so by then."""
    done = run(*CHECK, "--cache-dir", "~/$SECRET", folder=project, SECRET=SECRET, HOME=str(project.parent))
    assert done.returncode == 1
    assert (project / "~" / "$SECRET" / "CACHEDIR.TAG").is_file()
