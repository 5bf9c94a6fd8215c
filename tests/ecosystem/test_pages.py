"""Generated pages are current. This says nothing of jaxlint: the figures themselves are made by the commands named here."""

import first_sight
import ledger
import page
import pytest
import wild

from jaxlint.verify import pages, proven, results

PAGES = {
    "python tests/ecosystem/page.py": (page.PAGE, lambda text: text, lambda: page.text(ledger.read(), first_sight.read())),
    "python tests/ecosystem/wild.py": (wild.PAGE, lambda text: text, lambda: wild.text(wild.read(), ledger.read())),
    "python -m jaxlint.verify --record": (
        pages.VERIFICATION, lambda text: pages.part(text, "proven"), lambda: proven.markdown(results.recorded()),
    ),
}  # fmt: skip


@pytest.mark.parametrize("command", PAGES)
def test_a_generated_page_is_current(command):
    path, part, write = PAGES[command]
    assert part(path.read_text(encoding="utf-8")) == write(), f"run `{command}`"
