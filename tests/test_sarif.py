"""SARIF: held to the schema of the standard and to its own validator, and read back as a viewer reads it."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from test_report import HOSTILE, TEXT, a_diagnostic

from jaxlint.hazards.resources import fixtures_root
from jaxlint.report import Report, write
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix, Position, Related
from jaxlint.source.reading import read_source

# What the validator recommends and a log of ours goes without.
DECLINED = {
    "SARIF2002": "messages name the user's own code: there is no text that they share",
    "SARIF2003": "the revision is for whoever uploads the log to say",
    "SARIF2005": "there is no address about the tool; the pages of its rules are in the log",
    "SARIF2006": "it asks the network for every address",
    "SARIF2012": "a rule whose page refers to nothing has no address; the page is in the log",
    "SARIF2013": "the files are in the repository",
}

VALIDATOR = "@microsoft/sarif-multitool@5.7.0"  # brings the schema as well


def sarif(*diagnostics_and_sources):
    stream = io.StringIO()
    sources = {diagnostic.filename: source for diagnostic, source in diagnostics_and_sources}
    write("sarif", Report([diagnostic for diagnostic, _ in diagnostics_and_sources], sources), stream)
    assert stream.getvalue().isascii()
    return json.loads(stream.getvalue())


def of(log):
    """The one result of a log, and its rule."""
    (run,) = log["runs"]
    (result,) = run["results"]
    return result, run["tool"]["driver"]["rules"][result["ruleIndex"]]


@pytest.fixture(scope="session")
def multitool(tmp_path_factory):
    """The folder of the validator of SARIF's own makers, with the schema in it."""
    npm = shutil.which("npm")
    if npm is None or sys.platform != "linux":
        pytest.skip("the validator comes from npm, and is tried on Linux")
    folder = tmp_path_factory.mktemp("multitool")
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries", "0"]
    command += ["--prefix", str(folder), VALIDATOR]
    if subprocess.run(command, capture_output=True, timeout=300).returncode:
        pytest.skip(f"npm cannot install {VALIDATOR}, which takes a network")
    package = folder / "node_modules" / "@microsoft" / "sarif-multitool-linux"
    (package / "Sarif.Multitool").chmod(0o755)
    return package


@pytest.fixture(scope="module")
def log_of_fixtures(tmp_path_factory):
    """What a run over code with many kinds of findings writes, and the folder it ran in."""
    folder = tmp_path_factory.mktemp("a folder, with ünïcode")
    for family in ("concretization", "keys", "debugging"):
        for path in sorted((fixtures_root() / family).glob("*/bad.py")):
            shutil.copy(path, folder / f"{path.parent.name} 100%.py")
    command = [
        sys.executable,
        "-m",
        "jaxlint",
        "check",
        "--preview",
        "--output-format",
        "sarif",
        "--output-file",
        "log.sarif",
    ]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (1, "", "")
    return json.loads((folder / "log.sarif").read_text(encoding="utf-8")), folder


def test_log_fits_the_schema(multitool, log_of_fixtures):
    jsonschema = pytest.importorskip("jsonschema", reason="the schema is checked with jsonschema, an extra of dev")
    schema = json.loads((multitool / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    log, _ = log_of_fixtures
    assert len(log["runs"][0]["results"]) > 100
    assert [error.message for error in validator.iter_errors(log)] == []
    assert [error.message for error in validator.iter_errors(sarif())] == []
    log["runs"][0]["results"][0]["level"] = "fatal"  # the schema can say no
    assert [error.validator for error in validator.iter_errors(log)] == ["enum"]


def test_validator_has_nothing_to_say(multitool, log_of_fixtures):
    _, folder = log_of_fixtures
    command = [
        multitool / "Sarif.Multitool",
        "validate",
        folder / "log.sarif",
        "--rule-kind",
        "Sarif;Ghas",
        "--level",
        "Error;Warning;Note",
    ]
    environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    run = subprocess.run(command, cwd=multitool, env=environment, capture_output=True, text=True, timeout=300)
    said = {
        found[1]: line
        for line in run.stdout.splitlines()
        if (found := re.search(r": (?:error|warning|note) (\w+):", line))
    }
    assert said.keys() <= DECLINED.keys(), [said[code] for code in said.keys() - DECLINED.keys()]
    assert "Analysis completed successfully" in run.stdout


def test_every_place_is_in_a_file_that_is_there(log_of_fixtures):
    log, folder = log_of_fixtures
    (run,) = log["runs"]
    root = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert Path(unquote(urlsplit(root).path)) == folder and root.endswith("/")
    sources = {}

    def code(place):
        artifact = place["artifactLocation"]
        assert {**run["artifacts"][artifact["index"]]["location"], "index": artifact["index"]} == artifact
        path = str(folder / unquote(artifact["uri"]))
        source = sources.setdefault(path, read_source(path))
        region = place["region"]
        start = source.offset(Position(region["startLine"], region["startColumn"]))
        return source.text[start : source.offset(Position(region["endLine"], region["endColumn"]))]

    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        assert code(place) == place["region"]["snippet"]["text"] != ""
        for flow in result.get("codeFlows", []):
            steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
            assert all(code(step["physicalLocation"]) for step in steps)
            told = {name: steps[-1]["physicalLocation"][name] for name in ("artifactLocation", "region")}
            assert told["region"].items() <= result["locations"][0]["physicalLocation"]["region"].items()
    fixes = [fix for result in run["results"] for fix in result.get("fixes", [])]
    assert len(fixes) > 20
    for fix in fixes:
        for change in fix["artifactChanges"]:
            for each in change["replacements"]:
                code({"artifactLocation": change["artifactLocation"], "region": each["deletedRegion"]})


def test_result_tells_what_and_why(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chain = (
        Related("`x` is a parameter of `step`", "model.py", Position(4, 10), Position(4, 11)),
        Related("`step` is transformed by `jit`", "model.py", Position(3, 2), Position(3, 9)),
    )
    result, rule = of(sarif(a_diagnostic(related=chain)))
    region = {"startLine": 5, "startColumn": 8, "endLine": 5, "endColumn": 13}
    around = {"startLine": 3, "endLine": 7, "snippet": {"text": "\n".join(TEXT.splitlines()[2:7])}}
    place = {
        "artifactLocation": {"uri": "model.py", "uriBaseId": "%SRCROOT%", "index": 0},
        "region": {**region, "snippet": {"text": "x > 2"}},
        "contextRegion": around,
    }
    assert (result["ruleId"], result["level"], rule["id"]) == ("JAX103", "error", "JAX103")
    assert result["locations"] == [{"physicalLocation": place}]
    assert result["message"]["text"] == "Python `if` on traced value `x > 2`\nselect with `jnp.where`"
    steps = [step["location"] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert [(step["message"]["text"][:10], step["physicalLocation"]["region"]["startLine"]) for step in steps] == [
        ("`step` is ", 3), ("`x` is a p", 4), ("Python `if", 5),
    ]  # fmt: skip
    assert [each["id"] for each in result["relatedLocations"]] == [1, 2]
    (fix,) = result["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    assert replacement == {"deletedRegion": region, "insertedContent": {"text": "True"}}
    assert fix["properties"] == {"applicability": "unsafe"}


def test_rule_brings_its_page():
    _, rule = of(sarif(a_diagnostic()))
    assert rule["help"]["markdown"].startswith("# JAX103 branch-on-tracer\n\nPython `if`")
    assert "## Why is this bad" in rule["help"]["markdown"]
    assert rule["helpUri"] == "https://docs.jax.dev/en/latest/control-flow.html"
    assert rule["fullDescription"]["text"].startswith("Reports `if`")


@pytest.mark.parametrize(
    "category, level", [("fails", "error"), ("wrong", "error"), ("slow", "warning"), ("style", "note")]
)
def test_level_follows_the_category(category, level):
    assert of(sarif(a_diagnostic(category=Category(category))))[0]["level"] == level


def test_a_suggestion_is_no_fix():
    assert "fixes" not in of(sarif(a_diagnostic(level=Applicability.DISPLAY)))[0]


def test_columns_are_code_points_and_an_insertion_is_an_empty_region():
    log = sarif(
        a_diagnostic(
            text='s = "😀"; y = x > 2\r\n', related=(), fix=Fix("insert", (Edit(0, 0, "\x1b"),), Applicability.SAFE)
        )
    )
    result, _ = of(log)
    assert log["runs"][0]["columnKind"] == "unicodeCodePoints"
    assert result["locations"][0]["physicalLocation"]["region"]["startColumn"] == 14
    (replacement,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement["deletedRegion"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
    assert replacement["insertedContent"]["text"] == "\x1b"  # text of a file: to the letter


@pytest.mark.parametrize(
    "filename, uri",
    [
        ("a b.py", "a%20b.py"),
        ("src/naïve#1?.py", "src/na%C3%AFve%231%3F.py"),
        ("c:d%.py", "c%3Ad%25.py"),
        ("./src/../a.py", "a.py"),
        (os.fsdecode(b"\xff.py"), "%FF.py"),
    ],
)
def test_addresses_are_encoded_and_relative(tmp_path, monkeypatch, filename, uri):
    monkeypatch.chdir(tmp_path)
    for name in (filename, str(tmp_path / filename)):
        place = of(sarif(a_diagnostic(filename=name)))[0]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": uri, "uriBaseId": "%SRCROOT%", "index": 0}


def test_file_outside_the_working_directory_has_a_whole_address(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    for name in ("../a.py", str(tmp_path / "a.py")):
        place = of(sarif(a_diagnostic(filename=name)))[0]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": (tmp_path / "a.py").as_uri(), "index": 0}


def test_message_drives_no_terminal_and_makes_no_link():
    text = of(sarif(a_diagnostic(message=f"`fs[0](x)`, `m[a]` {HOSTILE}", help="[click](http://example.org)")))[0][
        "message"
    ]["text"]
    assert text.startswith("`fs\\[0](x)`, `m[a]` ") and "\\[click](http" in text
    assert not {"\x1b", "\r", "\x9b", "\u202e"} & set(text)


def test_fingerprint_stays_with_its_line():
    def marks(text):
        rows = [row for row, line in enumerate(text.splitlines(), 1) if "x > 2" in line]
        found = [a_diagnostic(text=text, start=Position(row, 1)) for row in rows]
        return [each["partialFingerprints"]["ruleAndLine/v2"] for each in sarif(*found)["runs"][0]["results"]]

    before = marks("if x > 2:\n    pass\nif x > 2:\n    pass\n")
    after = marks("import jax\n\nif x > 2:\n    pass\nelse:\n    if x > 2:\n        pass\n")
    assert before == after and len(set(before)) == 2
    assert marks("if x > 2 :\n") != before[:1]


def test_fingerprint_stays_with_a_file_that_is_renamed():
    def mark(filename):
        return of(sarif(a_diagnostic(filename=filename)))[0]["partialFingerprints"]

    assert mark("model.py") == mark("other/place.py")


def test_failure_of_the_tool_is_told():
    log = sarif(a_diagnostic(code="JAX902", name="internal-error", fix=None))
    assert log["runs"][0]["invocations"] == [{"executionSuccessful": False}]
    assert sarif()["runs"][0]["invocations"] == [{"executionSuccessful": True}]


def test_equal_runs_are_equal():
    assert sarif(a_diagnostic(), a_diagnostic(filename="b.py")) == sarif(a_diagnostic(), a_diagnostic(filename="b.py"))
