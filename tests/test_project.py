"""Which files a run reads."""

import os
import subprocess

import pytest

from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover, is_excluded
from jaxlint.source.text import Unreadable, read_bytes


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Writes files below an empty folder, which is the current one; the text defaults to one statement."""
    monkeypatch.chdir(tmp_path)

    def write(*names, **texts):
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x = 1\n")
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        return tmp_path

    return write


def found(*paths, **overrides):
    return discover(paths or (".",), Configs(overrides)).files


def test_folder_is_walked_in_the_order_of_names(tree):
    tree("b.py", "a.py", "pkg/z.py", "pkg/inner/m.py", "notes.txt", "pkg/data.json")
    assert found() == ["a.py", "b.py", "pkg/inner/m.py", "pkg/z.py"]


def test_notebooks_are_found_beside_modules(tree):
    tree("a.py", "b.ipynb", "pkg/c.ipynb", "pkg/.ipynb_checkpoints/c.ipynb", "d.ipynb.json")
    assert found() == ["a.py", "b.ipynb", "pkg/c.ipynb"]


def test_paths_are_shown_as_they_were_named(tree):
    root = tree("pkg/a.py")
    assert found("pkg") == ["pkg/a.py"]
    assert found(str(root)) == [str(root / "pkg" / "a.py")]
    assert found("./pkg") == ["./pkg/a.py"]


def test_usual_folders_of_tools_are_left_out(tree):
    tree("a.py", ".venv/x.py", "build/x.py", "pkg/__pycache__/x.py", ".git/hooks/x.py", "lib/site-packages/x.py")
    assert found() == ["a.py"]


def test_named_file_or_folder_is_always_read(tree):
    tree("build/x.py", "build/dist/y.py", ".venv/lib/site-packages/flax/core/a.py", **{".gitignore": "build/\n.venv\n"})
    os.mkdir(".git")
    assert found("build") == ["build/x.py"]
    assert found("build/dist/y.py") == ["build/dist/y.py"]
    assert found(".venv/lib/site-packages/flax") == [".venv/lib/site-packages/flax/core/a.py"]


def test_force_exclude_applies_to_named_paths(tree):
    tree("build/x.py", "gen/a.py", "src/a.py", **{".gitignore": "gen/\n"})
    assert found("build", "build/x.py", "src", force_exclude=True) == ["src/a.py"]
    os.mkdir(".git")
    assert found("gen/a.py", "src/a.py", force_exclude=True) == ["src/a.py"]
    assert is_excluded("gen/not_there.py", Configs({"force_exclude": True}))
    assert not is_excluded("gen/a.py", Configs())


def test_named_file_needs_no_suffix(tree):
    tree("script")
    assert found("script") == ["script"]


def test_nested_gitignore_decides_as_git_does(tree):
    tree(
        "a.py", "skip.py", "pkg/a.py", "pkg/skip.py", "pkg/keep_gen.py", "pkg/x_gen.py", "out/a.py", "pkg/out/a.py",
        "deep/only/here.py",
        **{".gitignore": "skip.py\n*_gen.py\n/out/\n"},
    )  # fmt: skip
    (tree() / "pkg" / ".gitignore").write_text("!skip.py\n!keep_gen.py\n")
    (tree() / "deep" / ".gitignore").write_text("only/\n")
    subprocess.run(["git", "init", "-q"], check=True)
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "*.py"], check=True, capture_output=True, text=True
    ).stdout.split()
    assert found() == sorted(listed, key=lambda path: path.split("/"))
    assert found("pkg") == ["pkg/a.py", "pkg/keep_gen.py", "pkg/out/a.py", "pkg/skip.py"]


def test_gitignore_of_parents_counts_inside_a_repository_only(tree):
    tree("pkg/a.py", "pkg/skip.py", **{".gitignore": "skip.py\n"})
    assert found("pkg") == ["pkg/a.py", "pkg/skip.py"]
    os.mkdir(".git")
    assert found("pkg") == ["pkg/a.py"]


def test_exclude_file_of_the_repository_counts(tree):
    tree("a.py", "private.py", ".git/info/exclude")
    (tree() / ".git" / "info" / "exclude").write_text("private.py\n")
    assert found() == ["a.py"]


def test_lines_git_cannot_read_are_skipped(tree):
    tree("a.py", "b.py", **{".gitignore": "!\nb.py\n\\\n"})
    assert found() == ["a.py"]


def test_exclude_of_the_configuration(tree):
    tree("a.py", "gen/a.py", "build/b.py", **{"pyproject.toml": '[tool.jaxlint]\nexclude = ["gen/"]\n'})
    assert found() == ["a.py", "build/b.py"]
    assert found(extend_exclude=["a.py"]) == ["build/b.py"]


def test_extend_exclude_keeps_the_usual_ones(tree):
    tree("a.py", "gen/a.py", "build/b.py", **{"pyproject.toml": '[tool.jaxlint]\nextend-exclude = ["gen"]\n'})
    assert found() == ["a.py"]


def test_folder_outside_the_configured_project_is_walked(tree, tmp_path_factory):
    tree(**{"pyproject.toml": "[tool.jaxlint]\n"})
    other = tmp_path_factory.mktemp("build") / "build"
    (other / "venv").mkdir(parents=True)
    (other / "a.py").write_text("")
    (other / "venv" / "b.py").write_text("")
    assert found(str(other)) == [str(other / "a.py")]


def test_duplicates_are_read_once(tree):
    root = tree("a.py", "pkg/b.py")
    os.symlink("pkg/b.py", "link.py")
    assert found("a.py", ".", str(root / "a.py")) == ["a.py", "link.py"]


@pytest.mark.parametrize(
    ("target", "is_read"),
    [
        ("pkg/b.py", True), ("../beside.py", False), ("/etc/hostname", False), (".git/config", False), ("pkg/notes.txt", True),
        ("pkg/b.py/../b.py", False), ("pkg/again.py", True),
    ],
)  # fmt: skip
def test_links_to_files_are_followed_to_files_of_the_project_alone(tree, target, is_read):
    root = tree("pkg/b.py", "pkg/notes.txt", ".git/config")
    (root.parent / "beside.py").write_text("")
    os.symlink("b.py", "pkg/again.py")
    os.symlink(target, "link.py")
    assert ("link.py" in found(".")) == is_read
    assert found("link.py") == ["link.py"] or not os.path.exists("link.py")  # the user's own word


def test_a_link_from_a_folder_of_a_repository_to_another_one_is_followed(tree):
    tree("pkg/b.py", ".git/config", "sub/a.py")
    os.symlink("../pkg/b.py", "sub/link.py")
    assert found("sub") == ["sub/a.py", "sub/link.py"]


def test_loops_of_links_end(tree):
    tree("pkg/a.py")
    os.symlink("..", "pkg/up")
    os.symlink("itself.py", "itself.py")
    os.symlink("nowhere.py", "pkg/dangling.py")
    result = discover(["."], Configs())
    assert result.files == ["pkg/a.py"]
    assert result.problems == []


def test_named_link_to_a_folder_is_followed(tree):
    tree("pkg/a.py")
    os.symlink("pkg", "alias")
    assert found("alias") == ["alias/a.py"]


def test_missing_path_is_a_problem_and_the_rest_is_read(tree):
    tree("a.py")
    result = discover(["a.py", "modle.py"], Configs())
    assert result.files == ["a.py"]
    assert [str(problem) for problem in result.problems] == ["modle.py: no such file or folder; check the spelling"]


def test_unreadable_folder_is_listed_as_a_file_and_the_rest_is_read(tree):
    # Permissions do not stop root, but nobody can open a path that is longer than the system allows.
    tree("a.py", "pkg/c.py")
    os.mkdir("deep")
    here = os.open("deep", os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=here)
        inner = os.open("d" * 250, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    result = discover(["."], Configs())
    first, folder, last = result.files
    assert (first, last, result.problems) == ("a.py", "pkg/c.py", [])
    assert folder.startswith("deep/ddd")
    with pytest.raises(Unreadable, match="File name too long; check its path and permissions"):
        read_bytes(folder)


def test_no_paths_give_no_files(tree):
    tree("a.py")
    assert discover([], Configs()).files == []
