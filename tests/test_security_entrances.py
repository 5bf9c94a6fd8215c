"""What a configuration of the linted tree must not do it does at no entrance: the command, flake8, the hook, the server.

`tests/test_security_plugins.py` has the same for plugins, and `tests/test_pre_commit.py` runs the hook by pre-commit itself.
"""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from test_security_configuration import BRANCH, SECRET, STRANGER, root_alone
from test_security_plugins import Client

STARS = "*a" * 40 + "*b"
LONG = "a" * 100  # the name of a folder, on which a matcher that goes back never ends
# What the file of settings holds, and what is said of it; an empty text: nothing.
SETTINGS = {
    "the environment": ('cache-dir = "/x/$SECRET"', "`cache-dir` is taken as it is written, and /x/$SECRET is not expanded"),
    "the home": ('cache-dir = "~/x"', "`cache-dir` is taken as it is written, and ~/x is not expanded"),
    "a link out of the tree": ('cache-dir = "link"', "`cache-dir` leads out of the project: link;"),
    "`exclude` of forty stars": (f'exclude = ["{STARS}"]', ""),
    "`per-file-ignores` of forty stars": (f'per-file-ignores = {{"{STARS}" = ["JAX103"]}}', ""),
    "arrays in one another": (f"exclude = {'[' * 5000}{']' * 5000}", "pyproject.toml:2:"),
    "a number without end": (f"line-length = {'9' * 10_000}", "pyproject.toml:2:"),
}  # fmt: skip
OF_ANOTHER = '[tool.jaxlint]\nignore = ["JAX103"]\n'


@pytest.fixture
def tree(tmp_path):
    """A checkout of somebody else's, with a file in a folder of a long name, and a link that leads out of it."""
    folder = tmp_path / "tree" / "sub" / LONG
    folder.mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    for place in (tmp_path / "tree", tmp_path / "tree" / "sub"):
        (place / "link").symlink_to(tmp_path / "outside")
    (folder / "model.py").write_text(BRANCH)
    return tmp_path / "tree"


def command(tree, *words):
    """All that is said."""
    environment = {**os.environ, "COLUMNS": "300", "SECRET": SECRET, "HOME": str(tree.parent / "home")}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tree, env=environment, capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def check(tree):
    return command(tree, "jaxlint", "check", "--jobs", "1", "--output-format", "concise")


def flake8(tree):
    return command(tree, "flake8", "--isolated", "--select=JAX", ".")


def hook(tree):
    """As pre-commit calls it: with the files that are staged."""
    return command(tree, "jaxlint", "check", "--force-exclude", f"sub/{LONG}/model.py")


def server(tree):
    file = tree / "sub" / LONG / "model.py"
    variables = {**os.environ, "SECRET": SECRET, "HOME": str(tree.parent / "home")}
    client = Client(SimpleNamespace(python=sys.executable), tree, tree, (), variables)
    try:
        codes = client.codes(file)
    finally:
        client.run.kill()
        client.run.communicate()
    return json.dumps([codes, client.messages], ensure_ascii=False)


ENTRANCES = [check, flake8, hook, server]


@pytest.mark.parametrize("enter", ENTRANCES, ids=lambda enter: enter.__name__)
@pytest.mark.parametrize("where", ["", "sub"])
@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_of_the_tree_tells_writes_and_hangs_nothing(tree, name, where, enter):
    setting, said = SETTINGS[name]
    (tree / where / "pyproject.toml").write_text(f"[tool.jaxlint]\n{setting}\n")
    heard = enter(tree)
    assert "JAX103" in heard and said in heard
    assert SECRET not in heard and str(tree.parent / "home") not in heard and str(tree.parent / "outside") not in heard
    assert not any((tree.parent / "outside").iterdir()) and not (tree.parent / "home").exists()


@root_alone
@pytest.mark.parametrize("enter", ENTRANCES, ids=lambda enter: enter.__name__)
@pytest.mark.parametrize("where", ["..", "", "sub"])
def test_the_configuration_of_another_user_counts_nowhere(tree, where, enter):
    tree.parent.chmod(0o1777)
    path = tree / where / "pyproject.toml"
    path.write_text(OF_ANOTHER)
    os.chown(path, STRANGER, STRANGER)
    heard = enter(tree)
    assert "JAX103" in heard and f"(UID {STRANGER})" in heard
