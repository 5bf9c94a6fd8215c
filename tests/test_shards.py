"""Parts of a run on several machines, and their reports joined: byte for byte the report of the whole run."""

import json
import sys

import pytest

from jaxlint.cli import main
from jaxlint.run.shards import Shard

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
HELPER = "def scale(x):\n    if x.sum() > 0:\n        return x\n    return -x\n"
TRAIN = "import jax\nfrom helpers import scale\nstep = jax.jit(scale)\n"
# The comment is of use to another file alone, which gives `helper` an `ndim` that is traced.
SILENCED = "import jax\n\n\ndef helper(x):\n    if x.ndim > 2:  # noqa: JAX103\n        return x\n    return -x\n"
ODD = """\
import jax
from silenced import helper


class Odd:
    def __init__(self, ndim):
        self.ndim = ndim


@jax.jit
def f(x):
    return helper(Odd(x.sum()))
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Files with findings of their own, equal lines, and a helper that several of them make fail."""
    monkeypatch.chdir(tmp_path)
    for number in range(9):
        (tmp_path / f"own{number}.py").write_text(BRANCH * (1 + number % 2) + "# π\n")
        (tmp_path / f"train{number}.py").write_text(TRAIN)
        (tmp_path / f"odd{number}.py").write_text(ODD)
    (tmp_path / "helpers.py").write_text(
        HELPER + "\n\nimport jax\n\n@jax.jit\ndef g(x):\n    if x.sum() > 0:\n        return x\n    return x\n"
    )
    (tmp_path / "broken.py").write_text("import jax\ndef f(:\n")
    (tmp_path / "silenced.py").write_text(SILENCED)
    calls = "".join(f"    g(x, 'a{number}')\n" for number in range(80))
    (tmp_path / "many.py").write_text("import jax\ndef g(x, n):\n    return x + n\n@jax.jit\ndef f(x):\n" + calls)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text(BRANCH)
    return tmp_path


@pytest.fixture
def jaxlint(capfd):
    def run(*arguments):
        code = main(list(map(str, arguments)))
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.fixture
def joined(tree, jaxlint):
    """What a run says, and what its shards say when they are joined."""

    def run(count, *arguments, join=()):
        check = ["check", "--no-cache", "--jobs", "1", *arguments]
        names = []
        for index in range(1, count + 1):
            names.append(tree.parent / f"{index}.report")
            assert jaxlint(*check, "--shard", f"{index}/{count}", "--output-file", names[-1])[0] in (0, 1)
        return jaxlint(*check), jaxlint("merge", *reversed(names), *join)

    return run


@pytest.mark.parametrize(
    "format, count", [("json", 1), ("json", 3), ("json-lines", 3), ("sarif", 1), ("sarif", 3), ("sarif", 40)]
)
def test_shards_joined_are_the_whole_run(tree, joined, format, count):
    whole, parts = joined(count, "--output-format", format)
    assert parts == whole
    assert whole[0] == 1 and whole[1].count("helpers.py") >= 2 and "JAX901" not in whole[1]


def test_a_comment_that_is_of_use_to_another_shard_is_of_use(tree, joined, jaxlint):
    assert "JAX901" not in jaxlint("check", "--no-cache", "--output-format", "concise", "silenced.py")[1]
    alone = jaxlint("check", "--no-cache", "--output-format", "concise", "--no-importers", "silenced.py")[1]
    assert "JAX901" in alone, "what the importers of the file show makes the comment useful"
    for name in tree.glob("odd*.py"):
        name.unlink()
    whole, parts = joined(3, "--output-format", "json")
    assert parts == whole and whole[1].count('"JAX901"') == 1


@pytest.mark.parametrize("format", ["json", "sarif"])
def test_a_baseline_is_that_of_the_whole_run(tree, joined, jaxlint, format):
    """Of equal lines it knows some: which ones are new is not for a shard to say."""
    (tree / "two.py").write_text(HELPER + HELPER.replace("scale", "other") + "\nimport jax\n\nstep = jax.jit(other)\n")
    (tree / "b.py").write_text("import jax\nfrom two import scale\nstep = jax.jit(scale)\n")
    assert jaxlint("baseline", "--no-cache", "two.py", "own1.py", "helpers.py")[0] == 0
    (tree / "own1.py").write_text(BRANCH.replace("2", "3"))
    (tree / "helpers.py").rename(tree / "tools.py")
    for path in tree.glob("*.py"):
        path.write_text(path.read_text().replace("helpers", "tools"))
    for count in (2, 5):
        whole, parts = joined(count, "--output-format", format, "--baseline", ".jaxlint-baseline.json")
        assert parts == whole and "(own1.py: JAX103); `jaxlint baseline` removes" in whole[2]
        assert "(helpers.py is tools.py)" in whole[2]


def test_statistics_are_those_of_the_whole_run(tree, joined):
    whole, parts = joined(3, "--output-format", "json", "--statistics")
    assert parts == whole and json.loads(whole[1])[0]["code"] == "JAX103"
    assert joined(3, "--output-format", "json", join=["--statistics"])[1][1] == whole[1]
    assert "analysis cut short: many.py" in whole[2]


def test_another_format_can_be_asked_for(tree, joined, jaxlint):
    _, parts = joined(2, "--output-format", "json", join=["--output-format", "full"])
    assert parts == jaxlint("check", "--no-cache", "--output-format", "full")


def test_each_file_is_of_one_shard_and_shards_are_of_one_size():
    files = [f"package/module{number}.py" for number in range(101)]
    parts = [Shard(index, 4).of(files) for index in range(1, 5)]
    assert sorted(file for part in parts for file in part) == sorted(files)
    assert {len(part) for part in parts} == {25, 26}
    assert [Shard(index, 4).of(files[::-1])[::-1] for index in range(1, 5)] == parts
    assert all(part == sorted(part, key=files.index) for part in parts)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/", "-1/2", ""])
def test_what_is_no_shard(tree, jaxlint, text):
    code, _, err = jaxlint("check", f"--shard={text}")
    assert code == 2 and "is no shard; write `1/4` for the first of four" in err


def test_what_does_not_go_with_a_shard(tree, jaxlint):
    code, _, err = jaxlint("check", "--shard", "1/2", "--fix")
    assert code == 2 and "leave one of them out" in err


def test_what_cannot_be_merged(tree, jaxlint):
    def shard(name, *arguments):
        jaxlint(
            "check", "--no-cache", "--output-format", "json", "--output-file", name, *arguments, "own1.py", "own2.py"
        )

    shard("1.json", "--shard", "1/3")
    shard("2.json", "--shard", "2/3")
    shard("other.json", "--shard", "2/3", "--ignore", "JAX1")
    shard("whole.json")
    record = json.loads((tree / "1.json").read_text())
    record["jaxlint_shard"]["shard"] = [1, 1]
    (tree / "old.json").write_text(json.dumps({"jaxlint_shard": {**record["jaxlint_shard"], "version": "0.0.1"}}))
    (tree / "odd.json").write_text(
        json.dumps({"jaxlint_shard": {**record["jaxlint_shard"], "files": [[0, "a.py", {"diagnostics": 3}]]}})
    )
    (tree / "b.sarif").write_text('{\n"runs": []}')
    (tree / "c.json").write_text("{oops")
    (tree / "d.json").write_text("[3]")
    for names, says in {
        ("whole.json",): "whole.json: not the report of a shard; write it with `jaxlint check --shard`",
        ("b.sarif",): "not the report of a shard",
        ("c.json",): "c.json: neither JSON nor SARIF",
        ("d.json",): "not the report of a shard",
        ("none.json",): "none.json: cannot read the report: No such file",
        ("1.json",): "missing: 2/3, 3/3; name the reports of all shards",
        ("1.json", "other.json"): "other.json: not of the same run as 1.json",
        ("old.json",): "old.json: written by jaxlint 0.0.1",
        ("odd.json",): "not as jaxlint writes them",
    }.items():
        code, out, err = jaxlint("merge", *names)
        assert (code, out) == (2, "") and says in err, err


def test_exit_code_is_that_of_the_whole_run(tree, jaxlint):
    def exit_codes(*names):
        check = ["check", "--no-cache", "--output-format", "json", "--shard", "1/1", "--output-file", tree / "a.json"]
        shard = jaxlint(*check, *names)[0]
        assert json.loads((tree / "a.json").read_text())["report"] is not None
        return shard, jaxlint("merge", "a.json")[0], jaxlint("merge", "a.json", "--exit-zero")[0]

    assert exit_codes("many.py") == (0, 0, 0)
    assert exit_codes("own1.py") == (1, 1, 0)
    assert exit_codes("--exit-zero", "own1.py") == (0, 1, 0)
    assert exit_codes("own1.py", "missing.py") == (2, 2, 2)
    (tree / "pyproject.toml").write_text("[tool.jaxlint]\nzzz = 1\n")
    assert exit_codes("own1.py") == (2, 2, 2)
