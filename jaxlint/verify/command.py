"""``jaxlint verify``: prove the rules here, on this release of JAX and this accelerator."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxlint.hazards.rule import Rule
    from jaxlint.verify.results import Report

OK, FAILED, ERROR = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rules",
        nargs="*",
        metavar="RULE",
        help="codes or names (default: all); `new CODE NAME` scaffolds a rule, `bless [RULE|model|documents...]` rewrites golden files",
    )
    parser.add_argument("--platform", choices=("cpu", "gpu"), default="cpu", help="where to run (default: cpu)")
    parser.add_argument(
        "--output-format",
        choices=("table", "json", "markdown"),
        default="table",
        help="how to print the results (default: table)",
    )
    parser.add_argument("--oracle", action="store_true", help="compare the model with every expression of the fixtures")
    parser.add_argument(
        "--record",
        action="store_true",
        help="keep the results, which the pages of the rules and docs/verification.md show; with --jax, the values of old code and fixed code",
    )
    parser.add_argument("--fixtures", type=Path, metavar="DIR", help="folder of fixtures (default: the project's own)")
    parser.add_argument(
        "--jax",
        type=lambda text: text.split(","),
        metavar="RELEASES",
        help="run the programs in these releases of JAX, such as 0.4.30,0.10.2, each in an environment of its own",
    )
    parser.add_argument(
        "--environments",
        type=Path,
        metavar="DIR",
        help="where these environments are kept (default: $JAXLINT_ENVIRONMENTS, else the user's cache)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=min(os.cpu_count() or 1, 8),
        metavar="N",
        help="processes at a time (default: one for each processor, at most 8)",
    )


def run(args: argparse.Namespace) -> int:
    from jaxlint.hazards.registry import UnknownRule
    from jaxlint.hazards.resources import fixtures_root

    try:
        root = (args.fixtures or fixtures_root()).resolve()
        if args.rules[:1] == ["new"]:
            return _new(root, args.rules[1:])
        if importlib.util.find_spec("jax") is None:
            return _usage("jax is not installed; `pip install 'flake8-jaxlint[verify]'` from the checkout brings it")
        if args.rules[:1] == ["bless"]:
            return _bless(root, args.rules[1:])
        return _verify_elsewhere(root, args) if args.jax else _verify(root, args)
    except (UnknownRule, FileNotFoundError) as error:
        return _usage(str(error))


def _usage(message: str) -> int:
    print(f"jaxlint verify: {message}", file=sys.stderr)
    return ERROR


def _new(root: Path, words: list[str]) -> int:
    from jaxlint.verify.scaffold import ScaffoldError, scaffold

    if len(words) != 2:
        return _usage("`new` takes a code and a name, such as `new JAX113 iterate-over-key`")
    try:
        code, name = words
        for path in scaffold(root, code, name):
            print(f"{_short(str(path))}: written")
    except ScaffoldError as error:
        return _usage(str(error))
    return OK


def _bless(root: Path, selectors: list[str]) -> int:
    from jaxlint.verify.bless import bless, bless_document, bless_model
    from jaxlint.verify.fixture import FixtureError
    from jaxlint.verify.folders import DOCUMENTS, MODEL, chosen, document_files, folder_of, model_files

    code = OK
    named = [selector for selector in selectors if selector not in (MODEL, DOCUMENTS)]
    goldens: list[Callable[[], list[str]]] = [
        partial(bless, folder_of(root, rule), rule) for rule in (chosen(named) if named or not selectors else ())
    ]
    goldens += [partial(bless_model, path) for path in model_files(root) if MODEL in selectors or not selectors]
    goldens += [
        partial(bless_document, path) for path in document_files(root) if DOCUMENTS in selectors or not selectors
    ]
    for write in goldens:
        try:
            for line in write():
                print(_short(line))
        except FixtureError as error:
            print(_short(str(error)), file=sys.stderr)
            code = FAILED
    return code


def _verify(root: Path, args: argparse.Namespace) -> int:
    from jaxlint.verify import results
    from jaxlint.verify.folders import chosen, model_files

    if args.platform != "cpu" and not _has(args.platform):
        return _usage(f"jax finds no {args.platform} here; the column shows what was last recorded on one")
    rules = chosen(args.rules)
    parts: dict[str, dict[str, Any]] = {}
    with _Progress(len(rules) + 2 * (not args.rules) + args.oracle) as progress:
        reports = _reports(root, rules, args, progress)
        if not args.rules:
            parts["matrix"] = _matrix(progress)
        if not args.rules and model_files(root):
            parts["model"] = _other("revealed", root, args.platform, progress)
        if args.oracle:
            model = _other("oracle", root / "model", args.platform, progress) if not args.rules else {}
            parts["oracle"] = results.sum_of_oracle([report.oracle for report in reports] + [model])
    return _tell([report.row() for report in reports], parts, args)


def _verify_elsewhere(root: Path, args: argparse.Namespace) -> int:
    from jaxlint.knowledge.probe.environments import NotBuilt
    from jaxlint.verify import pages, releases
    from jaxlint.verify.folders import chosen

    if args.platform != "cpu" or args.oracle:
        return _usage("--jax runs the programs on cpu, and the oracle belongs to the release that is installed")
    rules = chosen(args.rules)
    try:
        with _Progress(len(rules) * len(args.jax)) as progress:
            folder = releases.environments_folder(args.environments)
            reports, moved = releases.verify(root, rules, args.jax, folder, progress.step)
    except NotBuilt as error:
        return _usage(str(error))
    if args.record:
        pages.write_moved(releases.record(moved, [rule.code for rule in rules]))
    same = sum(bool(each.same) and all(each.same.values()) for each in moved)
    wrong = [f"{each.rule} {each.file}: {each.case}" for each in moved if not (each.ran and all(each.same.values()))]
    parts = {"moved": {"summary": f"{same} of {len(moved)} cases give what the old code gave", "failures": wrong}}
    return _tell([report.row() for report in reports], parts if moved else {}, args)


def _tell(rows: list[dict[str, Any]], parts: dict[str, dict[str, Any]], args: argparse.Namespace) -> int:
    """Keep and print the results; the exit status."""
    from jaxlint.verify import folders, pages, results

    earlier = results.recorded()
    if args.record and not args.jax:  # the table of every rule is about platforms
        known = {rule.code for rule in folders.chosen([])}
        pages.write_proven(results.record(rows, rules=known))
    if args.output_format == "json":
        json.dump({"rules": rows, **parts}, sys.stdout, indent=2, ensure_ascii=False)
        sys.stdout.write("\n")
    elif args.output_format == "markdown":
        sys.stdout.write(results.markdown(rows, earlier))
    else:
        _print(rows, earlier, parts)
    failed = any(row["outcome"] == "failed" for row in rows) or any(part["failures"] for part in parts.values())
    return FAILED if failed else OK


def _reports(root: Path, rules: list[Rule], args: argparse.Namespace, progress: _Progress) -> list[Report]:
    from jaxlint.verify.folders import folder_of
    from jaxlint.verify.results import Report
    from jaxlint.verify.worker import run_worker

    def one(rule: Rule) -> Report:
        folder = folder_of(root, rule)
        if not folder.is_dir():
            return Report(rule.code, rule.name, died=f"{folder}: there are no fixtures; a rule exists when they do")
        return run_worker(folder, args.platform, args.oracle)

    reports = {}
    with ThreadPoolExecutor(max(1, args.jobs)) as pool:
        futures = {pool.submit(one, rule): rule for rule in rules}
        for future in as_completed(futures):
            report = future.result()
            report.place = report.place or {"platform": args.platform, "jax": importlib.metadata.version("jax")}
            reports[report.code] = report
            progress.step(f"{report.code} {report.name}")
    return [reports[rule.code] for rule in rules]


def _matrix(progress: _Progress) -> dict[str, Any]:
    """The model against the recorded outcomes of every operation under every transform."""
    from jaxlint.knowledge.matrix import fails, load
    from jaxlint.verify.matrix import cells

    found = list(cells(load()))
    progress.step("matrix")
    wrong = [str(cell) for cell in found if not cell.agrees]
    failing = sum(fails(cell.outcome) for cell in found)
    summary = f"{len(found) - len(wrong)} of {len(found)} programs as in JAX ({failing} of them fail there)"
    return {"summary": summary, "failures": wrong}


def _other(module: str, folder: Path, platform: str, progress: _Progress) -> dict[str, Any]:
    """Run ``jaxlint.verify.<module>`` over a folder in a process of its own; it prints one line of JSON."""
    import subprocess

    from jaxlint.verify.worker import environment

    done = subprocess.run(
        [sys.executable, "-m", f"jaxlint.verify.{module}", str(folder)],
        capture_output=True,
        text=True,
        env=environment(platform),
        check=False,
    )
    progress.step(module)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        last = "\n".join(done.stderr.strip().splitlines()[-8:])
        return {"summary": "died", "failures": [f"{module}: the process ended with status {done.returncode}: {last}"]}
    return dict(json.loads(lines[-1]))


def _has(platform: str) -> bool:
    import subprocess

    from jaxlint.verify.worker import environment

    code = f"import jax; assert jax.default_backend() == {platform!r}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(platform), check=False)
    return done.returncode == 0


def _short(text: str) -> str:
    """Paths below the working directory as people type them."""
    return text.replace(os.getcwd() + os.sep, "")


class _Progress:
    """A progress bar on stderr where that is a terminal."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._bar: Any | None = None

    def __enter__(self) -> _Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("verifying", total=self.total)
        return self

    def step(self, done: str) -> None:
        if self._bar is not None:
            self._bar.update(self._task, advance=1, description=done)

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _print(rows: list[dict[str, Any]], earlier: list[dict[str, Any]], parts: dict[str, dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    from jaxlint.verify import results

    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 120)
    shown = results.columns(rows, earlier)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("rule", "name"):
        table.add_column(column, no_wrap=True)
    for column in ("cases", "near misses"):
        table.add_column(column, justify="right")
    for heading in shown:
        table.add_column(heading)
    styles = {"proven": "green", "failed": "bold red"}
    for row in results.one_each(rows):
        cells = [column[row["rule"]] for column in shown.values()]
        table.add_row(
            row["rule"],
            row["name"],
            str(row["cases"]),
            str(row["near_misses"]),
            *cells,
            style=styles.get(results.worst(rows, row["rule"]), ""),
        )
    console.print(table)
    several = len({row["jax"] for row in rows}) > 1
    for row in rows:
        who = f"{row['rule']}, jax {row['jax']}" if several else row["rule"]
        for note in row["notes"]:
            console.print(f"{who}: {note}", style="dim", soft_wrap=True)
        for failure in row["failures"]:
            console.print(f"{who}: {_short(failure)}", style="red", soft_wrap=True)
    for title, part in parts.items():
        console.print(f"{title}: {part['summary']}", style="red" if part["failures"] else "green", soft_wrap=True)
        for failure in part["failures"]:
            console.print(f"{title}: {_short(failure)}", style="red", soft_wrap=True)
    for release in dict.fromkeys(row["jax"] for row in rows):
        here = [row for row in rows if row["jax"] == release]
        proven = sum(row["outcome"] == "proven" for row in here)
        console.print(f"{proven} of {len(here)} rules proven{f' in jax {release}' if several else ''}", style="bold")
