"""Rules of others: the example distribution, installed by pip, at every entrance; and plugins that cannot be used."""

import json
from pathlib import Path

import pytest
from environments import Environment, project

from jaxlint.run.runner import LARGE_RUN

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs" / "example-plugin"
STEP = """\
import time

import jax


@jax.jit
def step(x):
    start = time.time()
    return x + start


key = jax.random.PRNGKey(0)
"""


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """An environment with the example."""
    made = Environment(tmp_path_factory.mktemp("environment"))
    made.install(EXAMPLE)
    return made


@pytest.fixture
def run(environment, tmp_path):
    """Runs a command in a project that has the example plugin."""
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["lab_rules"]\n')
    (tmp_path / "step.py").write_text(STEP)
    return lambda *words, module="jaxlint": environment.run("-m", module, *words, folder=tmp_path)


def concise(ran):
    return [line.split(" ")[:2] for line in ran.stdout.splitlines() if line.startswith("step.py")]


def test_its_rules_run_and_are_selected_like_any(run):
    ours, theirs, key = ["step.py:8:13:", "JAX307"], ["step.py:8:13:", "LAB001"], ["step.py:12:7:", "LAB002"]
    check = ("check", "--output-format", "concise")
    ours = next(place for place in concise(run(*check)) if place[1].startswith("JAX"))
    assert concise(run(*check)) == [ours, theirs]
    assert concise(run(*check)) == [ours, theirs]  # from the cache
    assert concise(run(*check, "--select", "LAB")) == [theirs]
    assert concise(run(*check, "--select", "lab002,clock-in-step")) == [theirs, key]
    assert concise(run(*check, "--ignore", "clock-in-step")) == [ours]


def test_comments_silence_them(run, tmp_path):
    for comment in ("# noqa: LAB001", "# jaxlint: disable=clock-in-step"):
        (tmp_path / "step.py").write_text(STEP.replace("time.time()", f"time.time()  {comment}"))
        assert concise(run("check", "--select", "LAB", "--output-format", "concise")) == []


def test_their_fixes_are_applied(run, tmp_path):
    ran = run("check", "--select", "LAB002", "--fix", "--unsafe-fixes")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (tmp_path / "step.py").read_text() == STEP.replace("PRNGKey", "key")


def test_json_and_sarif_know_them(run):
    [found] = json.loads(run("check", "--select", "LAB001", "--output-format", "json").stdout)
    assert (found["code"], found["name"]) == ("LAB001", "clock-in-step")
    sarif = json.loads(run("check", "--select", "LAB001", "--output-format", "sarif").stdout)
    assert "LAB001" in [rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]]


def test_they_are_listed_and_explained(run):
    listed = {rule["code"]: rule for rule in json.loads(run("rules", "--output-format", "json").stdout)}
    assert (listed["LAB001"]["family"], listed["LAB002"]["on"]) == ("plugin", "opt-in")
    ran = run("explain", "typed-seed")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "LAB002 typed-seed" in ran.stdout and "typed keys alone" in ran.stdout


def test_flake8_reports_them_where_it_is_told_to(run):
    assert "LAB001" not in run("step.py", module="flake8").stdout
    assert concise(run("--extend-select", "LAB", "step.py", module="flake8"))[-1] == ["step.py:8:13:", "LAB001"]


def test_worker_processes_know_them(run, tmp_path):
    for number in range(6):
        (tmp_path / f"step{number}.py").write_text(STEP + "\n" * (LARGE_RUN // 4))  # fewer bytes start no processes
    ran = run("check", "--no-cache", "--jobs", "2", "--select", "LAB001", "--output-format", "concise")
    assert ran.stdout.count("LAB001") == 7


def test_other_projects_do_without_them(run, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pyproject.toml").write_text("[tool.jaxlint]\n")
    (tmp_path / "other" / "step.py").write_text(STEP)
    ran = run("check", "--no-cache", "--output-format", "concise", "other/step.py", "step.py")
    assert [line.split(":")[0] for line in ran.stdout.splitlines() if "LAB001" in line] == ["step.py"]


def test_a_package_of_one_rule_is_a_plugin_and_its_changes_count(house, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["house"]\nselect = ["ABC001"]\n')
    (tmp_path / "step.py").write_text(STEP)
    code = GOOD.replace("LAB001", "ABC001")
    for word in ("traced", "compiled"):
        (house.code / "broken.py").write_text(code.replace("while the step is traced", f"while it is {word}"))
        ran = house.environment.run("-m", "jaxlint", "--output-format", "concise", folder=tmp_path)
        assert f"ABC001 clock-in-step: `time.time()` is read once, while it is {word}" in ran.stdout, ran.stderr


def test_threads_that_read_one_configuration_load_its_plugins_once(house, tmp_path):
    """The language server reads it in two."""
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["house"]\n')
    (house.code / "broken.py").write_text("import time\ntime.sleep(0.1)\n" + GOOD.partition('"""\n\n')[2])
    code = (
        "from concurrent.futures import ThreadPoolExecutor\nfrom jaxlint.configuration.config import Configs\n"
        "def problems(_):\n    configs = Configs()\n    configs.for_file('a.py')\n    return [str(each) for each in configs.problems]\n"
        "with ThreadPoolExecutor(8) as pool:\n    print(set(map(str, pool.map(problems, range(8)))))"
    )
    ran = house.environment.run("-c", code, folder=tmp_path)
    assert ran.stdout == "{'[]'}\n", ran.stdout + ran.stderr


class House:
    """An environment with an editable install of a distribution whose code lies in the folder ``code``."""

    def __init__(self, folder):
        self.environment = Environment(folder / "environment")
        self.code = folder / "code"
        self.code.mkdir()
        project(
            self.code, "house", {"broken.py": ""}, {"house": "broken", "nowhere": "nowhere", "attribute": "broken:RULE"}
        )
        self.environment.install("-e", self.code)


@pytest.fixture(scope="session")
def house(tmp_path_factory):
    return House(tmp_path_factory.mktemp("house"))


GOOD = (EXAMPLE / "lab_rules" / "clock_in_step.py").read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "import nowhere",
            "importing `broken` fails: ModuleNotFoundError: No module named 'nowhere' (broken.py, line 1)",
        ),
        ("def (", "importing `broken` fails: SyntaxError:"),
        ("exit(3)", "importing `broken` fails: SystemExit: 3"),
        ("", "`broken` has no `RULE`"),
        ("RULE = 3", "`broken.RULE` is a int; make it a `jaxlint.plugins.Rule`"),
        (
            GOOD.replace("LAB001", "JAX999"),
            "has the code 'JAX999'; a code is two or three capital letters, other than JAX",
        ),
        (GOOD.replace("LAB001", "LAB1"), "has the code 'LAB1'"),
        (GOOD.replace("clock-in-step", "Clock"), "has the name 'Clock'; a name is two or more words"),
        (
            GOOD.replace("clock-in-step", "branch-on-tracer"),
            "`house` has a rule called `branch-on-tracer`, which another rule",
        ),
        (
            GOOD.replace("(hazards.HostClockOrIoInTracedCode,)", "('hostio',)"),
            "has the hazards ('hostio',); name one or more classes of `jaxlint.plugins.hazards`",
        ),
        (GOOD.replace("Category.WRONG", "'wrong!'"), "has the category 'wrong!'"),
        (
            GOOD.replace("def check(hazard: hazards.HostClockOrIoInTracedCode, file: File)", "def check(file: File)"),
            "`broken.check` cannot be called with",
        ),
        (GOOD.replace("def check(", "def verify("), "`broken` has no function `check(hazard, file)`"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_named_with_what_is_wrong(house, tmp_path, text, message):
    (house.code / "broken.py").write_text(text)
    said = problem(house, tmp_path, "house")
    assert said.startswith(f"{tmp_path / 'pyproject.toml'}:5:1: `plugins` in [tool.jaxlint]: ") and message in said


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "unheard-of",
            "no installed distribution declares the plugin `unheard-of`; install one that has it as an entry point of the group `jaxlint.plugins`",
        ),
        ("broken", "no installed distribution declares the plugin `broken`"),  # a module, and no entry point
        ("nowhere", "there is no module `nowhere`; install it into jaxlint's environment"),
        ("attribute", "house declares the plugin `attribute` as 'broken:RULE', which is not a module"),
    ],
)
def test_a_plugin_that_is_not_installed(house, tmp_path, name, message):
    said = problem(house, tmp_path, name)
    assert said.startswith(f"{tmp_path / 'pyproject.toml'}:5:1: `plugins` in [tool.jaxlint]: ") and message in said


def problem(house, folder, name):
    """What is wrong with a configuration that names a plugin; its other settings hold."""
    (folder / "pyproject.toml").write_text(
        f'[project]\nname = "x"\n[tool.jaxlint]\npreview = true\nplugins = ["{name}"]\nextend-select = ["LAB001"]\nper-file-ignores = {{"a.py" = ["clock-in-step"]}}\n'
    )
    code = (
        "from jaxlint.configuration.config import Configs\nconfigs = Configs()\nconfig = configs.for_file('a.py')\nprint(*configs.problems, sep='\\n')\n"
        "print(config.preview, config.plugins, config.extend_select, 'LAB001' in config.codes_for('a.py'))"
    )
    ran = house.environment.run("-c", code, folder=folder)
    said, settings = ran.stdout.splitlines() or ("", ran.stderr)
    assert settings == "True () ('LAB001',) False", ran.stderr
    return said


def test_a_rule_that_fails_ends_neither_the_run_nor_other_rules(house, tmp_path):
    (house.code / "broken.py").write_text(
        GOOD.replace("    if hazard.api", "    raise ValueError('no')\n    if hazard.api")
    )
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["house"]\n')
    (tmp_path / "step.py").write_text(STEP)
    ran = house.environment.run("-m", "jaxlint", "--no-cache", "--output-format", "concise", folder=tmp_path)
    assert ran.returncode == 2
    assert "JAX902 internal-error: Internal error in clock-in-step: ValueError: no" in ran.stdout
    assert "please report this bug in a plugin" in ran.stdout
    assert "step.py:8:13: JAX3" in ran.stdout


def test_two_distributions_that_declare_one_plugin(tmp_path):
    environment = Environment(tmp_path / "environment")
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        project(tmp_path / name, name, {f"{name}_rules.py": GOOD}, {"rules": f"{name}_rules"})
    environment.install(tmp_path / "first", tmp_path / "second")
    ran = environment.run("-m", "jaxlint", "rules", "--plugins", "rules", folder=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--plugins: first and second both declare the plugin `rules`; uninstall all but one" in ran.stderr


# --- what the user says ----------------------------------------------------------------------


def test_the_command_line_names_plugins(environment, tmp_path):
    """By their entry points and by their modules; in the place of those that files name."""
    (tmp_path / "step.py").write_text(STEP)
    check = ("-m", "jaxlint", "check", "--no-cache", "--output-format", "concise", "--select", "LAB")
    for name in ("lab_rules", "lab_rules.clock_in_step"):
        assert concise(environment.run(*check, "--plugins", name, folder=tmp_path)) == [["step.py:8:13:", "LAB001"]]
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["unheard_of"]\n')
    assert concise(environment.run(*check, "--plugins", "lab_rules", folder=tmp_path)) == [["step.py:8:13:", "LAB001"]]
    ran = environment.run(*check, "--plugins", "unheard_of", folder=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "") and "--plugins: there is no module `unheard_of`" in ran.stderr
    ran = environment.run(*check, "--plugins", "lab_rules", "--no-plugins", folder=tmp_path)
    assert ran.returncode == 2 and "not allowed with" in ran.stderr


def test_no_plugins_and_isolated(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[tool.jaxlint]\nplugins = ["lab_rules"]\nextend-select = ["LAB002"]\nignore = ["JAX307"]\n'
    )
    check = ("check", "--output-format", "concise")
    assert [code for _, code in concise(run(*check))] == ["LAB001", "LAB002"]
    ran = run(*check, "--no-plugins")
    assert (ran.returncode, concise(ran)) == (0, [])
    assert concise(run(*check, "--isolated")) == [["step.py:8:13:", "JAX307"]]
    assert concise(run(*check, "--isolated", "--plugins", "lab_rules")) == [
        ["step.py:8:13:", "JAX307"],
        ["step.py:8:13:", "LAB001"],
    ]
    assert "LAB001" not in run("rules", "--no-plugins").stdout and "LAB001" in run("rules").stdout
    assert run("explain", "LAB001", "--no-plugins").returncode == 2
    assert "plugins = []  # command line" in run("config", "--no-plugins").stdout
    assert "ignore = []  # default" in run("config", "--isolated").stdout
    assert run("baseline", "--no-plugins").stdout.startswith("0 findings")
    assert run("baseline", "--isolated", "--output", "b").stdout.startswith("1 finding ")


def test_isolated_holds_for_what_a_report_is_drawn_with(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\ntraced-decorators = {"lab.compile" = "jax.jit"}\n')
    (tmp_path / "step.py").write_text(
        "import jax\nimport lab\njax.tree_map(abs, [1])\n@lab.compile\ndef f(y):\n    return y\n"
    )
    html = ("check", "--output-format", "html")
    assert '<i title="undecided' in run(*html).stdout
    assert '<i title="undecided' not in run(*html, "--isolated").stdout
    assert '"value": "undecided"' in run("reveal", "step.py", "--output-format", "json").stdout
    assert '"value": "undecided"' not in run("reveal", "step.py", "--output-format", "json", "--isolated").stdout
