"""Suppression comment without a finding.

## What it does
Reports a code or name in `# noqa: …`, `# jaxlint: disable=…`, `disable-next`, `disable-file` or
`# flake8: noqa: …` whose rule finds nothing on the lines that the comment governs; a name in `# jaxlint: shared-key=…`
that is not a key which is used again there; and a `# jaxlint:` comment that cannot be understood.

Only what is certain is reported. Judged are the rules that are on in the file, and of them those that
cannot find anything there, whoever imports the file: in the body of the module, where names of libraries
are concerned, and where every value of the line is known, such as a shape. Bare `# noqa`, and the codes of
other tools, are left alone; under flake8, which looks after `# noqa` itself, all but our own comments.

## Why is this bad
The comment says that something is wrong here, which is not so; and it will hide what goes wrong on the
line later.

## Example
```python
@jax.jit
def step(x):
    if x.shape[0] > 2:  # noqa: JAX103
        return x * 2
    return x
```

## Use instead
```python
@jax.jit
def step(x):
    if x.shape[0] > 2:
        return x * 2
    return x
```

## When to ignore
Where the code has to be silent under another version or configuration of jaxlint, too. Silence it like
any other rule: `# noqa: JAX103, JAX901`.

## Fix safety
Safe. The code is taken out of the list, or the comment with its last code; other text of the comment stays.

## References
- flake8 documentation, "Selecting and Ignoring Violations" (https://flake8.pycqa.org/en/latest/user/violations.html)
"""

from jaxlint.hazards.rule import Rule
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX901",
    category=Category.STYLE,
    fixable="safe",
)
