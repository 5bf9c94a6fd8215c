"""jaxlint: a linter that knows which values are JAX tracers.

``jaxlint.check(source)`` gives the findings in a text; ``jaxlint.api`` says what else there is.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxlint.api import (
        Applicability as Applicability,
        Category as Category,
        ConfigError as ConfigError,
        Diagnostic as Diagnostic,
        Edit as Edit,
        Fix as Fix,
        Options as Options,
        Position as Position,
        Related as Related,
        SourceError as SourceError,
        check as check,
        check_paths as check_paths,
        fix as fix,
    )


__version__ = "0.1.0"


_EXPORTED = frozenset({
    "Applicability", "Category", "ConfigError", "Diagnostic", "Edit", "Fix", "Options", "Position", "Related", "SourceError",
    "check", "check_paths", "fix",
})  # fmt: skip


def __getattr__(name: str) -> Any:
    # Loaded when it is asked for: the command starts without.
    if name in _EXPORTED:
        import importlib

        return getattr(importlib.import_module("jaxlint.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
