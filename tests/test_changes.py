"""`check --diff-base REV` in real Git repositories: what is new since the revision is reported, and nothing else."""

import os
import subprocess

import pytest
from test_cli import BRANCH, CLEAN, findings, jaxlint, project  # noqa: F401  (fixtures)

PLAIN = BRANCH.replace("@jax.jit\n", "")  # nothing is wrong with it
TWO = BRANCH + BRANCH.replace("import jax\n", "").replace("def f", "def g")  # JAX103 at 6 and 13
IDENTITY = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@pytest.fixture
def git(project, monkeypatch):  # noqa: F811
    """Runs Git in the project, which is a repository, with nothing of the user's configuration."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in {**IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)

    def run(*arguments):
        return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout.strip()

    run("init", "-q", "-b", "main")
    (project / ".gitignore").write_text(".jaxlint_cache/\n")
    return run


@pytest.fixture
def commit(git, project):  # noqa: F811
    """Writes files, None for those to remove, and commits all there is."""

    def make(**files):
        for name, text in files.items():
            write(project, name, text)
        git("add", "-A")
        git("commit", "-q", "--allow-empty", "-m", "a commit")

    return make


def write(folder, name, text):
    path = folder / f"{name}.py"
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.fixture
def new(jaxlint):  # noqa: F811
    """File and row of each finding that is new since a revision."""

    def run(revision="main", *arguments):
        code, out, err = jaxlint("check", "--diff-base", revision, "--output-format", "json", *arguments)
        assert err == ""
        places = [(name, row) for name, _, row, _ in findings(out)]
        assert code == (1 if places else 0)
        return places

    return run


def test_only_changed_lines_count(project, commit, new):  # noqa: F811
    commit(a=TWO, b=BRANCH)
    assert new("HEAD") == []
    write(project, "a", TWO.replace("> 2", "> 3", 1))
    assert new("HEAD") == [("a.py", 6)]


def test_moved_lines_are_old(project, commit, new):  # noqa: F811
    commit(a=TWO)
    write(project, "a", "# one\n# two\n" + TWO.replace("def g", "\n\ndef g"))
    assert new("HEAD") == []


def test_a_changed_reason_makes_the_finding_new(project, commit, new):  # noqa: F811
    commit(a=PLAIN + TWO.replace("import jax\n", "").replace("def f", "def h"))
    write(project, "a", BRANCH + TWO.replace("import jax\n", "").replace("def f", "def h"))
    assert new("HEAD") == [("a.py", 6)]


def test_a_reason_in_another_file_counts(project, commit, new):  # noqa: F811
    helper = "def positive(x):\n    if x > 0:\n        return x\n    return -x\n"
    caller = "import jax\nfrom helper import positive\n\n\n@jax.jit\ndef f(x):\n    return positive(x)\n"
    commit(helper=helper, caller=caller.replace("@jax.jit\n", ""))
    write(project, "caller", caller)
    assert new("HEAD") == [("helper.py", 2)]


def test_any_line_of_a_long_expression_counts_but_not_the_body_of_a_block(project, commit, new):  # noqa: F811
    text = "import jax\n\n\n@jax.jit\ndef f(x):\n    if (\n        x.sum()\n        > 2\n    ):\n        return x\n    return -x\n"
    commit(a=text)
    write(project, "a", text.replace("> 2", "> 3"))
    assert new("HEAD") == [("a.py", 7)]
    write(project, "a", text.replace("return x", "return 2 * x"))
    assert new("HEAD") == []


def test_untracked_staged_and_ignored_files_are_new(project, git, commit, new):  # noqa: F811
    commit(a=BRANCH)
    for name in ("staged", "planned", "untracked", "ignored"):
        write(project, name, BRANCH)
    git("add", "staged.py")
    git("add", "--intent-to-add", "planned.py")
    (project / ".git" / "info" / "exclude").write_text("ignored.py\n")
    assert new("HEAD") == [("planned.py", 6), ("staged.py", 6), ("untracked.py", 6)]
    assert new("HEAD", "ignored.py") == [("ignored.py", 6)]


def test_renamed_files_have_their_past(project, git, commit, new):  # noqa: F811
    commit(a=TWO, b=TWO.replace("> 2", "> 4"), gone=BRANCH)
    git("mv", "a.py", "moved.py")
    git("mv", "b.py", "changed.py")
    write(project, "changed", TWO.replace("> 2", "> 4").replace("> 4", "> 5", 1))
    write(project, "gone", None)
    assert new("HEAD") == [("changed.py", 6)]
    commit()
    assert new("HEAD~1") == [("changed.py", 6)]
    assert new("HEAD") == []


def test_files_renamed_without_git_have_their_past(project, git, commit, new):  # noqa: F811
    commit(a=TWO, b=TWO.replace("> 2", "> 4"), c=TWO.replace("> 2", "> 8"))
    (project / "a.py").rename(project / "moved [1].py")
    (project / "deep").mkdir()
    (project / "b.py").rename(project / "deep" / "changed.py")
    write(project, "deep/changed", TWO.replace("> 2", "> 4").replace("> 4", "> 5", 1))
    write(project, "copied", TWO.replace("> 2", "> 8"))
    index = (project / ".git" / "index").read_bytes()
    places = [("copied.py", 6), ("copied.py", 13), ("changed.py", 6)]
    assert new("HEAD") == places
    assert (project / ".git" / "index").read_bytes() == index
    (project / ".git" / "info" / "exclude").write_text("deep/\n")
    assert new("HEAD", "deep/changed.py") == [("changed.py", 6)]
    assert git("status", "--porcelain").splitlines()[:2] == [
        "D a.py",
        " D b.py",
    ]  # what is run takes the blank in front


def test_files_of_a_repository_inside_and_outside_are_no_renames(project, git, commit, new, tmp_path_factory):  # noqa: F811
    commit(a=TWO, b=BRANCH)
    (project / "inner").mkdir()
    subprocess.run(["git", "init", "-q", "inner"], check=True)
    write(project, "a", None)
    write(project, "inner/a", TWO)
    outside = tmp_path_factory.mktemp("outside")
    write(outside, "a", TWO)
    assert new("HEAD", "inner/a.py") == [("a.py", 6), ("a.py", 13)]
    assert [row for _, row in new("HEAD", str(outside / "a.py"))] == [6, 13]


def test_a_configuration_without_renames_changes_nothing(project, git, commit, new):  # noqa: F811
    commit(a=TWO, b=TWO.replace("> 2", "> 4"))
    git("config", "diff.renames", "false")
    git("config", "diff.renameLimit", "1")
    for name in ("a", "b"):
        git("mv", f"{name}.py", f"new{name}.py")
        write(project, f"new{name}", (project / f"new{name}.py").read_text() + "\nLAST = 1\n")
    assert new("HEAD") == []


def test_what_the_other_branch_did_is_not_new_here(project, git, commit, new):  # noqa: F811
    commit(a=TWO, b=CLEAN)
    git("checkout", "-q", "-b", "topic")
    commit(b=BRANCH)
    git("checkout", "-q", "main")
    commit(a=CLEAN)
    git("checkout", "-q", "topic")
    assert new("main") == [("b.py", 6)]
    git("merge", "-q", "-m", "merge", "main")
    assert new("main") == [("b.py", 6)]
    assert new("HEAD~1") == []  # the topic before the merge, which has b.py as it is
    git("tag", "-a", "v1", "-m", "a tag", "main")
    assert new("v1") == [("b.py", 6)]


def test_conflict_is_no_hiding_place(project, git, commit, jaxlint):  # noqa: F811
    commit(a=TWO)
    git("checkout", "-q", "-b", "topic")
    commit(a=TWO.replace("> 2", "> 3"))
    git("checkout", "-q", "main")
    commit(a=TWO.replace("> 2", "> 4"))
    assert subprocess.run(["git", "merge", "-q", "topic"], capture_output=True).returncode == 1
    code, out, _ = jaxlint("check", "--diff-base", "HEAD", "--output-format", "json")
    assert code == 1 and findings(out)[0][:2] == ("a.py", "JAX900")


NAMES = [
    "a b",
    "naïve 日本",
    'quo"te',
    "back\\slash",
    "tab\there",
    "line\nbreak",
    "b/deep/[x]*",
    " lead",
    os.fsdecode(b"\xff"),
]


@pytest.mark.parametrize("quote", ["true", "false"])
def test_names_of_any_kind(project, git, commit, new, quote):  # noqa: F811
    git("config", "core.quotePath", quote)
    past = {name: TWO + f"# {name!r}\n" * 20 for name in NAMES}  # no two are alike: which one was renamed is certain
    commit(**past, **{f"old {name}": f"# renamed\n{text}" for name, text in past.items()})
    for name, text in past.items():
        write(project, name, text.replace("> 2", "> 3", 1))
        write(project, f"old {name}", None)
        write(project, f"moved {name}", f"# renamed\n{text}".replace("> 2", "> 3", 1))
    git("add", "-A")
    found = new("HEAD")
    assert len(found) == 2 * len(NAMES) and {row for _, row in found} == {6, 7}


def test_from_a_subfolder(project, commit, new, monkeypatch):  # noqa: F811
    commit(**{"inner/a": BRANCH, "inner/b": BRANCH, "c": BRANCH})
    for name in ("inner/a", "c"):
        write(project, name, BRANCH.replace("> 2", "> 3"))
    monkeypatch.chdir("inner")
    assert new("HEAD") == [("a.py", 6)]
    assert new("HEAD", "..") == [("c.py", 6), ("a.py", 6)]
    assert new("HEAD", str(project)) == [("c.py", 6), ("a.py", 6)]


def test_through_a_link_and_in_a_linked_worktree(project, git, commit, new, monkeypatch):  # noqa: F811
    commit(**{"real/a": BRANCH, "real/b": BRANCH})
    write(project, "real/a", BRANCH.replace("> 2", "> 3"))
    (project / "link").symlink_to("real", target_is_directory=True)
    assert new("HEAD", "link/a.py", "link/b.py") == [("a.py", 6)]
    git("worktree", "add", "-q", "tree", "HEAD")
    write(project, "tree/real/b", BRANCH.replace("> 2", "> 3"))
    monkeypatch.chdir("tree")
    assert new("HEAD") == [("b.py", 6)]


SETTINGS = {
    "diff.noprefix": "true", "diff.mnemonicPrefix": "true", "color.ui": "always", "diff.external": "false",
    "diff.renames": "false", "diff.context": "5", "diff.interHunkContext": "9", "diff.relative": "true",
    "diff.python.textconv": "false", "diff.wsErrorHighlight": "all", "diff.colorMoved": "zebra",
}  # fmt: skip


def test_whatever_the_user_has_configured(project, git, commit, new, monkeypatch):  # noqa: F811
    commit(a=TWO, b=TWO.replace("> 2", "> 4"))
    for name, value in SETTINGS.items():
        git("config", name, value)
    (project / ".git" / "info" / "attributes").write_text("a.py -diff\nmoved.py diff=python\n")
    monkeypatch.setenv("GIT_DIFF_OPTS", "--unified=9")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    git("mv", "b.py", "moved.py")
    write(project, "a", TWO.replace("> 2", "> 3", 1))
    write(project, "moved", TWO.replace("> 2", "> 4").replace("> 4", "> 5", 1))
    assert new("HEAD") == [("a.py", 6), ("moved.py", 6)]


def test_lines_that_look_like_headers_are_lines(project, commit, new):  # noqa: F811
    text = '"""\n-- a/b.py\n"""\n' + BRANCH
    commit(a=text, b=TWO)
    fake = "++ b/b.py\n@@ -1,99 +1,99 @@\ndiff --git a/b.py b/b.py\n"
    write(project, "a", text.replace("-- a/b.py\n", fake).replace("> 2", "> 3"))
    assert new("HEAD") == [("a.py", 11)]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings(project, git, commit, new, ending):  # noqa: F811
    text = b'"""\rA text\r"""\n' + TWO.replace("\n", ending).encode()
    git("config", "core.autocrlf", "false")
    commit(a=text)
    write(project, "a", text.replace(b"> 2", b"> 3", 1))
    rows = [row for _, row in new("HEAD")]
    # Where nothing but carriage returns stand, all of the text is one line to Git.
    assert rows == ([9] if ending == "\r\n" else [9, 16])


def test_text_without_a_last_line_break(project, commit, new):  # noqa: F811
    text = BRANCH + "\n\n@jax.jit\ndef g(x):\n    return 1 if x > 2 else 2"
    commit(a=text, b=TWO)
    write(project, "a", text + "\n")
    write(project, "b", TWO.replace("> 2", "> 3").rstrip("\n"))
    assert new("HEAD") == [("a.py", 13), ("b.py", 6), ("b.py", 13)]


def test_more_files_than_one_command_takes(project, commit, new, monkeypatch):  # noqa: F811
    monkeypatch.setattr("jaxlint.diagnostics.git_changes.BATCH", 2)
    commit(**{f"m{number}": TWO for number in range(5)})
    for number in range(5):
        write(project, f"m{number}", TWO.replace("> 2", "> 3", 1))
    assert new("HEAD") == [(f"m{number}.py", 6) for number in range(5)]


def test_with_a_baseline(project, commit, new, jaxlint):  # noqa: F811
    commit(a=TWO)
    write(project, "a", TWO.replace("> 2", "> 3"))
    assert jaxlint("baseline")[0] == 0
    write(project, "a", TWO.replace("> 2", "> 3", 1).replace("> 2", "> 4"))
    assert new("HEAD", "--baseline", ".jaxlint-baseline.json", "a.py") == [("a.py", 13)]


# --- what cannot be ----------------------------------------------------------------------------


@pytest.mark.parametrize("revision", ["nowhere", "", "HEAD..main", "HEAD:a.py", "-x", "0" * 40])
def test_unknown_revision(project, commit, jaxlint, revision):  # noqa: F811
    commit(a=BRANCH)
    code, out, err = jaxlint("check", f"--diff-base={revision}")
    assert (code, out) == (2, "")
    assert f"--diff-base {revision}: this checkout has no such revision; check the spelling, or fetch it" in err


def test_not_a_checkout(project, jaxlint, monkeypatch):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parent))
    code, out, err = jaxlint("check", "--diff-base", "main")
    assert (code, out) == (2, "") and "--diff-base main: not in a Git checkout (" in err and "run jaxlint in one" in err


def test_repository_without_a_commit(project, git, jaxlint):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    code, _, err = jaxlint("check", "--diff-base", "HEAD")
    assert code == 2 and "this checkout has no such revision" in err


def test_histories_with_nothing_in_common(project, git, commit, jaxlint):  # noqa: F811
    commit(a=BRANCH)
    git("checkout", "-q", "--orphan", "island")
    commit(a=TWO)
    code, _, err = jaxlint("check", "--diff-base", "main")
    assert code == 2 and "no commit in common" in err and "--unshallow" in err


def test_no_git(project, jaxlint, monkeypatch):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    monkeypatch.setenv("PATH", str(project))
    code, _, err = jaxlint("check", "--diff-base", "main")
    assert code == 2 and "there is no command `git`; install it" in err


@pytest.mark.parametrize(
    "arguments, says", [(["-"], "name the file instead of `-`"), (["--fix"], "apply the fixes in a run without")]
)
def test_what_does_not_go_together(project, commit, jaxlint, arguments, says):  # noqa: F811
    commit(a=BRANCH)
    code, _, err = jaxlint("check", "--diff-base", "HEAD", *arguments, stdin=b"")
    assert code == 2 and says in err
