"""Installed plugins: the distribution that declares a plugin, and the import of its modules.

Code that is linted can lie on ``sys.path``: ``python -m`` puts the working directory there, and so may PYTHONPATH. Such
an entry gives neither a distribution nor a module, unless the interpreter installs there (a virtual environment in the
project). An editable install counts: its metadata is where the interpreter installs, and names the folder of its code. If
that is linted, as by those who work on the plugin, what editable installs have put on ``sys.path`` gives modules too.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import site
import sys
import sysconfig
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "jaxlint.plugins"  # of entry points
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class PluginError(Exception):
    """A plugin that cannot be used. The text names the plugin and says what is wrong with it."""


class Plugin(NamedTuple):
    """A plugin that may be imported."""

    name: str
    module: str
    distribution: str | None  # None: a module that the user has named and no distribution declares
    editable: str | None = None  # the folder that the distribution is an editable install of


# Folders of code that is linted, for good: what a rule imports later must not come from there.
_linted: set[str] = set()
lock = threading.RLock()  # `sys.path` is one for all threads


@contextmanager
def apart(plugin: Plugin | None = None) -> Iterator[None]:
    """Import nothing from code that is linted, as far as it is not that of the plugin itself."""
    with lock:
        before = sys.path
        installed, editable = _parts(tuple(before), os.getcwd(), frozenset(_linted))
        sys.path = [*installed, *(editable if plugin is not None and _is_linted(plugin) else ())]
        try:
            yield
        finally:
            sys.path = before


def keep_out(folders: Iterable[str]) -> None:
    """Make folders known as code that is linted."""
    with lock:
        _linted.update(map(_project, folders))


def linted() -> tuple[str, ...]:
    """The folders of code that is linted."""
    return tuple(sorted(_linted))


def _is_linted(plugin: Plugin) -> bool:
    """Whether a plugin is an editable install of code that is linted."""
    return plugin.editable is not None and _is_below(plugin.editable, _identities(_linted))


@functools.lru_cache(maxsize=8)
def _parts(entries: Sequence[str], working_directory: str, linted: frozenset[str]) -> tuple[list[str], list[str]]:
    """The entries of ``sys.path`` that hold distributions, and those that editable installs have put into linted code."""
    installed, others = [], []
    places, own = _identities(linted), _identities(_install_folders())
    for entry in entries:
        path = os.path.join(working_directory, entry)
        if not (_is_below(os.path.abspath(path), places) or _is_below(os.path.realpath(path), places)) or _is_below(
            path, own
        ):
            installed.append(entry)
        else:
            others.append(entry)
    # An entry that is not a path is a hook that an editable install has registered.
    listed = _identities(_of_path_files()) if others else set()
    return installed, [
        entry for entry in others if not os.path.exists(entry or ".") or _identities([entry or "."]) & listed
    ]


def _install_folders() -> set[str]:
    """Where this interpreter has its library and installs distributions."""
    found = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return found | _site_folders()


def _site_folders() -> set[str]:
    found = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    found.update(getattr(site, "getsitepackages", list)())
    if site.ENABLE_USER_SITE:
        found.add(site.getusersitepackages())
    return found


def _of_path_files() -> Iterator[str]:
    """The folders that the ``.pth`` files of the environment name, as an editable install writes them."""
    for folder in _site_folders():
        with suppress(OSError):
            for name in sorted(os.listdir(folder)):
                if name.endswith(".pth") and not name.startswith("."):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="surrogateescape") as file:
                        for line in map(str.strip, file):
                            if line and not line.startswith(("#", "import ", "import\t")):
                                yield os.path.join(folder, line)


def _project(folder: str) -> str:
    """The working tree of Git that holds a folder; the folder itself where there is none."""
    top = folder = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(top, ".git")):
        above = os.path.dirname(top)
        if above == top:
            return folder
        top = above
    return top


def _identities(paths: Iterable[str]) -> set[tuple[int, int]]:
    """Files and folders by what no link and no spelling changes."""
    found = set()
    for path in paths:
        with suppress(OSError, ValueError):
            status = os.stat(path)
            found.add((status.st_dev, status.st_ino))
    return found


def _is_below(path: str, folders: set[tuple[int, int]]) -> bool:
    """Whether a path is one of the folders or lies in one."""
    while not _identities([path]) & folders:
        above = os.path.dirname(path)
        if above == path:
            return False
        path = above
    return True


# --- which distribution ----------------------------------------------------------------------


def find(name: str, of_user: bool = False) -> Plugin:
    """The installed plugin with a name; for the user's own word also a module that can be imported. Raises PluginError."""
    declared: dict[str, Plugin] = {}
    for distribution in _distributions():
        with suppress(OSError, ValueError, AttributeError):  # metadata that cannot be read declares nothing
            for entry in distribution.entry_points:
                if entry.group == GROUP and entry.name == name:
                    named = str(distribution.metadata["Name"])
                    declared.setdefault(named, Plugin(name, entry.value.strip(), named, _editable(distribution)))
    if not declared and of_user and _MODULE.fullmatch(name):
        return Plugin(name, name, None)
    if not declared:
        raise PluginError(
            f"no installed distribution declares the plugin `{name}`; install one that has it as an entry point of the"
            f" group `{GROUP}` into jaxlint's environment"
        )
    if len(declared) > 1:
        raise PluginError(f"{' and '.join(sorted(declared))} both declare the plugin `{name}`; uninstall all but one")
    [plugin] = declared.values()
    if not _MODULE.fullmatch(plugin.module):
        raise PluginError(
            f"{plugin.distribution} declares the plugin `{name}` as {plugin.module!r}, which is not a module"
        )
    return plugin


def _distributions() -> Iterator[Distribution]:
    from importlib.metadata import distributions  # a run without plugins reads no metadata

    installed, _ = _parts(tuple(sys.path), os.getcwd(), frozenset(_linted))
    return iter(distributions(path=list(installed)))


# --- which module ----------------------------------------------------------------------------


def import_module(name: str, plugin: Plugin) -> ModuleType:
    """Import a module of a plugin, which must be a file of the plugin's distribution. Raises PluginError."""
    parts = name.split(".")
    path: Sequence[str] | None = None
    for length in range(1, len(parts) + 1):
        inner = ".".join(parts[:length])
        spec = _spec(inner, path)
        if spec is None:
            raise PluginError(f"there is no module `{inner}`; install it into jaxlint's environment")
        loaded = sys.modules.get(inner)
        if loaded is not None and (origin := getattr(loaded.__spec__, "origin", None)) != spec.origin:
            raise PluginError(
                f"the module `{inner}` of the plugin `{plugin.name}` is hidden by {origin}, which is imported already"
            )
        # A namespace package has no file, and runs nothing.
        if (
            length == len(parts)
            and plugin.distribution is not None
            and spec.origin is not None
            and not _provides(plugin, spec.origin)
        ):
            raise PluginError(
                f"`{inner}` is {spec.origin}, which is not a file of {plugin.distribution}; install that again"
            )
        module = _imported(inner)
        path = getattr(module, "__path__", None)
    return module


def _spec(name: str, path: Sequence[str] | None) -> ModuleSpec | None:
    """Where a module would be imported from."""
    for finder in sys.meta_path:
        find_spec = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = None if find_spec is None else find_spec(name, path)
        if spec is not None:
            return spec
    return None


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise PluginError(f"importing `{name}` fails: {_said(error)}") from error


def _said(error: BaseException) -> str:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def _provides(plugin: Plugin, file: str) -> bool:
    """Whether a file is one that the plugin's distribution has installed, or lies in the folder that it is an editable install of."""
    real = os.path.realpath(file)
    distribution = next(each for each in _distributions() if str(each.metadata["Name"]) == plugin.distribution)
    # As system packages are installed: the folder is all there is to go by.
    if distribution.read_text("RECORD") is None:
        places = [str(distribution.locate_file(""))]
    else:
        places = [str(distribution.locate_file(each)) for each in distribution.files or ()]
    for place in map(os.path.realpath, places if plugin.editable is None else [*places, plugin.editable]):
        if real == place or real.startswith(place.rstrip(os.sep) + os.sep):
            return True
    return False


def _editable(distribution: Distribution) -> str | None:
    """The folder that a distribution is an editable install of."""
    text = distribution.read_text("direct_url.json")
    if text is None:
        return None
    import json
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    with suppress(ValueError, LookupError, TypeError, AttributeError):
        origin = json.loads(text)
        if origin["dir_info"].get("editable") is True and origin["url"].startswith("file:"):
            return url2pathname(urlsplit(origin["url"]).path)
    return None
