"""No configuration brings code: a plugin is imported from an installed distribution alone, at every entrance."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from environments import BUILD, Environment, project

TRAP = "import os\nopen(os.environ['RAN'], 'a').write(f'{__name__} of {__file__}\\n')\n"
BRANCH = "import jax\nimport time\n\n\n@jax.jit\ndef f(x):\n    time.time()\n    if x.sum() > 2:\n        return x\n    return -x\n"
NESTED = "only the file that governs the working directory may name plugins"
RULE = """\
from jaxlint.plugins import Category, Finding, Rule, hazards
from house_words import WORD
RULE = Rule(code="HSE001", name="house-clock", summary="s", category=Category.WRONG, hazards=(hazards.HostClockOrIoInTracedCode,))
def check(hazard, file):
    import house_later
    yield Finding(hazard.site, f"{WORD} and {house_later.WORD}")
"""
HOUSE = {"house/__init__.py": "", "house/rules/__init__.py": "", "house/rules/clock.py": RULE,
         "house_words.py": 'WORD = "early"\n', "house_later.py": 'WORD = "late"\n'}  # fmt: skip
FOUND = "HSE001 house-clock: early and late"
# What a person or a program calls, with the findings of `model.py` if it prints any.
CHECK = ("-m", "jaxlint", "check", "--no-cache", "--jobs", "1", "--output-format", "concise")
ENTRANCES = {
    "check": (*CHECK, "."),
    "check with an option": (*CHECK, "--extend-select", "JAX103", "."),
    "flake8": ("-m", "flake8", "--isolated", "--select", "JAX,HSE", "."),
    "baseline": ("-m", "jaxlint", "baseline", "--no-cache"),
    "config": ("-m", "jaxlint", "config", "sub/model.py"),
    "rules": ("-m", "jaxlint", "rules"),
    "explain": ("-m", "jaxlint", "explain", "JAX103"),
    "explain -": ("-m", "jaxlint", "explain", "-"),
    "reveal": ("-m", "jaxlint", "reveal", "sub/model.py"),
    "init": ("-m", "jaxlint", "init", "--diff", "sub"),
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """An environment with the distribution `house-rules`, whose module is `house.rules.clock`."""
    made = Environment(tmp_path_factory.mktemp("environment"))
    made.install(project(tmp_path_factory.mktemp("source"), "house-rules", HOUSE, {"house": "house.rules.clock"}))
    return made


@pytest.fixture
def tree(tmp_path):
    """A checkout of somebody else's, with a file in a folder."""
    folder = tmp_path / "tree"
    for name in ("model.py", "sub/model.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(BRANCH)
    return folder


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def enter(environment, tree, words, **variables):
    """Run a command in the tree with a traceback as its input, that leads to the file in the folder; nothing of the tree may run."""
    ran = tree.parent / "ran"
    traceback = (
        f'Traceback (most recent call last):\n  File "{tree / "sub" / "model.py"}", line 8, in f\n    if x.sum() > 2:\n'
        "jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].\n"
    )
    done = environment.run(*words, folder=tree, input=traceback, variables={"RAN": str(ran), **variables})
    assert not ran.exists(), ran.read_text()
    assert "Traceback" not in done.stderr, done.stderr
    return done


def metadata(folder, name, module, kind="dist-info", editable=None):
    """What makes a folder look like an installed distribution that declares a plugin."""
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.9\n",
        "entry_points.txt": f"[jaxlint.plugins]\n{name} = {module}\n",
    }
    if kind == "egg-info":
        files = {
            "PKG-INFO": files["METADATA"],
            "entry_points.txt": files["entry_points.txt"],
            "SOURCES.txt": f"{module}.py\n",
        }
    else:
        files["RECORD"] = f"{module.replace('.', '/')}.py,,\n{name}-9.9.dist-info/METADATA,,\n"
    if editable is not None:
        files["direct_url.json"] = json.dumps({"url": editable.as_uri(), "dir_info": {"editable": True}})
    write(folder / f"{name}-9.9.{kind}", files)


# --- a module in the tree --------------------------------------------------------------------


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("where", ["", "sub"])
def test_a_module_beside_the_configuration_is_not_imported(environment, tree, where, entrance):
    write(tree / where, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["evil"]\n', "evil.py": TRAP})
    done = enter(environment, tree, ENTRANCES[entrance])
    said = done.stdout + done.stderr
    if entrance in ("check", "check with an option", "flake8"):
        assert "JAX103" in said, "linting goes on"
        assert "pyproject.toml:2:" in said and "JAX903" in said
        assert ("the plugin `evil`" if where == "" else NESTED) in said
        assert done.returncode == (1 if entrance == "flake8" else 2)
    if entrance == "config":
        assert ("the plugin `evil`" if where == "" else NESTED) in said


@pytest.mark.parametrize(
    ("entrance", "kind", "path"),
    [
        *(("check", "dist-info", path) for path in (".", "", "{tree}", "{tree}/sub/..", "{link}", "{tree}/lib")),
        *((entrance, "editable", ".") for entrance in ("check", "flake8", "rules")),
        ("flake8", "egg-info", ""),
    ],
)
def test_metadata_in_the_tree_installs_nothing(environment, tree, entrance, kind, path):
    """The tree is on ``sys.path``: ``python -m`` puts it there, and PYTHONPATH may."""
    (tree.parent / "link").symlink_to(tree)
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["evil"]\n'})
    for folder in (tree, tree / "lib"):
        write(folder, {"evil.py": TRAP})
        metadata(
            folder,
            "evil",
            "evil",
            "egg-info" if kind == "egg-info" else "dist-info",
            tree if kind == "editable" else None,
        )
    # A variable that ends in a colon has an empty entry, which is the working directory.
    entry = path.format(tree=tree, link=tree.parent / "link")
    variable = f"{tree.parent}{os.pathsep}{entry}" if entry else f"{tree.parent}{os.pathsep}"
    done = enter(environment, tree, ENTRANCES[entrance], PYTHONPATH=variable)
    assert "no installed distribution declares the plugin `evil`" in done.stdout + done.stderr


def test_metadata_in_a_path_that_is_linted_installs_nothing(environment, tree):
    """From elsewhere, with a configuration of one's own that names a plugin which is not installed."""
    home = tree.parent / "home"
    write(home, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["evil"]\n'})
    write(tree, {"evil.py": TRAP})
    metadata(tree, "evil", "evil")
    ran = tree.parent / "ran"
    for path in (tree, tree / "sub", tree / "model.py"):
        (tree / ".git").mkdir(exist_ok=True)
        done = environment.run(*CHECK, str(path), folder=home, variables={"RAN": str(ran), "PYTHONPATH": str(tree)})
        assert not ran.exists(), ran.read_text()
        assert "JAX103" in done.stdout and "no installed distribution declares the plugin `evil`" in done.stdout
        done = environment.run(
            *CHECK,
            str(path),
            "model.py",
            "--plugins",
            "evil",
            folder=home,
            variables={"RAN": str(ran), "PYTHONPATH": str(tree)},
        )
        assert not ran.exists(), ran.read_text()
        assert done.returncode == 2 and "--plugins: there is no module `evil`" in done.stderr


@pytest.mark.parametrize("path", [".", "{tree}", None])
@pytest.mark.parametrize("entrance", ["check", "flake8"])
def test_the_tree_hides_no_module_of_an_installed_plugin(environment, tree, entrance, path):
    """Neither the module, nor its parents, nor what it imports, then or later; the tree claims to be the same distribution, too."""
    write(
        tree,
        {
            "pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n',
            **{name: TRAP + text for name, text in HOUSE.items()},
        },
    )
    metadata(tree, "house", "house.rules.clock")
    metadata(tree, "house-rules", "house.rules.clock")
    variables = {} if path is None else {"PYTHONPATH": path.format(tree=tree)}
    done = enter(environment, tree, ENTRANCES[entrance], **variables)
    assert done.stdout.count(FOUND) == 2, done.stdout + done.stderr


@pytest.mark.parametrize("hidden", ["house", "house.rules.clock"])
def test_a_module_that_is_imported_already_is_not_taken_for_the_plugin(environment, tree, hidden):
    """By a program that calls jaxlint, say: what it has imported it has imported, and no rule is taken from it."""
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n', **HOUSE})
    write(tree, {"house/rules/clock.py": RULE.replace("HSE001", "EVL001")})
    code = f"import sys\nsys.path.insert(0, '')\nimport {hidden}\nfrom jaxlint.cli import main\nmain({list(CHECK[2:])})"
    done = environment.run("-c", code, folder=tree)
    assert "EVL001" not in done.stdout and "is hidden by" in done.stdout and "JAX103" in done.stdout, done.stderr


def test_what_the_user_names_is_not_imported_from_the_tree(environment, tree):
    write(
        tree,
        {
            "evil.py": TRAP,
            "sub/pyproject.toml": '[tool.jaxlint]\nplugins = ["evil"]\n',
            **{name: TRAP + text for name, text in HOUSE.items()},
        },
    )
    metadata(tree, "evil", "evil")
    done = enter(environment, tree, (*CHECK, "--plugins", "evil"), PYTHONPATH=".")
    assert done.returncode == 2 and "--plugins: there is no module `evil`" in done.stderr
    for name in ("house", "house.rules.clock"):
        done = enter(environment, tree, (*CHECK, "--plugins", name), PYTHONPATH=".")
        assert done.stdout.count(FOUND) == 2 and NESTED not in done.stdout, done.stderr


@pytest.mark.parametrize("module", ["evil", "house.rules.evil"])
def test_the_module_is_a_file_of_the_distribution(tmp_path_factory, tree, module):
    """An entry point may name what another distribution has put, or left, in the environment."""
    environment = Environment(tmp_path_factory.mktemp("environment"))
    environment.install(project(tmp_path_factory.mktemp("source"), "house-rules", HOUSE, {"house": module}))
    write(environment.packages, {module.replace(".", "/") + ".py": TRAP})
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n'})
    done = enter(environment, tree, CHECK)
    assert f"`{module}` is {environment.packages}" in done.stdout and "is not a file of house-rules" in done.stdout, (
        done.stdout
    )


def test_rules_of_a_package_are_files_of_the_distribution(environment, tree, tmp_path_factory):
    """A package that is spread over folders (PEP 420) takes no part from the tree."""
    environment = Environment(tmp_path_factory.mktemp("environment"))
    files = {name: text for name, text in HOUSE.items() if not name.endswith("__init__.py")}
    environment.install(project(tmp_path_factory.mktemp("source"), "house-rules", files, {"house": "house.rules"}))
    write(
        tree,
        {
            "pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n',
            "house/rules/more.py": TRAP,
            "house/rules/clock.py": TRAP,
        },
    )
    for path in ("", "."):
        done = enter(environment, tree, ENTRANCES["flake8"], PYTHONPATH=path)
        assert done.stdout.count(FOUND) == 2, done.stdout


def test_a_report_that_is_merged_names_no_code(environment, tree):
    write(tree, {"evil.py": TRAP, "pyproject.toml": "[tool.jaxlint]\n"})
    metadata(tree, "evil", "evil")
    for number in (1, 2):
        done = environment.run(
            *CHECK[:3],
            "--shard",
            f"{number}/2",
            "--output-format",
            "json",
            "--output-file",
            f"{number}.json",
            "--baseline",
            "b.json",
            folder=tree,
        )
        assert done.returncode == 2 and not (tree / f"{number}.json").exists()  # there is no baseline yet
    assert environment.run("-m", "jaxlint", "baseline", "--output", "b.json", folder=tree).returncode == 0
    evil = tree.parent / "evil"
    write(evil, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n'})
    for number in (1, 2):
        environment.run(
            *CHECK[:3],
            "--shard",
            f"{number}/2",
            "--output-format",
            "json",
            "--output-file",
            f"{number}.json",
            "--baseline",
            "b.json",
            folder=tree,
        )
        text = (tree / f"{number}.json").read_text().replace('"plugins": null', '"plugins": ["house.rules.clock"]')
        assert "house.rules.clock" in text
        (tree / f"{number}.json").write_text(text)
    code = "import sys\nfrom jaxlint.cli import main\nmain(sys.argv[1:])\nprint('house.rules.clock' in sys.modules)"
    ran = environment.run("-c", code, "merge", "1.json", "2.json", folder=tree)
    assert ran.stdout.splitlines()[-1] == "False", ran.stdout + ran.stderr


# --- where plugins may come from -------------------------------------------------------------


def test_metadata_is_read_only_when_a_plugin_is_named(environment, tree):
    watch = (
        "import sys\nread = set()\n"
        "sys.addaudithook(lambda event, args: event == 'open' and 'dist-info' in str(args[0]) and read.add(str(args[0])))\n"
        "from jaxlint.cli import main\nmain(sys.argv[1:])\n"
        "print(len(read), *sorted({'importlib.metadata', 'jaxlint.hazards.foreign', 'jaxlint.hazards.installed'} & set(sys.modules)))"
    )
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\nextend-select = ["HSE001"]\n'})
    done = environment.run("-c", watch, *CHECK[2:], folder=tree)
    assert FOUND in done.stdout and int(done.stdout.splitlines()[-1].split()[0]) > 0
    for words, text in (
        (CHECK[2:], "[tool.jaxlint]\nplugins = []\n"),
        ((*CHECK[2:], "--no-plugins"), (tree / "pyproject.toml").read_text()),
    ):
        write(tree, {"pyproject.toml": text})
        done = environment.run("-c", watch, *words, folder=tree)
        assert "JAX103" in done.stdout and done.stdout.splitlines()[-1] == "0", done.stdout


@pytest.mark.parametrize("below", [".venv", "tools/env"])
def test_an_environment_in_the_project_counts(tmp_path_factory, tree, below):
    environment = Environment(tree / below)
    environment.install(
        project(tmp_path_factory.mktemp("source"), "house-rules", HOUSE, {"house": "house.rules.clock"})
    )
    write(
        tree,
        {"pyproject.toml": f'[tool.jaxlint]\nplugins = ["house"]\nexclude = ["{below}/"]\n', "house_words.py": TRAP},
    )
    for entrance in ("check", "flake8"):
        done = enter(environment, tree, [*ENTRANCES[entrance][:-1], "model.py"])
        assert FOUND in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("layout", ["", "src"])
@pytest.mark.parametrize("entrance", ["check", "flake8"])
def test_an_editable_install_counts_and_may_be_what_is_linted(tmp_path_factory, tree, entrance, layout):
    environment = Environment(tmp_path_factory.mktemp("environment"))
    code = tree / layout
    if layout:
        files = {f"{layout}/{name}": text for name, text in HOUSE.items()}
        project(
            tree,
            "house-rules",
            files,
            {"house": "house.rules.clock"},
            more='[tool.hatch.build.targets.wheel.sources]\n"src" = ""\n',
        )
        write(tree, dict.fromkeys(HOUSE, TRAP))  # beside the folder that is installed
    else:
        project(tree, "house-rules", HOUSE, {"house": "house.rules.clock"})
    text = (tree / "pyproject.toml").read_text()
    environment.install("-e", tree)
    assert not list(environment.packages.glob("house*/*.py")) and (code / "house_words.py").is_file()
    write(tree, {"pyproject.toml": text + '[tool.jaxlint]\nplugins = ["house"]\n'})
    done = enter(environment, tree, [*ENTRANCES[entrance][:-1], "model.py"])
    assert FOUND in done.stdout, done.stdout + done.stderr
    elsewhere = tree.parent / "elsewhere"
    write(elsewhere, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n', "model.py": BRANCH})
    assert FOUND in environment.run(*[*ENTRANCES[entrance][:-1], "model.py"], folder=elsewhere).stdout


@pytest.mark.parametrize("entrance", ["check", "flake8"])
def test_an_editable_install_of_what_is_linted_gives_a_plugin_nothing(tmp_path_factory, tree, entrance):
    """The project is installed for its own developers, and a change to it adds what a plugin can do without."""
    environment = Environment(tmp_path_factory.mktemp("environment"))
    optional = "try:\n    import house_extra\nexcept ImportError:\n    pass\n"
    files = {
        **HOUSE,
        "house_words.py": optional + HOUSE["house_words.py"],
        "house_later.py": optional + HOUSE["house_later.py"],
    }
    environment.install(
        project(tmp_path_factory.mktemp("source"), "house-rules", files, {"house": "house.rules.clock"})
    )
    project(tree, "lab", {"model.py": BRANCH}, {})
    write(tree, {"house_extra.py": TRAP})
    environment.install("-e", tree)
    assert (
        environment.run("-c", "import house_extra", folder=tree.parent, variables={"RAN": os.devnull}).returncode == 0
    )
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n'})
    assert enter(environment, tree, ENTRANCES[entrance]).stdout.count(FOUND) == 2


def test_a_folder_that_the_user_has_put_on_the_path_counts_outside_the_project(environment, tree):
    """As modules of computing centres are."""
    shelf = tree.parent / "shelf"
    pip = [environment.python, "-m", "pip", "install", "-q", "--no-deps", *BUILD, "--target", shelf]
    source = tree.parent / "source"
    source.mkdir()
    other = {
        name.replace("house", "other"): text.replace("HSE", "OTH").replace("house", "other")
        for name, text in HOUSE.items()
    }
    subprocess.run([*pip, project(source, "other-rules", other, {"other": "other.rules.clock"})], check=True)
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["other"]\n'})
    done = enter(environment, tree, CHECK, PYTHONPATH=str(shelf))
    assert "OTH001 other-clock: early and late" in done.stdout, done.stdout
    assert "no installed distribution declares the plugin `other`" in enter(environment, tree, CHECK).stdout


def test_workers_load_what_the_parent_has_loaded(environment, tree):
    """A configuration that is sent to another process: what is refused here is not loaded there."""
    write(
        tree,
        {
            "pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n',
            "sub/pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n',
        },
    )
    send = (
        "import pickle, sys\nfrom jaxlint.configuration.config import Configs\nconfigs = Configs()\n"
        "open(sys.argv[1], 'wb').write(pickle.dumps([configs.for_folder('.'), configs.for_folder('sub')][int(sys.argv[2])]))"
    )
    receive = (
        "import os, pickle, sys\nwith open(sys.argv[1], 'rb') as file:\n    config = pickle.load(file)\n"
        "print(config.plugins, 'HSE001' in config.codes, 'house.rules.clock' in sys.modules)"
    )
    sent = str(tree.parent / "sent")
    for number, expected in enumerate(("('house',) True True", "() False False")):
        assert environment.run("-c", send, sent, str(number), folder=tree).returncode == 0
        assert environment.run("-c", receive, sent, folder=tree).stdout.strip() == expected
    # The worker has the module in its working directory and not the distribution.
    environment.run("-c", send, sent, "0", folder=tree)
    write(tree, {name: TRAP + text for name, text in HOUSE.items()})
    metadata(tree, "house", "house.rules.clock")
    ran = tree.parent / "ran"
    done = subprocess.run(
        [sys.executable, "-c", receive, sent],
        cwd=tree,
        env={**os.environ, "RAN": str(ran)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "no installed distribution declares the plugin `house`" in done.stderr, done.stderr
    assert not ran.exists()


# --- which file may name plugins -------------------------------------------------------------


def test_of_nested_configurations_none_names_a_plugin(environment, tree):
    """Not even one that is installed; its other settings count, those that mean rules of the plugin too."""
    write(
        tree,
        {
            "sub/pyproject.toml": '[tool.jaxlint]\nignore = ["JAX103", "house-clock"]\nextend-select = ["HSE001", "JAX316"]\nplugins = ["house"]\n'
        },
    )
    done = enter(environment, tree, CHECK)
    assert "sub/pyproject.toml:4:1: JAX903 invalid-configuration: `plugins` in [tool.jaxlint]: " + NESTED in done.stdout
    assert "model.py:8:8: JAX103" in done.stdout and "sub/model.py:8:8: JAX103" not in done.stdout
    assert done.returncode == 2 and "HSE001" not in done.stdout and done.stdout.count("JAX903") == 1
    below = environment.run(*CHECK, folder=tree / "sub")
    assert "JAX903" not in below.stdout and "house-clock" not in below.stdout
    assert FOUND in environment.run(*CHECK, "--select", "HSE", folder=tree / "sub").stdout


def test_the_configuration_above_the_working_directory_may(environment, tree):
    write(
        tree,
        {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n', "sub/pyproject.toml": '[project]\nname = "x"\n'},
    )
    assert FOUND in environment.run(*CHECK, folder=tree / "sub").stdout
    write(tree, {"sub/pyproject.toml": "[tool.jaxlint]\n"})
    done = environment.run(*CHECK, "..", folder=tree / "sub")
    assert NESTED in done.stdout and "HSE001" not in done.stdout, "another file governs the working directory"


def test_a_file_above_that_governs_nothing_is_not_judged(environment, tree):
    """A package of a repository has a table of its own, and is linted from its own folder."""
    write(
        tree,
        {
            "pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n',
            "sub/pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n',
        },
    )
    for paths in ((), (".",), (str(tree / "sub"),), ("model.py",)):
        done = environment.run(*CHECK, *paths, folder=tree / "sub")
        assert FOUND in done.stdout and "JAX903" not in done.stdout, done.stdout


def test_explain_loads_no_plugin_for_a_traceback(environment, tree):
    """Not even that of the working directory, as the text leads where it will."""
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\nselect = ["HSE001"]\n', "house_words.py": ""})
    code = "import sys\nfrom jaxlint.cli import main\nmain(sys.argv[1:])\nprint('house.rules.clock' in sys.modules)"
    for words, loaded in (
        (("explain", "-"), "False"),
        (("explain", "HSE001"), "True"),
        (("explain", "-", "--plugins", "house"), "True"),
    ):
        done = enter(environment, tree, ("-c", code, *words))
        assert done.stdout.splitlines()[-1] == loaded, done.stderr
    done = enter(environment, tree, ("-m", "jaxlint", "explain", "-"))
    assert done.returncode == 0 and "JAX103" in done.stdout and done.stderr == ""


# --- the language server ---------------------------------------------------------------------


class Client:
    """A client of the protocol that opens a file and says what it is told about it."""

    def __init__(self, environment, folder, workspace, options, variables):
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.run = subprocess.Popen(
            [str(environment.python), "-m", "jaxlint", "server", *options], cwd=folder, env={**kept, **variables},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.workspace, self.messages = workspace, []

    def send(self, method, request=None, **params):
        body = json.dumps(
            {"jsonrpc": "2.0", "method": method, "params": params, **({} if request is None else {"id": request})}
        )
        self._write(body)

    def _write(self, body):
        self.run.stdin.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
        self.run.stdin.flush()

    def receive(self, settings):
        """The next message; a question for settings is answered."""
        length = 0
        while line := self.run.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server has ended"
        message = json.loads(self.run.stdout.read(length))
        if message.get("method") == "workspace/configuration":
            self._write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": [settings]}))
        if message.get("method") == "window/showMessage":
            self.messages.append(message["params"]["message"])
        return message

    def codes(self, file, settings=None, initial=None):
        """Codes of what is found in a file that is opened."""
        capabilities = {} if settings is None else {"workspace": {"configuration": True}}
        self.send(
            "initialize",
            1,
            processId=None,
            rootUri=self.workspace.as_uri(),
            capabilities=capabilities,
            initializationOptions=initial,
        )
        while "result" not in self.receive(settings):
            pass
        self.send("initialized")
        self.send(
            "textDocument/didOpen",
            textDocument={"uri": file.as_uri(), "languageId": "python", "version": 1, "text": file.read_text()},
        )
        while True:
            message = self.receive(settings)
            if message.get("method") == "textDocument/publishDiagnostics":
                return sorted({each["code"] for each in message["params"]["diagnostics"]})


@pytest.fixture
def opened(environment, tree):
    """Opens a file in a server that was started in the folder of the tree, or elsewhere."""
    begun = []

    def opened(file="model.py", settings=None, initial=None, folder=tree, options=()):
        client = Client(environment, folder, tree, options, {"RAN": str(tree.parent / "ran")})
        begun.append(client)
        codes = client.codes(tree / file, settings, initial)
        assert not (tree.parent / "ran").exists(), (tree.parent / "ran").read_text()
        return codes, client.messages

    yield opened
    for client in begun:
        client.run.kill()
        client.run.communicate()


@pytest.mark.parametrize("settings", [{}, {"plugins": True}], ids=["unset", "set"])
@pytest.mark.parametrize("where", ["", "sub"])
def test_the_server_runs_nothing_of_the_tree(opened, tree, where, settings):
    write(
        tree / where,
        {"pyproject.toml": '[tool.jaxlint]\nplugins = ["evil", "house"]\n', "evil.py": TRAP, "house_words.py": TRAP},
    )
    metadata(tree / where, "evil", "evil")
    codes, messages = opened("sub/model.py", settings)
    assert "JAX103" in codes and ("HSE001" in codes) == (where == "" and bool(settings))
    wrong = "the plugin `evil`" if where == "" else NESTED
    assert (messages == []) if not settings else any(wrong in message for message in messages), messages


@pytest.mark.parametrize(
    ("given", "loads"),
    [
        ({}, False),
        ({"settings": {"plugins": True}}, True),
        ({"settings": {"plugins": "yes"}}, False),
        ({"settings": {}, "initial": {"plugins": True}}, True),
        ({"settings": {"plugins": False}, "initial": {"plugins": True}}, False),
        ({"initial": {"jaxlint": {"plugins": True}}}, True),
        ({"settings": {"plugins": True}, "options": ["--no-plugins"]}, False),
        ({"settings": {"plugins": True}, "options": ["--isolated"]}, False),
        ({"options": ["--plugins", "house"]}, True),
    ],
)
def test_the_server_loads_plugins_when_the_client_says_so(opened, tree, given, loads):
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\nextend-select = ["HSE001"]\n'})
    codes, messages = opened(**given)
    assert ("HSE001" in codes, "JAX103" in codes, messages) == (loads, True, [])


def test_the_folder_of_the_workspace_stands_for_the_working_directory(opened, tree):
    write(tree, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n'})
    codes, messages = opened(settings={"plugins": True}, folder=tree.parent)
    assert "HSE001" in codes and messages == []
    elsewhere = tree.parent / "elsewhere" / "model.py"
    write(elsewhere.parent, {"pyproject.toml": '[tool.jaxlint]\nplugins = ["house"]\n', "model.py": BRANCH})
    codes, messages = opened(
        Path(os.path.relpath(elsewhere, tree)), settings={"plugins": True}, folder=elsewhere.parent
    )
    assert "HSE001" not in codes and any(NESTED in message for message in messages)


# --- options ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["check", "baseline", "explain", "rules", "init", "config", "merge", "reveal", "server"]
)
def test_every_command_that_a_configuration_counts_for_can_do_without(environment, command):
    import argparse
    import importlib

    from jaxlint.cli import COMMANDS
    from jaxlint.commands.completion import script

    parser = argparse.ArgumentParser()
    importlib.import_module(COMMANDS[command][0]).add_arguments(parser)
    assert {"--isolated", "--plugins", "--no-plugins"} <= set(parser._option_string_actions)
    [line] = [line for line in script("bash", COMMANDS).splitlines() if line.strip().startswith(f"{command}) words=")]
    assert {"--isolated", "--plugins", "--no-plugins"} <= set(line.replace('"', " ").split())
