"""A file or folder that cannot be read.

## What it does
Reports a path that the operating system refuses to open or to list: no permission, a link that leads nowhere, a file that
vanished during the run, a file of more than 256 MiB. The rest of the run goes on.

## Why is this bad
Nothing else can be reported for the file, or for any file below the folder.

## Example
```text
$ chmod 000 train.py
$ jaxlint check .
train.py:1:1: JAX904 cannot read the file: Permission denied; check its path and permissions
```

## Use instead
```text
$ chmod 644 train.py
$ jaxlint check .
```

## When to ignore
Never: list a path that is not meant to be read under `exclude`.

## Fix safety
There is no fix.

## References
- [`OSError`](https://docs.python.org/3/library/exceptions.html#OSError)
"""

from jaxlint.hazards.rule import Rule
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX904",
    summary="The file or folder cannot be read.",
    category=Category.FAILS,
    error="OSError",
)
