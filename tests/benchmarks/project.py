"""One file of a large project: what it takes to find its importers, and to say what they show in it."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from measure import CHECK, Table, run, told

from jaxlint.configuration.config import Configs
from jaxlint.run.importers import MAX_IMPORTERS, Importers
from jaxlint.server.documents import Piece, Snapshot, check, check_importer

FILES = 1000
IMPORTS = 3  # of each file
AIM = 0.3  # seconds

MODULE = """\
import jax
import jax.numpy as jnp
{imports}

def choose(x):
    if x > 0:
        return jnp.sin(x)
    return x


def total(x):
    return {calls}


@jax.jit
def step(x):
    return total(x) + jnp.where(x > 0, x, -x).sum()
"""


def importers(quick: bool) -> Table:
    table = Table(
        "One file of a project",
        f"`jaxlint check FILE` in a project of {FILES:,} files, each of which imports {IMPORTS} others, FILE among them: it is analysed\n"
        f"with the nearest {MAX_IMPORTERS} of its importers. The aim is {AIM} s for a run that knows everything from before, and for\n"
        "the editor's own answer, which the findings that importers show follow. All in processor time.",
        ("run", "takes"),
    )
    with tempfile.TemporaryDirectory() as place:
        files = project(Path(place))
        file, importer = files[0], files[1]
        command = [*CHECK, "--jobs", "1", str(file)]
        first = run(command)
        table.rows.append(("the first one", told([first.cpu], " s")))
        repeat = 3 if quick else 7
        again = [run(command).cpu for _ in range(repeat)]
        table.rows.append(("again", told(again, " s")))
        table.aim(f"a run to which all is known takes {told(again)} s", sorted(again)[len(again) // 2] <= AIM)
        for what, changed in (("after a change of FILE", file), ("after a change of an importer", importer)):
            took = []
            for number in range(repeat):
                changed.write_text(changed.read_text() + f"# {number}\n")
                took.append(run(command).cpu)
            table.rows.append((what, told(took, " s")))
        for what, seconds in in_the_editor(file, repeat).items():
            table.rows.append((what, told((1000 * each for each in seconds), " ms", 0)))
            if "own" in what:
                table.aim(f"{what}, takes {told(seconds)} s", max(seconds) <= AIM)
    return table


def project(place: Path) -> list[Path]:
    """The files of a project; each imports files before it, and the first is a helper of most."""
    (place / "pyproject.toml").write_text("[tool.jaxlint]\n")
    chance = random.Random(1)
    files = [place / f"package{number % 20}" / f"module{number}.py" for number in range(FILES)]
    for number, file in enumerate(files):
        file.parent.mkdir(exist_ok=True)
        (file.parent / "__init__.py").touch()
        used = sorted({0, *chance.sample(range(number), min(number, IMPORTS - 1))} - {number})
        names = [f"from {files[each].parent.name}.{files[each].stem} import choose as choose{each}\n" for each in used]
        calls = " + ".join(f"choose{each}(x)" for each in used) or "x"
        file.write_text(MODULE.format(imports="".join(names), calls=calls))
    return files


def in_the_editor(file: Path, repeat: int) -> dict[str, list[float]]:
    """What the server takes after a change of a file: for its own answer, and for what importers show."""
    configs = Configs()
    around = Importers(configs)
    own, theirs = [], []
    for number in range(repeat + 1):
        text = file.read_text() + f"# {number}\n"
        snapshot = Snapshot(file.as_uri(), str(file), (Piece(file.as_uri(), number, text),))
        began = time.process_time()
        checked = check(snapshot, configs.for_file(str(file)), around)
        said = time.process_time()
        found = [check_importer(path, configs.for_file(path), checked) for path in around.of(str(file))]
        assert checked.with_importers(found)
        if number:  # the first one reads everything
            own.append(said - began)
            theirs.append(time.process_time() - said)
    return {"in the editor, its own answer": own, "in the editor, what importers show": theirs}
