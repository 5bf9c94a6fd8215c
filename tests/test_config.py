"""Options: where they are found, how they are checked, and which rules they switch on."""

import pickle

import pytest
from small_registry import some_rules  # noqa: F401

from jaxlint import knowledge
from jaxlint.configuration.config import Config, Configs, read
from jaxlint.configuration.table import ConfigError
from jaxlint.hazards.registry import UnknownRule, matching


def project(tmp_path, toml, name="pyproject.toml"):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(toml)
    return str(tmp_path / name)


# --- where it is found -----------------------------------------------------------------------


def test_nearest_pyproject_with_the_table_governs(tmp_path):
    project(tmp_path, "[tool.jaxlint]\npreview = true\n")
    project(tmp_path, "[tool.black]\nline-length = 100\n", "a/pyproject.toml")
    project(tmp_path, '[tool.jaxlint]\ntarget-jax = "0.4.30"\n', "b/pyproject.toml")
    configs = Configs()
    outer = configs.for_file(str(tmp_path / "a" / "deep" / "model.py"))
    inner = configs.for_file(str(tmp_path / "b" / "model.py"))
    assert (outer.root, outer.preview) == (str(tmp_path), True)
    assert (inner.root, inner.preview, inner.target_jax) == (str(tmp_path / "b"), False, "0.4.30")


def test_without_a_table_the_defaults_hold(tmp_path):
    config = Configs().for_file(str(tmp_path / "model.py"))
    assert config.path is None
    assert config.select == () and not config.preview


def test_pyproject_of_others_is_not_judged(tmp_path):
    project(tmp_path, "this is not TOML [")
    configs = Configs()
    assert configs.for_file(str(tmp_path / "a.py")).path is None
    assert configs.problems == []


def test_broken_pyproject_names_file_and_row_and_leaves_the_defaults(tmp_path):
    path = project(tmp_path, '[tool.jaxlint]\npreview = true\nselect = ["JAX103"\nignore = 3\n')
    configs = Configs()
    config = configs.for_file(str(tmp_path / "a.py"))
    configs.for_file(str(tmp_path / "pkg" / "b.py"))
    assert not config.preview
    [problem] = configs.problems
    assert (problem.filename, problem.row) == (path, 4)
    assert str(problem).startswith(f"{path}:4:1: not valid TOML: ")


def test_pyproject_that_is_not_utf8_names_the_row(tmp_path):
    (tmp_path / "pyproject.toml").write_bytes(b"[tool.jaxlint]\npreview = true # caf\xe9\n")
    with pytest.raises(ConfigError, match="not valid UTF-8") as caught:
        read(str(tmp_path / "pyproject.toml"))
    assert caught.value.row == 2


# --- how it is checked -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ignores = []", "unknown option `ignores` in [tool.jaxlint]; did you mean `ignore`?"),
        ("extend_select = []", "unknown option `extend_select` in [tool.jaxlint]; did you mean `extend-select`?"),
        ('preview = "yes"', "`preview` in [tool.jaxlint] must be true or false, not the string 'yes'"),
        ('select = "JAX103"', "`select` in [tool.jaxlint] must be a list of strings, not the string 'JAX103'"),
        ("ignore = [103]", "`ignore` in [tool.jaxlint] must be a list of strings, not one with the number 103"),
        (
            "target-jax = 0.6",
            'must be a release of jax such as "0.6.2", or a specifier such as ">=0.4.30,<0.8", not the number 0.6',
        ),
        ('target-jax = "new"', "or a specifier such as \">=0.4.30,<0.8\", not 'new'"),
        ('target-jax = ">=0.8,<0.5"', "admits no release of jax: '>=0.8,<0.5'; the newest that is known is"),
        (
            'output-format = "xml"',
            "must be one of full, concise, grouped, json, json-lines, sarif, github, gitlab, junit, html, not the string 'xml'",
        ),
        ('exclude = ["!"]', "'!' is not a gitignore pattern"),
        ('per-file-ignores = ["JAX103"]', "must be a table"),
        (
            'per-file-ignores = { "tests/" = "JAX103" }',
            "must say for 'tests/' a list of rules such as [\"JAX103\"], not the string 'JAX103'",
        ),
        ('select = ["brnch"]', "no rule is called `brnch`; did you mean `branch`?"),
        ("zzz = 1", "unknown option `zzz` in [tool.jaxlint]; the options are cache-dir, exclude, "),
    ],
)
def test_wrong_option_names_file_row_and_what_would_do(tmp_path, some_rules, line, message):
    path = project(tmp_path, f"[project]\nname = 'x'\n\n[tool.jaxlint]\nforce-exclude = false\n{line}\n")
    with pytest.raises(ConfigError) as caught:
        read(path)
    assert message in str(caught.value)
    assert (caught.value.filename, caught.value.row) == (path, 6)


def test_everything_that_is_wrong_is_said_at_once_and_the_rest_holds(tmp_path, some_rules):
    project(
        tmp_path,
        '[tool.jaxlint]\nselect = [\n  "JAX101",\n  "brnch",\n  \'nmpy\',\n]\npreviw = true\nline-length = 10\n'
        'target-jax = "0.6.2"\nexclude = ["gen/", "../other/", "a\\\\..b"]\n\n[tool.jaxlint.per-file-ignores]\n"" = ["JAX1"]\n'
        '"tests/" = ["JAX1", "JAXX"]\n',
    )
    configs = Configs()
    config = configs.for_folder(str(tmp_path))
    configs.for_folder(str(tmp_path / "inner"))
    assert [(each.row, each.column) for each in configs.problems] == [
        (4, 3), (5, 3), (7, 1), (8, 1), (10, 20), (13, 1), (14, 21),
    ]  # fmt: skip
    said = "\n".join(each.message for each in configs.problems)
    for part in ("did you mean `branch`?", "did you mean `numpy`?", "did you mean `preview`?", "'../other/'", "`JAXX`"):
        assert said.count(part) == 1
    assert (config.target_jax, config.select, config.line_length, config.width) == ("0.6.2", (), None, 88)
    assert config.per_file_ignores == () and "gen/" not in config.exclude and "build/" in config.exclude


def test_what_is_wrong_is_said_in_the_order_of_the_file(tmp_path):
    project(
        tmp_path, '[tool.jaxlint]\npreviw = true\ncache-dir = "../other"\nplugins = ["nowhere"]\nline-length = 10\n'
    )
    configs = Configs()
    configs.for_folder(str(tmp_path))
    assert [each.row for each in configs.problems] == [2, 3, 4, 5]


def test_of_very_many_mistakes_the_first_ones_are_said(tmp_path):
    many = ", ".join(f'"zz{number}"' for number in range(20_000))
    project(tmp_path, f"[tool.jaxlint]\nselect = [{many}]\nignore = [{many}]\npreview = true\n")
    configs = Configs()
    configs.for_folder(str(tmp_path))
    assert len(configs.problems) == 50
    assert "`zz0`" in configs.problems[0].message and "correct these first" in configs.problems[-1].message


@pytest.mark.parametrize(
    ("glob", "hint"),
    [
        ("", "leave it out"),
        ("  ", "leave it out"),
        ("# build/", "leave it out"),
        ("../other", "never lead out of it"),
        ("!a/../b", "never lead out of it"),
        ("./build/", "write 'build'"),
        ("src/./gen/*.py", "write 'src/gen/*.py'"),
        ("~/scratch", "`~` is not expanded"),
        ("/home/somebody/other", "outside of the project"),
        ("C:/other/*.py", "outside of the project"),
        ("{root}/gen/*.py", "write '/gen/*.py'"),
        ("{root}", "write '**'"),
    ],
)
def test_pattern_that_matches_nothing(tmp_path, glob, hint):
    glob = glob.replace("{root}", str(tmp_path))
    for line in (f"exclude = ['{glob}']", f"test-files = ['{glob}']", f"per-file-ignores = {{'{glob}' = ['JAX1']}}"):
        path = project(tmp_path, f"[tool.jaxlint]\n{line}\n")
        with pytest.raises(ConfigError) as caught:
            read(path)
        assert "matches nothing" in str(caught.value) and hint in str(caught.value), line
        assert caught.value.column == line.index("'") + 1


def test_pattern_that_may_match_is_accepted(tmp_path):
    (tmp_path / "etc" / "gen").mkdir(parents=True)
    globs = (
        "/build",
        "build/",
        "**",
        "!keep.py",
        "a..b",
        ".git/",
        "...",
        "/tmp",
        "/etc/gen",
        "/data/raw",
        "~old/",
        "\\#x",
    )
    path = project(tmp_path, f"[tool.jaxlint]\nexclude = {list(globs)}\n".replace("'\\\\#", "'\\#"))
    assert read(path) == {"exclude": globs}


def test_files_of_no_project_are_matched_by_their_whole_paths(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    config = Configs({"extend_exclude": [f"{tmp_path}/other/"]}).for_folder(".")
    assert config.exclude_patterns.match(str(tmp_path / "other" / "a.py"))


@pytest.mark.parametrize("specifier", [">=99", "99.1", ">=99,<100"])
def test_target_that_no_known_release_meets(tmp_path, specifier):
    newest = knowledge.releases("jax")[-1]
    with pytest.raises(ConfigError, match=f"admits no release of jax .*the newest that is known is {newest}"):
        read(project(tmp_path, f"[tool.jaxlint]\ntarget-jax = '{specifier}'\n"))
    with pytest.raises(ConfigError, match=f"^--target-jax admits no release of jax .*{newest}"):
        Configs({"target_jax": specifier})


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [
        ("JAX193", "JAX103"),
        ("jax1O3", "JAX103"),
        ("JX103", "JAX103"),
        ("JAX99Z", None),
        ("JAX999", None),
        ("donation", None),
    ],
)
def test_suggestions_are_close_and_of_the_same_kind(word, suggestion):
    with pytest.raises(UnknownRule) as caught:
        matching(word)
    hint = f"did you mean `{suggestion}`?" if suggestion else "`jaxlint rules` lists them all"
    assert str(caught.value) == f"no rule is called `{word}`; {hint}"


def test_wrong_override_names_the_option_of_the_command_line(some_rules):
    with pytest.raises(ConfigError, match=r"^--select is wrong: no rule is called `JAX999`") as caught:
        Configs({"select": ["JAX999"]})
    assert caught.value.filename is None


def test_table_must_be_a_table(tmp_path):
    path = project(tmp_path, "[tool]\njaxlint = true\n")
    with pytest.raises(ConfigError, match=r"write `\[tool.jaxlint\]`"):
        read(path)


def test_error_survives_a_process_border():
    error = pickle.loads(pickle.dumps(ConfigError("wrong", "pyproject.toml", 3)))
    assert str(error) == "pyproject.toml:3:1: wrong"


# --- what it switches on ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "on"),
    [
        ({}, "101 103 301"),
        ({"preview": True}, "101 103 111 301"),
        ({"select": ["JAX1"]}, "101 103"),
        ({"select": ["JAX1"], "preview": True}, "101 103 111"),
        ({"select": ["JAX111"]}, "111"),
        ({"select": ["leaf"]}, "111"),
        ({"select": ["JAX"], "preview": True}, "101 103 111 301"),
        ({"extend_select": ["time"]}, "101 103 301 312"),
        ({"extend_select": ["JAX3"]}, "101 103 301"),
        ({"ignore": ["JAX1"]}, "301"),
        ({"ignore": ["numpy"]}, "101 103"),
        ({"select": ["JAX103"], "ignore": ["JAX1"]}, "103"),
        ({"select": ["JAX1"], "ignore": ["JAX103"]}, "101"),
        ({"select": ["JAX1"], "ignore": ["JAX"]}, "101 103"),
        ({"select": ["jax103"]}, "103"),
    ],
)
def test_selection(some_rules, options, on):
    config = Config(root="/", **{name: value if name == "preview" else tuple(value) for name, value in options.items()})
    assert {code[3:] for code in config.codes} == set(on.split())


def test_select_of_the_command_line_replaces_the_selection_of_the_file(tmp_path, some_rules):
    project(tmp_path, '[tool.jaxlint]\nextend-select = ["JAX312"]\nignore = ["JAX103"]\n')
    path = str(tmp_path / "a.py")
    assert Configs().for_file(path).codes == {"JAX101", "JAX301", "JAX312"}
    assert Configs({"select": ["JAX103"]}).for_file(path).codes == {"JAX103"}
    assert Configs({"ignore": ["JAX101"]}).for_file(path).codes == {"JAX301", "JAX312"}
    assert Configs({"extend_select": ["JAX111"]}).for_file(path).codes == {"JAX101", "JAX111", "JAX301", "JAX312"}
    assert Configs({"select": None, "preview": None}).for_file(path).codes == Configs().for_file(path).codes


def test_per_file_ignores_are_relative_to_the_pyproject(tmp_path, some_rules):
    project(
        tmp_path,
        '[tool.jaxlint.per-file-ignores]\n"tests/" = ["JAX1"]\n"/setup.py" = ["numpy"]\n"*_gen.py" = ["JAX"]\n',
    )
    configs = Configs()

    def codes(name):
        path = str(tmp_path / name)
        return {code[3:] for code in configs.for_file(path).codes_for(path)}

    assert codes("a.py") == {"101", "103", "301"}
    assert codes("tests/deep/a.py") == {"301"}
    assert codes("setup.py") == {"101", "103"}
    assert codes("pkg/setup.py") == {"101", "103", "301"}
    assert codes("pkg/x_gen.py") == set()
    config = configs.for_file(str(tmp_path / "tests" / "a.py"))
    assert "JAX103" not in config.codes_for(str(tmp_path / "tests" / "a.py"))
    assert "JAX103" in config.codes_for(str(tmp_path / "a.py"))


def test_tests_are_known_by_their_names(tmp_path):
    config = Config(root=str(tmp_path))
    assert config.is_test(str(tmp_path / "pkg" / "test_model.py"))
    assert config.is_test(str(tmp_path / "model_test.py"))
    assert config.is_test(str(tmp_path / "tests" / "helpers.py"))
    assert not config.is_test(str(tmp_path / "pkg" / "contest.py"))


@pytest.mark.parametrize(
    ("options", "on"),
    [
        ({}, False),
        ({"select": ("JAX4",)}, False),
        ({"preview": True}, False),
        ({"select": ("JAX401",)}, True),
        ({"extend_select": ("key-reuse",)}, True),
        ({"test_files": ("check_*.py",)}, True),
        ({"extend_select": ("JAX401",), "ignore": ("JAX401",)}, False),
    ],
)
def test_keys_are_not_judged_in_tests_unless_asked_for(tmp_path, options, on):
    config = Config(root=str(tmp_path), **options)
    assert ("JAX401" in config.codes_for(str(tmp_path / "tests" / "a.py"))) == on
    assert ("JAX401" in config.codes_for(str(tmp_path / "a.py"))) == ("JAX401" in config.codes)


@pytest.mark.parametrize("file", ["bench_step.py", "a/step_benchmark.py", "benchmarks/run.py", "a/benchmark/run.py"])
def test_benchmarks_are_judged_like_tests(tmp_path, file):
    codes = Config(root=str(tmp_path)).codes_for(str(tmp_path / file))
    assert {"JAX401", "JAX402", "JAX403", "JAX404", "JAX503"}.isdisjoint(codes)
    assert {"JAX103", "JAX510"} <= codes


def test_files_that_only_sound_like_benchmarks_are_not_tests(tmp_path):
    config = Config(root=str(tmp_path))
    assert not any(
        config.is_test(str(tmp_path / file)) for file in ("workbench.py", "benchmark.py", "a/benchmarking.py")
    )


def test_config_travels_to_workers(tmp_path, some_rules):
    config = Config(root=str(tmp_path), select=("JAX103",), per_file_ignores=(("tests/", ("JAX103",)),))
    assert config.codes_for(str(tmp_path / "tests" / "a.py")) == set()
    copy = pickle.loads(pickle.dumps(config))
    assert copy == config
    assert copy.codes == {"JAX103"}


# --- how long lines are ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "width"),
    [
        ({}, 88),
        ({"pyproject.toml": "[tool.jaxlint]\nline-length = 70\n\n[tool.ruff]\nline-length = 100\n"}, 70),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 100\n"}, 100),
        ({"pyproject.toml": "[tool.black]\nline-length = 79\n"}, 79),
        ({"pyproject.toml": "[tool.black]\nline-length = 79\n\n[tool.ruff]\nline-length = 100\n"}, 100),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 100\n", "src/pyproject.toml": "[tool.jaxlint]\n"}, 100),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 100\n", "src/ruff.toml": "line-length = 90\n"}, 90),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 100\n", "ruff.toml": "line-length = 90\n"}, 90),
        (
            {"pyproject.toml": "[tool.ruff]\nline-length = 100\n", "src/.ruff.toml": "extend = '../pyproject.toml'\n"},
            100,
        ),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 100\n", "src/pyproject.toml": "[tool.black]\n"}, 88),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 100\n", "src/.git": ""}, 88),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 'long'\n"}, 88),
        ({"pyproject.toml": "[tool.ruff\n"}, 88),
    ],
)
def test_lines_are_as_long_as_those_of_the_formatter(tmp_path, files, width):
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        project(tmp_path, text, name)
    configs = Configs()
    config = configs.for_file(str(tmp_path / "src" / "model.py"))
    assert (config.width, pickle.loads(pickle.dumps(config)).width) == (width, width)
    assert configs.problems == []


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('"a.b" = "c-d"', "must say for `a.b` a dotted name such as \"mylib.new_name\", not 'c-d'"),
        ('"a.b" = 3', "not the number 3"),
        ('a.b = "c.d"', "not a table; a dotted name before `=` stands in quotes"),
        ('"a.*" = "c.d"', "'a.*' is not a dotted name"),
        ('"a.class" = "c.d"', "'a.class' is not a dotted name"),
        ('"a.b" = "a.b"', "cannot become `a.b`: that leads back to it"),
        ('"a.b" = "a.b.c"', "cannot become `a.b.c`: that leads back to it"),
        ('"a" = "b.c"\n"b" = "d"', "`a` cannot become `b.c`: `b` is replaced itself; name what replaces it"),
        ('"a" = "b"\n"b" = "a"', "`b` is replaced itself"),
    ],
)
def test_migrations_that_cannot_be(tmp_path, row, says):
    project(tmp_path, f"[tool.jaxlint]\n\n[tool.jaxlint.migrations]\n{row}\n")
    configs = Configs()
    assert configs.for_folder(str(tmp_path)).migrations == ()
    problem = configs.problems[0]
    assert says in problem.message and problem.message.startswith("`migrations` in [tool.jaxlint] ")
    assert (problem.filename, problem.row in (3, 4)) == (str(tmp_path / "pyproject.toml"), True)


def test_migrations_of_which_one_cannot_be_are_all_left_out(tmp_path):
    project(tmp_path, '[tool.jaxlint.migrations]\n"a.b" = "c.d"\n"e-f" = "g"\n')
    configs = Configs()
    assert configs.for_folder(str(tmp_path)).migrations == () and [each.row for each in configs.problems] == [3]
