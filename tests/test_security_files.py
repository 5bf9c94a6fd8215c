"""Which files are written, opened and believed: none that a linted tree or a pasted traceback chooses."""

import io
import json
import os
import stat
import subprocess
import sys

import pytest

from jaxlint.cli import main
from jaxlint.configuration.config import Configs
from jaxlint.run import cache, runner
from jaxlint.source.files import write_atomic
from jaxlint.source.text import SourceError

STORE = "import jax.numpy as jnp\n\n\ndef f():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "tree").mkdir()
    (tmp_path / "outside").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    return tmp_path / "tree"


# --- writing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, arguments", [("pyproject.toml", ["init"]), (".pre-commit-config.yaml", ["init", "--pre-commit"])]
)
def test_init_writes_through_no_link_out_of_the_project(project, name, arguments, capsys):
    target = project.parent / "outside" / "target"
    target.write_text("repos:\n- repo: local\n" if "commit" in name else "[project]\nname = 'theirs'\n")
    before = target.read_bytes()
    (project / name).symlink_to(target)
    assert main(arguments) == 2
    assert "a link out of the project is not written through" in capsys.readouterr().err
    assert target.read_bytes() == before


def test_init_makes_no_file_behind_a_link(project):
    (project / "pyproject.toml").symlink_to(project.parent / "outside" / "new.toml")
    assert main(["init"]) == 2
    assert os.listdir(project.parent / "outside") == []


@pytest.mark.parametrize("arguments", [["--fix", "--unsafe-fixes"], ["--add-noqa"]])
def test_file_without_write_permission_is_not_replaced(project, arguments, capfd):
    path = project / "store.py"
    path.write_text(STORE)
    path.chmod(0o444)
    assert main(["check", *arguments, "--jobs", "1", "--no-cache"]) == 2
    err = capfd.readouterr().err
    assert "store.py" in err and ("read-only" in err or "Permission denied" in err) and "it is unchanged" in err
    assert path.read_text() == STORE and stat.S_IMODE(path.stat().st_mode) == 0o444


@pytest.mark.parametrize("arguments", [["--fix", "--unsafe-fixes"], ["--add-noqa"]])
def test_hard_link_keeps_its_other_name(project, arguments, capfd):
    path, other = project / "store.py", project.parent / "outside" / "store.py"
    path.write_text(STORE)
    os.link(path, other)
    assert main(["check", *arguments, "--jobs", "1", "--no-cache"]) == 2
    assert "2 names (hard links)" in capfd.readouterr().err
    assert path.read_text() == other.read_text() == STORE and path.stat().st_ino == other.stat().st_ino


def test_baseline_of_a_read_only_file_is_refused(project, capfd):
    (project / "a.py").write_text(BRANCH)
    assert main(["baseline", "--output", "b.json", "--jobs", "1"]) == 0
    before = (project / "b.json").read_bytes()
    (project / "b.json").chmod(0o444)
    (project / "a.py").write_text(STORE)
    assert main(["baseline", "--output", "b.json", "--jobs", "1"]) == 2
    err = capfd.readouterr().err
    assert ("read-only" in err or "Permission denied" in err) and (project / "b.json").read_bytes() == before


def test_every_writer_names_the_folder_that_bounds_it(project):
    (project / "link.py").symlink_to(project.parent / "outside" / "a.py")
    (project.parent / "outside" / "a.py").write_text("old")
    with pytest.raises(SourceError, match="a link out of the project"):
        write_atomic(str(project / "link.py"), b"new", str(project))
    assert (project.parent / "outside" / "a.py").read_text() == "old"


# --- opening ---------------------------------------------------------------------------------


def explained(text, capsys, monkeypatch, *arguments):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code = main(["explain", "-", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def traceback(path, row=6):
    frame = f'  File "{path}", line {row}, in f\n    if x.sum() > 2:\n'
    return f"Traceback (most recent call last):\n{frame}jax.errors.TracerBoolConversionError: no\n"


@pytest.mark.parametrize("way", ["absolute", "parent", "link", "linked folder"])
def test_explain_opens_no_file_outside_of_the_project(project, way, capsys, monkeypatch):
    secret = project.parent / "outside" / "secret.py"
    secret.write_text(BRANCH + "# password\n")
    (project / "link.py").symlink_to(secret)
    (project / "folder").symlink_to(secret.parent)
    path = {
        "absolute": secret,
        "parent": "../outside/secret.py",
        "link": project / "link.py",
        "linked folder": "folder/secret.py",
    }[way]
    opened = []
    monkeypatch.setattr("jaxlint.source.reading.read_bytes", lambda filename: opened.append(filename))
    _, out, _ = explained(traceback(path), capsys, monkeypatch)
    assert opened == [] and "password" not in out
    assert f"Not opened, because they lie outside of the working directory and its project: {path}." in out
    _, out, _ = explained(traceback(path), capsys, monkeypatch, "--output-format", "json")
    assert json.loads(out)["not_opened"] == [str(path)] and opened == []


def test_explain_expands_no_home(project, capsys, monkeypatch):
    monkeypatch.setenv("HOME", str(project.parent / "outside"))
    (project.parent / "outside" / "secret.py").write_text(BRANCH)
    _, out, _ = explained(traceback("~/secret.py"), capsys, monkeypatch)
    assert "JAX103 branch-on-tracer:" not in out and "secret.py:6" not in out.replace("~/secret.py", "")


@pytest.mark.parametrize("device", ["/dev/zero", "/proc/self/mem", "pipe.py"])
def test_explain_opens_no_device(project, device, capsys, monkeypatch):
    os.mkfifo(project / "pipe.py")
    code, _, _ = explained(traceback(device, 1), capsys, monkeypatch)
    assert code in (0, 1)


def test_explain_opens_files_of_the_project_around_the_working_directory(project, capsys, monkeypatch):
    (project / "pyproject.toml").write_text("[tool.jaxlint]\npreview = false\n")
    (project / "model.py").write_text(BRANCH)
    (project / "inner").mkdir()
    monkeypatch.chdir(project / "inner")
    code, out, _ = explained(traceback(project / "model.py"), capsys, monkeypatch)
    assert code == 0 and "JAX103 branch-on-tracer" in out and "Not opened" not in out


# --- believing -------------------------------------------------------------------------------


def found():
    (outcome,) = runner.run([runner.Job("a.py", Configs().for_file("a.py"), cached=True)])
    return outcome.diagnostics


def test_entry_with_a_flipped_bit_is_a_miss(project):
    (project / "a.py").write_text(BRANCH)
    os.utime(project / "a.py", (1, 1))
    expected = found()
    (entry,) = (project / ".jaxlint_cache").glob("*/*.json")
    raw = entry.read_bytes()
    assert len(expected) == 1 and cache.unpacked(raw)["diagnostics"]
    for at in range(0, len(raw), 7):
        changed = bytearray(raw)
        changed[at] ^= 1
        with pytest.raises(ValueError):
            cache.unpacked(bytes(changed))
    for at in (0, len(raw) // 2, len(raw) - 1):
        changed = bytearray(raw)
        changed[at] ^= 4
        entry.write_bytes(bytes(changed))
        assert found() == expected
        assert entry.read_bytes() == raw, "the run has written the entry anew"


@pytest.mark.parametrize("mark", ["link", "pipe"])
def test_a_cache_folder_whose_mark_is_no_file_is_not_used(tmp_path, mark):
    cache, outside = tmp_path / ".jaxlint_cache", tmp_path / "outside"
    cache.mkdir()
    (tmp_path / "a.py").write_text(
        "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
    )
    if mark == "link":
        outside.write_text("")
        (cache / "CACHEDIR.TAG").symlink_to(outside)
    else:
        os.mkfifo(cache / "CACHEDIR.TAG")
    words = [sys.executable, "-m", "jaxlint", "check", "--jobs", "1", "a.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "JAX103" in done.stdout and done.stderr == ""
    assert os.listdir(cache) == ["CACHEDIR.TAG"]
    assert mark == "pipe" or outside.read_text() == ""
