"""Patterns of gitignore: they match as Git matches, and in time linear in the pattern and the path."""

import os
import subprocess
import time

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st
from pathspec import GitIgnoreSpec

from jaxlint.cli import main
from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover, is_excluded
from jaxlint.source.patterns import PatternError, Patterns, parse

# --- time ------------------------------------------------------------------------------------

DEEP = "/".join("a" * 60)
HOSTILE = [
    ("a*" * 40 + "b", "a" * 100),
    ("a*" * 40 + "b/", "a" * 100),
    ("*a" * 40 + "b", "a" * 100),
    ("[!b]*" * 40 + "b", "a" * 100),
    ("[a-z]*" * 40 + "[0-9]", "a" * 100),
    ("?*" * 40 + "b", "a" * 100),
    ("*?" * 40 + "b", "a" * 100),
    ("**" * 40 + "b", "a" * 100),
    ("a*" * 40 + "b/x", "a" * 100 + "/x"),
    ("**/a/" * 20 + "b", DEEP),
    ("**/a*/" * 20 + "b", DEEP),
    ("a/**/*/" * 20 + "b", DEEP),
    ("/**" * 40 + "/b", DEEP),
    ("a*" * 1000 + "b", "a" * 4000),
    ("**/a/" * 400 + "b", "/".join("a" * 2000)),
]
MILLISECONDS = 250  # for ten of them, on a machine with other work; a matcher that backtracks takes years


@pytest.mark.parametrize("pattern, path", HOSTILE, ids=range(len(HOSTILE)))
def test_time_is_linear(pattern, path):
    patterns = Patterns.of([pattern])
    began = time.process_time()
    for _ in range(10):
        assert not patterns.match(path)
        assert not any(patterns.verdicts(path, True))
        assert not patterns.verdict(path, False)
    assert (time.process_time() - began) * 1000 < MILLISECONDS * max(1, len(pattern) * len(path) / 100_000)


def growth(pattern, path):
    """How many times as long a pattern twice as long takes for a path twice as long."""

    def took(times):
        patterns, long = Patterns.of([pattern(times)]), path(times)
        best = float("inf")
        for _ in range(5):
            began = time.process_time()
            for _ in range(5):
                patterns.verdicts(long, True)
            best = min(best, time.process_time() - began)
        return best

    return took(400) / took(200)


@pytest.mark.parametrize(
    "pattern, path",
    [
        (lambda times: "a*" * times + "b", lambda times: "a" * times * 2),
        (lambda times: "[ab]*" * times + "c", lambda times: "a" * times * 2),
        (lambda times: "**/a/" * times + "b", lambda times: "a/" * times * 2 + "a"),
        (lambda times: "**/" + "a/" * times + "b", lambda times: "a/" * times * 2 + "a"),
        (lambda times: "**/" + "[a]?" * times, lambda times: "a" * times * 4),
    ],
    ids=["stars", "brackets", "folders", "run", "piece"],
)
def test_time_grows_with_both_lengths_and_no_faster(pattern, path):
    assert growth(pattern, path) < 7  # four; and eight where it grew with the third power


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ("a" * 100 + ".py")).write_text("x = 1\n")
    return tmp_path


STARS = "a*" * 40 + "b"


@pytest.mark.parametrize(
    "files, arguments",
    [
        ({".gitignore": STARS}, []),
        ({".git/info/exclude": STARS}, []),
        ({"pyproject.toml": f'[tool.jaxlint]\nexclude = ["{STARS}"]\n'}, []),
        ({"pyproject.toml": f'[tool.jaxlint]\nextend-exclude = ["{STARS}"]\n'}, []),
        ({"pyproject.toml": f'[tool.jaxlint]\nper-file-ignores = {{"{STARS}" = ["JAX103"]}}\n'}, []),
        ({"pyproject.toml": f'[tool.jaxlint]\ntest-files = ["{STARS}"]\n'}, []),
        ({"pyproject.toml": f'[tool.jaxlint]\nkey-consumers = ["{STARS}"]\ntraced-decorators = {{"{STARS}" = "jit"}}\n'}, []),
        ({}, ["--exclude", STARS]),
        ({}, ["--extend-exclude", STARS, "--force-exclude"]),
    ],
    ids=[".gitignore", "info/exclude", "exclude", "extend-exclude", "per-file-ignores", "test-files", "names", "--exclude", "--force-exclude"],
)  # fmt: skip
def test_no_pattern_of_a_repository_hangs_the_run(folder, files, arguments, capsys):
    code = f"import jax\n\n\n@{'a' * 60}\ndef f(x):\n    return {'a' * 60}(x)\n\n\n@jax.jit\ndef g(x):\n    return 1 if x > 0 else 2\n"
    (folder / ("a" * 100 + ".py")).write_text(code)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    began = time.process_time()
    assert main(["check", "--no-cache", "--jobs", "1", "--output-format", "concise", *arguments, "."]) == 1
    assert time.process_time() - began < 10
    assert "JAX103" in capsys.readouterr().out


# --- what matches ----------------------------------------------------------------------------

MATCHES = [
    ("a.py", "a.py x/a.py a.py/x", "b.py a.pyc A.py xa.py"),
    ("*.py[cod]", "a.pyc x/b.pyo x/.pyd", "a.py a.pycx"),
    ("build/", "build/a x/build/a", "build x/build"),
    ("/build", "build build/a", "x/build"),
    ("docs/_build", "docs/_build docs/_build/a", "x/docs/_build _build"),
    ("docs/*.md", "docs/a.md", "docs/x/a.md a.md x/docs/a.md"),
    ("**/a", "a x/a x/y/a a/b", "xa ab"),
    ("**/a/b", "a/b x/a/b", "a/x/b b"),
    ("a/**", "a/b a/b/c", "a x/a/b"),
    ("a/**/b", "a/b a/x/b a/x/y/b", "a x/a/b a/bb ab"),
    ("a/**/b/**/c", "a/b/c a/x/b/y/z/c a/b/b/c/c", "a/c/b b/c"),
    ("a/***/b", "a/b a/x/b", "ab"),
    ("a**b", "ab axb x/axxb axb/y", "a/b"),
    ("a*b*c", "abc aXbYc abcbc", "acb abca ab"),
    ("a?c", "abc aéc", "ac abbc a/c"),
    ("*", "a x/y", ""),
    ("*/", "a/b", "a"),
    ("**", "a x/y", ""),
    ("[ab]c", "ac bc", "cc abc"),
    ("[!ab]c", "cc x/cc", "ac c"),
    ("[^ab]c", "cc", "ac"),
    ("[]a]", "] a", "b"),
    ("[!]a]", "b", "] a"),
    ("[a-]", "a -", "b"),
    ("[-a]", "a -", "b"),
    ("[a-c-e]", "a b c - e", "d"),
    (r"[\]]", "]", "\\"),
    (r"[\a-\c]", "a b c", "d \\"),
    ("[z-a]", "z", "a m"),
    ("[!z-a]", "a", "z"),
    ("[[:digit:][:upper:]]", "1 A", "a -"),
    ("[[:alpha:]-z]", "a - z", "1"),
    ("[[:]", "[ :", "a"),
    ("[a/b]", "a b", "x/a"),
    (r"\*.py", "*.py", "a.py"),
    (r"\#a", "#a", "a"),
    (r"\!a", "!a", "a"),
    (r"a\b", "ab", r"a\b"),
    (r"a\/b", "a/b", "x/a/b"),
    ("#a", "", "#a a"),
    ("a ", "a", "a\\ "),
    ("  a", "  a".replace(" ", "\0"), "a"),
    ("a\t", "a\t", "a"),
    ("a.b", "a.b", "axb"),
    ("(a|b)+$", "(a|b)+$", "a b"),
    ("{a,b}", "{a,b}", "a b"),
    ("*~", "a~ ~", "~a"),
    ("ab*ab", "abab abXab", "ab aba"),
    ("\u00e9*", "\u00e9t\u00e9", "ete"),
]  # fmt: skip


@pytest.mark.parametrize("pattern, matched, others", MATCHES, ids=[pattern for pattern, *_ in MATCHES])
def test_what_a_pattern_matches(pattern, matched, others):
    patterns = Patterns.of([pattern])
    assert [path for path in matched.split(" ") if path and not patterns.match(path.replace("\0", " "))] == []
    assert [path for path in others.split(" ") if path and patterns.match(path)] == []


def test_blanks_at_the_end_count_behind_a_backslash_alone():
    assert Patterns.of(["a\\ "]).match("a ") and not Patterns.of(["a\\ "]).match("a")
    assert Patterns.of(["a\\    "]).match("a ") and Patterns.of(["a\\\\  "]).match("a\\")


@pytest.mark.parametrize("line", ["!", "/", "a//b", "a\\", "[", "[a", "[]", "[!", "[a-", "[[:word:]]", "a//", "!/"])
def test_what_is_no_pattern(line, tmp_path):
    with pytest.raises(PatternError):
        parse(line)
    assert not Patterns.of_file(f"{line}\n")
    escaped = line.replace("\\", "\\\\")
    (tmp_path / "pyproject.toml").write_text(f'[tool.jaxlint]\nexclude = ["{escaped}"]\n')
    configs = Configs()
    configs.for_folder(str(tmp_path))
    assert [problem.message for problem in configs.problems] == [
        f"`exclude` in [tool.jaxlint] is wrong: {line!r} is not a gitignore pattern"
    ]


def test_last_pattern_decides():
    patterns = Patterns.of(["*.py", "!keep.py", "/keep.py", "gen/", "!gen/"])
    assert patterns.verdict("x.py", False) is True
    assert patterns.verdict("x/keep.py", False) is False
    assert patterns.verdict("keep.py", False) is True
    assert patterns.verdict("keep.txt", False) is None
    assert patterns.verdict("x/gen", True) is False and patterns.verdict("x/gen", False) is None
    tests = Patterns.of(["tests/", "!tests/data/"])
    assert tests.match("tests/a.py") and not tests.match("tests/data/a.py") and not tests.match("a.py")


def test_lines_of_a_file():
    patterns = Patterns.of_file("\ufeffa\r\n# b\r\nc\x0bd\n\n \n[\ne")
    assert [name for name in ("a", "b", "c", "d", "c\x0bd", "e", " ") if patterns.verdict(name, False)] == [
        "a",
        "c\x0bd",
        "e",
    ]


# --- the same as pathspec and Git ------------------------------------------------------------

NAMES = st.text("abc.", min_size=1, max_size=3).filter(lambda name: name.strip("."))
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PARTS = st.sampled_from(
    ["a", "b", "c", ".", "*", "*", "?", "/", "/", "**", "**/", "/**/", "[ab]", "[!a]", "[a-c]", r"\a", r"\*"]
)
ORDINARY = st.lists(PARTS, min_size=1, max_size=6).map("".join)
STRANGE = st.lists(
    st.one_of(PARTS, st.sampled_from(["!", "#", " ", "\\ ", "[", "]", "-", "[[:alpha:]]", "[]a]", "[^", "\\", "\t", "***"])),
    min_size=1, max_size=6,
).map("".join)  # fmt: skip


def is_odd(pattern):
    """What pathspec reads otherwise than Git: ``**`` in a name; files that end ``**/``; slashes that are among ``[!a]``."""
    names = pattern.strip("/").split("/")
    stars = any("**" in name and name != "**" for name in names) or pattern.endswith("**/")
    return stars or "//" in pattern or ("[!" in pattern and "/" in pattern)


@given(ORDINARY.filter(lambda pattern: not is_odd(pattern)), st.lists(PATHS, min_size=1, max_size=8))
@settings(max_examples=700, deadline=None)
def test_same_as_pathspec(pattern, paths):
    try:
        ours = Patterns.of([pattern])
    except PatternError:
        assume(False)
    theirs = GitIgnoreSpec.from_lines([pattern])
    paths = [path for path in paths if "[!" not in pattern or "/" not in path]
    assert [path for path in paths if ours.match(path)] == [path for path in paths if theirs.match_file(path)]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", root], check=True)
    subprocess.run(["git", "-C", root, "config", "core.ignorecase", "false"], check=True)
    return root


def plant(root, paths):
    """Make the files, as far as names of folders allow; every file and folder below ``root``."""
    for path in paths:
        try:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if ".gitignore" not in path.name)


def ignored_by_git(root, folder, paths):
    done = subprocess.run(
        ["git", "-C", root / folder, "check-ignore", "--no-index", "--stdin", "-z"],
        input="".join(f"./{path}\0" for path in paths), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return sorted(path[2:] for path in done.stdout.split("\0") if path)


def reads_as_folders(line):
    """Git takes ``**`` for folders where only text without wildcards is before it in a name, against its manual."""
    body = line.lstrip("!").lstrip("/").split("*")[0]
    return not set(body) & set("?[\\") and "**" in line and body[-1:] not in ("", "/")


BYTES = {"a?c"}  # Git counts bytes


@pytest.mark.parametrize("pattern, matched, others", MATCHES, ids=[pattern for pattern, *_ in MATCHES])
def test_what_git_says_of_each(repository, pattern, matched, others):
    paths = [path.replace("\0", " ") for path in (*matched.split(" "), *others.split(" ")) if path]
    for path in paths:
        folder = repository / str(len(os.listdir(repository)))
        folder.mkdir()
        (folder / ".gitignore").write_text(f"{pattern}\n")
        plant(folder, [path])
        if pattern not in BYTES or path.isascii():
            assert ignored_by_git(repository, folder.name, [path]) == [path] * Patterns.of([pattern]).match(path), path


@given(st.lists(STRANGE, min_size=1, max_size=4), st.lists(PATHS, min_size=1, max_size=8))
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_same_as_git(repository, lines, paths):
    assume(not any(reads_as_folders(line) for line in lines))
    folder = repository / str(len(os.listdir(repository)))
    folder.mkdir()
    (folder / ".gitignore").write_text("\n".join(lines))
    found = plant(folder, paths)
    patterns = Patterns.of_file("\n".join(lines))
    ours = [path for path in found if any(patterns.verdicts(path, (folder / path).is_dir()))]
    assert ours == ignored_by_git(repository, folder.name, found), (lines, found)
    for path in found:
        assert patterns.verdict(path, (folder / path).is_dir()) == patterns.verdicts(path, (folder / path).is_dir())[-1]


LINES = st.lists(st.one_of(ORDINARY, ORDINARY.map("!{}".format)), max_size=4)


@given(LINES, LINES, LINES, st.lists(PATHS.map("{}.py".format), min_size=1, max_size=8))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_walk_reads_what_git_does_not_ignore(repository, outer, inner, innermost, paths):
    assume(not any(reads_as_folders(line) for line in outer + inner + innermost))
    folder = repository / str(len(os.listdir(repository)))
    (folder / "a" / "b").mkdir(parents=True)
    for below, lines in ((".", outer), ("a", inner), ("a/b", innermost)):
        (folder / below / ".gitignore").write_text("\n".join(lines))
    found = [path for path in plant(folder, paths) if (folder / path).is_file()]
    expected = sorted({*found} - {*ignored_by_git(repository, folder.name, found)})
    configs = Configs({"exclude": [], "force_exclude": True})
    assert sorted(os.path.relpath(path, folder) for path in discover([str(folder)], configs).files) == expected
    assert [path for path in found if not is_excluded(str(folder / path), configs)] == expected


# --- files of patterns -----------------------------------------------------------------------


@pytest.fixture
def deep(tmp_path, monkeypatch):
    """A file in more folders than calls can be in one another, which `shutil.rmtree` cannot take away either."""
    monkeypatch.chdir(tmp_path)
    here = os.open(".", os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("a", dir_fd=here)
        here, above = os.open("a", os.O_RDONLY, dir_fd=here), here
        os.close(above)
    os.close(os.open("m.py", os.O_WRONLY | os.O_CREAT, dir_fd=here))
    os.close(here)
    yield "a/" * 1500 + "m.py"
    subprocess.run(["find", tmp_path / "a", "-depth", "-delete"], check=True)


def test_folders_deeper_than_calls(deep, tmp_path):
    (tmp_path / ".gitignore").write_text("**/b/**/c\n")
    os.mkdir(".git")
    result = discover(["."], Configs())
    assert result.files == [deep] and not result.problems
    assert Configs().for_file(deep).declared == ()
    began = time.process_time()
    assert not is_excluded(result.files[0], Configs({"force_exclude": True, "extend_exclude": ["**/a*/" * 40 + "b"]}))
    assert time.process_time() - began < 10


def test_file_of_patterns_that_never_ends(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").touch()
    os.mkfifo(tmp_path / ".gitignore")
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").symlink_to("/dev/zero")
    assert discover(["."], Configs()).files == ["a.py"]


def test_file_of_patterns_that_is_a_link(repository, monkeypatch, tmp_path):
    """Git follows none, which may lead anywhere."""
    folder = repository / str(len(os.listdir(repository)))
    folder.mkdir()
    (tmp_path / "patterns").write_text("a.py\n")
    (folder / ".gitignore").symlink_to(tmp_path / "patterns")
    (folder / "a.py").touch()
    assert ignored_by_git(repository, folder.name, ["a.py"]) == []
    monkeypatch.chdir(folder)
    assert discover(["."], Configs()).files == ["a.py"]


def test_too_many_patterns_are_a_problem(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").touch()
    (tmp_path / ".gitignore").write_text("a.py\n" + "b*c\n" * 2**18)
    result = discover(["."], Configs())
    assert result.files == ["a.py"]
    assert [str(problem) for problem in result.problems] == [
        f"{tmp_path}/.gitignore: more than 1 MiB of patterns, none of which counts; shorten it"
    ]


@pytest.mark.parametrize("line", ["[" * 2**17, "[[:" * 2**16, "[a]" * 2**15, "*a" * 2**16, "\\" * 2**17, "a/" * 2**16])
def test_long_lines_are_read_in_time(line):
    began = time.process_time()
    Patterns.of_file(line).match("a" * 100)
    assert time.process_time() - began < 10
