"""``jaxlint check``: find the files, lint or fix them, report."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jaxlint.commands.configs import add_configuration, add_flag, add_list, configs_of, listed
from jaxlint.commands.progress import Bar
from jaxlint.commands.results import CLEAN, ERROR, configuration_errors, diff, exit_code, merged, report
from jaxlint.configuration.config import Config, Configs
from jaxlint.configuration.discovery import discover, is_excluded
from jaxlint.configuration.options import OUTPUT_FORMATS
from jaxlint.configuration.table import ConfigError
from jaxlint.report.text import listed as listed_places, shown_path, visible
from jaxlint.run.job import Job, Outcome
from jaxlint.run.runner import merge, run as run_jobs, run_apart
from jaxlint.source.reading import decoded
from jaxlint.source.text import SourceError

if TYPE_CHECKING:
    from jaxlint.commands.asking import Dialog
    from jaxlint.commands.new_findings import NewFindings
    from jaxlint.run.importers import Importers
    from jaxlint.run.shards import Shard

_LISTS = ("select", "extend_select", "ignore", "exclude", "extend_exclude", "fixable", "unfixable")
_CONFIGURATION = ("isolated", "plugins", "no_plugins", "no_importers")
_CLUSTER = r"dask://([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}"
_OPTIONS = ("preview", "target_jax", "force_exclude", "unsafe_fixes", "output_format")
_REPORTED = ("baseline", "diff_base", "statistics")


_WITH_EDITS = frozenset({"json", "json-lines", "sarif"})  # what other programs apply, so that each fix is tried


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files and folders; `-` is standard input (default: .); with --fix, --diff or --ask FILE:LINE or FILE:LINE:CODE"
        " as well, for the fixes of one line",
    )
    add_rules(parser)
    fixes = parser.add_argument_group("fixes")
    add_flag(fixes, "--fix", help="apply the safe fixes, report what is left")
    add_flag(fixes, "--unsafe-fixes", configured=True, help="with --fix or --diff: the unsafe fixes as well")
    add_flag(fixes, "--fix-only", help="apply fixes, report nothing that is left")
    add_flag(fixes, "--diff", help="print what --fix would change, change nothing")
    add_flag(fixes, "--ask", help="show the fixes one by one, safe and unsafe, and apply those that are agreed to")
    add_flag(
        fixes, "--add-noqa", help="add a `# noqa` to every line with a finding, so that only new ones are reported"
    )
    add_list(fixes, "--fixable", "RULE", "the rules whose fixes are applied (default: all)")
    add_list(fixes, "--unfixable", "RULE", "rules whose fixes are not applied")
    add_flag(fixes, "--exit-non-zero-on-fix", help="exit with 1 if anything was fixed, even if nothing is left")
    add_files(parser).add_argument("--stdin-filename", metavar="FILE", help="the name of what standard input holds")
    add_configuration(parser)
    new = parser.add_argument_group("what is new")
    new.add_argument(
        "--baseline", metavar="FILE", help="be quiet about the findings in FILE, which `jaxlint baseline` writes"
    )
    new.add_argument(
        "--diff-base",
        metavar="REV",
        help="report what is on lines changed since the Git revision REV, or because of them",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--output-format", choices=OUTPUT_FORMATS, help="how to report (default: full)")
    output.add_argument("--output-file", metavar="FILE", help="where to put the report (default: standard output)")
    loudness = output.add_mutually_exclusive_group()
    add_flag(loudness, "--quiet", "-q", help="print the findings and errors alone: no counts, no notes")
    add_flag(
        loudness,
        "--verbose",
        "-v",
        help="say as well which configuration governs, how many files were read, how many from the cache, and the time",
    )
    add_flag(output, "--statistics", help="count the findings of each rule instead")
    add_flag(output, "--show-files", help="list the files that would be read, and read none")
    add_flag(output, "--show-settings", help="show the settings that hold, as `jaxlint config` does")
    add_flag(output, "--watch", help="lint again whenever a file changes, until Ctrl-C")
    add_flag(output, "--exit-zero", help="exit with 0 even if there are findings")
    add_work(parser).add_argument(
        "--shard",
        type=_shard,
        metavar="I/N",
        help="check the I-th of N parts of the files; `jaxlint merge` joins the reports",
    )


def _shard(text: str) -> Shard:
    from jaxlint.run.shards import Shard

    try:
        return Shard.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_rules(parser: argparse.ArgumentParser) -> None:
    rules = parser.add_argument_group(
        "rules (RULE is a code, the beginning of codes, or a name; commas separate several)"
    )
    add_list(rules, "--select", "RULE", "the rules to run, instead of the default ones")
    add_list(rules, "--extend-select", "RULE", "rules to run as well")
    add_list(rules, "--ignore", "RULE", "rules not to run")
    add_flag(rules, "--preview", configured=True, help="run the rules in preview as well")
    rules.add_argument(
        "--target-jax",
        metavar="SPEC",
        help="the releases of JAX that the code must run on, such as `>=0.4.30` (default: those the project declares)",
    )


def add_files(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    files = parser.add_argument_group("files")
    add_list(files, "--exclude", "GLOB", "what walking leaves out, instead of the default")
    add_list(files, "--extend-exclude", "GLOB", "what walking leaves out as well")
    add_flag(
        files,
        "--no-importers",
        help="report what the named files show, whichever other files of the project import them",
    )
    add_flag(files, "--force-exclude", configured=True, help="leave it out even where it is named as PATH")
    return files


def _cluster(text: str) -> str:
    # An option of the command alone: the files go to the cluster and what comes back is trusted, so that no
    # pull request may name one in the configuration.
    if not re.fullmatch(_CLUSTER, text):
        raise argparse.ArgumentTypeError(
            f"`{text}` is not the address of a Dask scheduler such as `dask://localhost:8786`"
        )
    return text


def add_work(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    work = parser.add_argument_group("work")
    work.add_argument("--jobs", "-j", type=_positive, metavar="N", help="worker processes (default: one a processor)")
    work.add_argument(
        "--executor",
        type=_cluster,
        metavar="dask://HOST:PORT",
        help="the Dask cluster that does the work (default: this machine)",
    )
    work.add_argument(
        "--cache-dir", metavar="DIR", help="where results are kept (default: .jaxlint_cache in the project)"
    )
    add_flag(work, "--no-cache", help="neither use nor keep results of other runs")
    return work


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from 1 up")
    return int(text)


def run(args: argparse.Namespace) -> int:
    args.places = {}
    if any(":" in path for path in args.paths):
        from jaxlint.commands.places import split_places

        args.paths, args.places = split_places(args.paths)
    if args.places and not _fixes(args):
        raise ConfigError("FILE:LINE names the fixes of a line; add --fix, --diff or --ask, or name the file alone")
    return _watch(args) if args.watch else _once(args)


def _watch(args: argparse.Namespace) -> int:
    names = ("fix", "fix_only", "diff", "ask", "add_noqa")
    unfit = [f"--{name.replace('_', '-')}" for name in names if getattr(args, name)]
    unfit += ["`-`"] if "-" in args.paths else []
    if unfit:
        raise ConfigError(f"--watch reports what is on the disk, again and again; leave out {' and '.join(unfit)}")
    from jaxlint.commands.watch import watch

    configs_of(args, overrides(args), args.paths)  # what cannot be used ends it before it begins
    return watch(args.paths or ["."], lambda: configs_of(args, overrides(args), args.paths), lambda: _once(args))


def check_working_directory() -> None:
    """Raise ConfigError where the working directory is gone."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise ConfigError("the working directory is gone; change to one that exists") from None


def _once(args: argparse.Namespace) -> int:
    """Do what the arguments ask for. Raises ConfigError for an option that cannot be used."""
    check_working_directory()
    configs = configs_of(args, overrides(args), args.paths)
    settings = configs.for_folder(os.getcwd())
    began = time.perf_counter()
    if args.output_file is not None:
        from jaxlint.report import output_file

        output_file.check(args.output_file)
    paths = args.paths or ["."]
    if args.show_settings:
        from jaxlint.commands.config import show

        return max(show(path, configs_of(args, overrides(args), paths), args.output_format == "json") for path in paths)
    if args.show_files:
        return _show_files(paths, configs)
    if args.add_noqa and (_fixes(args) or "-" in paths or args.shard is not None):
        raise ConfigError(
            "--add-noqa writes comments into files as they are; use it without --fix, --diff, --ask, --shard and `-`"
        )
    new = None
    if args.baseline is not None or args.diff_base is not None:
        from jaxlint.commands.new_findings import NewFindings

        new = NewFindings(args, configs, paths)
    if "-" in paths:
        if args.ask:
            raise ConfigError("--ask reads answers from standard input, which `-` takes for the source; name the file")
        if len(paths) > 1:
            raise ConfigError("`-` is standard input, and cannot be read together with files; name only one")
        return _run_on_standard_input(args, configs, settings, new, began)
    if args.stdin_filename is not None:
        raise ConfigError("--stdin-filename is the name of standard input; add the path `-`")

    dialog = _dialog(args) if args.ask else None
    found = discover(paths, configs)
    for problem in found.problems:
        print(f"jaxlint: {visible(str(problem))}", file=sys.stderr)
    if not found.files and not found.problems and not args.quiet:
        print(f"jaxlint: warning: no Python file to read in {visible(', '.join(paths))}", file=sys.stderr)
    if args.shard is not None and _fixes(args):
        raise ConfigError("--shard is for reports, and a fix may take files of other shards; leave one of them out")
    jobs = [
        Job(
            path, configs.for_file(path), _fixes(args), write=not args.diff, cached=not args.no_cache,
            asked=None if dialog is None else dialog.for_file(), tried=settings.output_format in _WITH_EDITS,
            places=args.places.get(os.path.realpath(path), ()),
        )
        for path in found.files
    ]  # fmt: skip
    importers = importers_of(args, configs, paths)
    if importers is not None:
        jobs += importers.jobs(jobs)
    files = [job.filename for job in jobs]
    if args.shard is not None:
        mine = set(args.shard.of(files))
        jobs = [job for job in jobs if job.filename in mine]
    with Bar(len(jobs), settings.output_format, quiet=args.ask or args.quiet) as bar:
        ran = outcomes = run_apart(jobs, args.jobs or processors(), bar, executor(args), importers)
    broken = configuration_errors(configs)
    shard = (
        None
        if args.shard is None
        else args.shard.record(_of_all(args, settings), files, outcomes, broken, bool(found.problems))
    )
    read_elsewhere = set(found.files) - {job.filename for job in jobs}
    outcomes = merge(outcomes, read_elsewhere, anywhere=importers is not None)
    if new is not None:
        new.keep(outcomes)
    if args.add_noqa:
        from jaxlint.commands import add_noqa

        add_noqa.apply([outcome for outcome in outcomes if outcome.filename in files], configs)
    if args.diff:
        changes = "".join(map(diff, outcomes))
        sys.stdout.write(changes)
        sys.stdout.flush()
    if args.statistics and importers is not None:
        _note_left_out(importers, found.files)
    if args.places:
        from jaxlint.commands.places import unanswered

        for note in unanswered(args.places, outcomes, args.ask or settings.unsafe_fixes):
            print(f"jaxlint: {visible(note)}", file=sys.stderr)
    stream = sys.stderr if args.diff else sys.stdout
    report(args, settings, outcomes, broken, stream, shard, bool(found.problems), old=new.old if new else 0)
    if args.verbose:
        from jaxlint.commands import verbose

        verbose.tell(ran, configs, began)
    return ERROR if found.problems else exit_code(args, outcomes, broken)


def _note_left_out(importers: Importers, files: Sequence[str]) -> None:
    """Say which files have importers that were not analysed with them."""
    from jaxlint.run.importers import MAX_IMPORTERS

    left_out = {file: len(importers.left_out(file)) for file in files}
    places = [f"{shown_path(file)}: {number} more" for file, number in left_out.items() if number]
    if places:
        print(
            f"jaxlint: note: only the nearest {MAX_IMPORTERS} importers of a file are analysed with it"
            f" ({listed_places(places, 'other files')})",
            file=sys.stderr,
        )


def _of_all(args: argparse.Namespace, settings: Config) -> dict[str, Any]:
    """The arguments that the shards of a run share, as far as they say what is to be reported."""
    given = {name: getattr(args, name) for name in (*_LISTS, *_OPTIONS, *_CONFIGURATION, "paths", *_REPORTED)}
    return {**given, "output_format": settings.output_format, "unsafe_fixes": settings.unsafe_fixes}


def with_arguments_of_all(given: Mapping[str, Any]) -> argparse.Namespace:
    """The arguments of which ``_of_all`` made ``given``."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return argparse.Namespace(**{**vars(parser.parse_args([])), **given})


def _show_files(paths: Sequence[str], configs: Configs) -> int:
    """List the files that would be read."""
    found = discover(paths, configs)
    for path in found.files:
        print(shown_path(path))
    sys.stdout.flush()
    for problem in found.problems:
        print(f"jaxlint: {visible(str(problem))}", file=sys.stderr)
    broken = merged([], configuration_errors(configs))
    if broken.diagnostics:
        from jaxlint.report import concise  # which other runs do without
    for each in broken.diagnostics:
        print(concise.line(each, broken), file=sys.stderr)
    return ERROR if found.problems or broken.diagnostics else CLEAN


def _run_on_standard_input(
    args: argparse.Namespace, configs: Configs, settings: Config, new: NewFindings | None, began: float
) -> int:
    """What is fixed goes to standard output, and then the findings to standard error."""
    raw = sys.stdin.buffer.read()
    outcome = _outcome_of(raw, args, configs, settings)
    if new is not None:
        new.keep([outcome])
    broken = configuration_errors(configs)
    stream = sys.stderr if _fixes(args) else sys.stdout
    if args.diff:
        sys.stdout.write(diff(outcome))
    elif _fixes(args):
        changed = outcome.before is not None and outcome.source is not None
        sys.stdout.flush()
        sys.stdout.buffer.write(outcome.source.encode(outcome.source.text) if changed and outcome.source else raw)
    sys.stdout.flush()
    report(args, settings, [outcome], broken, stream, old=new.old if new else 0)
    if args.verbose:
        from jaxlint.commands import verbose

        verbose.tell([outcome], configs, began)
    return exit_code(args, [outcome], broken)


def _outcome_of(raw: bytes, args: argparse.Namespace, configs: Configs, settings: Config) -> Outcome:
    """What becomes of the bytes of standard input."""
    filename, named = args.stdin_filename or "-", args.stdin_filename
    if named is not None and is_excluded(named, configs):
        return Outcome(filename, [])
    config = configs.for_file(filename)
    try:
        source = decoded(raw, filename)
    except SourceError as error:
        from jaxlint.run.pipeline import syntax_error

        return Outcome(filename, [syntax_error(error)])
    job = Job(
        filename, config, _fixes(args), write=False, source=source, tried=settings.output_format in _WITH_EDITS,
        places=args.places.get(os.path.realpath("-"), ()),
    )  # fmt: skip
    return run_jobs([job], importers=importers_of(args, configs))[0]


def importers_of(args: argparse.Namespace, configs: Configs, paths: Sequence[str] = ()) -> Importers | None:
    """Who imports the files of a run that reads ``paths``; None where only the files of the run count."""
    if args.no_importers:
        return None
    from jaxlint.run.importers import Importers

    return Importers(configs, paths, cached=not args.no_cache)


def _fixes(args: argparse.Namespace) -> bool:
    """Whether the arguments ask for fixes, to be written or to be shown."""
    return bool(args.fix or args.fix_only or args.diff or args.ask)


def _dialog(args: argparse.Namespace) -> Dialog:
    from jaxlint.commands.asking import Dialog

    if args.diff:
        raise ConfigError("--diff changes nothing, and --ask applies what is agreed to; name only one of them")
    return Dialog()


def overrides(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the command line by their names in the configuration."""
    given = {name: getattr(args, name, None) for name in _OPTIONS}
    return {
        **given,
        **{name: listed(getattr(args, name, None)) for name in _LISTS},
        "cache_dir": args.cache_dir and os.path.abspath(args.cache_dir),
    }


def executor(args: argparse.Namespace) -> str | None:
    """The address of the cluster that does the work, if one is named. Raises ConfigError."""
    if args.executor is not None and args.jobs is not None:
        raise ConfigError(
            "--jobs is about processes of this machine, and --executor about a cluster; leave one of them out"
        )
    address: str | None = args.executor
    return address


def processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1
