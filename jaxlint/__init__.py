"""jaxlint: a linter that knows which values are JAX tracers.

``jaxlint.check(source)`` gives the findings in a text; ``jaxlint.api`` says what else there is.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxlint.api import (
        Applicability as Applicability,
    )
    from jaxlint.api import (
        Category as Category,
    )
    from jaxlint.api import (
        ConfigError as ConfigError,
    )
    from jaxlint.api import (
        Diagnostic as Diagnostic,
    )
    from jaxlint.api import (
        Edit as Edit,
    )
    from jaxlint.api import (
        Fix as Fix,
    )
    from jaxlint.api import (
        Position as Position,
    )
    from jaxlint.api import (
        Related as Related,
    )
    from jaxlint.api import (
        SourceError as SourceError,
    )
    from jaxlint.api import (
        check as check,
    )
    from jaxlint.api import (
        check_paths as check_paths,
    )
    from jaxlint.api import (
        fix as fix,
    )

__version__ = "0.1.0"


_EXPORTED = frozenset({
    "Applicability", "Category", "ConfigError", "Diagnostic", "Edit", "Fix", "Position", "Related", "SourceError",
    "check", "check_paths", "fix",
})  # fmt: skip


def __getattr__(name: str) -> Any:
    # Loaded when it is asked for: the command starts without.
    if name in _EXPORTED:
        import importlib

        return getattr(importlib.import_module("jaxlint.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
