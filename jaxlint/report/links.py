"""Where the pages of rules are: on the site that the distribution names in its metadata, `Documentation` of `project.urls`."""

from __future__ import annotations

import functools

DISTRIBUTION = "flake8-jaxlint"


@functools.cache
def site() -> str | None:
    """The address of the site; None where the distribution names none."""
    from importlib import metadata  # only where links are written

    try:
        named = metadata.metadata(DISTRIBUTION).get_all("Project-URL") or []
    except metadata.PackageNotFoundError:  # run from a checkout
        return None
    urls = dict(each.partition(", ")[::2] for each in named)
    return urls["Documentation"].rstrip("/") if "Documentation" in urls else None


def page(code: str, name: str) -> str | None:
    """The address of the page of a rule; None for a rule of a plugin, and where there is no site."""
    home = site() if code.startswith("JAX") else None
    return None if home is None else f"{home}/rules/{code}-{name}/"
