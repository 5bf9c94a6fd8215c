"""Shell completion: the script is read by the real shell, and asked to complete."""

import os
import shutil
import subprocess

import pytest

from jaxlint.cli import COMMANDS
from jaxlint.commands.completion import SHELLS, script

bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def completed(folder, *words):
    """What bash offers for the last of the words."""
    listed = " ".join(f"'{word}'" for word in ("jaxlint", *words))
    asked = (
        f"{script('bash', COMMANDS)}\nCOMP_WORDS=({listed}); COMP_CWORD={len(words)}; _jaxlint\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    ran = subprocess.run(["bash", "--norc", "-c", asked], cwd=folder, capture_output=True, text=True)
    assert ran.stderr == ""
    return set(ran.stdout.split())


@bash
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ex",), {"explain"}),
        (("check", "--output-f"), {"--output-format", "--output-file"}),
        (("--target",), {"--target-jax"}),
        (("check", "--output-format", "s"), {"sarif"}),
        (("src", "--output-format", "gi"), {"github", "gitlab"}),
        (("config", "--s"), {"--schema"}),
        (("completion", "f"), {"fish"}),
        (("hel",), {"help"}),
        (("help", "ex"), {"explain"}),
        (("check", "--qu"), {"--quiet"}),
        (("check", "mod"), {"model.py"}),
    ],
)
def test_bash_completes(tmp_path, words, offered):
    (tmp_path / "model.py").write_text("")
    assert completed(tmp_path, *words) == offered


@bash
def test_bash_offers_every_command(tmp_path):
    assert completed(tmp_path, "") == {*COMMANDS, "help", "--help", "--version"} | {
        word for word in completed(tmp_path, "check", "") if word.startswith("-")
    }


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_are_valid_for_their_shell(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(script(shell, COMMANDS))
    ran = subprocess.run([shell, "-n", str(tmp_path / "script")], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_fish_has_a_line_for_each_option():
    text = script("fish", COMMANDS)
    assert "complete -c jaxlint -n '__fish_seen_subcommand_from config' -l schema" in text
    assert "-l output-format -x -a 'full concise" in text
    assert all(f"-a {name} " in text for name in COMMANDS)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("jaxlint exp", {"explain"}),
        ("jaxlint check --output-f", {"--output-format", "--output-file"}),
        ("jaxlint check --output-format s", {"sarif"}),
        ("jaxlint completion f", {"fish"}),
    ],
)
def test_fish_completes(tmp_path, line, offered):
    (tmp_path / "jaxlint.fish").write_text(script("fish", COMMANDS))
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    asked = ["fish", "--no-config", "-c", f"source jaxlint.fish; complete -C '{line}'"]
    ran = subprocess.run(asked, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert {found.partition("\t")[0] for found in ran.stdout.splitlines()} == offered, ran.stderr
