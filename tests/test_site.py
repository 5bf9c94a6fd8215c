"""The documentation: the site builds, its links lead somewhere, its code is code, its commands exist, a browser opens it."""

import ast
import functools
import http.server
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

import jaxlint
from jaxlint.cli import COMMANDS, Parser
from jaxlint.configuration.config import Configs
from jaxlint.explain.pages import rules_of
from jaxlint.hazards.registry import all_rules
from jaxlint.knowledge.errors import all_errors

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
QUIET = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
SECTIONS = ("What it does", "Why is this bad", "Example", "Use instead", "When to ignore", "Fix safety", "References")


class Page(HTMLParser):
    """The anchors of a page, where its links go, what it loads, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.loaded += [given[name] for name in ("src", "srcset", "data") if name in given and tag != "a"]
        if tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(given["href"])

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    pytest.importorskip("mkdocs_same_dir", reason="mkdocs-same-dir is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-q",
        "-f",
        str(DOCS / "mkdocs.yml"),
        "-d",
        str(folder),
    ]
    run = subprocess.run(command, env={**os.environ, **QUIET}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def address(site, path):
    return "/" + path.relative_to(site).as_posix()


def target(site, path, link):
    """The file that a link of a page leads to, and the anchor in it."""
    parts = urlsplit(urljoin(address(site, path), link))
    found = site / unquote(parts.path).lstrip("/")
    return (found / "index.html" if found.is_dir() else found), unquote(parts.fragment)


def test_links_and_anchors_lead_somewhere(site, pages):
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if urlsplit(link).scheme or path.name == "404.html":
                continue
            found, anchor = target(site, path, link)
            if not found.exists() or (anchor and not anchor.startswith("__") and anchor not in pages[found].anchors):
                broken.append((address(site, path), link))
    assert broken == []
    assert sum(len(page.links) for page in pages.values()) > 1000


def test_nothing_is_loaded_from_elsewhere(site, pages):
    foreign = [
        (address(site, path), each) for path, page in pages.items() for each in page.loaded if urlsplit(each).netloc
    ]
    absent = [
        (address(site, path), each)
        for path, page in pages.items() if path.name != "404.html"
        for each in page.loaded if not urlsplit(each).scheme and not target(site, path, each)[0].exists()
    ]  # fmt: skip
    styles = [
        (path.name, found)
        for path in site.rglob("*.css")
        for found in re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)]*", path.read_text(encoding="utf-8"))
    ]
    assert (foreign, absent, styles) == ([], [], [])


def test_there_is_a_page_for_each_rule(site, pages):
    from jaxlint.verify import proven

    lacking = []
    entries = json.loads((ROOT / "tests" / "ecosystem" / "ledger.json").read_text(encoding="utf-8"))
    seen = {entry["code"] for entry in entries}
    for rule in all_rules():
        page = pages[site / "rules" / f"{rule.code}-{rule.name}" / "index.html"]
        wanted = [section for section in SECTIONS if re.search(rf"^#+ {section}$", rule.docs, re.MULTILINE)]
        if (ROOT / "fixtures" / rule.family / rule.name / "bad.py").exists():
            wanted.append("Proven code")
        said = proven.sentence(rule.code)
        if said:
            wanted.append(said)
        if rule.code in seen:
            wanted.append("In real code")
        lacking += [(rule.code, words) for words in wanted if words not in page.text]
    assert lacking == []


def test_reports_lead_to_the_pages(site):
    """What `report/links` adds to the address of the site is where the pages are."""
    for rule in all_rules():
        assert (site / "rules" / f"{rule.code}-{rule.name}" / "index.html").is_file()


def test_each_class_of_errors_is_named_with_its_rules(site, pages):
    errors = pytest.importorskip("jax", reason="jax.errors is asked, and jax is not installed").errors
    page = pages[site / "errors" / "index.html"]
    names = {error.name for error in all_errors()} | {name for name in dir(errors) if name[0].isupper()}
    assert {name for name in names if name.lower() not in page.anchors} == set()
    wanted = {f"../rules/{rule.code}-{rule.name}/" for error in all_errors() for rule in rules_of(error)}
    assert wanted - set(page.links) == set()


def test_the_navigation_lists_every_page():
    configured = (DOCS / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    assert {path.name for path in PAGES} - set(re.findall(r"[\w-]+\.md", configured)) == set()


def test_the_architecture_names_every_module():
    named = {
        part.removesuffix(".py")
        for word in re.findall(r"`([\w./]+)`", (DOCS / "architecture.md").read_text(encoding="utf-8"))
        for part in word.split("/")
    }
    modules = [path for path in (ROOT / "jaxlint").rglob("*.py") if not path.name.startswith("__")]
    families = {path.parent for path in modules if path.parent.parent.name == "hazards"}  # their modules are rules
    assert [
        str(path.relative_to(ROOT)) for path in modules if path.parent not in families and path.stem not in named
    ] == []


def blocks(language, path):
    """The fenced blocks of a page, with their lines."""
    text = path.read_text(encoding="utf-8")
    for found in re.finditer(rf"^( *)```{language}[^\n]*\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
        code = re.sub(rf"^{found[1]}", "", found[2], flags=re.MULTILINE)
        yield pytest.param(code, id=f"{path.name}:{text.count(chr(10), 0, found.start()) + 1}")


def every(language):
    return [block for path in [*PAGES, ROOT / "README.md"] for block in blocks(language, path)]


@pytest.mark.parametrize("code", every("python"))
def test_python_blocks_compile(code):
    ast.parse(code)


@pytest.mark.parametrize("code", every("json"))
def test_json_blocks_parse(code):
    json.loads(code)


@pytest.mark.parametrize("code", every("yaml"))
def test_yaml_blocks_parse(code):
    yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")
    assert yaml.safe_load(code)


@pytest.mark.parametrize("code", every("toml"))
def test_toml_blocks_are_accepted(code, tmp_path):
    if sys.version_info < (3, 11):
        import tomli as tomllib
    else:
        import tomllib
    if "jaxlint" in tomllib.loads(code).get("tool", {}):
        (tmp_path / "pyproject.toml").write_text(code, encoding="utf-8")
        configs = Configs({})
        configs.for_file(str(tmp_path / "model.py"))
        # The plugins that an example names are installed where its reader works.
        assert [str(problem) for problem in configs.problems if "`plugins` in [tool.jaxlint]" not in str(problem)] == []


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Lua is parsed by Neovim, which is not on this machine")
@pytest.mark.parametrize("code", every("lua"))
def test_lua_blocks_parse(code, tmp_path):
    (tmp_path / "block.lua").write_text(code)
    (tmp_path / "parse.lua").write_text('assert(loadfile("block.lua"))')
    command = ["nvim", "--headless", "--clean", "-c", "luafile parse.lua", "-c", "qall!"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert run.returncode == 0 and "Error" not in run.stderr, run.stderr


def commands():
    """The command lines of jaxlint in blocks of code and in the text."""
    for path in [*PAGES, ROOT / "README.md"]:
        text = path.read_text(encoding="utf-8")
        lines = re.findall(
            r"^(?: {4}|\$ )?(jaxlint [^\n]*)",
            "\n".join(re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)),
            re.MULTILINE,
        )
        lines += re.findall(r"^ {4}(jaxlint [^\n]*)", text, re.MULTILINE)
        lines += [" ".join(found.split()) for found in re.findall(r"(?<!`)`(jaxlint\s[^`]+)`(?!`)", text)]
        for line in dict.fromkeys(lines):
            yield pytest.param(line, id=f"{path.name}: {line[:50]}")


@pytest.mark.parametrize("line", list(commands()))
def test_commands_and_options_exist(line):
    words = re.split(r"\s[<>|]\s|\s&&\s", re.sub(r"\[[^\]]*\]|…", "", line))[0]
    words = shlex.split(words, comments=True)[1:]
    if words[0] == "help":
        words = words[1:] and [words[1], "--help"]
        assert not words or words[0] in COMMANDS
    if not words or words[-1] in ("--version", "--help"):
        return
    name, rest = (words[0], words[1:]) if words[0] in COMMANDS else ("check", words)
    if name == "check" and words[0] != "check":
        # A first word that is no command is a path.
        assert re.search(r"[./]|^[A-Z]+$|^src$", words[0]) or words[0].startswith("-"), words[0]
    parser = Parser(prog=name)
    importlib.import_module(COMMANDS[name][0]).add_arguments(parser)
    parser.parse_all(rest)


def lessons():
    """From the pages for beginners: the code before, what is said of it, the code after."""
    parts = re.split(r"^## ", (DOCS / "tutorial.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for part in [*parts, "Five minutes\n" + (DOCS / "five-minutes.md").read_text(encoding="utf-8")]:
        code = re.findall(r"^```python\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
        said = re.findall(r"^```text\n(.*?)\n```", part, re.MULTILINE | re.DOTALL)
        if code:
            yield pytest.param(code, said, id=part.partition("\n")[0])


@pytest.mark.parametrize("code, said", list(lessons()))
def test_the_tutorial_tells_what_happens(code, said, tmp_path):
    before, after = code
    (tmp_path / "train.py").write_text(before, encoding="utf-8", newline="")
    found = jaxlint.check(before, str(tmp_path / "train.py"))
    assert [f"{each.code} {each.name}: {each.message}" for each in found] == "\n".join(said).splitlines()
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--fix", "--unsafe-fixes", "train.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == after, run.stdout + run.stderr


def test_the_program_of_five_minutes_runs_when_it_is_fixed(tmp_path):
    *_, (before, after) = [parameters.values[0] for parameters in lessons()]
    for text, fails in ((before, True), (after, False)):
        (tmp_path / "train.py").write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, "train.py"], cwd=tmp_path, capture_output=True, text=True)
        assert (run.returncode != 0) is fails, run.stderr
    assert run.stdout.splitlines()[0] == "process 0"


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_a_browser_opens_it(site):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("there is no Chromium on this machine")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        tab = browser.new_context(color_scheme="light").new_page()
        tab.set_default_timeout(120_000)  # against a browser that hangs
        complaints, asked = [], []
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(home, wait_until="networkidle")
        picture = tab.locator("article img").first
        assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
        assert tab.locator("body").get_attribute("data-md-color-scheme") == "default"
        tab.locator("label[for=__palette_1]").click()
        assert tab.locator("body").get_attribute("data-md-color-scheme") == "slate"
        tab.locator(".md-search__input").click()
        tab.wait_for_load_state("networkidle")
        tab.locator(".md-search__input").press_sequentially("TracerBoolConversionError")
        # Results come while the word is typed; the first is the right one once all of it is looked up.
        first = tab.locator(".md-search-result__link").first
        playwright.expect(first).to_contain_text("Coming from an error message", timeout=60_000)
        tab.goto(f"{home}rules/JAX103-branch-on-tracer/")
        assert tab.locator("h1").inner_text().startswith("JAX103 branch-on-tracer")
        phone = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True).new_page()
        phone.set_default_timeout(120_000)
        for page in ("", "five-minutes/", "adopting/", "rules/", "rules/JAX103-branch-on-tracer/", "verification/"):
            phone.goto(f"{home}{page}")
            widths = phone.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert widths[0] <= widths[1], f"{page} scrolls sideways on a phone: {widths}"
        assert complaints == []
        assert [url for url in asked if not url.startswith((home, "data:", "blob:"))] == []
        browser.close()
    server.shutdown()
