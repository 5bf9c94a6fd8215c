"""The trainable part of an Equinox module."""

from __future__ import annotations

from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import ImportRequest


def trainable(file: File, module: str) -> tuple[str, frozenset[ImportRequest]]:
    """The arrays of a module that have gradients: `eqx.filter(module, eqx.is_inexact_array)`, with the import it needs."""
    taken, imports = file.api("equinox.filter")
    kind, more = file.api("equinox.is_inexact_array")
    return f"{taken}({module}, {kind})", imports | more
