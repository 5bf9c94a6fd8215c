"""How other programs use jaxlint, for mypy: the types of what is public, and uses that it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import jaxlint
import jaxlint.api
from jaxlint.plugins import Category, File, Finding, Rule, hazards

if TYPE_CHECKING:
    from typing_extensions import assert_type

    diagnostics = jaxlint.check("x = 1", select=["JAX1"], preview=True, per_file_ignores={"tests/": ["JAX4"]})
    assert_type(diagnostics, list[jaxlint.Diagnostic])
    assert_type(jaxlint.check_paths("src", jobs=2, target_jax=">=0.4.30"), list[jaxlint.Diagnostic])
    assert_type(jaxlint.fix("x = 1", "a.py", unsafe=True), str)
    first = diagnostics[0]
    assert_type((first.code, first.name, first.message, first.filename), tuple[str, str, str, str])
    assert_type((first.start, first.end), tuple[jaxlint.Position, jaxlint.Position])
    assert_type((first.start.row, first.start.column), tuple[int, int])
    assert_type(first.category, jaxlint.Category)
    assert_type(first.fix, jaxlint.Fix | None)
    assert_type(first.related, tuple[jaxlint.Related, ...])
    if first.fix is not None:
        assert_type(first.fix.edits, tuple[jaxlint.Edit, ...])
        assert_type(first.fix.applicability, jaxlint.Applicability)
    options: jaxlint.api.Options = {"ignore": ["JAX7"], "line_length": 100}
    assert_type(jaxlint.fix("x = 1", **options), str)
    try:
        jaxlint.check("x = 1")
    except jaxlint.ConfigError as problem:
        assert_type(str(problem), str)
    except jaxlint.SourceError as error:
        assert_type((error.filename, error.row), tuple[str, int])

    jaxlint.check("x = 1", selekt=["JAX1"])  # type: ignore[call-arg]
    jaxlint.check("x = 1", preview="yes")  # type: ignore[arg-type]
    jaxlint.check(b"x = 1")  # type: ignore[arg-type]
    jaxlint.check_paths("src", jobs="2")  # type: ignore[arg-type]

RULE = Rule("LAB001", "large-constant", "A constant is large.", Category.SLOW, hazards=(hazards.LargeCapturedConstant,))


def check(hazard: hazards.LargeCapturedConstant, file: File) -> Iterator[Finding]:
    if TYPE_CHECKING:
        assert_type(hazard.elements, int)
        assert_type(file.code(hazard.site), str)
        print(hazard.detail)  # type: ignore[attr-defined]
    yield Finding(hazard.site, f"{hazard.elements} elements")
