"""How tests are shared out among processes."""

import zlib

import pytest

PARTS = 6


def pytest_collection_modifyitems(items):
    """One process runs the tests of a file, which share what they set up; folders of fixtures are shared out."""
    for item in items:
        folder = getattr(item, "callspec", None) and item.callspec.params.get("folder")
        part = f" {zlib.crc32(folder.name.encode()) % PARTS}" if folder is not None else ""
        item.add_marker(pytest.mark.xdist_group(item.path.name + part))
