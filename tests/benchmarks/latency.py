"""How long the editor waits: a file of 2,000 lines is looked at again after each change."""

from __future__ import annotations

import gc
import statistics
import time
from pathlib import Path

from files import folder_of
from measure import Table

from jaxlint.configuration.config import Configs
from jaxlint.server.documents import Piece, Snapshot, check
from jaxlint.server.worker import sweep, warm_up

FILES = {
    "optax": "contrib/_privacy.py", "flax": "linen/normalization.py", "haiku": "_src/recurrent.py",
    "equinox": "nn/_rnn.py", "numpyro": "distributions/continuous.py",
}  # fmt: skip
LINES = 2000
AIM = 150  # milliseconds
HAZARD = """\
import jax


@jax.jit
def planted_{number}(x):
    total = x.sum()
    if total > 0:
        return x
    return -x

"""


def server(quick: bool) -> Table:
    table = Table(
        "In the editor",
        f"What the language server takes after a change of one line in a file of {LINES:,} lines (a file of a package, repeated or\n"
        "cut), in processor time, with the search for what the change has left behind in memory; each change is in another\n"
        "function. With findings: the same file with ten functions in it that fail, each with a fix.\n"
        f"The aim is {AIM} ms at the 95th percentile.",
        ("file", "median", "95th percentile", "with findings", "95th percentile"),
    )
    for package, name in FILES.items():
        try:
            place = folder_of(package) / name
        except SystemExit:
            continue
        if not place.exists():
            continue
        row = [f"{package}/{name}"]
        for failing in (False, True):
            took = latencies(place, 20 if quick else 40, failing)
            high = statistics.quantiles(took, n=20)[-1]
            row += [f"{statistics.median(took):.0f} ms", f"{high:.0f} ms"]
            table.aim(f"{package}/{name}{' with findings' if failing else ''} takes {high:.0f} ms", high <= AIM)
        table.rows.append(tuple(row))
    return table


def two_thousand_lines(text: str) -> list[str]:
    """The text, repeated until it is long enough and cut before a definition."""
    while text.count("\n") < LINES:
        text += text
    lines = text.split("\n")[:LINES]
    while not parses("\n".join(lines)):
        del lines[max(at for at, line in enumerate(lines) if line.startswith(("def ", "class ", "@"))) :]
    return lines


def parses(text: str) -> bool:
    try:
        compile(text, "cut.py", "exec")
    except SyntaxError:
        return False
    return True


def with_hazards(lines: list[str]) -> list[str]:
    """Ten functions that fail are put before definitions."""
    before = [at for at, line in enumerate(lines) if line.startswith(("def ", "class ")) and not lines[at - 1].strip()]
    found = list(lines)
    for number, at in enumerate(before[:: max(1, len(before) // 10)][:10][::-1]):
        found[at:at] = HAZARD.format(number=number).split("\n")
    return found


def latencies(place: Path, changes: int, failing: bool = False) -> list[float]:
    """Milliseconds of processor time for each change."""
    lines = two_thousand_lines(place.read_text(encoding="utf-8"))
    if failing:
        lines = with_hazards(lines)
    returns = [at for at, line in enumerate(lines) if line.lstrip().startswith("return ")]
    config, took = Configs().for_file(str(place)), []
    gc.disable()
    warm_up()
    for turn in range(changes + 2):
        changed = list(lines)
        at = returns[turn * 7 % len(returns)]
        indent = changed[at][: len(changed[at]) - len(changed[at].lstrip())]
        changed.insert(at, f"{indent}changed_{turn} = {turn}")
        snapshot = Snapshot("file:///a.py", str(place), (Piece("file:///a.py", turn, "\n".join(changed) + "\n"),))
        began = time.process_time()
        checked = check(snapshot, config)  # the server keeps the last one
        sweep()
        took.append(1000 * (time.process_time() - began))
        codes = [each.code for each in checked.diagnostics]
        assert "JAX900" not in codes and (codes.count("JAX103") >= 10 or not failing), (place, turn, codes)
    gc.enable()
    return took[2:]  # the first ones are an opened file
