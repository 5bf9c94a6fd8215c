"""The pictures of reports in the documentation: `python docs/pictures.py` makes them from docs/example.

It takes a Chromium and playwright.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
EXAMPLE = "docs/example/regression.py"
WIDTH, HEIGHT = 1000, 900


def main() -> None:
    svg = subprocess.run(
        [sys.executable, "-m", "jaxlint.commands.picture", EXAMPLE], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    (ROOT / "docs" / "report.svg").write_bytes(svg.stdout)
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
