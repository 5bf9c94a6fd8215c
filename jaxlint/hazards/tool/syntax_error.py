"""A file that cannot be read as Python.

## What it does
Reports a file that jaxlint cannot analyse: its text is not valid Python (3.0 to 3.14), its bytes do
not fit the encoding it declares, it holds a NUL byte, or it is nested more deeply than the parser
can follow. The rest of the run goes on, and the file is left as it is.

## Why is this bad
Nothing else can be reported for the file.

## Example
```python
def step(x:
    return x
```

## Use instead
```python
def step(x):
    return x
```

## When to ignore
Never: list a file that is not meant to be Python (a template, a test of a parser) under `exclude`.

## Fix safety
There is no fix.

## References
- [The Python Language Reference](https://docs.python.org/3/reference/)
"""

from jaxlint.hazards.rule import Rule
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX900",
    summary="The file cannot be read as Python.",
    category=Category.FAILS,
    error="SyntaxError",
)
