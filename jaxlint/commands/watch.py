"""``--watch``: lint, wait until a file or the configuration changes, and lint again."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence

from jaxlint.commands.configs import refuse
from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover
from jaxlint.configuration.table import ConfigError

INTERVAL = 0.5  # seconds between two looks

Seen = dict[str, tuple[int, int]]


def watch(paths: Sequence[str], configs: Callable[[], Configs], lint: Callable[[], int]) -> int:
    """Call ``lint`` now and after each change, until the user interrupts it.

    Watched is all that a result can depend on: the files of ``paths``, those of their projects, which they may
    import, and each ``pyproject.toml`` above them. What has not changed comes from the cache.
    """
    try:
        while True:
            seen = _look(paths, configs)
            if sys.stdout.isatty():
                sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
            try:
                lint()
            except ConfigError as error:
                refuse("check", error)
            sys.stdout.flush()
            print(
                f"jaxlint: looked at {time.strftime('%H:%M:%S')}; waiting for changes, Ctrl-C ends it",
                file=sys.stderr,
                flush=True,
            )
            while _look(paths, configs) == seen:
                time.sleep(INTERVAL)
    except KeyboardInterrupt:
        return 0


def _look(paths: Sequence[str], find: Callable[[], Configs]) -> Seen:
    """Time and size of each file that matters."""
    seen: Seen = {}
    try:
        configs = find()
        files = discover(paths, configs).files
        roots = {configs.for_file(file).root for file in files}
        files += discover(sorted(roots), configs).files
    except (ConfigError, FileNotFoundError):
        files = []
    folders = {os.getcwd()}
    for file in files:
        folder = os.path.dirname(os.path.abspath(file))
        while folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    folder = os.getcwd()
    while (above := os.path.dirname(folder)) not in folders:
        folders.add(folder := above)
    for path in {*map(os.path.abspath, files), *(os.path.join(folder, "pyproject.toml") for folder in folders)}:
        try:
            status = os.stat(path)
        except OSError:
            continue
        seen[path] = (status.st_mtime_ns, status.st_size)
    return seen
