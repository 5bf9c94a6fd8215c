"""Where the files that belong to the rules are: a checkout has them at its top, a wheel inside the package."""

from __future__ import annotations

from pathlib import Path

import jaxlint

_PACKAGE = Path(jaxlint.__file__).resolve().parent


def fixtures_root() -> Path:
    """Folder that holds ``<family>/<rule-name>/{bad,fixed,good}.py``.

    Raises FileNotFoundError for an installation that has lost its package data.
    """
    checkout = _PACKAGE.parent / "fixtures"
    # A foreign folder called "fixtures" can lie beside an installed package, but not with a pyproject of ours.
    if checkout.is_dir() and (_PACKAGE.parent / "pyproject.toml").is_file():
        return checkout
    packaged = _PACKAGE / "_fixtures"
    if packaged.is_dir():
        return packaged
    raise FileNotFoundError(f"{packaged}: the fixtures are missing; reinstall flake8-jaxlint")
