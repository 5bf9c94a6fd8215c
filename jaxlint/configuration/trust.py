"""Whose configuration counts, and which plugins are loaded for it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence

from jaxlint.configuration.table import ConfigError, read_table


class Trust:
    """What the user's own folders decide about the configurations that are found.

    ``homes`` are the working directory, or what stands for it in an editor: the configuration that governs one of them
    may name plugins. ``linted`` are the paths that are linted; nothing is imported from there, nor from the homes.
    """

    def __init__(self, homes: Sequence[str] = (), linted: Iterable[str] = ()) -> None:
        self._homes = homes
        self._linted = linted

    @property
    def homes(self) -> Sequence[str]:
        return self._homes or [os.getcwd()]

    @property
    def _folders(self) -> list[str]:
        paths = [path for path in self._linted if path != "-"]
        return [
            *self.homes,
            *(path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path)) for path in paths),
        ]

    def strange_owner(self, path: str) -> int | None:
        """The owner of a file, or of a link to it, who has no say here. None for this user, root and the owner of a home.

        None for a file that cannot be looked at, too: it cannot be read either.
        """
        if not hasattr(os, "geteuid"):
            return None
        known = {0, os.geteuid()}
        for home in self.homes:
            with contextlib.suppress(OSError):
                known.add(os.stat(home).st_uid)
        try:
            return next((owner for owner in (os.lstat(path).st_uid, os.stat(path).st_uid) if owner not in known), None)
        except OSError:
            return None

    def load_given(self, names: Sequence[str]) -> None:
        """Load the plugins that the user names. Raises ConfigError."""
        if names:
            from jaxlint.hazards import foreign
            from jaxlint.hazards.installed import PluginError

            for name in names:
                try:
                    foreign.load(name, self._folders, of_user=True)
                except PluginError as error:
                    raise ConfigError(f"--plugins: {error}") from None

    def load(self, path: str, names: Sequence[str], row: int, problems: list[ConfigError]) -> tuple[str, ...]:
        """Load the plugins that a pyproject.toml names; gives those that are loaded, and says of the others why not."""
        found: list[str] = []
        if not any(_governs(path, home) for home in self.homes):
            message = (
                "`plugins` in [tool.jaxlint]: only the file that governs the working directory may name plugins, and these are"
                " not loaded; run jaxlint in the folder of this file, or name them with --plugins"
            )
            problems.append(ConfigError(message, path, row))
            return ()
        from jaxlint.hazards import foreign
        from jaxlint.hazards.installed import PluginError

        for name in names:
            try:
                foreign.load(name, [*self._folders, os.path.dirname(path)])
                found.append(name)
            except PluginError as error:
                problems.append(ConfigError(f"`plugins` in [tool.jaxlint]: {error}", path, row))
        return tuple(found)


def _governs(path: str, folder: str) -> bool:
    """Whether a pyproject.toml is the nearest one above a folder that has the table."""
    folder = os.path.abspath(folder)
    while True:
        nearer = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(nearer):
            try:
                if os.path.samefile(nearer, path) or read_table(nearer) is not None:
                    return os.path.samefile(nearer, path)
            except ConfigError:
                return False
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
