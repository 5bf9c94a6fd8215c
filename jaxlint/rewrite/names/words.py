"""How findings about names and parameters say what happened, and what to do."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import NameUse
from jaxlint.knowledge import Replacement
from jaxlint.project.target import Releases
from jaxlint.rewrite.names.moves import offered


def admitted(releases: Releases, since: str | None) -> str:
    """What of the target is meant, where not all of it is."""
    if since is None or releases.lowest == releases.newest or releases.have(since):
        return ""
    return f" (target: {releases})"


def shown(name: str) -> str:
    """A name of the tables as users know it: attributes of arrays are those of `jax.Array`."""
    return f"jax.{name}" if name.startswith("Array.") else name


def instead(use: NameUse) -> str:
    """What to do about a name."""
    history = use.history
    choice = offered(use)
    if choice is not None:
        return _advice(choice)
    later = history.replacement
    if later is not None and later.name is not None:
        there = f"Use `{later.name}`, available from {history.package} {later.since}"
        return f"{there}; the target starts at {use.releases.lowest}."
    if history.message:
        return f"{history.package} says: {' '.join(history.message.split())}"
    removed = history.removed or history.deprecated
    return f"See the change log of {history.package} {removed}."


def _advice(choice: Replacement) -> str:
    return sentence(choice.advice) if choice.advice else f"Use `{choice.name}`."


def sentence(words: str) -> str:
    """Words of the tables as a sentence."""
    return f"{words[0].upper()}{words[1:].rstrip('.')}."
