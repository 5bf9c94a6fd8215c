"""The pictures of reports in the documentation: `python docs/pictures.py` makes them from docs/example.

The page takes a Chromium and playwright; `python docs/pictures.py report.svg` makes the picture of the README alone.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from jaxlint.commands.results import configuration_errors, merged
from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover
from jaxlint.report import summary
from jaxlint.report.full import print_all
from jaxlint.run.importers import Importers
from jaxlint.run.job import Job
from jaxlint.run.runner import run

ROOT = Path(__file__).parents[1]
EXAMPLE = "docs/example/regression.py"
WIDTH, HEIGHT = 1000, 900
COLUMNS = 110


def report_on(path):
    """The report on a file or folder, under the configuration found for it."""
    configs = Configs()
    jobs = [Job(each, configs.for_file(each)) for each in discover([path], configs).files]
    return merged(run(jobs, importers=Importers(configs, [path])), configuration_errors(configs))


def picture(path: str) -> str:
    """The full report on a file as an SVG that refers to nothing outside itself."""
    console = Console(
        record=True, file=io.StringIO(), width=COLUMNS, color_system="truecolor", force_terminal=True,
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    report = report_on(path)
    print_all(report, console)
    console.print(summary(report))
    svg = console.export_svg(title=f"jaxlint check {path}")
    # The fonts of the template are fetched from elsewhere; the reader's own monospace font serves as well.
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    # Some viewers drop the white space a text starts with, which here is the indentation of code.
    return svg.replace("<text ", '<text xml:space="preserve" ')


def main() -> None:
    os.chdir(ROOT)
    Path("docs/report.svg").write_text(picture(EXAMPLE), encoding="utf-8")
    if sys.argv[1:] == ["report.svg"]:
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        page = Path(folder) / "report.html"
        command = [
            sys.executable,
            "-m",
            "jaxlint",
            "check",
            "--no-cache",
            "--exit-zero",
            "--output-format",
            "html",
            "--output-file",
            str(page),
            EXAMPLE,
        ]
        subprocess.run(command, cwd=ROOT, check=True)
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light").new_page()
        tab.goto(page.as_uri())
        tab.locator("summary").first.click()
        tab.screenshot(path=ROOT / "docs" / "images" / "report-page.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
