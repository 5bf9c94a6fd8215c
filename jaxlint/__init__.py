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
        Position as Position,
        Related as Related,
        SourceError as SourceError,
        check as check,
        check_paths as check_paths,
        fix as fix,
    )

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # Loaded when it is asked for: the command starts without.
    if not name.startswith("_"):
        import importlib

        api = importlib.import_module("jaxlint.api")
        if name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
