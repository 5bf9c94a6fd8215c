"""`jaxlint config`: what holds and where it comes from, the schema, and the reference."""

import json
import os
from pathlib import Path

import jsonschema
import pytest

from jaxlint.cli import main
from jaxlint.commands.config import markdown, schema
from jaxlint.configuration.config import Config, read
from jaxlint.configuration.options import OPTIONS, plain
from jaxlint.configuration.table import ConfigError

DOCS = Path(__file__).parent.parent / "docs"
try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of two folders, in which the tests stand."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.ruff]\nline-length = 100\n\n[tool.jaxlint]\nselect = [\n  "JAX1",\n]\nignore = ["JAX104"]\n'
    )
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "pyproject.toml").write_text("[tool.jaxlint]\npreview = true\n")
    return tmp_path


def settings(capsys, *words):
    assert main(["config", "--output-format", "json", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_each_setting_says_where_it_comes_from(project, capsys):
    held = settings(capsys)
    assert held["file"] == str(project / "pyproject.toml")
    assert "JAX103" in held["rules"] and "JAX401" not in held["rules"]
    assert held["settings"]["select"] == {"value": ["JAX1"], "source": "file", "file": held["file"], "row": 5}
    assert (held["settings"]["line-length"]["value"], held["settings"]["line-length"]["row"]) == (100, 2)
    assert held["settings"]["preview"] == {"value": False, "source": "default"}
    assert settings(capsys, "inner")["settings"]["preview"]["row"] == 2


def test_text_is_toml_that_means_the_same(project, capsys):
    assert main(["config"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("`pyproject.toml` governs `.`")
    assert 'ignore = ["JAX104"]  # pyproject.toml:8\n' in text
    table = text.split("\n", 1)[1]
    (project / "again").mkdir()
    (project / "again" / "pyproject.toml").write_text(f"[tool.jaxlint]\n{table}")
    assert {**settings(capsys, "again")["settings"]}.keys() == OPTIONS.keys()
    own = Config(root="/", **read("again/pyproject.toml"))
    assert own._replace(line_length=None) == Config(root="/", **read("pyproject.toml")) and own.line_length == 100


def test_options_of_the_command_line_are_shown_as_such(project, capsys):
    assert main(["check", "--show-settings", "--select", "JAX4", "--extend-exclude", "gen/"]) == 0
    text = capsys.readouterr().out
    assert 'select = ["JAX4"]  # command line\n' in text
    assert "\nignore = []  # command line\n" in text
    assert 'extend-exclude = ["gen/"]  # command line\n' in text


def test_files_that_would_be_read_are_shown(project, capsys):
    for name in ("b.py", "inner/a.py", "c.txt", "build/d.py"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("if x:\n")
    assert main(["check", "--show-files"]) == 0
    assert [os.path.normpath(line) for line in capsys.readouterr().out.splitlines()] == [
        "b.py",
        os.path.join("inner", "a.py"),
    ]


def test_an_option_that_cannot_be_used_is_shown_as_its_default(project, capsys):
    (project / "pyproject.toml").write_text('[tool.jaxlint]\nselect = ["JAX99Z"]\npreview = true\n')
    assert main(["config"]) == 2
    shown = capsys.readouterr().out
    assert "# select: the default set  # default\n" in shown and "preview = true  # pyproject.toml:3\n" in shown


def test_what_is_wrong_is_said_and_the_defaults_are_shown(project, capsys):
    (project / "pyproject.toml").write_text("[tool.jaxlint]\npreviw = true\n")
    assert main(["config"]) == 2
    shown = capsys.readouterr()
    assert "pyproject.toml:2:1: unknown option `previw` in [tool.jaxlint]; did you mean `preview`?" in shown.err
    assert "preview = false  # default" in shown.out
    assert main(["config", "nowhere"]) == 2
    assert "nowhere: no such file or folder" in capsys.readouterr().err


# --- the registry ----------------------------------------------------------------------------


def test_every_option_is_a_field_with_the_same_default():
    config = Config()
    for option in OPTIONS.values():
        assert getattr(config, option.field) == option.default, option.name
    assert set(OPTIONS) == {
        name.replace("_", "-")
        for name in Config._fields
        if name not in ("root", "dependencies", "formatter", "sources", "path")
    }


@pytest.mark.parametrize("name", [name for name in OPTIONS if name != "plugins"])
def test_examples_are_accepted_and_are_no_default(tmp_path, name):
    path = tmp_path / "pyproject.toml"
    path.write_text(f"[tool.jaxlint]\n{OPTIONS[name].example}\n")
    [(field, value)] = read(str(path)).items()
    assert field == OPTIONS[name].field and value != OPTIONS[name].default
    jsonschema.validate(tomllib.loads(OPTIONS[name].example), schema())


# --- the schema ------------------------------------------------------------------------------


def test_schema_is_current_and_valid():
    assert json.loads((DOCS / "schema.json").read_text()) == schema(), (
        "run `jaxlint config --schema > docs/schema.json`"
    )
    jsonschema.Draft7Validator.check_schema(schema())


@pytest.mark.parametrize(
    "line",
    [
        "preview = true", "preview = 1", 'select = ["JAX1"]', 'select = "JAX1"', 'select = ["JAX999"]', 'select = ["JAXX"]',
        'ignore = ["branch-on-tracer", "JAX"]', 'ignore = ["brnch"]', "ignore = [1]", 'target-jax = "0.6.2"',
        'target-jax = ">=0.4.30,<0.8"', 'target-jax = "new"', "target-jax = 0.6", 'exclude = ["build/"]', 'exclude = ["!"]', 'exclude = [""]', 'exclude = [" "]', 'exclude = ["# a"]', 'exclude = ["../a"]', 'exclude = ["a/./b"]',
        'exclude = ["~/a"]', 'exclude = ["a..b", "~a", ".a", "/a"]', 'per-file-ignores = {"../a" = ["JAX1"]}',
        'output-format = "sarif"', 'output-format = "xml"', "line-length = 88", "line-length = 8", "line-length = true",
        'line-length = "88"', 'cache-dir = ".c"', 'cache-dir = ""', 'per-file-ignores = {"a/" = ["JAX1"]}',
        'per-file-ignores = ["JAX1"]', 'per-file-ignores = {"a/" = "JAX1"}', 'per-file-ignores = {"a/" = ["JAX0"]}',
        'traced-decorators = {"mylib.compile" = "jit"}', 'traced-decorators = {"mylib.*" = "jax.lax.scan"}',
        'traced-decorators = {"mylib.compile" = "jax.jitt"}', 'traced-decorators = {"my lib" = "jit"}',
        'traced-decorators = ["mylib.compile"]', 'traced-decorators = {"mylib.compile" = ["jit"]}',
        'key-consumers = ["a.b"]', 'key-consumers = ["a b"]', 'key-consumers = "a.b"', 'static-attributes = ["config.*", "n"]',
        'static-attributes = ["config."]', 'executor = "dask://h:1"', "plugins = []", 'plugins = ["a-b"]', 'plugins = ["a/b"]', 'plugins = "a"', "zzz = 1", "force_exclude = true",
    ],
)  # fmt: skip
def test_schema_and_parser_agree(tmp_path, line):
    path = tmp_path / "pyproject.toml"
    path.write_text(f"[tool.jaxlint]\n{line}\n")
    try:
        read(str(path))
    except ConfigError:
        parsed = False
    else:
        parsed = True
    assert jsonschema.Draft7Validator(schema()).is_valid(tomllib.loads(line)) == parsed


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('traced-decorators = {"mylib.compile" = "jax.jitt"}', "`traced-decorators` in [tool.jaxlint] is wrong: `mylib.compile` cannot stand for `jax.jitt`, which is no transform that is known; did you mean `jax.jit`?"),
        ('traced-decorators = ["x"]', 'must be a table such as {"mylib.compile" = "jax.jit"}, not a list'),
        ('traced-decorators = {"mylib.compile" = 3}', 'must say for `mylib.compile` which transform it is, such as "jax.jit", not the number 3'),
        ('key-consumers = ["a b"]', "`key-consumers` in [tool.jaxlint] is wrong: 'a b' is not a dotted name"),
        ('static-attribute = ["n"]', "unknown option `static-attribute` in [tool.jaxlint]; did you mean `static-attributes`?"),
        ('plugins = ["a/b"]', "'a/b' is not the name of a plugin"),
    ],
)  # fmt: skip
def test_errors_say_what_would_do(tmp_path, line, message):
    path = tmp_path / "pyproject.toml"
    path.write_text(f"[tool.jaxlint]\n{line}\n")
    with pytest.raises(ConfigError) as caught:
        read(str(path))
    assert message in str(caught.value)


def test_reference_is_current():
    assert (DOCS / "configuration.md").read_text() == markdown(), (
        "run `jaxlint config --markdown > docs/configuration.md`"
    )
    assert all(f"### {name}\n" in markdown() for name in OPTIONS)


def test_values_have_a_plain_form():
    assert plain(OPTIONS["traced-decorators"], (("a.b", "jax.jit"),)) == {"a.b": "jax.jit"}


def test_what_is_wrong_is_said_beside_the_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("")
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\n"zz\\u001b[31m" = 1\n')
    assert main(["check", "--show-files", ".", "no\x1b[31m"]) == 2
    out, err = capsys.readouterr()
    assert out == "a.py\n" and "\x1b" not in err
    assert (
        "pyproject.toml:1:1: JAX903 invalid-configuration: unknown option `zz" in err
        and "no such file or folder" in err
    )
