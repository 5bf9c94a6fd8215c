"""``--verbose``: which configuration governs, how many files were read, and how long it took."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence

from jaxlint.configuration.config import Configs
from jaxlint.report.text import counted, shown_path
from jaxlint.run.job import Outcome


def tell(outcomes: Sequence[Outcome], configs: Configs, began: float) -> None:
    """Write it to standard error; ``began`` is when the run did, by the clock ``time.perf_counter``."""
    governed = Counter(configs.for_file(outcome.filename).path for outcome in outcomes)
    for path, number in governed.items():
        governs = f"{shown_path(path)} governs" if path is not None else "the defaults govern"
        print(f"jaxlint: {governs} {counted(number, 'file')}", file=sys.stderr)
    known = sum(outcome.is_known for outcome in outcomes)
    from_cache = f", {known} of them from the cache" if known else ""
    print(
        f"jaxlint: {counted(len(outcomes), 'file')}{from_cache}, in {time.perf_counter() - began:.2f} s",
        file=sys.stderr,
    )
