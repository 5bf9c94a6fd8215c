"""The picture of a report that the README shows.

``python -m jaxlint.commands.picture docs/example/regression.py > docs/report.svg``
"""

from __future__ import annotations

import io
import re
import sys

from rich.console import Console

from jaxlint.report import Report, summary
from jaxlint.report.full import print_all

WIDTH = 110


def picture(report: Report, title: str) -> str:
    """The full report as an SVG that refers to nothing outside itself."""
    console = Console(
        record=True, file=io.StringIO(), width=WIDTH, color_system="truecolor", force_terminal=True,
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    print_all(report, console)
    console.print(summary(report))
    svg = console.export_svg(title=title)
    # The fonts of the template are fetched from elsewhere; the reader's own monospace font serves as well.
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    # Some viewers drop the white space a text starts with, which here is the indentation of code.
    return svg.replace("<text ", '<text xml:space="preserve" ')


def main(paths: list[str]) -> int:
    from jaxlint.commands.check import report_on

    sys.stdout.write(picture(report_on(paths), title_of(paths)))
    return 0


def title_of(paths: list[str]) -> str:
    return f"jaxlint check {' '.join(paths)}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
