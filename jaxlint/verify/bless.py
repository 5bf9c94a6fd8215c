"""The golden files: what ``fixed.py`` and ``bad.txt`` should be, worked out from ``bad.py``."""

from __future__ import annotations

from pathlib import Path

from jaxlint.hazards.rule import Rule
from jaxlint.verify import lint, messages
from jaxlint.verify.fixture import FixtureFile, lines_of


def golden(bad: FixtureFile, fixed: FixtureFile | None, rule: Rule) -> tuple[str, list[str]]:
    """The text of ``fixed.py``, and what is left to be written by hand.

    Code of cases marked ``# fixed: by hand`` is taken from the present ``fixed.py``.
    """
    written = {case.key: case for case in fixed.cases} if fixed else {}
    lines = lines_of(bad.unfixed)
    missing = []
    for case in reversed(bad.cases):
        if not case.by_hand:
            continue
        if fixed is None or case.key not in written:
            missing.append(f"line {case.start}: is to be written by hand")
            continue
        hand = written[case.key]
        body, by_hand = lines[case.body - 1 : case.end - 1], lines_of(fixed.text)[hand.body - 1 : hand.end - 1]
        # The lines between this case and the next are those of bad.py.
        lines[case.body - 1 : case.end - 1] = by_hand[: _end(by_hand)] + body[_end(body) :]
    # What is written by hand is clean, so that fixing leaves it as it is.
    text, _ = lint.fix("".join(lines), str(bad.path), rule)
    return text, missing[::-1]


def _end(lines: list[str]) -> int:
    """Number of lines without the blank ones at the end."""
    return max((number for number, line in enumerate(lines, 1) if line.strip()), default=0)


def bless(folder: Path, rule: Rule) -> list[str]:
    """Rewrite the golden files of a rule; says what was written and what is left to do."""
    said = []
    for bad_path in bad_files(folder):
        fixed_path = counterpart(bad_path)
        bad = FixtureFile.read(bad_path)
        fixed = FixtureFile.read(fixed_path) if fixed_path.exists() else None
        said += messages.write(
            messages.rendered(lint.diagnostics(bad.linted, str(bad_path), rule), bad.linted, bad_path), bad_path
        )
        lost = hand_written_without_case(bad, fixed)
        if lost:
            said += [f"{fixed_path}: not written: {what}" for what in lost]
            continue
        text, missing = golden(bad, fixed, rule)
        said += [f"{fixed_path}: the case of {bad_path.name}, {what}" for what in missing]
        if fixed is None or fixed.text != text:
            fixed_path.write_bytes(text.encode("utf-8"))
            said.append(f"{fixed_path}: written")
    return said


def bless_document(path: Path) -> list[str]:
    """Rewrite the golden messages of a fixture of documents."""
    linted = FixtureFile.read(path).linted
    return messages.write(messages.rendered(lint.diagnostics(linted, str(path), None), linted, path), path)


def bless_model(path: Path) -> list[str]:
    """Rewrite the golden messages of a fixture of the model."""
    from jaxlint.verify.claims import Model, reveal_calls

    fixture = FixtureFile.read(path)
    return messages.write(Model(fixture, reveal_calls(fixture.linted)).said(), path)


def hand_written_without_case(bad: FixtureFile, fixed: FixtureFile | None) -> list[str]:
    """Hand-written cases that rewriting would lose, because no case of ``bad.py`` has their ``# run:`` any more."""
    wanted = {case.key for case in bad.cases if case.by_hand}
    return [
        f"line {case.start}: this case is written by hand, and no case of {bad.path.name} that is marked"
        f" `# fixed: by hand` has its `# run:`; give it the same one, or delete it"
        for case in (fixed.cases if fixed else [])
        if case.by_hand and case.key not in wanted
    ]


def bad_files(folder: Path) -> list[Path]:
    """``bad.py`` first, then the hazards at import, ``bad_<case>.py``."""
    main = folder / "bad.py"
    return ([main] if main.exists() else []) + sorted(folder.glob("bad_*.py"))


def counterpart(bad_path: Path) -> Path:
    """``fixed.py`` for ``bad.py``, ``fixed_<case>.py`` for ``bad_<case>.py``."""
    return bad_path.with_name("fixed" + bad_path.name[len("bad") :])
