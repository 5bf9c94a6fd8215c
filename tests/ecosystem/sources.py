"""The sdists of requirements.txt: found on the index by uv, checked against their hashes, unpacked.

python tests/ecosystem/sources.py [PACKAGE ...] [--folder FOLDER]     fetches and unpacks
python tests/ecosystem/sources.py --pin PACKAGE ...                   prints lines for requirements.txt
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REQUIREMENTS = Path(__file__).resolve().parent / "requirements.txt"
PYTHON = "3.12"  # releases are chosen for it
UNPACKED = 3  # raised when what is made of an archive changes


class Unavailable(SystemExit):
    """The index cannot be reached, or has no sdist of a package; the message says which."""


@dataclass(frozen=True)
class Pin:
    package: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.package}=={self.version} --hash=sha256:{self.sha256}"

    @property
    def name(self) -> str:
        return f"{self.package}-{self.version}"


def pins(file: Path = REQUIREMENTS) -> dict[str, Pin]:
    """The sdists that a file pins, by the name they have on the index."""
    lines = file.read_text(encoding="utf-8").splitlines()
    found = [
        Pin(*match.groups())
        for line in lines
        if (match := re.fullmatch(r"([\w.-]+)==([\w.]+) --hash=sha256:(\w+)", line))
    ]
    return {pin.package: pin for pin in found}


def newest(packages: Iterable[str]) -> list[Pin]:
    """The newest sdists of packages, pinned."""
    return [Pin(each["name"], each["version"], each["sdist"]["hashes"]["sha256"]) for each in _resolve(packages)]


def default_folder() -> Path:
    return Path(tempfile.gettempdir()) / "jaxlint-ecosystem"


def fetch(wanted: Iterable[Pin], folder: Path) -> dict[str, Path]:
    """The folder of each sdist, downloaded and unpacked where it is not there."""
    wanted = list(wanted)
    folder.mkdir(parents=True, exist_ok=True)
    missing = [pin for pin in wanted if not _done(folder / pin.name).exists()]
    addresses = (
        {each["name"]: each["sdist"] for each in _resolve(f"{pin.package}=={pin.version}" for pin in missing)}
        if missing
        else {}
    )
    for pin in missing:
        archive = folder / Path(addresses[pin.package]["url"]).name
        if not archive.exists() or _sha256(archive) != pin.sha256:
            print(f"{pin.name}: downloading", file=sys.stderr, flush=True)
            try:
                with (
                    urllib.request.urlopen(addresses[pin.package]["url"], timeout=180) as response,
                    archive.open("wb") as file,
                ):
                    shutil.copyfileobj(response, file)
            except OSError as error:
                raise Unavailable(f"{pin.name} cannot be downloaded: {error}") from error
        if _sha256(archive) != pin.sha256:
            sys.exit(
                f"{archive}: its SHA-256 is {_sha256(archive)}, {REQUIREMENTS.name} has {pin.sha256}; delete the file and try again"
            )
        unpack(archive, folder / pin.name)
    return {pin.package: folder / pin.name for pin in wanted}


def _resolve(requirements: Iterable[str]) -> list[dict[str, Any]]:
    """What the index has of each requirement, by uv, which knows where the index is."""
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "compile",
        "--quiet",
        "--no-deps",
        "--format",
        "pylock.toml",
        "--python-version",
        PYTHON,
        "-",
    ]
    done = subprocess.run(command, input="\n".join(requirements), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"uv cannot find the packages: {done.stderr.strip()}")
    packages: list[dict[str, Any]] = tomllib.loads(done.stdout)["packages"]
    without = [each["name"] for each in packages if "sdist" not in each]
    if without:
        raise Unavailable(f"there are no sdists of {', '.join(without)}; take other packages")
    return packages


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _done(target: Path) -> Path:
    return target.with_name(f".{target.name}.{UNPACKED}")


def unpack(archive: Path, target: Path) -> None:
    """The one folder of an archive becomes ``target``: modules, notebooks and what the project declares."""
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as part:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as zipped:
                zipped.extractall(part)
        else:
            with tarfile.open(archive) as tar:
                tar.extractall(part, filter="data")
        (top,) = Path(part).iterdir()
        shutil.move(str(top), target)
    # What Git ignores is a matter of the repository; an sdist holds only what was published.
    for ignore in target.rglob(".gitignore"):
        ignore.unlink()
    _done(target).touch()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"as in {REQUIREMENTS.name} (default: all)")
    parser.add_argument(
        "--folder",
        type=Path,
        default=default_folder(),
        help="where archives and sources are kept (default: %(default)s)",
    )
    parser.add_argument(
        "--pin", action="store_true", help="print the newest sdists of the packages as lines for requirements.txt"
    )
    args = parser.parse_args()
    if args.pin:
        print(*newest(args.packages), sep="\n")
        return
    known = pins()
    for package, folder in fetch([known[name] for name in args.packages or known], args.folder).items():
        print(
            f"{package}: {folder}: {sum(1 for _ in folder.rglob('*.py'))} modules, {sum(1 for _ in folder.rglob('*.ipynb'))} notebooks"
        )


if __name__ == "__main__":
    main()
