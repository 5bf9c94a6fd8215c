"""The page of findings, opened in a browser."""

import os
import shutil
import subprocess
import sys

import pytest

CODE = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x, n):
    y = x * 2  # <script>document.title = "broken"</script> & "quotes"
    if y > 2:
        print(y)
    return jnp.zeros(n) + y
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The address of the page on two files, one of them with a name that is markup."""
    folder = tmp_path_factory.mktemp("html")
    (folder / "model.py").write_text(CODE)
    (folder / "<b>&.py").write_text(CODE.replace("jnp.zeros(n) + ", "").replace("n)", "m)"))
    command = [
        sys.executable,
        "-m",
        "jaxlint",
        "check",
        "--no-cache",
        "--output-format",
        "html",
        "--output-file",
        "out.html",
        ".",
    ]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    return folder / "out.html"


def test_the_page_needs_nothing_else(page):
    text = page.read_text(encoding="ascii")
    assert "http" not in text.replace("https://docs.jax.dev", "") and "<link" not in text and " src=" not in text
    assert "<script>document" not in text and "<b>&.py" not in text


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


def test_a_helper_is_shaded_by_what_it_is_called_with(tmp_path):
    (tmp_path / "helper.py").write_text("def choose(value):\n    return value if value > 2 else -value\n")
    (tmp_path / "train.py").write_text(
        "import jax\nfrom helper import choose\n\nstep = jax.jit(lambda x: choose(x * 2))\n"
    )
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--output-format", "html", "."]
    text = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    listing = text.partition("<details>")[2].partition("</details>")[0]
    assert listing.count(">value</i>") >= 3 and "transformed by `jit`" in listing
    steps = text.partition("<ol>")[2].partition("</ol>")[0]
    assert steps.index("transformed by") < steps.index("passed to")


def test_filters_search_and_shading(page, browser):
    tab = browser.new_page()
    complaints = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(page.as_uri())
    shown = tab.locator("article:visible")
    codes = [each.get_attribute("data-code") for each in shown.all()]
    assert sorted(codes) == ["JAX103", "JAX103", "JAX201", "JAX303", "JAX303"]
    assert tab.title() == "jaxlint" and tab.locator("h2").first.inner_text().startswith("<b>&.py")
    tab.locator('button[data-value="JAX303"]').click()
    assert {each.get_attribute("data-code") for each in shown.all()} == {"JAX303"} and shown.count() == 2
    tab.locator('button[data-value="JAX201"]').click()
    assert shown.count() == 3
    tab.fill("#search", "model.py jax201")
    assert [each.get_attribute("data-code") for each in shown.all()] == ["JAX201"]
    tab.fill("#search", "nothing says this")
    assert shown.count() == 0 and tab.locator("#empty").is_visible()
    tab.fill("#search", "")
    for code in ("JAX303", "JAX201"):
        tab.locator(f'button[data-value="{code}"]').click()
    assert shown.count() == 5
    tab.locator("section.file:last-of-type summary").click()
    shaded = tab.locator("section.file:last-of-type details i")
    assert {"x", "y", "n"} <= set(shaded.all_inner_texts())
    assert "is a parameter of" in shaded.first.get_attribute("title")
    assert tab.locator("section.file:last-of-type .hit").count() == 3
    assert complaints == []
    if "JAXLINT_SCREENSHOTS" in os.environ:
        tab.screenshot(path=os.path.join(os.environ["JAXLINT_SCREENSHOTS"], "html.png"), full_page=True)
    tab.close()
