"""``--ask``: each fix is shown, and applied where the answer is yes."""

from __future__ import annotations

import sys
from typing import TextIO

from jaxlint.configuration.table import ConfigError
from jaxlint.fixing.apply import Asked, TakenBack
from jaxlint.report import Report
from jaxlint.report.full import render
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.text import Source

QUESTION = "Apply this fix? [y]es, [n]o, [a]ll of {code}, all in this [f]ile, [s]kip this file, [u]ndo, [q]uit: "
HELP = """\
y: apply it; n: leave it; a: apply it and all further fixes of {code}; f: apply it and all further ones of this file;
s: leave it and all further ones of this file; u: take the last answer back; q: ask no more, and write what was agreed to"""
_WORDS = {"y": "yes", "n": "no", "a": "all", "f": "file", "s": "skip", "u": "undo", "q": "quit"}


class Dialog:
    """One conversation for all files of a run. Raises ConfigError where there is nobody to talk to."""

    def __init__(self) -> None:
        if not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
            raise ConfigError(
                "--ask asks at a terminal, and there is none; use --fix, or --diff to see the fixes first"
            )
        self.agreed: frozenset[str] = frozenset()  # codes of rules whose fixes are all applied
        self.is_over = False

    def for_file(self) -> Asked:
        answers = _Answers(self)
        return Asked(answers, answers.settle)


class _Answers:
    """What is answered about one file. The last answer can be taken back until the file is done."""

    def __init__(self, dialog: Dialog) -> None:
        self._dialog = dialog
        self._agreed = dialog.agreed  # before the first of the answers
        self._all: bool | None = None  # about all further fixes of the file
        self._given: list[str] = []
        self._repeated: list[str] = []  # of those that are given, the ones that are still to be repeated

    def settle(self) -> None:
        self._given, self._repeated = [], []

    def __call__(self, diagnostic: Diagnostic, source: Source) -> bool:
        if not self._given:
            self._agreed = self._dialog.agreed
        if self._dialog.is_over or self._all is not None:
            return bool(self._all) and not self._dialog.is_over
        if diagnostic.code in self._dialog.agreed:
            return True
        if self._repeated:
            answer = self._repeated.pop(0)
        else:
            answer = self._ask(diagnostic, source)
            self._given.append(answer)
        if answer == "all":
            self._dialog.agreed |= {diagnostic.code}
        elif answer in ("file", "skip"):
            self._all = answer == "file"
        elif answer == "quit":
            self._dialog.is_over = True
        return answer in ("yes", "all", "file")

    def _ask(self, diagnostic: Diagnostic, source: Source) -> str:
        self._show(diagnostic, source)
        while True:
            print(QUESTION.format(code=diagnostic.code), end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            word = line.strip().lower()
            answer = _WORDS.get(word, word) if line else "quit"  # the end of input is an answer, too
            if answer == "undo" and not self._given:
                print("This is the first question about this file.", file=sys.stderr)
            elif answer == "undo":
                self._given.pop()
                self._repeated = self._given.copy()
                self._dialog.agreed, self._all = self._agreed, None
                raise TakenBack
            elif answer in _WORDS.values():
                return answer
            else:
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
