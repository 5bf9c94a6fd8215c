"""## What it does

Reports clocks that are read while a step is traced, and names the laboratory's own timer.

## Why is this bad

The clock is read once, when the step is compiled, and never again.
"""

from collections.abc import Iterator

from jaxlint.plugins import Category, File, Finding, Rule, hazards

RULE = Rule(
    code="LAB001",
    name="clock-in-step",
    summary="A clock is read in a step that is traced.",
    category=Category.WRONG,
    hazards=(hazards.HostClockOrIoInTracedCode,),
)


def check(hazard: hazards.HostClockOrIoInTracedCode, file: File) -> Iterator[Finding]:
    if hazard.api is not None and hazard.api.startswith("time."):
        yield Finding(
            hazard.site,
            f"`{file.code(hazard.site)}` is read once, while the step is traced",
            help="time the call of the step with `lab.Timer`",
        )
