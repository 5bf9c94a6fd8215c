"""Old releases of real packages against the newest JAX: what breaks at import, and what the linter says beforehand.

    python tests/ecosystem/old_releases.py [RELEASE ...] [--folder DIR] [--environments DIR] [--record]

Each release of old_releases.txt is downloaded and every module of it imported in an environment with
the newest JAX and the current versions of its other dependencies. Errors about a name that JAX or one
of its libraries has no more are compared with the findings of JAX801 to JAX805, before and after the
safe fixes; and each finding is held against what the installed JAX has. ``--record`` writes the
figures into docs/migrations.md. Exits with 1 where an error was not reported or a finding is wrong.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from jaxlint.configuration.config import Config, Configs
from jaxlint.configuration.discovery import discover
from jaxlint.knowledge.probe import environments
from jaxlint.run.runner import Job, run
from jaxlint.source.diagnostic import Applicability, Diagnostic
from jaxlint.verify import pages
from jaxlint.verify.releases import environments_folder

PINS = HERE / "old_releases.txt"
NEWEST = "0.12.0.1"
PACKAGES = ("brax", "chex", "distrax", "dm-haiku", "equinox", "flax", "funsor", "numpyro", "optax", "pytest", "rlax")
IMPORTED_AS = {"dm-haiku": "haiku"}
LIBRARIES = {"jax", "jaxlib", "flax", "haiku", "optax", "equinox", "chex"}
CODES = ("JAX801", "JAX802", "JAX803", "JAX804", "JAX805", "JAX409")  # the last one for what is gone of jax.random


@dataclass
class Release:
    """What came out of one old release."""

    name: str
    modules: int = 0
    imported: int = 0
    errors: list[dict[str, Any]] = field(default_factory=list)  # gone names, before any fix
    missed: list[dict[str, Any]] = field(default_factory=list)  # of these, those the linter is silent about
    findings: list[Diagnostic] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # findings that the newest JAX contradicts
    safe: int = 0  # findings with a safe fix
    safe_left: int = 0  # of these, those that --fix leaves
    after: list[dict[str, Any]] = field(default_factory=list)  # errors when everything safe is fixed
    mendable: int = 0  # errors that a safe fix is to remove
    stubborn: list[str] = field(default_factory=list)  # errors that should be gone with the safe fixes, and are not

    @property
    def package(self) -> str:
        name = self.name.partition("==")[0]
        return IMPORTED_AS.get(name, name)


def fetch(release: str, folder: Path) -> Path:
    """The folder of a release's sources, downloaded when it is not there."""
    target = folder / release
    if not target.exists():
        print(f"{release}: downloading", file=sys.stderr)
        part = folder / f".{release}"
        shutil.rmtree(part, ignore_errors=True)
        command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--target", str(part), release]
        subprocess.run(command, check=True)
        part.rename(target)
    return target


def real_jax(python: Path, *arguments: str, stdin: str = "") -> Any:
    """What real_jax.py prints in the environment of the newest JAX."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(python), str(HERE / "real_jax.py"), *arguments], input=stdin, capture_output=True, text=True, check=False,
        # code that protobuf generated years ago runs with its Python implementation alone
        env={**environment, "JAX_PLATFORMS": "cpu", "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"},
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: the process ended with status {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def imported(sources: Path, package: str, python: Path) -> dict[str, Any]:
    """What happens when every module is imported; kept beside the sources, since they and the environment stay."""
    kept = sources.with_name(f"{sources.name}.{package}.json")
    key = [str(python), (HERE / "real_jax.py").read_text(encoding="utf-8")]
    if kept.exists() and (earlier := json.loads(kept.read_text(encoding="utf-8")))["key"] == key:
        return dict(earlier["walk"])
    walk: dict[str, Any] = real_jax(python, "import", str(sources), package)
    kept.write_text(json.dumps({"key": key, "walk": walk}), encoding="utf-8")
    return walk


def gone_names(walk: dict[str, Any], package: str) -> list[dict[str, Any]]:
    """The errors about names of JAX and its libraries, each place once; those of the package's own are its own affair."""
    found = {}
    for error in walk["errors"]:
        top = (error["missing"] or "").partition(".")[0]
        if top in LIBRARIES and top != package and not error["follows"]:
            found.setdefault((error["path"], error["row"], error["missing"]), error)
    return list(found.values())


def lint(folder: Path, package: str, fix: bool = False, target: str = NEWEST) -> list[Diagnostic]:
    """The findings of the rules about migration; with ``fix`` files are rewritten."""
    config = Config(root=str(folder), select=CODES, target_jax=f"=={target}", test_files=())
    found = discover([str(folder / package)], Configs())
    outcomes = run([Job(path, config, fix=fix) for path in found.files])
    return [each for outcome in outcomes for each in outcome.diagnostics]


def reports(error: dict[str, Any], findings: list[Diagnostic], folder: Path) -> list[Diagnostic]:
    """The findings that name what was missing, on the line of the error or in the same simple statement."""
    path = str(folder / error["path"])
    rows = statement_rows(Path(path), error["row"])
    return [
        finding for finding in findings
        if finding.filename == path and finding.start.row in rows
        and same_name(name_in(finding.message), error["missing"])
    ]  # fmt: skip


def statement_rows(path: Path, row: int) -> range:
    try:
        tree = ast.parse(path.read_bytes())
    except SyntaxError:
        return range(row, row + 1)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno <= row <= (node.end_lineno or row):
            return range(node.lineno, (node.end_lineno or row) + 1)
    return range(row, row + 1)


def same_name(said: str, missing: str) -> bool:
    """Whether a finding speaks of a name that an error misses: the same, a holder of it, or another way to it."""
    return (
        said.rpartition(".")[2] == missing.rpartition(".")[2]
        or said.startswith(f"{missing}.")
        or missing.startswith(f"{said}.")
    )


def name_in(message: str) -> str:
    found = re.search(r"`([\w.]+)`", message)
    return found.group(1) if found else ""


# --- each finding against the newest JAX ------------------------------------------------------------

_NAME = re.compile(r"`([\w.]+)` (?:was removed|is deprecated)|^Private \S+ API `([\w.]+)`")
_OPTION = re.compile(r"[Oo]ption `(\w+)` of `jax\.config`")
_PARAMETER = re.compile(r"`(\w+)` of `([\w.]+)` (?:was|is) (removed|positional-only|keyword-only|deprecated)")
_UNKNOWN = re.compile(r"^Unknown parameter `(\w+)` of `([\w.]+)`")


def claims(findings: list[Diagnostic]) -> Iterator[tuple[Diagnostic, str]]:
    """What each finding says of the newest JAX, as a line for real_jax.py."""
    for finding in findings:
        text = finding.message
        if finding.code == "JAX409":
            continue  # it speaks of names that are there as well
        if finding.code in ("JAX801", "JAX805") and (found := _OPTION.search(text)):
            yield finding, f"gone jax.config.{found[1]}"
        elif finding.code == "JAX801" and (found := _NAME.search(text)):
            yield finding, f"gone {found[1]}"
        elif finding.code == "JAX803" and (found := _PARAMETER.search(text)):
            how = "gone" if found[3] == "removed" else found[3]
            yield finding, f"parameter-{how} {found[2]} {found[1]}"
        elif finding.code == "JAX805" and (found := _UNKNOWN.search(text)):
            yield finding, f"parameter-gone {found[2]} {found[1]}"
        elif finding.code == "JAX802" and (found := _PARAMETER.search(text)):
            yield finding, f"there {found[2]}"
        elif finding.code == "JAX802" and (found := _NAME.search(text)):
            yield finding, f"warns {found[1]}"
        elif finding.code == "JAX804" and (found := _NAME.search(text)):
            yield finding, f"private {found[2]}"
        else:
            yield finding, "not-understood"


def contradicted(findings: list[Diagnostic], python: Path, own: str) -> list[str]:
    """The findings that do not hold in the newest JAX, as sentences."""
    said = list(claims(findings))
    held = real_jax(python, "claims", stdin="\n".join(sorted({claim for _, claim in said})))
    wrong = []
    for finding, claim in said:
        name = claim.split()[1] if " " in claim else ""
        if name.partition(".")[0] == own:
            wrong.append(
                f"{finding.filename}:{finding.start.row}: {finding.code} {finding.message}: the package's own name"
            )
        elif held.get(claim) is not True:
            wrong.append(
                f"{finding.filename}:{finding.start.row}: {finding.code} {finding.message}: {held.get(claim) or claim}"
            )
    return wrong


# --- one release ----------------------------------------------------------------------------------


def examine(name: str, folder: Path, python: Path) -> Release:
    """Download a release and judge it against the newest JAX."""
    sources = fetch(name, folder)
    release = Release(name)
    walk = imported(sources, release.package, python)
    return judge(name, sources, python, fixed=folder / "fixed" / name, walk=walk)


def judge(
    name: str, sources: Path, python: Path, *, fixed: Path, target: str = NEWEST, walk: dict[str, Any] | None = None
) -> Release:
    """Compare the findings in a release with what importing it gives, before and after the safe fixes, under a JAX.

    ``python`` is an interpreter with the JAX of ``target``; the release is copied to ``fixed``, and the fixes are made there.
    """
    release = Release(name)
    walk = walk or real_jax(python, "import", str(sources), release.package)
    release.modules, release.imported = walk["modules"], walk["imported"]
    release.errors = gone_names(walk, release.package)
    release.findings = lint(sources, release.package, target=target)
    said = [reports(error, release.findings, sources) for error in release.errors]
    release.missed = [error for error, found in zip(release.errors, said) if not found]
    release.wrong = contradicted(release.findings, python, release.package)
    release.safe = safe(release.findings)
    shutil.rmtree(fixed, ignore_errors=True)
    shutil.copytree(sources, fixed)
    left = lint(fixed, release.package, fix=True, target=target)
    release.safe_left = safe(left)
    release.after = gone_names(real_jax(python, "import", str(fixed), release.package), release.package)
    mended = Counter(place(error) for error, found in zip(release.errors, said) if safe(found))
    release.mendable = mended.total()
    expected = Counter(map(place, release.errors)) - mended
    release.stubborn = sorted((Counter(map(place, release.after)) - expected).elements())
    return release


def place(error: dict[str, Any]) -> str:
    return f"{error['path']}: {error['missing']}"


def safe(findings: list[Diagnostic]) -> int:
    return sum(each.fix is not None and each.fix.applicability is Applicability.SAFE for each in findings)


def show(release: Release) -> None:
    print(f"{release.name}: {release.modules} modules, {len(release.errors)} errors about gone names at import, "
          f"{len(release.errors) - len(release.missed)} of them reported; {len(release.findings)} findings, "
          f"{len(release.wrong)} wrong; {release.safe} safe fixes, {release.safe_left} left; "
          f"{len(release.after)} errors after them, {release.mendable} were to go, {len(release.stubborn)} did not",
          flush=True)  # fmt: skip
    for error in release.missed:
        print(f"  not reported: {error['path']}:{error['row']}: {error['missing']}: {error['error'][:140]}")
    for line in release.wrong:
        print(f"  wrong: {line}")
    for line in release.stubborn:
        print(f"  not gone: {line}")


HEADINGS = (
    "release", "modules", "errors at import", "reported", "with a safe fix", "errors after `--fix`", "findings", "wrong",
    "safe fixes",
)  # fmt: skip


def row(release: Release) -> list[str]:
    reported = len(release.errors) - len(release.missed)
    return [release.name] + list(map(str, (
        release.modules, len(release.errors), reported, release.mendable, len(release.after), len(release.findings),
        len(release.wrong), release.safe - release.safe_left,
    )))  # fmt: skip


def recorded_rows() -> dict[str, list[str]]:
    """The rows of the table in the documentation, by release."""
    text = pages.part(pages.MIGRATIONS.read_text(encoding="utf-8"), "old releases")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]
    return {each[0]: each for each in cells}


def record(release: Release) -> None:
    """Write the row of a release into the documentation, beside those of the others."""
    rows = {**recorded_rows(), release.name: row(release)}
    text = pages.MIGRATIONS.read_text(encoding="utf-8")
    kept = table([rows[pin] for pin in pins() if pin in rows])
    pages.MIGRATIONS.write_text(pages.replaced(text, "old releases", kept), encoding="utf-8")


def table(rows: list[list[str]]) -> str:
    total = ["all", *(str(sum(int(each[column]) for each in rows)) for column in range(1, len(HEADINGS)))]
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---|" + "--:|" * (len(HEADINGS) - 1)]
    return "\n".join(lines + ["| " + " | ".join(each) + " |" for each in [*rows, total]]) + "\n"


def pins() -> list[str]:
    lines = [line.partition("#")[0].strip() for line in PINS.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line]


def default_folder() -> Path:
    return environments.default_folder().parent / "old-releases"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "releases", nargs="*", metavar="RELEASE", help=f"as in {PINS.name}, or the name of a package (default: all)"
    )
    parser.add_argument(
        "--folder", type=Path, default=default_folder(), help="where the sources are kept (default: %(default)s)"
    )
    parser.add_argument(
        "--environments", type=Path, help="where environments are kept (default: as for jaxlint verify)"
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help=f"write the figures into {pages.MIGRATIONS.name}, beside those of other releases",
    )
    args = parser.parse_args()
    chosen = [pin for pin in pins() if not args.releases or {pin, pin.partition("==")[0]} & set(args.releases)]
    try:
        python = environments.python(NEWEST, PACKAGES, environments_folder(args.environments))
    except environments.NotBuilt as error:
        parser.error(str(error))
    args.folder.mkdir(parents=True, exist_ok=True)
    releases = []
    for name in chosen:
        releases.append(examine(name, args.folder.resolve(), python))
        show(releases[-1])
        if args.record:
            record(releases[-1])
    print()
    print(table([row(release) for release in releases]))
    print(
        "findings: "
        + ", ".join(f"{code} {n}" for code, n in sorted(Counter(f.code for r in releases for f in r.findings).items()))
    )
    missing = Counter(error["missing"] for release in releases for error in release.missed)
    for name, count in missing.most_common():
        print(f"not reported: {name}: {count}")
    return 1 if any(release.missed or release.wrong or release.stubborn for release in releases) else 0


if __name__ == "__main__":
    sys.exit(main())
