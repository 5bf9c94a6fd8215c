"""What the page of notable findings tells is in the ledger, and the page follows from both."""

import ledger
import pytest
import wild

ENTRIES, NOTES = ledger.read(), wild.read()


def test_every_place_has_a_true_finding_and_is_told_once():
    places = [place for note in NOTES for place in note.places]
    assert len(places) == len(set(places)) == len(wild.found(NOTES, ENTRIES))
    with pytest.raises(KeyError):
        wild.found([wild.Note("", ["brax/brax/nothing.py:1"], "", "", "")], ENTRIES)


def test_page_follows_from_the_ledger_and_the_notes():
    assert wild.PAGE.read_text(encoding="utf-8") == wild.text(NOTES, ENTRIES), "run `python tests/ecosystem/wild.py`"
