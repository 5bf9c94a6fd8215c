"""How tests are shared out among processes, and which of them are quick."""

import sys
import zlib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from quick import QUICK, is_quick

PARTS = 6


def pytest_ignore_collect(collection_path, config):
    """`-m quick` does not even import the other modules: many of them import JAX."""
    if config.getoption("markexpr") == "quick" and collection_path.suffix == ".py":
        return collection_path.stem not in QUICK or None
    return None


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items):
    """One process runs the tests of a file, which share what they set up; folders of fixtures are shared out."""
    for item in items:
        folder = getattr(item, "callspec", None) and item.callspec.params.get("folder")
        part = f" {zlib.crc32(folder.name.encode()) % PARTS}" if folder is not None else ""
        item.add_marker(pytest.mark.xdist_group(item.path.name + part))
        if is_quick(item.path.stem, getattr(item, "originalname", item.name)):
            item.add_marker(pytest.mark.quick)
