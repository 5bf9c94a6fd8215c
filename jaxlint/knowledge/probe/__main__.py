"""Measure JAX, and write what `jaxlint.knowledge` looks up.

    python -m jaxlint.knowledge.probe                           the installed release
    python -m jaxlint.knowledge.probe --releases 0.4.30,0.10.2  these, each in an environment of its own
    python -m jaxlint.knowledge.probe --check                   compare the data files with the installed release
    python -m jaxlint.knowledge.probe libraries [PACKAGE ...]   other libraries, as installed (`--check` compares)

Facts of other releases in the data files are kept.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from jaxlint.knowledge.history import release
from jaxlint.knowledge.probe import environments, tables, write

if TYPE_CHECKING:
    from jaxlint.knowledge.probe import run

SECTIONS = ("names", "functions", "members", "host")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m jaxlint.knowledge.probe",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "what", nargs="*", metavar="libraries [PACKAGE ...]", help="measure these libraries, by default all"
    )
    parser.add_argument("--releases", default="", metavar="A,B", help='releases of JAX to measure, or "all"')
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the data files differ")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="measure this alone, and keep the rest")
    parser.add_argument(
        "--only", default="", metavar="PATTERN", help="measure alone the functions whose names start with the pattern"
    )
    parser.add_argument(
        "--between",
        action="store_true",
        help="do not measure functions that are the same in the releases before and after it in the data files",
    )
    parser.add_argument(
        "--measured", type=Path, metavar="DIR", help="keep what is measured here, and use what is there"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write what is measured to FILE, and no data file")
    environments.add_folder(parser)
    options = parser.parse_args(arguments)
    if options.what and options.what[0] != "libraries":
        parser.error(f"unknown: {options.what[0]}")
    if options.what:
        _configure()
        from jaxlint.knowledge.probe import libraries

        return libraries.main(options.what[1:], options.check)
    try:
        return _run(options)
    except environments.NotBuilt as error:
        print(error, file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    if options.releases:
        for version in _releases(options.releases):
            print(f"jax {version}", flush=True)
            measured = _elsewhere(version, options)
            data = tables.Tables.read()
            data.add(version, _completed(measured, data, options.only))
            data.write()
        return 0
    measured = _here(options)
    version = measured["versions"]["jax"]
    if options.out is not None:
        write.write(options.out, measured)
        return 0
    data = tables.Tables.read()
    if options.check and version not in data.releases:
        print(f"jax {version} is not in the data files: run without --check to add it")
        return 1
    committed = data.facts(version)
    data.add(version, _completed(measured, data, options.only))
    if not options.check:
        data.write()
        return 0
    lines = differences(committed, data.facts(version))
    print("\n".join([*lines, f"{len(lines)} differences between the data files and jax {version}"]))
    return 1 if lines else 0


def _completed(measured: tables.Sections, data: tables.Tables, only: str) -> tables.Sections:
    """With the functions that the pattern ``only`` leaves out as they are in the data files."""
    known = data.releases.get(measured["versions"]["jax"], {})
    if only and "functions" in measured:
        measured["functions"] = {**known.get("functions", {}), **measured["functions"]}
    return measured


def _releases(text: str) -> list[str]:
    names = list(environments.RELEASES) if text == "all" else text.split(",")
    return sorted(names, key=release, reverse=True)  # the newest first: names are those of the newest


def _elsewhere(version: str, options: argparse.Namespace) -> tables.Sections:
    """What a process in the environment of a release measures, or has measured."""
    interpreter = environments.python(version, folder=options.environments)
    with tempfile.TemporaryDirectory() as temporary:
        out = (options.measured or Path(temporary)).resolve() / f"{version}.json"
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            command = [str(interpreter), "-m", "jaxlint.knowledge.probe", "--out", str(out), "--only", options.only]
            if options.between:
                command.append("--between")
            for section in options.section or ():
                command += ["--section", section]
            compiled = options.environments / "compiled" / version
            environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), **_compilation_cache(compiled)}
            subprocess.run(command, env=environment, check=True)
        measured: tables.Sections = json.loads(out.read_text(encoding="utf-8"))
    return measured


def _compilation_cache(folder: Path) -> dict[str, str]:
    """Most of the time goes to compiling the same small programs."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(folder),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


def _here(options: argparse.Namespace) -> tables.Sections:
    """What this process measures of the installed release."""
    _configure()
    report = sys.stdout
    with _elsewhere_on_disk(), open(os.devnull, "w") as silence, contextlib.redirect_stdout(silence):
        from jaxlint.knowledge.probe import coverage, run

        between = _between(importlib.metadata.version("jax")) if options.between else None
        measured = run.measure(options.section or SECTIONS, report, options.only, between)
        lines = coverage.report(measured)
    for line in lines:
        print(line, file=report)
    return measured


def _between(version: str) -> run.Between | None:
    from jaxlint.knowledge.probe import run

    data = tables.Tables.read()
    found = data.neighbours(version)
    return run.Between(found, data.agreed(*found), data.now) if found is not None else None


@contextlib.contextmanager
def _elsewhere_on_disk() -> Iterator[None]:
    """A folder for the functions that write files."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def _configure() -> None:
    """Thousands of tiny programs are compiled, and their speed does not matter."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")
    flags = ["--xla_backend_optimization_level=0"]
    if release(importlib.metadata.version("jaxlib")) >= (0, 4, 35):  # an unknown flag ends the process
        flags.append("--xla_cpu_parallel_codegen_split_count=1")
    os.environ["XLA_FLAGS"] = " ".join([os.environ.get("XLA_FLAGS", ""), *flags])


def differences(committed: tables.Sections, measured: tables.Sections) -> list[str]:
    """The entries in which two measurements of a release differ, one a line."""
    lines = []
    for section in sorted(measured):
        old, new = committed.get(section, {}), measured[section]
        for name in sorted({*old, *new} - {"between"}):  # how a release was measured is no fact about it
            if old.get(name) != new.get(name):
                lines.append(f"{section}: {name}: {old.get(name)} in the file, {new.get(name)} measured")
    return lines


if __name__ == "__main__":
    sys.exit(main())
