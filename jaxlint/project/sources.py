"""The folders of a project from which absolute imports are resolved, beside those around the importing file.

They are the folder of the project, those with a ``pyproject.toml`` or ``setup.py``, those called ``src``, and of any other folder
the packages in it, if it is none itself.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

# A module or top-level package -> the folders that hold one of this name.
Packages = Mapping[str, tuple[str, ...]]


class Sources:
    """Where the packages of a project are, looked for when that is first asked: in which folder it lies, and what is there."""

    def __init__(self, folder: Callable[[], str] = str, find: Callable[[str], Packages] = lambda folder: {}) -> None:
        self._folder = folder
        self._find = find

    @functools.cached_property
    def folder(self) -> str:
        """The folder of the project; empty where there is none."""
        return self._folder()

    @functools.cached_property
    def packages(self) -> Packages:
        return self._find(self.folder)

    def of(self, name: str) -> tuple[str, ...]:
        """The folders that hold a module or package of this name."""
        return self.packages.get(name, ())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sources) and self.folder == other.folder

    def __hash__(self) -> int:
        return hash(self.folder)

    def __reduce__(self) -> Any:
        return _told, (self.folder, self.packages)  # whoever gets it may not have the files


def _told(folder: str, packages: Packages) -> Sources:
    return Sources(lambda: folder, lambda folder: packages)


class Project(NamedTuple):
    """Where modules are looked for: in ``root``, the folder of the settings, and in the source folders around it."""

    root: str
    sources: Sources = Sources()


HERE = Project(".")


def packages(folder: str, files: Iterable[str]) -> Packages:
    """What the source folders of the project in ``folder`` hold, whose files are ``files``."""
    inner: dict[str, set[str]] = {}  # names of modules, and of folders in which there are some, by folder
    for file in files:
        above, name = os.path.split(file)
        if not name.endswith(".py"):
            continue
        name = name.removesuffix(".py")
        while name not in (known := inner.setdefault(above, set())):
            known.add(name)
            if above == folder:
                break
            above, name = os.path.split(above)
    found: dict[str, list[str]] = {}
    for above, names in sorted(inner.items()):
        if "__init__" in names:
            continue
        is_source = above == folder or os.path.basename(above) == "src" or "setup" in names or _is_distribution(above)
        for name in names:
            if name.isidentifier() and (is_source or "__init__" in inner.get(os.path.join(above, name), ())):
                found.setdefault(name, []).append(above)
    return {name: tuple(folders) for name, folders in found.items()}


def _is_distribution(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "pyproject.toml"))
