"""jaxlint itself failed on a file.

## What it does
Reports that jaxlint, not the code it reads, made a mistake: the analysis or a rule raised an
exception, or the process that read the file died. The message names the rule and the exception.
Other files and other rules are still reported, and the run ends with exit code 2.

## Why is this bad
Findings of the named rule, or of the whole file, may be missing.

## Example
A file on which a rule raises an exception:

    model.py:1:1: JAX902 Internal error in branch-on-tracer: IndexError: list index out of range

## Use instead
Report the message, with the smallest piece of code that causes it, to the project. Until it is
mended, exclude the file, or ignore the named rule for it with `per-file-ignores`.

## When to ignore
Never: the rest of the report may be incomplete.

## Fix safety
There is no fix.

## References
- `jaxlint reveal FILE` shows what the model knows of the file.
"""

from jaxlint.hazards.rule import Rule
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX902",
    summary="jaxlint failed on the file; findings may be missing.",
    category=Category.FAILS,
)
