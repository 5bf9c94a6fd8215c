"""Hold the model to packages that nobody wrote for it: what it says of their expressions, and what these are in their tests.

    python tests/ecosystem/oracle.py [PACKAGE ...] [--folder FOLDER] [--observed FOLDER] [--budget lint] [--record] [--unknown N]
    python tests/ecosystem/oracle.py --counted [PACKAGE ...] [...]

The sources of each package are instrumented as they are imported (``observing.py``), and its own tests run, those listed
here. Every expression that is an array, a tracer, a key, or a Python scalar made from one, is compared with the model's
claims on it (``activations.py``); the test files are the roots. Half of the packages is looked into: of these
everything is printed. ``--counted`` runs the other half, of which sums are printed and no file or line
(``oracle_packages.py``). ``--record`` writes docs/oracle.md, its tables of the packages one by one only where all of the first
seven ran. ``--unknown`` prints of what the model says nothing most often. ``--observed`` keeps what was seen in a folder, and does not run
the tests of a package of which it is there. Needs what the tests import.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

import oracle_halves
import sources
from activations import Comparer, Findings, Tally
from oracle_packages import FIRST, PACKAGES, Package, is_counted, pins

from jaxlint.analysis.budgets import CLOSE, LINT, Budget

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "oracle.md"
BUDGETS = {"close": CLOSE, "lint": LINT}
SECONDS = 600  # of one package's tests; no test begins later


def observe(package: Package, folder: Path, output: Path, seconds: float = SECONDS) -> str:
    """Run the tests of a package with its modules instrumented; gives the counts that pytest prints."""
    files = [test for pattern in package.tests for test in _selected(folder, pattern)]
    imported = folder / package.path
    beside = {(folder / test.partition("::")[0]).parent for test in files}  # where tests look for modules of their own
    helpers = sorted(str(each) for each in beside if not (each / "__init__.py").exists())
    path = [str(imported), *helpers, str(ROOT), str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1", "JAX_PLATFORMS": "cpu", "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",
        "JAXLINT_OBSERVED": os.pathsep.join([package.module, str(imported), str(output), str(seconds)]),
    }  # fmt: skip
    command = [
        sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "observing", "-p", "no:cacheprovider", "--rootdir", str(folder),
        "-c", os.devnull, "--import-mode=importlib", "--continue-on-collection-errors", *files,
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, env=environment, timeout=2 * seconds + 60, check=False
        )
    except subprocess.TimeoutExpired:
        return f"stopped after {2 * seconds + 60:.0f} s"
    if not output.exists():
        why = "" if is_counted(package.name) else f":\n{done.stdout}{done.stderr}"
        sys.exit(f"{package.name}: nothing was observed{why}")
    lines = [line for line in done.stdout.splitlines() if re.search(r"\d+ (passed|failed|error)", line)]
    counts = re.findall(r"\d+ (?:passed|failed|errors?|skipped|xfailed)", lines[-1]) if lines else ["nothing was run"]
    over = "the time of the package is over" in done.stdout
    return ", ".join(counts) + (f", the rest not in {seconds:.0f} s" if over else "")


def _selected(folder: Path, pattern: str) -> list[str]:
    """The test files that a pattern matches, with the class or function that it names."""
    path, *parts = pattern.split("::")
    return ["::".join([str(each.relative_to(folder)), *parts]) for each in sorted(folder.glob(path))]


def compare(package: Package, folder: Path, observed: Path, seconds: float, budget: Budget) -> tuple[str, Findings]:
    """The counts of the tests, and what the comparison with the model found."""
    output, counts = observed / f"{package.name}.json", observed / f"{package.name}.txt"
    if not counts.exists():
        counts.write_text(observe(package, folder, output, seconds))
    return counts.read_text(), Comparer(folder, json.loads(output.read_text()), budget).compare()


# --- what is said -----------------------------------------------------------------------------------------------------

INTRODUCTION = """\
# The model and real packages

`python tests/ecosystem/oracle.py --record` instruments the sources of packages as they are imported, runs their own tests,
and compares what each expression was with what the model claims of it (`jaxlint reveal FILE` shows the claims). The packages are
pinned in `tests/ecosystem/requirements.txt` and `oracle.txt`; which of their tests run is listed in `oracle_packages.py` there.

- **Roots**: the test files, since it is they that compile what a library offers; and each module by itself.
- **Counted** are expressions that were a jax array, a tracer, a random key, a value of NumPy, or a Python scalar made from
  one of these. *Traced* are those in activations in which a tracer was seen, *elsewhere* the others.
- **Activations** are told apart on both sides: by the function, whether a transform is around and whether the code is staged,
  and what the function is entered with (what its arguments are, what these hold, and the variables around it; of functions
  their names, of objects their classes). An activation that was run is compared with those of the model that admit it, and
  where there are several with the union of their claims. Where none admits it, the model has claimed nothing.
- A package **is read** where a program that imports it is followed into its modules. The public names of Flax are known from
  outside, as those of JAX are, and not followed: what is certain there is what each module shows by itself.
- An expression is **certain** when in every activation that was run the model says what it is: a tracer, a jax array, a value
  of NumPy, a Python value. It is a **leaf** where the model says: if it is an array at all, and no container of arrays, it is
  a tracer; which is what it says of bare arguments of traced functions. It is **wrong** when it was something else in any.
- **Details** are claims on dtype, shape and weak type.
- The analysis is that of a lint run with larger **budgets** (`jaxlint/analysis/budgets.py`): it looks at each kind of call and
  at each case of a test, and follows every call into another module, where a lint run stops after a few and leaves the rest
  unknown. `--budget lint` asks for the budgets of a lint run.
- **Why** an expression is not certain is told from the first activation in which it is not.
"""


def page(outcomes: list[tuple[str, str, Findings]]) -> str:
    lines = [INTRODUCTION, f"Last run on {datetime.date.today().isoformat()}, jax {version('jax')}.\n"]
    for traced, title in ((True, "Traced"), (False, "Elsewhere")):
        lines += [f"## {title}", "", *_head("package")]
        tallies = [(name, _total(each, traced)) for name, _, each in outcomes]
        lines += [_row(name, tally) for name, tally in tallies]
        read = [tally for name, tally in tallies if _is_read(name.rpartition(" ")[0])]
        lines += [_row("**those that are read**", _sum(read)), _row("**all**", _sum(tally for _, tally in tallies))]
        lines += ["", *_head("what it was")]
        for kind in ("tracer", "array", "key", "numpy", "scalar"):
            lines.append(_row(kind, _sum(each.expressions[traced, kind] for _, _, each in outcomes)))
        lines.append("")
        if traced:
            causes: Counter[str] = sum((each.causes for _, _, each in outcomes), Counter())
            lines += ["| why an expression is not certain | expressions |", "|---|--:|"]
            lines += [*(f"| {cause} | {number} |" for cause, number in causes.most_common()), ""]
    lines += ["## Tests", "", "| package | tests |", "|---|---|"]
    lines += [f"| {name} | {ran} |" for name, ran, _ in outcomes]
    wrong = [
        f"- {name}: {place} ({seen})"
        for name, _, each in outcomes
        for place, seen in sorted(each.disagreements.items())
    ]
    if wrong:
        lines += ["", "## Disagreements", "", *wrong]
    return "\n".join(lines) + "\n"


def _is_read(name: str) -> bool:
    return name not in PACKAGES or PACKAGES[name].is_read


def _head(first: str) -> list[str]:
    return [
        f"| {first} | expressions | certain | certain or leaf | wrong | details | wrong |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]


def _row(name: str, tally: Tally) -> str:
    both = tally.certain + tally.leaves
    return (
        f"| {name} | {tally.compared} | {_share(tally.certain, tally)} | {_share(both, tally)} | {tally.wrong} |"
        f" {tally.details} | {tally.wrong_details} |"
    )


def _share(count: int, tally: Tally) -> str:
    return f"{count} ({100 * count / tally.compared:.1f} %)" if tally.compared else "0"


def _total(findings: Findings, traced: bool) -> Tally:
    return _sum(tally for (where, _), tally in findings.expressions.items() if where == traced)


def _sum(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for each in tallies:
        total += each
    return total


def _most_unknown(findings: Findings, count: int) -> Iterator[str]:
    by_form: Counter[tuple[str, ...]] = Counter()
    for words, number in findings.unknown.items():
        by_form[words[:2]] += number
    for counter in (by_form, findings.unknown):
        yield from (f"  {number:5} {' '.join(words)}" for words, number in counter.most_common(count))
    yield from (f"  {problem}" for problem in findings.problems)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "packages", nargs="*", metavar="PACKAGE", help="some of oracle_packages.py (default: all of the half)"
    )
    parser.add_argument(
        "--folder", type=Path, default=sources.default_folder(), help="where sdists are kept (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="for the tests of one package (default: %(default)s)"
    )
    parser.add_argument(
        "--unknown", type=int, default=0, metavar="N", help="print the N forms that are unknown most often"
    )
    parser.add_argument(
        "--observed", type=Path, metavar="FOLDER", help="where what was seen is kept (default: nowhere)"
    )
    parser.add_argument(
        "--budget", choices=tuple(BUDGETS), default="close", help="how closely is looked (default: %(default)s)"
    )
    parser.add_argument("--counted", action="store_true", help="the half that is only counted: print sums alone")
    parser.add_argument("--record", action="store_true", help="write docs/oracle.md")
    args = parser.parse_args()
    names = [name for name in PACKAGES if is_counted(name) == args.counted]
    unknown = set(args.packages) - set(names)
    if unknown:
        parser.error(f"not in this half: {', '.join(sorted(unknown))}; in it are {', '.join(names)}")
    names = args.packages or names
    pinned = pins()
    folders = sources.fetch([pinned[name] for name in names], args.folder)
    outcomes = []
    counts = {}
    with tempfile.TemporaryDirectory(prefix="jaxlint-oracle-") as work:
        observed = args.observed or Path(work)
        observed.mkdir(parents=True, exist_ok=True)
        for name in names:
            ran, findings = compare(PACKAGES[name], folders[name], observed, args.seconds, BUDGETS[args.budget])
            details = [] if args.counted else _most_unknown(findings, args.unknown)
            print(f"{name}: {ran}", *details, sep="\n", file=sys.stderr, flush=True)
            outcomes.append((f"{name} {pinned[name].version}", ran, findings))
            counts[name] = oracle_halves.sums(findings)
    if args.record:
        oracle_halves.record({name: row for name, row in counts.items() if name not in FIRST}, args.budget)
        is_whole = args.budget == "close" and set(FIRST) <= set(names)
        before = page(outcomes) if is_whole else PAGE.read_text(encoding="utf-8").partition(oracle_halves.TITLE)[0]
        PAGE.write_text(f"{before.rstrip()}\n\n{oracle_halves.section()}", encoding="utf-8")
    if args.counted:
        print(*oracle_halves.table(counts), sep="\n")
    else:
        print(page(outcomes)[len(INTRODUCTION) :])


if __name__ == "__main__":
    main()
