"""``--output-file``: the report in a file, which holds all of it or what it held before."""

from __future__ import annotations

import os

from jaxlint.configuration.table import ConfigError
from jaxlint.report.text import relative_path
from jaxlint.source.files import leads_out, write_atomic
from jaxlint.source.text import SourceError


def check(path: str, option: str = "--output-file") -> None:
    """Raise ConfigError where ``path`` cannot be a file, before the work for it is done."""
    folder = os.path.dirname(os.path.abspath(path))
    if not path or os.path.isdir(path):
        raise ConfigError(f"{option} must be the path of a file, and `{path}` is a folder; add a name")
    if not os.path.isdir(folder):
        raise ConfigError(f"{option} {path}: there is no folder {folder}; make it first")
    _root(path, option)


def write(path: str, text: str, option: str = "--output-file") -> None:
    """Write a report. Raises ConfigError."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        root = _root(path, option)
        if _is_device(path):
            with open(path, "wb") as file:  # a pipe or a device, whose place no file can take
                file.write(data)
        else:
            write_atomic(path, data, root, create=True)
    except SourceError as error:
        raise ConfigError(f"{option} {path}: {error.message}") from error
    except OSError as error:
        raise ConfigError(f"{option} {path}: {error.strerror or error}; check its permissions") from error


def _root(path: str, option: str) -> str:
    """The folder that no link may lead out of: the working directory, or wherever else the user says. Raises ConfigError."""
    real, here = os.path.realpath(path), os.getcwd()
    if not leads_out(path, here):
        return here
    # Whoever wrote the tree that is linted, or shares a folder with others, does not choose which other file is written.
    if relative_path(os.path.abspath(path)) is not None:
        what = "it" if os.path.islink(path) else "its folder"
        raise ConfigError(
            f"{option} {path}: {what} is a link that leads out of the working directory; name {real} itself"
        )
    if os.path.islink(path) and hasattr(os, "geteuid") and os.lstat(path).st_uid not in (0, os.geteuid()):
        raise ConfigError(f"{option} {path}: it is a link of another user; name {real} itself")
    return os.path.dirname(real)


def _is_device(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path)
