"""What became of the names of libraries in the releases that the code must run on."""

from __future__ import annotations

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import NameUse
from jaxlint.knowledge import History, Replacement
from jaxlint.project.custom_names import Conventions
from jaxlint.project.target import Releases, Target

MOVED = "moved"  # what becomes of the names that a project says have moved


def moved_name(conventions: Conventions, dotted: str) -> NameUse | None:
    """What is to be said of a name that has moved by what the project says."""
    new = conventions.moved(dotted)
    if new is None:
        return None
    package = dotted.partition(".")[0]
    history = History(dotted, package, "function", replacement=Replacement(new, None, "safe", "alias"))
    return NameUse(MOVED, history, Releases(package, "0", "0"))


def name_use(target: Target, dotted: str) -> NameUse | None:
    """What is to be said of a name in the releases aimed at; None: nothing."""
    package = dotted.partition(".")[0]
    history = knowledge.history(dotted)
    releases = target.of(history.package) if history is not None else None
    if history is not None and releases is not None:
        status = status_in(history, releases)
        if status is not None:
            return NameUse(status, history, releases)
    if "._" in dotted and package in knowledge.packages() and _is_private(dotted):
        releases = target.of(package)
        return None if releases is None else NameUse("private", History(dotted, package, "module"), releases)
    return None


def status_in(history: History, releases: Releases) -> str | None:
    if releases.lack(history):
        return "gone"
    return "deprecated" if releases.warn(history) else None


def _is_private(dotted: str) -> bool:
    """Whether a part of a dotted name says that it is private."""
    return any(part.startswith("_") and not part.endswith("__") for part in dotted.split(".")[1:])
