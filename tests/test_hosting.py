"""The GitHub action and the GitLab job: right by their schemas, and their shell steps run as they stand."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
OLD = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
NEW = OLD + "\n\n@jax.jit\ndef g(x):\n    return float(x)\n"


def checked(schema, path):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    return subprocess.run(command, capture_output=True, text=True)


def documented(heading):
    """The YAML below a heading of the page on pull requests."""
    section = (ROOT / "docs" / "pull-requests.md").read_text().split(f"## {heading}\n")[1]
    return re.search(r"```yaml\n(.*?)```", section, re.DOTALL)[1]


WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"


def test_the_release_workflow_publishes_tags_alone_and_needs_no_password():
    done = checked("vendor.github-workflows", WORKFLOW)
    assert done.returncode == 0, done.stdout + done.stderr
    text = WORKFLOW.read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    publish = jobs["publish"]
    assert publish["permissions"] == {"id-token": "write"} and publish["if"] == "github.ref_type == 'tag'"
    assert "secrets" not in text and publish["environment"] == "pypi" and jobs["publish"]["needs"] == "test"
    declared = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text())
    assert jobs["test"]["strategy"]["matrix"]["python"] == declared and declared[-1] == "3.14"


@pytest.mark.skipif(sys.platform == "win32", reason="the steps are for a POSIX shell")
def test_the_release_workflow_checks_the_tag_and_the_wheel():
    steps = {
        step.get("name"): step["run"]
        for job in yaml.safe_load(WORKFLOW.read_text())["jobs"].values()
        for step in job["steps"]
        if "run" in step
    }
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (tag,) = set(re.findall(r"rev: (\S+)", readme))
    for name, code in ((tag, 0), ("v99.0", 1)):
        environment = {
            **os.environ,
            "GITHUB_REF_NAME": name,
            "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"],
        }
        command = ["bash", "-e", "-o", "pipefail", "-c", steps["The tag is the version"]]
        assert subprocess.run(command, cwd=ROOT, env=environment).returncode == code
    command = ["bash", "-e", "-o", "pipefail", "-c", steps["The wheel finds what the README shows"]]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_action_and_jobs_are_right_by_their_schemas(tmp_path):
    (tmp_path / "gitlab.yml").write_text(documented("GitLab"))
    (tmp_path / "workflow.yml").write_text(documented("GitHub"))
    for schema, path in (
        ("vendor.github-actions", ROOT / "action.yml"),
        ("vendor.github-workflows", tmp_path / "workflow.yml"),
        ("vendor.gitlab-ci", tmp_path / "gitlab.yml"),
    ):
        run = checked(schema, path)
        assert run.returncode == 0, run.stdout + run.stderr


def test_every_input_is_documented_and_used():
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    page = (ROOT / "docs" / "pull-requests.md").read_text()
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (?:`([^`]*)`)? ?\|", page, re.MULTILINE))
    assert rows == {name: given["default"] for name, given in action["inputs"].items()}
    steps = json.dumps(action["runs"])
    assert all(f"inputs.{name}" in steps for name in action["inputs"])


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """What a checkout of the project holds that an installation needs."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("jaxlint", "fixtures"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def git(folder, *arguments):
    identity = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
        **identity,
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    return subprocess.run(["git", *arguments], cwd=folder, env=env, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "model.py").write_text(OLD)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "old")
    base = git(folder, "rev-parse", "HEAD").strip()
    (folder / "model.py").write_text(NEW)
    git(folder, "commit", "-qam", "new")
    return folder, base


@pytest.fixture(scope="module")
def runner(tmp_path_factory, shipped):
    """RUNNER_TEMP of a machine on which the step that installs has run."""
    temp = tmp_path_factory.mktemp("runner")
    install = step("Install jaxlint")
    env = {**os.environ, "RUNNER_TEMP": str(temp), "PYTHON": sys.executable, "CHECKOUT": str(shipped)}
    env.pop("PYTHONPATH", None)
    assert set(install["env"]) <= set(env)
    subprocess.run(["bash", "-e", "-o", "pipefail", "-c", install["run"]], env=env, check=True)
    return temp


def step(name):
    (found,) = [
        each for each in yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"] if each.get("name") == name
    ]
    return found


def check(runner, folder, **given):
    """Run the step that checks; returns the exit code, what it prints, and its outputs."""
    check = step("Check")
    inputs = {
        name: each["default"] for name, each in yaml.safe_load((ROOT / "action.yml").read_text())["inputs"].items()
    }
    values = {
        name: inputs.get(re.sub(r".*inputs\.([\w-]+).*", r"\1", value), "") for name, value in check["env"].items()
    }
    output = runner / "output"
    output.write_text("")
    env = {**os.environ, **values, **given, "RUNNER_TEMP": str(runner), "GITHUB_OUTPUT": str(output)}
    env.pop("PYTHONPATH", None)
    run = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", check["run"]], cwd=folder, env=env, capture_output=True, text=True
    )
    return run, dict(line.split("=", 1) for line in output.read_text().splitlines())


def test_the_action_reports_what_is_new(runner, project):
    folder, base = project
    run, outputs = check(runner, folder, BASE=base)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "file=model.py,line=13" in run.stdout and "line=6," not in run.stdout
    (sarif,) = json.loads(Path(outputs["sarif"]).read_text())["runs"]
    assert [result["ruleId"] for result in sarif["results"]] == ["JAX102"]


def test_the_action_reports_everything_on_a_push(runner, project):
    folder, _ = project
    run, outputs = check(runner, folder, ANNOTATE="false", ARGUMENTS="--ignore JAX102")
    assert run.returncode == 1 and "::error" not in run.stdout and "JAX103" in run.stdout
    (sarif,) = json.loads(Path(outputs["sarif"]).read_text())["runs"]
    assert [result["ruleId"] for result in sarif["results"]] == ["JAX103"]
    (folder / "model.py").write_text("import jax\n")
    assert check(runner, folder)[0].returncode == 0


def test_the_gitlab_job_writes_its_report(runner, shipped, project):
    folder, _ = project
    job = yaml.safe_load(documented("GitLab"))["jaxlint"]
    env = {
        **os.environ,
        **job["variables"],
        "JAXLINT": str(shipped),
        "PATH": f"{runner / 'jaxlint' / 'bin'}:{os.environ['PATH']}",
    }
    env.pop("PYTHONPATH", None)
    run = subprocess.run(
        ["bash", "-e", "-c", "\n".join(job["script"])], cwd=folder, env=env, capture_output=True, text=True
    )
    assert run.returncode == 1, run.stdout + run.stderr
    report = json.loads((folder / job["artifacts"]["reports"]["codequality"]).read_text())
    assert sorted((issue["check_name"], issue["location"]["lines"]["begin"]) for issue in report) == [
        ("branch-on-tracer", 6), ("python-cast-on-tracer", 13),
    ]  # fmt: skip
