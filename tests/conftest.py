"""How tests are shared out among processes, which of them are quick, and how what they run is compiled."""

import compileall
import contextlib
import gc
import importlib.metadata
import os
import platform
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

sys.path.insert(0, str(Path(__file__).parent))

from quick import QUICK, is_quick

FIXTURES = Path(__file__).parent.parent / "fixtures"
PARTS = 6
KEPT = 30 * 24 * 3600  # seconds for which a compiled program is kept
# The longest names first, since one may begin with another one.
FOLDERS = sorted((each.name for each in FIXTURES.glob("*/*") if each.is_dir()), key=len, reverse=True)


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        compile_package()
        compile_programs(config)


def compile_package():
    """Compile the package to bytecode, once: tests start hundreds of processes that import it.

    Python does so by itself unless `PYTHONDONTWRITEBYTECODE` is set, as it is in many containers; each of those processes
    then compiles every module it imports. A file that is up to date is left alone, and a folder that takes none is no error.
    """
    compileall.compile_dir(FIXTURES.parent / "jaxlint", quiet=2)


def compile_programs(config):
    """Have JAX compile quickly rather than well, and each program once for all processes: most are small and run once.

    XLA reads its flags when the first program of a process is compiled, and processes that tests start inherit them. What is
    compiled is kept for the next session where pytest keeps its cache.
    """
    if hasattr(config, "cache"):
        folder = config.cache.mkdir("compiled")
        for path in folder.iterdir():
            with contextlib.suppress(OSError):  # another session may remove it, too
                if path.stat().st_mtime < time.time() - KEPT:
                    path.unlink()
    else:
        temporary = tempfile.TemporaryDirectory(prefix="compiled-", ignore_cleanup_errors=True)
        config.add_cleanup(temporary.cleanup)
        folder = temporary.name
    variables = {
        "XLA_FLAGS": f"--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true {older_emitters()}",
        "JAX_COMPILATION_CACHE_DIR": str(folder),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    os.environ.update({**variables, **os.environ})


def older_emitters():
    """Flags for the older emitters of code, which compile in less than half the time; an unknown flag ends the process.

    They fuse multiplications and additions in some programs and not in others, so that numbers that are computed twice differ
    (the gradient of `jnp.max` compares such); what the instructions of AVX can do has no such fusion.
    """
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        release = tuple(map(int, importlib.metadata.version("jaxlib").split(".")[:2]))
        if release == (0, 10) and platform.machine() in ("x86_64", "AMD64"):
            return "--xla_cpu_use_fusion_emitters=false --xla_cpu_max_isa=AVX"
    return ""


def pytest_collection_finish():
    """What was imported and collected lives as long as the process: collections of garbage need not look through it."""
    gc.collect()
    gc.freeze()


def pytest_ignore_collect(collection_path, config):
    """`-m quick` does not even import the other modules: many of them import JAX."""
    if config.getoption("markexpr") == "quick" and collection_path.suffix == ".py":
        return collection_path.stem not in QUICK or None
    return None


def pytest_collection_modifyitems(items):
    """The files that take long come first, and small ones last, so that no process waits for the last test of another one."""
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path.stem in QUICK, -tests[item.path]))
    for item in items:
        if is_quick(item.path.stem, getattr(item, "originalname", item.name)):
            item.add_marker(pytest.mark.quick)


class ByFile(LoadScopeScheduling):
    """One process runs the tests of a file, which share what they set up; folders of fixtures are shared out."""

    def _split_scope(self, nodeid):
        path, _, name = nodeid.partition("::")
        folder = next((each for each in FOLDERS if f"[{each}]" in name or f"[{each}-" in name), None)
        return path if folder is None else f"{path} {zlib.crc32(folder.encode()) % PARTS}"


@pytest.hookimpl(optionalhook=True)  # where xdist is not loaded
def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False  # the files have their order
    return ByFile(config, log)
