"""The parameters of a function, spelled as in a ``def`` without annotations and values: ``a, /, axis=, *, keepdims=``."""

from __future__ import annotations

import inspect
from typing import NamedTuple


class Parameter(NamedTuple):
    name: str
    kind: str  # "positional-only", "ordinary", "star", "keyword-only" or "double-star"
    required: bool


def parameters(spelled: str) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    kind = "ordinary"
    for part in spelled.split(", ") if spelled else ():
        name = part.strip("*=")
        if part == "/":
            found = [parameter._replace(kind="positional-only") for parameter in found]
        elif part == "*":
            kind = "keyword-only"
        elif part.startswith("**"):
            found.append(Parameter(name, "double-star", False))
        elif part.startswith("*"):
            found.append(Parameter(name, "star", False))
            kind = "keyword-only"
        else:
            found.append(Parameter(name, kind, not part.endswith("=")))
    return tuple(found)


def spell(signature: inspect.Signature) -> str:
    """The inverse of `parameters`, defaults left out."""
    parts: list[str] = []
    given = list(signature.parameters.values())
    for index, parameter in enumerate(given):
        if parameter.kind is parameter.KEYWORD_ONLY and not any(
            earlier.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL) for earlier in given[:index]
        ):
            parts.append("*")
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
        prefix = stars if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) else ""
        parts.append(prefix + parameter.name + ("" if parameter.default is parameter.empty else "="))
        following = given[index + 1] if index + 1 < len(given) else None
        if parameter.kind is parameter.POSITIONAL_ONLY and (
            following is None or following.kind is not parameter.POSITIONAL_ONLY
        ):
            parts.append("/")
    return ", ".join(parts)
