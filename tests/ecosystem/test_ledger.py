"""The ledger is in order, everything in it has been read, and it speaks of the packages that are pinned."""

import re

import ledger

from jaxlint.rules import find

ENTRIES = ledger.read()


def test_ledger_is_sorted_one_entry_a_line():
    assert ledger.LEDGER.read_text(encoding="utf-8") == ledger.dump(ENTRIES)


def test_every_finding_has_been_read():
    assert [entry for entry in ENTRIES if entry.verdict not in ledger.VERDICTS] == []
    assert [entry for entry in ENTRIES if not re.fullmatch(r"[A-Z`].*\.", entry.reason)] == []


def test_versions_are_those_that_are_pinned():
    assert {(entry.package, entry.version) for entry in ENTRIES} <= set(ledger.pins().items())


def test_no_rule_that_is_on_has_a_false_alarm():
    assert [entry for entry in ENTRIES if entry.verdict == "false" and find(entry.code).on == "default"] == []
