"""Parts of a run on several machines, and their reports joined: byte for byte the report of the whole run."""

import json
import sys

import pytest

from jaxlint.cli import main
from jaxlint.shards import Shard

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
HELPER = "def scale(x):\n    if x.sum() > 0:\n        return x\n    return -x\n"
TRAIN = "import jax\nfrom helpers import scale\nstep = jax.jit(scale)\n"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Files with findings of their own, equal lines, and a helper that several of them make fail."""
    monkeypatch.chdir(tmp_path)
    for number in range(9):
        (tmp_path / f"own{number}.py").write_text(BRANCH * (1 + number % 2) + "# π\n")
        (tmp_path / f"train{number}.py").write_text(TRAIN)
    (tmp_path / "helpers.py").write_text(HELPER + "\n\nimport jax\n\n@jax.jit\ndef g(x):\n    if x.sum() > 0:\n        return x\n    return x\n")
    (tmp_path / "broken.py").write_text("import jax\ndef f(:\n")
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


@pytest.mark.parametrize("format", ["json", "json-lines", "sarif"])
@pytest.mark.parametrize("count", [1, 3, 30])
def test_shards_joined_are_the_whole_run(tree, jaxlint, format, count):
    check = ["check", "--no-cache", "--jobs", "1", "--output-format", format]
    whole = jaxlint(*check)
    assert "helpers.py" in whole[1] and "`x.sum() > 0`" in whole[1]
    assert len({each["location"]["row"] for each in json.loads(whole[1]) if "helpers" in each["filename"]}) == 2 if format == "json" else True
    names = []
    for index in range(1, count + 1):
        names.append(tree.parent / f"{index}.report")
        assert jaxlint(*check, "--shard", f"{index}/{count}", "--output-file", names[-1])[0] in (0, 1)
    assert jaxlint("merge", *reversed(names)) == whole
    assert whole[0] == 1 and whole[1].count("helpers.py") >= 2


def test_each_file_is_of_one_shard_and_shards_are_of_one_size():
    files = [f"package/module{number}.py" for number in range(101)]
    parts = [Shard(index, 4).of(files) for index in range(1, 5)]
    assert sorted(sum(parts, [])) == sorted(files)
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
    (tree / "a.json").write_text("[]")
    (tree / "b.sarif").write_text('{\n"runs": []}')
    (tree / "c.json").write_text("{oops")
    (tree / "d.json").write_text("[3]")
    for names, says in {
        ("a.json", "b.sarif"): "a.json is json, b.sarif is sarif",
        ("b.sarif",): "not reports of jaxlint",
        ("c.json",): "c.json: neither JSON nor SARIF",
        ("d.json",): "not reports of jaxlint",
        ("none.json",): "none.json: cannot read the report: No such file",
    }.items():
        code, out, err = jaxlint("merge", *names)
        assert (code, out) == (2, "") and says in err
    assert jaxlint("merge", "a.json", "a.json") == (0, "[]\n", "")


def test_exit_code_is_that_of_the_whole_run(tree, jaxlint):
    entry = {"code": "JAX902", "filename": "a.py", "cell": None, "message": "m", "location": {"row": 1, "column": 1}}
    (tree / "a.json").write_text(json.dumps([entry]))
    assert jaxlint("merge", "a.json")[0] == 2 and jaxlint("merge", "a.json", "--exit-zero")[0] == 2
    (tree / "a.json").write_text(json.dumps([{**entry, "code": "JAX103"}]))
    assert jaxlint("merge", "a.json")[0] == 1 and jaxlint("merge", "a.json", "--exit-zero")[0] == 0
