"""Where a proof is run: platform, device, versions."""

from __future__ import annotations

import functools
import importlib.metadata
import operator
import platform as host
import re

import jax

from jaxlint import knowledge
from jaxlint.verify.fixture import Case, Condition, Proof

_COMPARE = {">=": operator.ge, "<=": operator.le, "==": operator.eq, "<": operator.lt, ">": operator.gt}


def here() -> dict[str, str]:
    """The columns of a result that say where it was obtained."""
    device = jax.devices()[0]
    return {
        "platform": device.platform,
        "device": device.device_kind,
        "jax": jax.__version__,
        "python": host.python_version(),
    }


def holds(condition: Condition) -> bool:
    """Whether a proof limited by ``condition`` can be shown on this platform with these versions."""
    if condition.platform is not None and condition.platform != jax.default_backend():
        return False
    return all(_meets(*requirement) for requirement in condition.requirements)


def speaks(case: Case, proof: Proof) -> bool:
    """Whether a proof is to be shown here: its condition holds, and this release is none in which the code still runs."""
    if case.before is not None and release(jax.__version__) <= release(case.before):
        return False
    return holds(proof.condition)


def _meets(package: str, relation: str, wanted: str) -> bool:
    installed = _installed(package)
    return installed is not None and bool(_COMPARE[relation](release(installed), release(wanted)))


@functools.cache
def _installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def release(version: str) -> tuple[int, ...]:
    """The release that an installed version is, or leads to (0.11.0.dev1), as a tuple that compares as it does."""
    found = re.match(r"\d+(\.\d+)*", version)
    return knowledge.release(found.group()) if found else ()
