"""Compare what two states of jaxlint say, byte for byte: findings, positions, messages and fixes.

    python tests/ecosystem/behaviour.py REVISION [PATH ...] [--generated N] [--jobs N]

Lints the fixtures, N generated programs of seed 0 (default 300) and each PATH, with every rule, by the working tree and by
a checkout of REVISION, and prints the lines that differ and the processor time of both. A folder is linted as its authors
would, with itself as the working directory. Exits with 1 where anything differs.
"""

from __future__ import annotations

import argparse
import difflib
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
COMMANDS = (
    ("--output-format", "json-lines"),
    ("--diff", "--unsafe-fixes", "--output-format", "concise"),
)


def said(checkout: Path, folder: Path, words: tuple[str, ...], jobs: int) -> str:
    """What the command of a checkout says of a folder."""
    command = [
        sys.executable,
        "-m",
        "jaxlint",
        "check",
        "--no-cache",
        "--preview",
        "--select",
        "JAX",
        "--jobs",
        str(jobs),
    ]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1", "COLUMNS": "200"}
    done = subprocess.run([*command, *words, "."], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        done.stdout += f"exit code {done.returncode}\n{done.stderr}"
    return done.stdout


def generated(count: int, folder: Path) -> None:
    """Write programs, one folder each where they have several files."""
    from jaxlint.verify.differential.grammar import write
    from jaxlint.verify.differential.programs import form_program, numbered_program

    for number in range(count):
        program = (form_program if number % 3 == 2 else numbered_program)(0, number)
        for name, text in write(program).files.items():
            path = folder / f"p{number:05}" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")


def used() -> float:
    """Seconds of processor time that ended processes have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compared(name: str, folder: Path, before: Path, jobs: int) -> int:
    """How many lines differ for a folder; prints them."""
    different = 0
    lines = 0
    seconds = [0.0, 0.0]
    for words in COMMANDS:
        texts = []
        for at, checkout in enumerate((before, ROOT)):
            start = used()
            texts.append(said(checkout, folder, words, jobs).splitlines())
            seconds[at] += used() - start
        lines += len(texts[0])
        changed = [
            line for line in difflib.unified_diff(*texts, n=0, lineterm="") if not line.startswith(("---", "+++", "@@"))
        ]
        different += len(changed)
        for line in changed[:20]:
            print(f"    {line[:300]}")
    print(f"{name}: {lines} lines, {different} differ, {seconds[0]:.1f} s before, {seconds[1]:.1f} s now", flush=True)
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision")
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--generated", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name).resolve()
        before = work / "before"
        subprocess.run(
            ["git", "worktree", "add", "--quiet", "--detach", str(before), args.revision], cwd=ROOT, check=True
        )
        try:
            programs = work / "generated"
            programs.mkdir()
            generated(args.generated, programs)
            folders = [("fixtures", ROOT / "fixtures"), (f"{args.generated} generated programs", programs)]
            folders += [(path.name, path.resolve()) for path in args.paths]
            return int(sum(compared(name, folder, before, args.jobs) for name, folder in folders) > 0)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(before)], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
