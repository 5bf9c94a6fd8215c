"""The process in which fixtures run: ``python -m jaxlint.verify.worker FOLDER...``.

Prints one report for each folder, a line of JSON; ``-`` reads the folders from stdin, a line each.
``--oracle`` in front compares the model with every expression of the fixtures as well, and ``--executed`` leaves out the
checks of pairs that need no JAX.
A hazard at import (``bad_<case>.py``) has a process of its own, since what it does cannot be undone.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import subprocess
import sys
import threading
import traceback
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from jaxlint.hazards.registry import find
from jaxlint.hazards.rule import Rule
from jaxlint.verify.results import Report

if TYPE_CHECKING:
    from jaxlint.verify.oracle import Comparing


def verify_folder(folder: Path, oracle: bool = False, executed: bool = False) -> Report:
    """All checks of one fixture folder, in this process but for the hazards at import."""
    from jaxlint.verify import checks, place
    from jaxlint.verify.bless import bad_files
    from jaxlint.verify.fixture import FixtureError, FixtureFile
    from jaxlint.verify.oracle import Comparing, files_of

    rule = find(folder.name)
    comparing = Comparing() if oracle else None
    report = Report(rule.code, rule.name, place=place.here())
    paths = bad_files(folder)
    try:
        if not paths:
            report.problems["proof"] = [f"{folder}: there is no bad.py"]
        for path in paths:
            if path.name == "bad.py":
                part = verify_pair(path, rule, executed, comparing)
            else:
                part = _isolated(path, rule, executed)
            for check, problems in part.problems.items():
                report.problems.setdefault(check, []).extend(problems)
            report.notes += part.notes
            report.skipped += part.skipped
            report.cases += part.cases
            report.add(part)
            report.died = report.died or part.died
        good = folder / "good.py"
        if comparing is not None:
            report.problems["good"] = checks.check_good(good, rule, comparing.run)
            for path in files_of(folder):
                comparing.file(path)
            report.oracle = comparing.total.as_dict()
        else:
            report.problems["good"] = checks.check_good(good, rule)
        report.facts = len(FixtureFile.read(good).facts) if good.exists() else 0
    except FixtureError as error:
        report.died = str(error)
    return report


def verify_pair(path: Path, rule: Rule, executed: bool = False, comparing: Comparing | None = None) -> Report:
    """The checks of one ``bad*.py`` with its ``fixed*.py``; ``executed``: those alone that run it."""
    from jaxlint.verify import checks, linted
    from jaxlint.verify.execute import Runs

    pair = linted.Pair.read(path, rule)
    as_it_stands = Runs()  # a debugger and the depth of a recursion show that code is instrumented
    problems = {
        "proof": checks.check_proof(pair, as_it_stands),
        "fixed": checks.check_fixed(pair, as_it_stands if comparing is None else comparing.run),
        "values": checks.check_values(pair),
        "transforms": checks.check_transforms(pair),
        "safe": checks.check_safe(pair),
    }
    if not executed:
        problems.update({name: check(pair) for name, check in linted.CHECKS.items()})
    return Report(
        rule.code, rule.name, problems=problems, notes=pair.notes, skipped=pair.skipped, cases=len(pair.bad.cases),
        fixes=dict(Counter(each.level for each in pair.bad.expectations if each.code == rule.code)),
        transforms=dict(pair.transformed),
        keys=sum(proof.kind == "reuses" for case in pair.bad.cases for proof in case.proofs),
    )  # fmt: skip


def _isolated(path: Path, rule: Rule, executed: bool, timeout: float = 600.0) -> Report:
    """The checks of one pair in a process of its own; where there is fork, one that has imported JAX and started no backend."""
    forks = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver") if forks else multiprocessing.get_context("spawn")
    if forks:
        context.set_forkserver_preload(["jaxlint.verify.checks"])
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(writer, path, rule.code, executed))
    process.start()
    writer.close()  # so that the end of the process ends the wait
    try:
        if reader.poll(timeout):
            return Report.from_json(reader.recv())
        return Report(rule.code, rule.name, died=f"{path}: took longer than {timeout:.0f} s")
    except EOFError:
        process.join()
        return Report(rule.code, rule.name, died=f"{path}: the process ended with status {process.exitcode}")
    finally:
        process.kill()
        process.join()
        reader.close()


def _send(writer: Connection, path: Path, code: str, executed: bool) -> None:
    rule = find(code)
    try:
        report = verify_pair(path, rule, executed)
    except Exception:
        report = Report(rule.code, rule.name, died=f"{path}: {traceback.format_exc(limit=-3)}")
    writer.send(report.to_json())


def run_worker(folder: Path, platform: str | None = None, oracle: bool = False, timeout: float = 600.0) -> Report:
    """Verify a folder in a fresh process."""
    rule = find(folder.name)
    return _one(_command(oracle, str(folder)), rule, str(folder), platform, timeout)


def _command(oracle: bool, what: str, executed: bool = False) -> list[str]:
    flags = [flag for flag, asked in (("--oracle", oracle), ("--executed", executed)) if asked]
    return [sys.executable, "-m", "jaxlint.verify.worker", *flags, what]


def _one(command: list[str], rule: Rule, what: str, platform: str | None = None, timeout: float = 600.0) -> Report:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, env=environment(platform), check=False
        )
    except subprocess.TimeoutExpired:
        return Report(rule.code, rule.name, died=f"{what}: took longer than {timeout:.0f} s")
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        last = "\n".join(done.stderr.strip().splitlines()[-8:])
        return Report(rule.code, rule.name, died=f"{what}: the process ended with status {done.returncode}: {last}")
    return Report.from_json(lines[-1])


class Worker:
    """A process that verifies folder after folder, oracle included: JAX is imported, and compiles, once.

    A folder that kills it, or takes longer than ``timeout`` seconds, costs only its own report.
    ``executed``: without the checks that need no JAX.
    """

    def __init__(self, timeout: float = 600.0, executed: bool = False) -> None:
        self._timeout = timeout
        self._executed = executed
        self._environment = environment()
        self._process: subprocess.Popen[str] | None = None

    def verify(self, folder: Path) -> Report:
        rule = find(folder.name)
        if self._process is None:
            self._process = subprocess.Popen(
                _command(True, "-", self._executed),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=self._environment,
            )
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{folder}\n")
        process.stdin.flush()
        alarm = threading.Timer(self._timeout, process.kill)
        alarm.start()
        try:
            line = process.stdout.readline()
        finally:
            alarm.cancel()
        if line:
            return Report.from_json(line)
        process.wait()
        self._process = None
        return Report(rule.code, rule.name, died=f"{folder}: the process died; `jaxlint verify {rule.code}` says more")

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()


def environment(platform: str | None = None) -> dict[str, str]:
    """The environment of a worker: this package importable, JAX on the platform asked for."""
    result = dict(os.environ)
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file():  # a checkout need not be installed
        result["PYTHONPATH"] = os.pathsep.join(filter(None, [str(checkout), os.environ.get("PYTHONPATH")]))
    if platform is not None:
        result["JAX_PLATFORMS"] = {"gpu": "cuda,cpu"}.get(platform, platform)  # callbacks need a CPU device
        # By default a process takes three quarters of a GPU's memory at its start; workers share one.
        result["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    return result


def _forget() -> None:
    """Let go of what JAX has compiled: a process that sees all folders would hold gigabytes of it.

    Garbage is looked for here alone. What is left are modules, which the next search need not look through.
    """
    import jax

    jax.clear_caches()
    gc.collect()
    gc.freeze()


def main(arguments: list[str]) -> int:
    # Fixtures print, native code too; the reports go to the stdout of before, everything else to stderr.
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(os.fdopen(os.dup(1), "w", encoding="utf-8"))
        os.dup2(2, 1)
        flags = {each for each in arguments if each in ("--oracle", "--executed")}
        arguments = [each for each in arguments if each not in flags]
        gc.disable()
        folders = (line.rstrip("\n") for line in sys.stdin) if arguments == ["-"] else iter(arguments)
        for folder in folders:
            output.write(verify_folder(Path(folder), "--oracle" in flags, "--executed" in flags).to_json() + "\n")
            output.flush()
            _forget()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
