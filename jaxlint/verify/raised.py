"""Which messages the exceptions have that the fixtures raise.

``python -m jaxlint.verify.raised [CODE ...]`` runs them under JAX and writes ``knowledge/data/messages.json``; with codes it runs
the fixtures of these rules and keeps what the others raise.
"""

from __future__ import annotations

import argparse
import functools
import importlib.metadata
import json
import platform
import re
import sys
from collections.abc import Sequence

import jax

from jaxlint.hazards.registry import find
from jaxlint.knowledge import messages
from jaxlint.verify import errors, place
from jaxlint.verify.execute import run_case
from jaxlint.verify.fixture import Case, FixtureFile, Proof

_SAME = 0.85  # the share of words from which on two messages of one class are kept as one
_PACKAGES = ("jax", "flax", "dm-haiku", "equinox", "numpy")


@functools.lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """What messages depend on."""
    here = {"python": ".".join(platform.python_version_tuple()[:2])}
    for package in _PACKAGES:
        try:
            here[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            here[package] = "none"
    return here


def message(fixture: FixtureFile, error: BaseException) -> str | None:
    """The message of an exception as it is kept; None where it tells nothing, or the fixture itself has it."""
    said = str(error)
    found = messages.template(said)
    return found if messages.tells(found) and said.split("\n")[0] not in fixture.text else None


def is_known(fixture: FixtureFile, error: BaseException, code: str) -> bool:
    """Whether what ``jaxlint explain`` knows of the message names the rule; also where other packages may say it otherwise."""
    if message(fixture, error) is None or messages.read()["versions"] != versions():
        return True
    return code in messages.rules_of(messages.alike(type(error).__name__, str(error)))


def raised(only: frozenset[str] = frozenset()) -> dict[str, dict[str, list[str]]]:
    """Exception -> message -> codes of the rules whose fixtures raise it; ``only``: the codes of those that are run."""
    found: dict[str, dict[str, set[str]]] = _kept(only) if only else {}
    last = None
    for code, fixture, case in errors.cases():
        if only and code not in only:
            continue
        if fixture is not last:
            jax.clear_caches()
            last = fixture
        for proof in case.proofs:
            error = _error(fixture, case, proof) if place.speaks(case, proof) else None
            said = None if error is None else message(fixture, error)
            if said is not None:
                known = found.setdefault(type(error).__name__, {})
                known.setdefault(next((each for each in known if _is_same(said, each)), said), set()).add(code)
    return {
        name: {text: sorted(codes) for text, codes in sorted(texts.items())} for name, texts in sorted(found.items())
    }


def _kept(but: frozenset[str]) -> dict[str, dict[str, set[str]]]:
    """What is recorded of all rules but these."""
    kept = {
        name: {text: set(codes) - but for text, codes in texts.items()}
        for name, texts in messages.read()["errors"].items()
    }
    return {
        name: found
        for name, texts in kept.items()
        if (found := {text: codes for text, codes in texts.items() if codes})
    }


def _error(fixture: FixtureFile, case: Case, proof: Proof) -> BaseException | None:
    """What users see: the error itself, or that of the checker of JAX which shows the hazard."""
    if proof.kind == "raises":
        return run_case(fixture, case).error
    if proof.kind == "reuses":
        return run_case(fixture, case, within=lambda: jax.debug_key_reuse(True)).error
    if proof.kind == "leaks":
        runs = (run_case(fixture, case), run_case(fixture, case, within=jax.checking_leaks))
        return next((each.error for each in runs if each.error is not None and _is_leak(each.error)), None)
    return None


def _is_leak(error: BaseException) -> bool:
    return type(error).__name__ == "UnexpectedTracerError" or "Leaked trace" in str(error)


def _is_same(said: str, known: str) -> bool:
    left, right = messages.words(said), messages.words(known)
    return messages.named(said) == messages.named(known) and len(left & right) >= _SAME * len(left | right)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m jaxlint.verify.raised", description="Record the messages that fixtures raise."
    )
    parser.add_argument("codes", nargs="*", metavar="CODE", help="the rules whose fixtures are run (default: all)")
    only = frozenset(find(code).code for code in parser.parse_args(arguments).codes)
    if only and messages.read()["versions"] != versions():
        parser.error(
            f"{messages.FILE} was written with other versions, {messages.read()['versions']}: run it without codes"
        )
    table = {"versions": versions(), "errors": raised(only)}
    text = json.dumps(table, indent=1, ensure_ascii=False)
    codes = re.compile(r'\[\n\s+("JAX\d+"(?:,\n\s+"JAX\d+")*)\n\s+\]')  # one message a line
    text = codes.sub(lambda found: f"[{' '.join(found[1].split())}]", text)
    messages.FILE.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
