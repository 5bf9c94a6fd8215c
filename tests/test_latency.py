"""What makes the second look at a text quick leaves no trace in what is found."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint.configuration.config import Configs
from jaxlint.server.documents import Piece, Snapshot, check
from jaxlint.server.worker import sweep

PACKAGE = {
    "net/__init__.py": "from .layers import dense\nfrom . import layers, keys\n",
    "net/layers.py": (
        "import jax\nimport jax.numpy as jnp\nfrom net.extra import bound\n\n\ndef dense(w, x, flag=False):\n    if flag:\n        x = -x\n"
        "    return clip(bound(x) @ w)\n\n\ndef clip(x):\n    if x.max() > 1:\n        return x / x.max()\n    return x\n"
    ),
    "net/keys.py": (
        "import jax\n\n\ndef fresh(key):\n    return jax.random.normal(key, (3,))\n\n\nclass Noise:\n    def __init__(self, key):\n"
        "        self.key = key\n\n    def draw(self):\n        return jax.random.uniform(self.key)\n"
    ),
}
EXTRA = "def bound(x):\n    return x * float(x.sum())\n"  # of a module that comes and goes
HEAD = "import jax\nimport jax.numpy as jnp\nfrom net import dense, layers\nfrom net.keys import Noise, fresh\n"
# Blocks that are put into the file, changed and taken out of it.
BLOCKS = [
    "@jax.jit\ndef step(w, x):\n    return dense(w, x)\n",
    "@jax.jit\ndef flagged(w, x, flag):\n    return layers.dense(w, x, flag)\n",
    "@jax.jit\ndef branch(x):\n  total = x.sum()\n  if total > 0:\n    return x\n  return -x\n",
    "def twice(key):\n    return fresh(key) + fresh(key)\n",
    "def draws():\n    noise = Noise(jax.random.key(0))\n    return noise.draw() + noise.draw()\n",
    "# above\nclass Net:\n    def __init__(self, key):\n        self.w = fresh(key)\n\n    @jax.jit\n    def __call__(self, x):\n        '''Doc'''\n        return float(x)\n",
    "@jax.jit\ndef silenced(x):\n    if x > 0:  # jaxlint: disable=JAX103\n        return x\n    return -x  # jaxlint: disable=JAX401\n",
    "# 🦊\nTABLE = {name: float(jnp.ones(3)[0]) for name in 'ab'}\n",
]  # fmt: skip


def said(diagnostics):
    return [(each.code, each.message, each.help, each.start, each.end, each.related, each.fix) for each in diagnostics]


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nselect = ["ALL"]\n')
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def edits(chance, count):
    """Texts of a file, each one change away from the one before."""
    blocks = BLOCKS[:3]
    for _ in range(count):
        at = chance.randrange(len(blocks))
        how = chance.choice(("put", "put", "put", "take", "double", "type", "type", "break"))
        if how == "put":
            blocks.insert(at, chance.choice(BLOCKS))
        elif how == "take" and len(blocks) > 1:
            del blocks[at]
        elif how == "double":
            blocks.insert(at, blocks[at])
        elif how == "type":
            blocks[at] = blocks[at].replace(
                "return ", chance.choice(("return 2 * ", "# typed\n    return ", "return -")), 1
            )
        yield (
            HEAD
            + "\n\n"
            + "\n\n".join([BLOCKS[0], *blocks, "def broken(:\n    pass\n"] if how == "break" else [BLOCKS[0], *blocks])
        )


def test_findings_after_a_row_of_edits_are_those_of_a_fresh_process(project):
    """The file, and now and then a module that it imports, are changed; each text is linted by a new process as well."""
    chance = random.Random(8)
    main, uri = project / "main.py", (project / "main.py").as_uri()
    config = Configs().for_file(str(main))
    imported, extra = project / "net" / "layers.py", project / "net" / "extra.py"
    texts, seen, states = list(edits(chance, 40)), [], []
    for number, text in enumerate(texts):
        if number % 7 == 6:
            imported.write_text(
                imported.read_text() + "# one line more\n" if number % 2 else "\n" + PACKAGE["net/layers.py"]
            )
        if number % 3 == 2:
            extra.unlink() if extra.exists() else extra.write_text(EXTRA)
        checked = check(Snapshot(uri, str(main), (Piece(uri, number, text),)), config)
        sweep()
        seen.append(repr(said(checked.diagnostics)))
        states.append((text, imported.read_text(), extra.exists()))
    assert len(set(seen)) > 15 and "JAX900" in "".join(seen)
    fresh = subprocess.run(
        [sys.executable, "-c", FRESH, str(main), str(imported), str(extra), EXTRA],
        input=json.dumps(states),
        capture_output=True,
        text=True,
        check=True,
    )
    for number, (ours, theirs) in enumerate(zip(seen, json.loads(fresh.stdout), strict=True)):
        assert ours == theirs, f"after edit {number}:\n{texts[number]}"


# Each text in a process of its own, in which no other text of the project was read.
FRESH = f"""
import json, os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_latency import said
from jaxlint.configuration.config import Configs
from jaxlint.run.pipeline import check_source
from jaxlint.server.worker import warm_up
from jaxlint.source.text import Source

warm_up()  # what is imported is the same for all
main, imported, extra, content = sys.argv[1:]
found = []
for text, other, is_there in json.load(sys.stdin):
    reading, writing = os.pipe()
    if os.fork() == 0:
        with open(imported, "w") as file:
            file.write(other)
        if is_there:
            with open(extra, "w") as file:
                file.write(content)
        elif os.path.exists(extra):
            os.unlink(extra)
        result = check_source(Source.from_text(text, main), Configs().for_file(main))
        with open(writing, "w") as file:
            json.dump(repr(said(result.diagnostics)), file)
        os._exit(0)
    os.close(writing)
    with open(reading) as file:
        found.append(json.load(file))
    os.wait()
print(json.dumps(found))
"""
