"""How long the editor waits: a file of 2,000 lines is looked at again after each change."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from files import folder_of
from measure import Table

from jaxlint.blocks import Blocks
from jaxlint.config import Configs
from jaxlint.server.documents import Piece, Snapshot, check

FILES = {
    "optax": "contrib/_privacy.py", "flax": "linen/normalization.py", "haiku": "_src/recurrent.py",
    "equinox": "nn/_rnn.py", "numpyro": "distributions/continuous.py",
}  # fmt: skip
LINES = 2000
AIM = 150  # milliseconds


def server(quick: bool) -> Table:
    table = Table(
        "In the editor",
        f"What the language server takes after a change of one line in a file of {LINES:,} lines (a file of a package, repeated or\n"
        f"cut), in processor time; each change is in another function. The aim is {AIM} ms at the 95th percentile.",
        ("file", "median", "95th percentile"),
    )
    for package, name in FILES.items():
        try:
            place = folder_of(package) / name
        except SystemExit:
            continue
        if not place.exists():
            continue
        took = latencies(place, 10 if quick else 40)
        high = statistics.quantiles(took, n=20)[-1]
        table.rows.append((f"{package}/{name}", f"{statistics.median(took):.0f} ms", f"{high:.0f} ms"))
        table.aim(f"{package}/{name} takes {high:.0f} ms", high <= AIM)
    return table


def latencies(place: Path, changes: int) -> list[float]:
    """Milliseconds of processor time for each change."""
    text = place.read_text(encoding="utf-8")
    while text.count("\n") < LINES:
        text += text
    lines = text.split("\n")[:LINES]
    returns = [at for at, line in enumerate(lines) if line.lstrip().startswith("return ")]
    blocks, config, took = Blocks(), Configs().for_file(str(place)), []
    for turn in range(changes + 2):
        changed = list(lines)
        at = returns[turn * 7 % len(returns)]
        indent = changed[at][: len(changed[at]) - len(changed[at].lstrip())]
        changed.insert(at, f"{indent}changed_{turn} = {turn}")
        snapshot = Snapshot("file:///a.py", str(place), (Piece("file:///a.py", turn, "\n".join(changed) + "\n"),))
        began = time.process_time()
        check(snapshot, config, blocks)
        took.append(1000 * (time.process_time() - began))
    return took[2:]  # the first ones are an opened file
