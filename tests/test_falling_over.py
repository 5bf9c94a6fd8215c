"""What goes wrong around the command: it is killed, meets another run, a full disk, files that go away.

Every case is driven with real processes and a real file system, and looks at what is on the disk afterwards.
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
import traceback

import pytest

from jaxlint.cli import main
from jaxlint.source import files

STORE = "import jax.numpy as jnp\n\n\ndef f():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"
STORED = STORE.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
PADDING = "# jax\n" * 200
OLD, NEW = STORE + PADDING, STORED + PADDING
FILES = 12
CHECK = ["check", "--select", "JAX103,JAX308", "--no-cache", "--jobs", "1"]
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = 65534

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes that are killed here are forked")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A folder of files, each with one safe fix."""
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True, scope="module")
def imported(tmp_path_factory):
    """What a run imports is there before it forks, so that the processes that are killed spend their time on the work."""
    path = tmp_path_factory.mktemp("once") / "a.py"
    path.write_text(OLD)
    assert main([*CHECK, "--fix", str(path)]) == 0


def fill(folder):
    for number in range(FILES):
        (folder / f"m{number:02}.py").write_text(OLD)


def fixed(folder):
    """How many files are new. Each is the old one or the new one, whole."""
    texts = [path.read_text() for path in folder.glob("*.py")]
    assert len(texts) == FILES and set(texts) <= {OLD, NEW}
    return texts.count(NEW)


def start(*arguments, before=lambda: None):
    """The command in a process of its own; what it says goes to `out` and `err` beside the tree."""
    process = os.fork()
    if process:
        return process
    code = 99
    try:
        for descriptor, name in ((1, "../out"), (2, "../err")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), descriptor)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", buffering=1, closefd=False)
        before()
        code = main([*CHECK, *arguments])
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def end(process):
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def beside(folder):
    return sorted(name for name in os.listdir(folder) if not name.endswith(".py"))


def steps_counted(folder, deadly=None):
    """A function that writes a byte to `steps` beside the folder before every line of the module that replaces files, and
    ends the process before one of them."""

    def before():
        counter = os.open(folder.parent / "steps", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        count = 0

        def step(frame, event, _):
            nonlocal count
            if event == "line":
                count += 1
                os.write(counter, b".")
                if count == deadly:
                    os.kill(os.getpid(), signal.SIGKILL)
            return step

        sys.settrace(lambda frame, *_: step if frame.f_code.co_filename == files.__file__ else None)

    return before


def test_killed_while_it_fixes(tree):
    """At steps all over the run: before a file is opened, written, given its permissions, renamed, and after."""
    assert end(start("--fix", before=steps_counted(tree))) == 0 and fixed(tree) == FILES
    steps = (tree.parent / "steps").stat().st_size
    chance = random.Random(7)
    seen, left = set(), 0
    for deadly in sorted(chance.sample(range(1, steps + 1), 12)):
        fill(tree)
        assert end(start("--fix", before=steps_counted(tree, deadly))) == -signal.SIGKILL
        seen.add(fixed(tree))
        left += bool(beside(tree))
        assert end(start("--fix")) == 0 and fixed(tree) == FILES
        assert beside(tree) == [], "the next run takes away what was left"
    assert seen - {0, FILES}, "no run was killed while it wrote"


def test_what_a_killed_run_left_is_no_file_to_lint_and_goes(tree):
    from jaxlint.source.files import _Temporary

    stale = _Temporary(str(tree / "m00.py")).path
    with open(stale, "w") as file:
        file.write(BRANCH)
    assert end(start()) == 1 and "JAX103" not in (tree.parent / "out").read_text()
    assert end(start("--fix")) == 0 and fixed(tree) == FILES and beside(tree) == []
    victim = tree.parent / "victim"
    victim.write_text("kept")
    fill(tree)
    os.symlink(victim, stale)
    assert end(start("--fix")) == 0 and fixed(tree) == FILES and beside(tree) == []
    assert victim.read_text() == "kept"


def test_two_runs_at_once(tree):
    for _ in range(2):
        fill(tree)
        codes = {end(process) for process in [start("--fix") for _ in range(3)]}
        assert codes <= {0} and fixed(tree) == FILES and beside(tree) == []


def test_file_that_someone_else_is_writing(tree, monkeypatch):
    import fcntl

    from jaxlint.source import files

    monkeypatch.setattr(files, "PATIENCE", 0.2)
    path = files._Temporary(str(tree / "m00.py")).path
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert end(start("--fix")) == 2
    assert fixed(tree) == FILES - 1
    assert "m00.py: another process is writing the file" in (tree.parent / "err").read_text()


def test_full_disk(tree):
    """No file may have more than 200 bytes: every write fails midway, as on a disk that is full."""

    def bound():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
        os.dup2(pipe[1], 2)  # a file of messages would be too large as well
        sys.stderr = open(2, "w", closefd=False)
        sys.stdout = open(os.devnull, "w")

    pipe = os.pipe()
    code = end(start("--fix", before=bound))
    os.close(pipe[1])
    with open(pipe[0]) as file:
        said = file.read()
    assert code == 2 and fixed(tree) == 0 and beside(tree) == [], said
    assert said.count("cannot write the file: File too large; it is unchanged") == FILES


def test_report_for_which_there_is_no_room(tree):
    code = end(start(before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))))
    said = (tree.parent / "err").read_text()
    assert (code, said) == (2, "jaxlint: cannot write to standard output: File too large; make room, and run again\n")


@pytest.fixture
def mounted(tmp_path):
    """A small file system of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], capture_output=True)
    if made.returncode:
        pytest.skip("only a privileged user can mount a file system")
    yield place
    subprocess.run(["umount", place], check=True)


def test_disk_that_fills_up(mounted, monkeypatch):
    monkeypatch.chdir(mounted)
    fill(mounted)
    with pytest.raises(OSError, match="No space left"), open(mounted / "ballast", "wb", buffering=0) as file:
        while True:
            file.write(b"x" * 512)
    assert end(start("--fix")) == 2
    assert fixed(mounted) == 0 and beside(mounted) == ["ballast"]
    assert "No space left on device; it is unchanged" in (mounted.parent / "err").read_text()


def test_read_only_file_system(mounted, monkeypatch):
    monkeypatch.chdir(mounted)
    fill(mounted)
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
    assert end(start("--fix")) == 2 and fixed(mounted) == 0
    assert (mounted.parent / "err").read_text().count("Read-only file system; it is unchanged") == FILES
    assert main([*CHECK[:3], "--jobs", "1", "m00.py"]) == 1, "the cache that cannot be written costs time alone"


def as_nobody():
    if ROOT:
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@pytest.fixture
def open_to_all(tree):
    folder = tree
    while ROOT and folder.parent != folder and str(folder).startswith("/tmp"):
        folder.chmod(0o777)
        folder = folder.parent
    return tree


def test_files_without_permission(open_to_all, tree):
    tree.chmod(0o755)  # nobody but the owner may make files in it
    (tree / "m03.py").chmod(0)
    (tree / "closed").mkdir(mode=0)
    for name in ("out", "err"):
        (tree.parent / name).touch()
        (tree.parent / name).chmod(0o666)
    if not ROOT:
        tree.chmod(0o555)
    code = end(start("--fix", "--output-format", "json", before=as_nobody))
    tree.chmod(0o755)
    (tree / "m03.py").chmod(0o644)
    (tree / "closed").chmod(0o755)
    report, said = json.loads((tree.parent / "out").read_text()), (tree.parent / "err").read_text()
    assert code == 2 and fixed(tree) == 0
    assert said.count("cannot write the file: Permission denied; it is unchanged") == FILES - 1
    unread = [(each["code"], each["filename"][-6:], each["message"]) for each in report if each["code"] != "JAX308"]
    assert unread == [
        ("JAX904", "closed", "cannot read the folder: Permission denied; check its path and permissions"),
        ("JAX904", "m03.py", "cannot read the file: Permission denied; check its path and permissions"),
    ]


@pytest.mark.parametrize("arguments", [(), ("--fix",)])
def test_files_that_vanish_between_discovery_and_reading(tree, arguments, monkeypatch):
    from jaxlint.commands import check

    def vanish():
        found = check.discover

        def then_gone(*given):
            listed = found(*given)
            (tree / "m03.py").unlink()
            (tree / "m04.py").unlink()
            (tree / "m04.py").mkdir()
            return listed

        check.discover = then_gone

    assert end(start(*arguments, "--output-format", "json", before=vanish)) == 1
    report = json.loads((tree.parent / "out").read_text())
    gone = {each["filename"][-6:]: each["message"] for each in report if each["code"] == "JAX904"}
    assert set(gone) == {"m03.py", "m04.py"}
    assert "No such file or directory" in gone["m03.py"] and "Is a directory" in gone["m04.py"]
    assert (tree.parent / "err").read_text() == ""


def test_file_that_changes_while_it_is_fixed_is_left(tree):
    """Someone saves a file after it was read and before it is written."""

    def save():
        from jaxlint.run import cross_file_fixes

        apply = cross_file_fixes.apply

        def then_saved(*given):
            apply(*given)
            (tree / "m05.py").write_text("# mine\n")

        cross_file_fixes.apply = then_saved

    assert end(start("--fix", before=save)) == 2
    assert (tree / "m05.py").read_text() == "# mine\n"
    assert "m05.py: the file has changed since it was read; run again" in (tree.parent / "err").read_text()


@pytest.mark.parametrize("delay", [0, 0.002, 0.005])
def test_worker_that_is_killed_costs_its_file_at_most(tree, delay):
    """Real workers of a real run, killed from outside, some while work is handed out: the run goes on, and says the same."""
    for number in range(FILES, 40):
        (tree / f"n{number:02}.py").write_text(BRANCH + 8 * PADDING)
    command = [sys.executable, "-m", "jaxlint", *CHECK[:-1], "2", "--output-format", "json"]
    expected = subprocess.run(command, capture_output=True)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    killed = 0
    while process.poll() is None and not killed:
        for child in children(process.pid):
            time.sleep(delay)
            os.kill(child, signal.SIGKILL)
            killed += 1
            break
    out, err = process.communicate(timeout=60)
    assert killed and (out, err, process.returncode) == (expected.stdout, b"", 1)


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


HARD = {
    "transforms around one another": "@jax.jit\n" * 400 + "def f(x): return x\n",
    "partial applications": "import functools\ndef f(x, *a): return x\n" + "f = functools.partial(f, 1)\n" * 400 + "jax.jit(f)(1)\n",
    "a number that squares itself": "x = 3\n" + "x = -x * x\n" * 60 + "jnp.zeros(x)\n",
    "a text that doubles itself": "x = 'a'\n" + "x = x + x\nx = f'{x}{x}'\n" * 40,
    "a list that doubles itself": "x = [1]\n" + "x = x + x\nx += x\nx = [*x, *x]\n" * 20 + "jnp.array(x)\n",
    "a tuple that doubles itself": "x = (1,)\n" + "x = x + x\nx = (*x, *x)\n" * 30 + "jnp.array(x)\n",
    "tuples that share": "x, y = 1, 2\n" + "x, y = (x, x), (y, y)\n" * 60 + "if f():\n    x = y\njax.jit(lambda t: t)(x)\nx == y\n",
    "dicts that share": "x = {}\n" + "x = {'a': x, 'b': x}\n" * 40 + "jax.jit(lambda t: t)(x)\n",
    "what holds itself": "a = []\na.append(a)\nd = {'a': a}\nd['d'] = d\njax.jit(lambda t: t)(d)\njax.device_get(d)\njnp.array(a)\njnp.zeros(a)\n",
    "an object that is stored in itself": "from flax import nnx\n@nnx.jit\ndef f(node):\n    node.me = node\n    node.child.parent = node\n    return node\ndef g(node): return f(node)\n",
    "clauses": "x = [a " + "for a in b " * 60 + "]\n",
    "comprehensions": "x = " + "[" * 40 + "a" + " for a in b]" * 40 + "\n",
    "keys": "key = jax.random.key(0)\n" + "key, sub = jax.random.split(key)\na = jax.random.normal(sub)\n" * 400,
}  # fmt: skip


@pytest.mark.parametrize("name", HARD)
def test_values_and_code_that_grow_without_end(name):
    from jaxlint.configuration.config import Config
    from jaxlint.run.pipeline import check_source
    from jaxlint.source.text import Source

    found = check_source(Source.from_text("import jax\nimport jax.numpy as jnp\n" + HARD[name], "hard.py"), Config())
    assert not found.error, found.diagnostics
