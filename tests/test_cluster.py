"""A run on a Dask cluster: a scheduler and two workers, in processes of their own, that are kept from the files."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from environments import Environment, project

from jaxlint.cli import main
from jaxlint.run import cluster, remote

distributed = pytest.importorskip("distributed", reason="needs the extra `dask`")

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
HELPER = "import jax.numpy as jnp\nfrom . import sizes\n\ndef scale(x):\n    if jnp.sum(x) > sizes.LIMIT:\n        return x\n    return -x\n"
TREE = {
    "pyproject.toml": '[tool.jaxlint]\nignore = ["JAX701"]\nper-file-ignores = {"calm.py" = ["JAX103"]}\n',
    "model/__init__.py": "from .layers import scale\n",
    "model/layers.py": HELPER,
    "model/sizes.py": "LIMIT = 0\n",
    "train.py": "import jax\nimport model\nfrom missing import nothing\nstep = jax.jit(model.scale)\n",
    "scripts/run.py": "import jax, runpy\nfrom model.layers import scale as f\nprint(jax.vmap(f))\n",
    "src/lib.py": "def g(x):\n    return float(x)  # noqa: JAX102\n",
    "by_src.py": "import jax\nimport lib\nstep = jax.jit(lib.g)\n",
    "calm.py": BRANCH + "    print(x)\n",
    "broken.py": "import jax\ndef f(:\n",
    "latin.py": b"# -*- coding: latin-1 -*-\n# \xe9\n" + BRANCH.encode(),
    "undecodable.py": b"# \xff\n",
    "plain.py": "def f():\n    return 1\n",
    "shown.ipynb": json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "id": "a",
                    "metadata": {},
                    "outputs": [],
                    "execution_count": None,
                    "source": BRANCH,
                }
            ],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    ),
    "tests/test_model.py": "import jax\nfrom model import scale\n\n\ndef test_scale():\n    jax.jit(scale)(1.0)\n",
    **{f"many/m{number}.py": BRANCH + f"# {number}\n" for number in range(10)},
}

# The workers may not look at the files: whatever they ask of the disk there is refused, and noted.
FENCE = """\
import os, sys

def refuse(path):
    if isinstance(path, (str, bytes, os.PathLike)) and os.fsdecode(path).startswith({tree!r}):
        with open({noted!r}, "a") as file:
            file.write(os.fsdecode(path) + "\\n")
        raise PermissionError(13, "kept out", path)

def stat(path, *args, _stat=os.stat, **options):
    refuse(path)
    return _stat(path, *args, **options)

os.stat = stat
sys.addaudithook(lambda event, args: refuse(args[0]) if event in ("open", "os.listdir", "os.scandir") else None)
"""


class Dask:
    """A scheduler, its workers, and the tree that the workers are kept from."""

    def __init__(self, folder):
        self.tree, self.noted = folder / "tree", folder / "noted"
        away = folder / "away"
        away.mkdir()
        for name, text in TREE.items():
            path = self.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        (away / "fence.py").write_text(FENCE.format(tree=str(self.tree), noted=str(self.noted)))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        here = str(Path(__file__).parent.parent)
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])]),
        }
        worker = [
            "worker",
            self.address,
            "--nthreads",
            "1",
            "--no-nanny",
            "--preload",
            "fence.py",
            "--local-directory",
            ".",
        ]
        commands = [["scheduler", "--host", "127.0.0.1", "--port", str(port)], worker, worker]
        self.scheduler, *self.workers = [
            subprocess.Popen(
                [sys.executable, "-m", "dask", *command, "--no-dashboard"],
                cwd=away,
                env=self.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for command in commands
        ]

    def command(self, *arguments):
        """A run in a process of its own."""
        return [
            sys.executable,
            "-m",
            "jaxlint",
            "check",
            "--no-cache",
            "--executor",
            f"dask://{self.address}",
            *arguments,
        ]

    def end(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    started = Dask(tmp_path_factory.mktemp("dask"))
    try:
        with distributed.Client(f"tcp://{started.address}", timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
        yield started
    finally:
        started.end()


@pytest.fixture
def check(capfd, dask, monkeypatch):
    """Run the command; gives its exit code, report and messages."""

    def run(*arguments, folder=dask.tree):
        monkeypatch.chdir(folder)
        code = main(["check", *map(str, arguments)])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.mark.parametrize(
    "format, paths",
    [
        ("json", ["."]),
        ("full", ["./train.py", "scripts/run.py", "shown.ipynb"]),
        ("sarif", ["{tree}/tests", "{tree}/model"]),
    ],
)
def test_a_cluster_says_what_this_machine_says(check, dask, format, paths):
    arguments = ["--no-cache", "--output-format", format, *(path.format(tree=dask.tree) for path in paths)]
    here = check("--jobs", "1", *arguments)
    assert check("--executor", f"dask://{dask.address}", *arguments) == here
    assert here[0] == 1 and "layers.py" in here[1]


def test_the_workers_have_no_access_to_the_files(check, dask):
    assert check("--no-cache", "--executor", f"dask://{dask.address}", folder=dask.tree / "many")[0] == 1
    assert not dask.noted.exists()
    with distributed.Client(f"tcp://{dask.address}", set_as_default=False) as client:
        with pytest.raises(PermissionError):
            client.submit(os.path.getsize, str(dask.tree / "train.py"), pure=False).result(timeout=120)
    dask.noted.unlink()


def test_what_is_asked_nevertheless_is_sent(check, dask, monkeypatch):
    here = check("--no-cache", "--jobs", "1", "train.py")
    monkeypatch.setattr(remote, "questions", lambda jobs: {})
    assert check("--no-cache", "--executor", f"dask://{dask.address}", "train.py") == here
    assert not dask.noted.exists()


def test_fixes_and_the_cache_are_those_of_this_machine(check, dask, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\n")
    text = "import jax.numpy as jnp\n\n\ndef f(x):\n    y = jnp.zeros(3)\n    return y[[0, 1]]\n"
    (tmp_path / "a.py").write_text(text)
    first = check("--output-format", "json", "--executor", f"dask://{dask.address}", folder=tmp_path)
    assert len(json.loads(first[1])) == 1 and list(tmp_path.glob(".jaxlint_cache/*/*.json"))
    assert check("--output-format", "json", "--executor", "dask://nowhere.invalid:1", folder=tmp_path) == first, (
        "nothing is left to be done, and nobody is asked"
    )
    here = check("--diff", "--jobs", "1", folder=tmp_path)
    assert check("--diff", "--executor", f"dask://{dask.address}", folder=tmp_path) == here
    assert check("--fix", "--executor", f"dask://{dask.address}", folder=tmp_path)[0] == 0
    assert (tmp_path / "a.py").read_text() != text
    (tmp_path / "a.py").write_text(text)
    assert check("--add-noqa", "--executor", f"dask://{dask.address}", folder=tmp_path)[0] == 0
    assert (tmp_path / "a.py").read_text() == text.replace("[[0, 1]]", "[[0, 1]]  # noqa: JAX208")


def refused(result, *words):
    code, out, err = result
    assert (code, out) == (2, "") and all(word in err for word in words), err
    return True


def test_a_cluster_that_cannot_be_used(check, dask, tmp_path, monkeypatch):
    option = ["--no-cache", "--executor", f"dask://{dask.address}", "plain.py"]
    assert refused(check("--executor", "dask://localhost", "."), "--executor", "dask://localhost:8786")
    assert refused(check(*option, "--jobs", "2"), "leave one of them out")
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"dask://127.0.0.1:{free.getsockname()[1]}"
        assert refused(
            check("--no-cache", "--executor", nobody, "plain.py"), nobody, "no scheduler answers", "`dask scheduler`"
        )
    with distributed.LocalCluster(n_workers=0, protocol="tcp://", dashboard_address=":0") as idle:
        unused = idle.scheduler_address.replace("tcp://", "dask://")
        assert refused(check("--no-cache", "--executor", unused, "plain.py"), "has no worker", "`dask worker tcp://")
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "distributed", None)
        assert refused(check(*option), "pip install 'flake8-jaxlint[dask]'")
    with monkeypatch.context() as patched:
        patched.setattr(remote, "__version__", "0.0.1")
        assert refused(check(*option), "0.0.1", "here and", "there", "install flake8-jaxlint")


def test_plugins_are_those_of_the_workers(dask, tmp_path_factory):
    folder = dask.tree.with_name("tree with a plugin")  # which the workers are kept from as well
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["only_here"]\n')
    (folder / "a.py").write_text(BRANCH)
    rule = (
        "from jaxlint.plugins import Category, Finding, Rule, hazards\n"
        'RULE = Rule(code="ABC001", name="no-print", summary="s", category=Category.WRONG, hazards=(hazards.PrintOfTracer,))\n'
        "def check(hazard, file):\n    yield Finding(hazard.site, 'm')\n"
    )
    here = Environment(tmp_path_factory.mktemp("environment"))
    here.install(
        project(tmp_path_factory.mktemp("source"), "only-here", {"only_here.py": rule}, {"only_here": "only_here"})
    )
    run = here.run(*dask.command("a.py")[1:], folder=folder)
    assert refused(
        (run.returncode, run.stdout, run.stderr),
        "plugins",
        "no installed distribution declares the plugin `only_here`; install",
    )


def test_a_worker_that_is_lost_costs_nothing(check, dask):
    """It is stopped, so that the work which it is given stays undone, and then killed."""
    here = check("--no-cache", "--jobs", "1", "--output-format", "json")
    lost = dask.workers.pop()
    lost.send_signal(signal.SIGSTOP)
    with subprocess.Popen(
        dask.command("--output-format", "json"), cwd=dask.tree, env=dask.environment, stdout=subprocess.PIPE, text=True
    ) as run:
        with distributed.Client(f"tcp://{dask.address}", set_as_default=False) as client:
            deadline = time.monotonic() + 60
            given = False
            while not given and time.monotonic() < deadline:
                busy = client.processing()
                given = len(busy) == 2 and all(busy.values())
                time.sleep(0.05)
        lost.kill()
        lost.wait()
        out, _ = run.communicate(timeout=120)
    assert given, "both workers had work"
    assert (run.returncode, out) == here[:2]
