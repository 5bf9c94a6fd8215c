"""``--output-file``: the report in a file, which holds all of it or what it held before."""

from __future__ import annotations

import os

from jaxlint.config import ConfigError
from jaxlint.fixing import write_atomic
from jaxlint.source import SourceError


def check(path: str, option: str = "--output-file") -> None:
    """Raise ConfigError where ``path`` cannot be a file, before the work for it is done."""
    folder = os.path.dirname(os.path.abspath(path))
    if not path or os.path.isdir(path):
        raise ConfigError(f"{option} must be the path of a file, and `{path}` is a folder; add a name")
    if not os.path.isdir(folder):
        raise ConfigError(f"{option} {path}: there is no folder {folder}; make it first")


def write(path: str, text: str, option: str = "--output-file") -> None:
    """Write a report. Raises ConfigError."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:  # a pipe or a device, whose place no file can take
                file.write(data)
        else:
            write_atomic(path, data, create=True)
    except SourceError as error:
        raise ConfigError(f"{option} {path}: {error.message}") from error
    except OSError as error:
        raise ConfigError(f"{option} {path}: {error.strerror or error}; check its permissions") from error
