"""What happened to public names over the releases of JAX and its libraries.

``python -m jaxlint.knowledge.probe.history --out jaxlint/knowledge/data`` runs `walk` in an environment of
each release, merges what it prints and writes ``history.json`` and ``signatures.json``. Names of releases
that no supported Python can run are read from their sources (`sources`). ``--walks DIR`` keeps what was
walked, so that only new releases are walked the next time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jaxlint.knowledge.history import release
from jaxlint.knowledge.probe import environments, merge, sources, write
from jaxlint.knowledge.probe.walk import DISTRIBUTIONS

# package -> release -> the release of JAX to import it with, which is of the same time or a little newer
WALKED: dict[str, dict[str, str]] = {
    "jax": {version: version for version in environments.RELEASES if version != "0.12.0"},
    "flax": {
        "0.6.11": "0.4.20",
        "0.7.5": "0.4.20",
        "0.8.5": "0.4.31",
        "0.10.2": "0.4.38",
        "0.10.7": "0.7.0",
        "0.12.0": "0.8.0",
        "0.12.10": "0.12.0.1",
    },
    "haiku": {
        "0.0.5": "0.4.20",
        "0.0.9": "0.4.20",
        "0.0.10": "0.4.20",
        "0.0.12": "0.4.31",
        "0.0.14": "0.7.0",
        "0.0.17": "0.12.0.1",
    },
    "optax": {
        "0.1.5": "0.4.20",
        "0.1.9": "0.4.25",
        "0.2.2": "0.4.28",
        "0.2.4": "0.4.38",
        "0.2.8": "0.12.0.1",
    },
    "equinox": {
        "0.7.1": "0.4.20",
        "0.9.2": "0.4.20",
        "0.10.11": "0.4.20",
        "0.11.4": "0.4.28",
        "0.11.12": "0.5.3",
        "0.13.2": "0.8.3",
        "0.13.8": "0.12.0.1",
    },
    "chex": {
        "0.1.7": "0.4.20",
        "0.1.84": "0.4.20",
        "0.1.86": "0.4.28",
        "0.1.90": "0.8.0",
        "0.1.92": "0.12.0.1",
    },
}
# What modules of the package need to be imported, and it does not ask for itself.
EXTRAS = {"jax": ("absl-py",), "chex": ("typing-extensions",), "haiku": ("flax",), "equinox": ("optax",)}

# Releases that are read instead, as no Python that this project supports can run them with a JAX of their time.
READ: dict[str, tuple[str, ...]] = {
    "jax": tuple(
        "0.1.40 0.1.55 0.1.68 0.1.77 0.2.0 0.2.5 0.2.9 0.2.12 0.2.17 0.2.20 0.2.22 0.2.25 0.2.27 0.2.28 0.3.2 0.3.5 0.3.8 "
        "0.3.10 0.3.13 0.3.15 0.3.17 0.3.21 0.3.23 0.3.25 0.4.1 0.4.2 0.4.4 0.4.6 0.4.8 0.4.10 0.4.12 0.4.14 0.4.17 "
        "0.4.19".split()
    ),
    "flax": ("0.1.0", "0.2.2", "0.3.2", "0.3.4", "0.3.6", "0.4.2", "0.5.0", "0.5.3"),
    "haiku": ("0.0.1", "0.0.3", "0.0.4"),
    "optax": ("0.0.2", "0.0.6", "0.0.9", "0.1.0", "0.1.2"),
    "equinox": ("0.1.6", "0.2.2", "0.3.2", "0.4.0"),
    "chex": ("0.0.2", "0.0.5", "0.0.8", "0.1.0", "0.1.3"),
}

Walked = dict[str, Any]


def walk(package: str, version: str, folder: Path, more: Sequence[str] = ()) -> Walked:
    """What `walk` prints in the environment of a release."""
    pinned = () if package == "jax" else (f"{DISTRIBUTIONS[package]}=={version}",)
    python = environments.python(WALKED[package][version], (*pinned, *EXTRAS.get(package, ())), folder)
    command = [str(python), "-m", "jaxlint.knowledge.probe.walk", package]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [*command, *more],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root), "JAX_PLATFORMS": "cpu"},
    )
    if done.returncode:
        raise RuntimeError(f"walk of {package} {version} failed:\n{done.stderr[-2000:]}")
    found: Walked = json.loads(done.stdout[done.stdout.index('{"version"') :])
    if found["version"] != version:
        raise RuntimeError(f"{package} {version} was asked for, the environment has {found['version']}")
    if package in found["failed"]:
        raise RuntimeError(f"{package} {version} cannot be imported: {found['failed'][package]}")
    return found


def walks(package: str, folder: Path, kept: Path) -> list[merge.Release]:
    """All releases, oldest first; each is asked for the names that the others have."""
    kept.mkdir(parents=True, exist_ok=True)
    found: dict[str, Walked] = {}
    old = [read(package, version, folder / "sources") for version in READ[package]]
    ask = kept / f"{package}.names"
    for again in (False, True):
        if again:
            every = {name for each in (*old, *found.values()) for name in (*each["names"], *each.get("gone", ()))}
            ask.write_text("\n".join(sorted(every)), encoding="utf-8")
        for version in sorted(WALKED[package], key=release):
            first, second = (kept / f"{package}-{version}{part}.json" for part in ("", "-asked"))
            file = second if again else first
            if again and version not in found:
                continue  # it cannot be imported
            if not file.exists():
                try:
                    more = ("--known", str(first), "--ask", str(ask)) if again else ()
                    walked = walk(package, version, folder, more)
                except (environments.NotBuilt, RuntimeError) as error:
                    print(f"{package} {version}: {error}", file=sys.stderr)
                    continue
                file.write_text(json.dumps(walked), encoding="utf-8")
                print(f"{package} {version}: {len(walked['names'])} names", flush=True)
            found[version] = json.loads(file.read_text(encoding="utf-8"))
    new = [merge.Release(found[version]) for version in sorted(found, key=release)]
    return [*(merge.Release(each, read=True) for each in old), *new]


def read(package: str, version: str, folder: Path) -> Walked:
    """What the sources of a release show."""
    place = folder / f"{package}-{version}"
    if not (place / package).exists():
        place.mkdir(parents=True, exist_ok=True)
        pinned = f"{DISTRIBUTIONS[package]}=={version}"
        environments.uv(
            "pip", "install", "--quiet", "--no-deps", "--python", sys.executable, "--target", str(place), pinned
        )
    return sources.read(place, package, version)


def merged(package: str, releases: list[merge.Release], sections: dict[str, dict[str, Any]]) -> None:
    """Put the rows of one package into ``sections`` in place of those that are there."""
    sections["releases"][package] = [each.version for each in releases if not each.read]
    for section, rows in (("names", merge.names(releases)), ("signatures", merge.signatures(releases))):
        kept = {name: row for name, row in sections[section].items() if name.partition(".")[0] != package}
        sections[section] = {**kept, **rows}
    if package == "jax":
        sections["options"] = merge.options(releases)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m jaxlint.knowledge.probe.history", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the data files")
    parser.add_argument("--walks", type=Path, required=True, metavar="DIR", help="where walked releases are kept")
    parser.add_argument("--package", action="append", choices=sorted(WALKED), help="walk this alone")
    environments.add_folder(parser)
    options = parser.parse_args()
    names, spelled = options.out / "history.json", options.out / "signatures.json"
    sections: dict[str, dict[str, Any]] = {"releases": {}, "names": {}, "options": {}, "signatures": {}}
    for file in (names, spelled):
        if file.exists():
            sections.update(json.loads(file.read_text(encoding="utf-8")))
    for package in options.package or WALKED:
        merged(package, walks(package, options.environments, options.walks), sections)
    write.write(spelled, {"signatures": sections.pop("signatures")})
    write.write(names, sections)
    return 0


if __name__ == "__main__":
    sys.exit(main())
