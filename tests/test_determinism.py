"""The same output, byte for byte: across runs, worker processes, hash seeds, the order of paths, and the cache."""

import os
import subprocess
import sys
from pathlib import Path

import optax

FIXTURES = Path(__file__).parent.parent / "fixtures"
COMMAND = [sys.executable, "-m", "jaxlint", "check", "--exit-zero"]


def report(folder, *arguments, seed="0"):
    """Standard output and standard error of a run in a process of its own, with its own hash seed."""
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, cwd=folder, env={**os.environ, "PYTHONHASHSEED": seed}
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout, done.stderr


def test_fixtures(tmp_path):
    files = [str(path) for path in sorted(FIXTURES.glob("*/*/bad.py"))[::8]]
    common = ("--output-format", "sarif", "--preview", "--extend-select", "JAX")
    root = FIXTURES.parent
    first = report(root, *common, "--no-cache", "--jobs", "1", *files, seed="1")
    assert first[0].count(b'"ruleId"') > 50 and first[1] == b""
    assert report(root, *common, "--cache-dir", str(tmp_path / "c"), "--jobs", "2", *files[::-1], seed="2") == first
    assert report(root, *common, "--cache-dir", str(tmp_path / "c"), "--jobs", "5", *files, seed="3") == first, "warm"


def test_package(tmp_path):
    folder = Path(optax.__file__).parent / "_src"
    files = [path.name for path in sorted(folder.glob("*.py")) if not path.stem.endswith("_test")][:16]
    common = ("--output-format", "json", "--preview", "--no-cache")
    first = report(folder, *common, "--jobs", "1", *files, seed="4")
    assert report(folder, *common, "--jobs", "5", *files[::-1], seed="5") == first
