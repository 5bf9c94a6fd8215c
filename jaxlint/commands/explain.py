"""``jaxlint explain``: the page of a rule or an error, what words are about, or what a traceback says.

Pages show code from the rules' fixtures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from jaxlint.commands.configs import add_configuration, chosen_plugins, configs_of, refuse
from jaxlint.commands.rules import know_plugins
from jaxlint.hazards.registry import UnknownRule, find, is_code, nearest

OK, UNKNOWN = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "subject", metavar="RULE|ERROR|WORDS|FILE|-", nargs="+",
        help="a rule, such as JAX103 or branch-on-tracer; the name of an exception, such as"
        " TracerBoolConversionError; words to look for in names, pages and messages of errors, such as `donation` or"
        ' "Array has been deleted"; a text file that holds a traceback; `-` reads one from standard input',
    )  # fmt: skip
    parser.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="how to print it (default: full)"
    )
    add_configuration(parser)


def run(args: argparse.Namespace) -> int:
    from jaxlint.explain import pages
    from jaxlint.knowledge import errors

    subject = " ".join(args.subject)
    as_json = args.output_format == "json"
    if subject == "-":
        return _traceback(sys.stdin.buffer.read(), "standard input", args)
    know_plugins("explain", args)
    try:
        rule = find(subject)
    except UnknownRule as problem:
        unknown = str(problem)
    else:
        _write(pages.rule_data(rule)) if as_json else pages.print_rule(rule)
        return OK
    error = errors.error(subject)
    if error is not None:
        _write(pages.error_data(error)) if as_json else pages.print_error(error)
        return OK
    if os.path.isfile(subject):
        return _file(subject, args)
    return _search(subject, unknown, as_json)


def _search(subject: str, unknown: str, as_json: bool) -> int:
    """What words are about that are no rule and no error; ``unknown`` says that they are no rule."""
    from jaxlint.explain import search
    from jaxlint.knowledge import errors

    if " " not in subject:
        near = errors.nearest(subject) if "-" not in subject else None  # names of rules have hyphens
        if near is not None:
            return refuse("explain", f"no rule and no error is called `{subject}`; did you mean `{near}`?")
        if os.sep in subject or subject.endswith((".txt", ".log")):
            return refuse("explain", f"{subject}: no such file; check the spelling")
        if is_code(subject) or nearest(subject) is not None:
            return refuse("explain", unknown)
    found = search.search(subject)
    if not found:
        return refuse("explain", f"no rule and no error is about `{subject}`; try another word, or `jaxlint rules`")
    _write(search.data(found)) if as_json else search.show(subject, found)
    return OK


def _file(path: str, args: argparse.Namespace) -> int:
    if path.endswith(".py"):
        return refuse("explain", f"{path} is code, not a traceback; `jaxlint check {path}` reports on it")
    try:
        with open(path, "rb") as file:
            return _traceback(file.read(), path, args)
    except OSError as problem:
        return refuse("explain", f"{path}: cannot read the file: {problem.strerror}")


def _traceback(raw: bytes, where: str, args: argparse.Namespace) -> int:
    from jaxlint.explain import failure
    from jaxlint.explain.traceback import parse

    chain = parse(_decoded(raw))
    if not chain:
        return refuse(
            "explain",
            f"{where} holds no Python traceback; paste all of it, from `Traceback (most recent call last):` to the"
            " line that names the error",
        )
    # Pasted text leads to files, and no configuration of theirs names plugins here: only the user's own word does.
    configs = configs_of(args, {"plugins": chosen_plugins(args) or []})
    explained = failure.explain(chain, configs)
    refuse("explain", *configs.problems)
    if args.output_format == "json":
        _write(failure.data(explained))
    else:
        failure.show(explained)
    if explained.is_explained:
        return OK
    name = explained.raised.name
    print(f"jaxlint explain: nothing is known of `{name}`, nor reported where it is raised", file=sys.stderr)
    return UNKNOWN


def _decoded(raw: bytes) -> str:
    """The text of a terminal or an editor, which on some systems writes two bytes a character."""
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return raw.decode(encoding, errors="replace")


def _write(value: Any) -> None:
    json.dump(value, sys.stdout, indent=2)
    sys.stdout.write("\n")
