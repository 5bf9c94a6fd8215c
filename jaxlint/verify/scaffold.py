"""A new rule: its module and its fixture folder, ready to be filled in."""

from __future__ import annotations

import re
from pathlib import Path

import jaxlint.hazards.registry
from jaxlint.hazards.registry import all_rules
from jaxlint.hazards.selectors import FAMILIES

_MODULE = '''"""One sentence: what is reported.

## What it does
TODO

## Why is this bad
TODO

## Example
```python
```

## Use instead
```python
```

## When to ignore
TODO

## Fix safety
TODO

## References
- TODO
"""

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="{code}",
    category=Category.FAILS,
    hazards=(),  # classes of jaxlint.analysis.hazards
    on="preview",
)


def check(hazard: Hazard, file: File) -> Iterator[Finding]:
    yield Finding(hazard.site, f"TODO `{{file.code(hazard.operand)}}`")
'''

_BAD = '''"""{code} {name}: code with the hazard."""

import jax
import jax.numpy as jnp


# run: step(jnp.arange(4.0))
# proves: raises TypeError
@jax.jit
def step(x):
    return x
'''

_GOOD = '''"""{code} {name}: near misses that stay silent, each by one fact."""

import jax
import jax.numpy as jnp


# fact: TODO, the one fact without which this would be reported
# run: step(jnp.arange(4.0))
@jax.jit
def step(x):
    return x
'''


class ScaffoldError(Exception):
    """A rule that cannot be made; says why."""


def scaffold(
    root: Path, code: str, name: str, rules: Path = Path(jaxlint.hazards.registry.__file__).parent
) -> list[Path]:
    """Write the files of a new rule and return their paths. Nothing that exists is touched."""
    code = code.upper()
    if not re.fullmatch(r"JAX[1-9]\d\d", code):
        raise ScaffoldError(f"`{code}` is no code; a code is JAX and three digits, the first of them not 0")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ScaffoldError(f"`{name}` is no name; a name is lower-case words joined by hyphens")
    for rule in all_rules():
        if code == rule.code or name == rule.name:
            raise ScaffoldError(f"{rule.code} {rule.name} exists already")
    family = FAMILIES[code[3]]
    files = {
        rules / family / f"{name.replace('-', '_')}.py": _MODULE,
        root / family / name / "bad.py": _BAD,
        root / family / name / "good.py": _GOOD,
    }
    for path in files:
        if path.exists():
            raise ScaffoldError(f"{path} exists already")
    for path, template in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(template.replace("{code}", code).replace("{name}", name).replace("{{", "{").replace("}}", "}"))
    return list(files)
