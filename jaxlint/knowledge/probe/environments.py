"""An environment for each release of JAX, with the NumPy and SciPy of its time.

``python -m jaxlint.knowledge.probe.environments 0.4.30 0.10.2`` builds what is not there yet and prints
the interpreters. `uv` finds the Python, and the packages as they were on the day of the release: newer
ones may not work with an old JAX. Environments are kept in the user's cache folder.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Release(NamedTuple):
    day: str  # of the upload of jax and jaxlib
    python: str  # a Python that has wheels of all it needs


# Old and new releases of JAX have no Python in common.
RELEASES = {
    "0.4.20": Release("2023-11-02", "3.11"),
    "0.4.23": Release("2023-12-14", "3.11"),
    "0.4.25": Release("2024-02-26", "3.11"),
    "0.4.26": Release("2024-04-03", "3.11"),
    "0.4.28": Release("2024-05-09", "3.11"),
    "0.4.30": Release("2024-06-18", "3.11"),
    "0.4.31": Release("2024-07-30", "3.11"),
    "0.4.33": Release("2024-09-16", "3.11"),
    "0.4.34": Release("2024-10-04", "3.11"),
    "0.4.35": Release("2024-10-22", "3.11"),
    "0.4.36": Release("2024-12-05", "3.11"),
    "0.4.38": Release("2024-12-17", "3.11"),
    "0.5.0": Release("2025-01-17", "3.11"),
    "0.5.3": Release("2025-03-19", "3.11"),
    "0.6.0": Release("2025-04-17", "3.11"),
    "0.6.2": Release("2025-06-17", "3.11"),
    "0.7.0": Release("2025-07-22", "3.11"),
    "0.7.2": Release("2025-09-16", "3.11"),
    "0.8.0": Release("2025-10-15", "3.11"),
    "0.8.3": Release("2026-01-29", "3.11"),
    "0.9.0": Release("2026-01-20", "3.11"),
    "0.9.2": Release("2026-03-18", "3.11"),
    "0.10.0": Release("2026-04-16", "3.11"),
    "0.10.2": Release("2026-06-17", "3.11"),
    "0.11.0": Release("2026-07-16", "3.12"),
    "0.11.2": Release("2026-09-17", "3.12"),
    "0.12.0": Release("2026-10-19", "3.12"),
    "0.12.0.1": Release("2026-10-21", "3.12"),
}


class NotBuilt(Exception):
    """An environment cannot be built; the message says what to do."""


def default_folder() -> Path:
    if sys.platform == "win32":
        cache = Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local"))
    elif sys.platform == "darwin":
        cache = Path("~/Library/Caches")
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    return cache.expanduser() / "jaxlint" / "environments"


def python(version: str, packages: Sequence[str] = (), folder: Path | None = None) -> Path:
    """The interpreter of an environment with this release of JAX and ``packages``, built when it is not there.

    ``packages`` are requirements as for pip; without a version they are the newest of the release's day.
    """
    release = RELEASES.get(version)
    if release is None:
        raise NotBuilt(
            f"the day of jax {version} is not known: add it to RELEASES in {__file__} (known: {', '.join(RELEASES)})"
        )
    home = (folder or default_folder()).expanduser().resolve() / _folder_name(version, packages)
    interpreter = _interpreter(home)
    if not interpreter.exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        _build(home, release, [f"jax[cpu]=={version}", *packages])
    return interpreter


def _folder_name(version: str, packages: Sequence[str]) -> str:
    return "+".join([version, *(re.sub(r"[^\w.-]+", "-", package) for package in sorted(packages))])


def _interpreter(home: Path) -> Path:
    return home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _build(home: Path, release: Release, requirements: list[str]) -> None:
    """Build beside ``home`` and move it there: a folder under its final name is complete."""
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".building-") as temporary:
        built = Path(temporary) / home.name
        uv("venv", "--quiet", "--relocatable", "--python", release.python, str(built))
        newest = ("--exclude-newer", release.day)
        uv("pip", "install", "--quiet", "--python", str(_interpreter(built)), *newest, *requirements)
        try:
            built.rename(home)
        except OSError:
            if not _interpreter(home).exists():  # else another process was faster
                raise


def uv(*arguments: str) -> None:
    uv = shutil.which("uv")
    if uv is None:
        raise NotBuilt("uv is not installed: see https://docs.astral.sh/uv/ or `pip install uv`")
    done = subprocess.run([uv, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise NotBuilt(f"`uv {' '.join(arguments)}` failed:\n{done.stderr.strip()}")


def add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--environments",
        type=Path,
        default=default_folder(),
        metavar="DIR",
        help="where the environments of JAX's releases are kept (default: %(default)s)",
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m jaxlint.knowledge.probe.environments", description=__doc__)
    parser.add_argument("releases", nargs="+", metavar="RELEASE", help="release of JAX, for example 0.4.30")
    parser.add_argument("--with", dest="packages", action="append", default=[], help="a package to install, too")
    add_folder(parser)
    options = parser.parse_args()
    failed = False
    for release in options.releases:
        try:
            print(f"{release} {python(release, options.packages, options.environments)}", flush=True)
        except NotBuilt as error:
            print(f"{release}: {error}", file=sys.stderr)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
