"""What is linted is not trusted: it is never run, decides over no file outside its tree, and forges no report."""

import json
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

import pytest

from jaxlint.cli import main
from jaxlint.configuration.config import Configs
from jaxlint.run import cache, runner

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
STORE = "import jax.numpy as jnp\n\n\ndef f():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"
LIBRARIES = ("jax", "libcst", "rich", "packaging", "numpy", "json", "typing_extensions", "yaml", "concurrent")


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    return tmp_path / "tree"


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "jaxlint", *arguments], capture_output=True, text=True, **options)


# --- nothing is run --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("check", "--fix", "--unsafe-fixes", "--jobs", "2"),
        ("check", "--output-format", "html"),
        ("reveal", "model.py"),
    ],
)
def test_nothing_of_the_tree_is_run(project, arguments):
    trap = "import os\nopen(os.environ['RAN'], 'a').write(__file__ + '\\n')\n"
    for name in ("sitecustomize", "usercustomize", "conftest", "setup", "model_helper", "__init__"):
        (project / f"{name}.py").write_text(trap)
    for name in LIBRARIES:
        (project / name).mkdir()
        (project / name / "__init__.py").write_text(trap)
    (project / "evil.pth").write_text("import os; open(os.environ['RAN'], 'a').write('pth')\n")
    (project / "model.py").write_text("import model_helper\n" + trap + BRANCH)
    (project / "pyproject.toml").write_text(
        "[tool.jaxlint]\npreview = true\n[build-system]\nbuild-backend = 'setup'\nbackend-path = ['.']\n"
    )
    ran = project.parent / "ran"
    done = run(*arguments, env={**os.environ, "RAN": str(ran)})
    assert done.returncode in (0, 1), done.stderr
    assert not ran.exists(), ran.read_text()


# --- nothing outside is written --------------------------------------------------------------


@pytest.fixture
def outside(project):
    """A folder beside the tree, old and large, that nothing may touch."""
    folder = project.parent / "outside"
    (folder / "ab").mkdir(parents=True)
    (folder / "ab" / "precious.json").write_text("kept")
    (folder / "store.py").write_text(STORE)
    return folder


def contents(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("value", ["../outside", "{outside}", "link", "link/inner", "inner/../../outside"])
def test_cache_of_the_configuration_stays_in_the_project(project, outside, value, capfd):
    before = contents(outside)
    (project / "link").symlink_to(outside)
    (project / "inner").mkdir()
    (project / "a.py").write_text(BRANCH)
    value = value.format(outside=outside)
    (project / "pyproject.toml").write_text(f'[tool.jaxlint]\npreview = false\ncache-dir = "{value}"\n')
    assert main(["check", "--output-format", "concise", "--jobs", "1"]) == 2
    out = capfd.readouterr().out
    assert (
        "pyproject.toml:3:1: JAX903 invalid-configuration: `cache-dir` leads out of the project" in out
        and "--cache-dir" in out
    )
    assert "a.py:6:8: JAX103" in out
    assert contents(outside) == before
    assert main(["check", "--jobs", "1", "--cache-dir", str(project.parent / "elsewhere")]) == 1, "the user may say so"
    assert (project.parent / "elsewhere" / "CACHEDIR.TAG").exists()


def test_cache_that_is_a_link_out_of_the_project(project, outside, capfd):
    before = contents(outside)
    (project / ".jaxlint_cache").symlink_to(outside)
    (project / "a.py").write_text(BRANCH)
    assert main(["check", "--output-format", "concise", "--jobs", "1"]) == 2
    assert "JAX903 invalid-configuration: `cache-dir` leads out of the project" in capfd.readouterr().out
    assert contents(outside) == before


def test_cache_takes_no_folder_that_is_not_its_own(project, capsys):
    (project / "src" / "ab").mkdir(parents=True)
    (project / "src" / "ab" / "data.json").write_text("x" * 1000)
    (project / "a.py").write_text(BRANCH)
    before = contents(project / "src")
    assert main(["check", "a.py", "--jobs", "1", "--cache-dir", "src"]) == 1
    cache.prune(str(project / "src"), limit=0)
    assert contents(project / "src") == before


@pytest.mark.parametrize("written", ["", "Signature: 8a47"])
def test_cache_that_was_only_begun_is_gone_on_with(project, written):
    (project / "a.py").write_text(BRANCH)
    os.utime(project / "a.py", (1, 1))
    folder = project / ".jaxlint_cache"
    folder.mkdir()
    (folder / "CACHEDIR.TAG").write_text(written)
    assert main(["check", "a.py", "--jobs", "1"]) == 1
    assert (folder / "CACHEDIR.TAG").read_text() == cache._TAG and len(list(folder.glob("*/*.json"))) == 1
    (folder / "CACHEDIR.TAG").write_text("of someone else")
    assert not cache._make(str(folder))


def test_cache_goes_through_no_link_of_its_own_folder(project, outside):
    (project / "a.py").write_text(BRANCH)
    os.utime(project / "a.py", (1, 1))
    folder = project / ".jaxlint_cache"
    folder.mkdir()
    (folder / "CACHEDIR.TAG").write_text(cache._TAG)
    for number in range(256):
        (folder / f"{number:02x}").symlink_to(outside)
    before = contents(outside)
    assert main(["check", "a.py", "--jobs", "1"]) == 1
    cache.prune(str(folder), limit=0)
    assert contents(outside) == before


def test_fix_writes_through_no_link_out_of_the_project(project, outside, capfd):
    (project / "evil.py").symlink_to(outside / "store.py")
    assert main(["check", "--fix", "--jobs", "1", "--no-cache", "evil.py"]) == 2
    assert (
        f"a link out of the project is not written through; change {outside / 'store.py'} itself"
        in capfd.readouterr().err
    )
    assert (outside / "store.py").read_text() == STORE and (project / "evil.py").is_symlink()


def test_comments_are_written_through_no_link_out_of_the_project(project, outside, capfd):
    (project / "evil.py").symlink_to(outside / "store.py")
    assert main(["check", "--add-noqa", "--jobs", "1", "--no-cache", "evil.py"]) == 2
    assert (
        f"a link out of the project is not written through; change {outside / 'store.py'} itself"
        in capfd.readouterr().err
    )
    assert (outside / "store.py").read_text() == STORE


@pytest.mark.parametrize(
    "name, what", [("report.txt", "it"), ("folder/precious.json", "its folder"), ("folder/new.txt", "its folder")]
)
@pytest.mark.parametrize("arguments", [("check", "--output-file"), ("baseline", "--output")])
def test_report_is_written_through_no_link_out_of_the_tree(project, outside, arguments, name, what, capfd):
    (project / "a.py").write_text(BRANCH)
    (project / "report.txt").symlink_to(outside / "ab" / "precious.json")
    (project / "folder").symlink_to(outside / "ab")
    before = contents(outside)
    assert main([*arguments, name, "--jobs", "1"]) == 2
    assert f"{what} is a link that leads out of the working directory; name " in capfd.readouterr().err
    assert contents(outside) == before
    assert main([*arguments, str(outside / "named.txt"), "--jobs", "1"]) in (0, 1), "the user may say so"


# --- results of strangers --------------------------------------------------------------------


def stored(project):
    (project / "a.py").write_text(BRANCH)
    os.utime(project / "a.py", (1, 1))
    assert len(found(project)) == 1
    (entry,) = (project / ".jaxlint_cache").glob("*/*.json")
    return entry


def found(project):
    configs = Configs()
    (outcome,) = runner.run([runner.Job("a.py", configs.for_file("a.py"), cached=True)])
    return outcome.diagnostics


def test_entries_hold_nothing_that_runs(project):
    entry = stored(project)
    assert cache.unpacked(entry.read_bytes())["diagnostics"][0]["code"] == "JAX103"


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry["diagnostics"][0].update(message=3),
        lambda entry: entry["diagnostics"][0]["start"].update(row="6"),
        lambda entry: entry["diagnostics"][0].update(noqa_row=[]),
        lambda entry: entry["diagnostics"][0].update(related=[{}]),
        lambda entry: entry["diagnostics"][0].update(fix={"edits": [{"start": None}]}),
        lambda entry: entry.update(diagnostics="text"),
        lambda entry: entry.update(elsewhere=[[1]]),
        lambda entry: entry.update(budget_reached=[{}]),
        lambda entry: entry.update(manifest=[["text", 3, "x"]]),
    ],
)
def test_entry_that_does_not_look_like_one_is_none(project, change):
    entry = stored(project)
    expected = found(project)
    data = cache.unpacked(entry.read_bytes())
    change(data)
    entry.write_bytes(cache.packed(data))
    assert found(project) == expected


@pytest.mark.parametrize("raw", [b"[" * 200_000, b"\xff\xfe", b'{"manifest": [], "diagnostics": ' + b"[" * 200_000])
def test_entry_that_cannot_be_read_at_all(project, raw):
    entry = stored(project)
    expected = found(project)
    entry.write_bytes(raw)
    assert found(project) == expected


def test_entry_that_is_a_pipe_or_a_link_is_none(project):
    entry = stored(project)
    expected = found(project)
    kept = entry.rename(project / "kept.json")
    entry.symlink_to(kept)
    assert found(project) == expected
    entry.unlink()
    os.mkfifo(entry)
    began = time.monotonic()
    assert found(project) == expected and time.monotonic() - began < 30


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_entry_of_another_user_is_none(project):
    entry = stored(project)
    data = cache.unpacked(entry.read_bytes())
    entry.write_bytes(cache.packed({**data, "diagnostics": []}))
    assert found(project) == [], "it would count if it were one's own"
    os.chown(entry, 12345, 12345)
    assert len(found(project)) == 1


# --- reports ---------------------------------------------------------------------------------

EVIL = "]]><script>alert(1)</script>::error::x%0A\x1b[31m\x1b]0;t\x07\u202e\r\n::stop-commands::a"
NAME = "a\n::error file=x::<script>alert(1)<\\script>&\"'\x1b[2J\u202e,:%.py"
CODE = f'import jax\n\n\n@jax.jit\ndef f(x):\n    """{EVIL.replace(chr(13), "").replace(chr(10), "")}"""\n    if x["<b>\x1b[31m\u202e]]>"].sum() > 2: # </script><!-- ]]> \x1b]8;;evil\x07\n        return x\n    return x\n'
DRIVES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def hostile(project):
    (project / NAME).write_text(CODE)
    (project / "b\udcff.py").write_text(BRANCH)
    return project


def report(format, capfd):
    assert main(["check", "--no-cache", "--jobs", "1", "--output-format", format]) == 1
    sys.stdout.flush()
    return capfd.readouterr().out


@pytest.mark.parametrize(
    "format", ["full", "concise", "grouped", "json", "json-lines", "sarif", "github", "gitlab", "junit", "html"]
)
def test_no_format_lets_control_characters_through(hostile, capfd, format):
    text = report(format, capfd)
    assert not DRIVES.search(text), ascii(DRIVES.search(text))
    assert "a" in text and text.isprintable() is False  # line breaks of the format's own alone
    assert not any(line.startswith(("::error file=x", "::stop")) for line in text.splitlines())


def test_annotations_are_as_many_as_findings(hostile, capfd):
    lines = report("github", capfd).splitlines()
    assert len(lines) == 2 and all(
        line.startswith("::error title=jaxlint (JAX103 branch-on-tracer),file=") for line in lines
    )
    properties = lines[0].split("::")[1]
    assert properties.count(",") == 5, "commas and colons of the name are escaped"


def test_page_has_no_element_of_the_tree_s_own(hostile, capfd):
    page = report("html", capfd)
    elements = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            elements.append((tag, dict(attributes)))

    Reader().feed(page)
    scripts = [each for each in elements if each[0] == "script"]
    assert len(scripts) == 1 and not [tag for tag, _ in elements if tag in ("b\x1b", "iframe", "img", "object")]
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]
    assert "alert(1)</script>" not in page


def test_data_formats_are_read_back(hostile, capfd):
    assert {each["code"] for each in json.loads(report("json", capfd))} == {"JAX103"}
    assert len([json.loads(line) for line in report("json-lines", capfd).splitlines()]) == 2
    assert len(json.loads(report("gitlab", capfd))) == 2
    assert len(xml.fromstring(report("junit", capfd)).findall(".//failure")) == 2
    log = json.loads(report("sarif", capfd))
    uris = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in log["runs"][0]["results"]]
    assert len(uris) == 2 and all(re.fullmatch(r"[\w.~%/!$&'()*+,;=:@-]+", uri, re.ASCII) for uri in uris)


def test_what_is_said_on_standard_error_is_escaped_too(hostile, capfd):
    (hostile / "\x1b[31m.py").mkdir()
    assert main(["check", "\x1b[31mgone.py", NAME, "--jobs", "1", "--no-cache", "--baseline", "\x1b[31mnone"]) == 2
    assert main(["check", "\x1b[31mgone.py", "--jobs", "1", "--no-cache"]) == 2
    assert main(["check", NAME, "--diff", "--unsafe-fixes", "--jobs", "1", "--no-cache", "--exit-zero"]) in (0, 1)
    assert "\x1b" not in capfd.readouterr().err
