"""## What it does

Reports clocks that are read while a step is traced, and names the laboratory's own timer.

## Why is this bad

The clock is read once, when the step is compiled, and never again.
"""

from collections.abc import Iterator

from jaxlint.plugins import Category, Demand, File, Finding, Kind, Rule

RULE = Rule(
    code="LAB001",
    name="clock-in-step",
    summary="A clock is read in a step that is traced.",
    category=Category.WRONG,
    kinds=(Kind.HOST_IO,),
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    if demand.api is not None and demand.api.startswith("time."):
        yield Finding(
            demand.site,
            f"`{file.code(demand.site)}` is read once, while the step is traced",
            help="time the call of the step with `lab.Timer`",
        )
