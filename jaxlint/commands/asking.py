"""``--ask``: each fix is shown, and applied where the answer is yes."""

from __future__ import annotations

import sys
from typing import TextIO

from jaxlint.configuration.table import ConfigError
from jaxlint.fixing.apply import Asked
from jaxlint.report import Report
from jaxlint.report.full import render
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.text import Source

QUESTION = "Apply this fix? [y]es, [n]o, [a]ll of {code}, [q]uit: "
HELP = "y: apply it; n: leave it; a: apply it and all further fixes of {code}; q: ask no more, and write what was agreed to"


class Dialog:
    """One conversation for all files of a run. Raises ConfigError where there is nobody to talk to."""

    def __init__(self) -> None:
        if not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
            raise ConfigError(
                "--ask asks at a terminal, and there is none; use --fix, or --diff to see the fixes first"
            )
        self._agreed: set[str] = set()  # codes of rules whose fixes are all applied
        self._over = False

    def for_file(self) -> Asked:
        return Asked(self._answer)

    def _answer(self, diagnostic: Diagnostic, source: Source) -> bool:
        if self._over:
            return False
        if diagnostic.code in self._agreed:
            return True
        self._show(diagnostic, source)
        while True:
            print(QUESTION.format(code=diagnostic.code), end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            word = line.strip().lower()
            if word in ("y", "yes"):
                return True
            if word in ("n", "no"):
                return False
            if word in ("a", "all"):
                self._agreed.add(diagnostic.code)
                return True
            if word in ("q", "quit") or not line:  # the end of input is an answer, too
                self._over = True
                return False
            print(HELP.format(code=diagnostic.code), file=sys.stderr)

    def _show(self, diagnostic: Diagnostic, source: Source) -> None:
        from rich.console import Console

        console = Console(file=sys.stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)
        report = Report([diagnostic], {diagnostic.filename: source})
        console.print()
        for line in render(diagnostic, report, console.width, whole_fix=True):
            console.print(line)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # closed
        return False
