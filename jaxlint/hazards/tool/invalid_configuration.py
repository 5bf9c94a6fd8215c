"""The configuration cannot be used.

## What it does
Reports a `pyproject.toml` that is not valid TOML, or a `[tool.jaxlint]` table with an unknown
option, a value of the wrong type, or the name of a rule that does not exist. The message names the
line and the nearest valid name. The files it governs are still linted, with the default
configuration, and the run ends with exit code 2.

## Why is this bad
An option that is misspelt has no effect: rules run that were meant to be off, or the other way round.

## Example
```toml
[tool.jaxlint]
ignores = ["JAX103"]
```

## Use instead
```toml
[tool.jaxlint]
ignore = ["JAX103"]
```

## When to ignore
Never.

## Fix safety
There is no fix.

## References
- [TOML](https://toml.io/)
"""

from jaxlint.hazards.rule import Rule
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX903",
    category=Category.FAILS,
)
