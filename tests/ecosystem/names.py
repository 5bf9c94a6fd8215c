"""What unread findings say of names is asked of JAX itself; those that hold are true.

    python tests/ecosystem/names.py [--folder FOLDER] [--environments DIR]

After ``run.py --record``: each unread finding of JAX801 to JAX805 is held against the newest JAX and
its libraries, in the environment of old_releases.py. What holds gets its verdict; what does not is
printed, and remains to be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ledger
import sources
from old_releases import CODES, NEWEST, PACKAGES, claims, environments, environments_folder, real_jax

SAYS = {
    "gone": "JAX {jax} has no `{name}`.",
    "parameter-gone": "`{name}` takes no `{parameter}`, says its signature in jax {jax}.",
    "parameter-positional-only": "`{name}` takes `{parameter}` by position alone, says its signature in jax {jax}.",
    "parameter-keyword-only": "`{name}` takes `{parameter}` by keyword alone, says its signature in jax {jax}.",
    "private": "`{name}` is private.",
    "warns": "`{name}` warns of its end in jax {jax}.",
}
SAYS_OF_LIBRARY = {
    "gone": "`{name}` is not there in the library's newest release.",
    "warns": "`{name}` warns of its end.",
}


def reason(claim: str) -> str:
    kind, name, *parameter = claim.split()
    says = SAYS[kind] if name.startswith(("jax.", "Array.")) else SAYS_OF_LIBRARY.get(kind, SAYS[kind])
    return says.format(jax=NEWEST, name=name, parameter="".join(parameter))


def findings(folder: Path) -> dict[ledger.Entry, Any]:
    """The findings of the last run that the ledger has unread, with their messages."""
    found = {}
    for entry in ledger.read():
        if entry.verdict == ledger.UNREAD and entry.code in CODES[:5]:
            rows = json.loads((folder / f"{entry.package}.findings.json").read_text(encoding="utf-8"))
            messages = [
                row["message"]
                for row in rows
                if (row["path"], row["line"], row["code"]) == (entry.path, entry.line, entry.code)
            ]
            found[entry] = [SimpleNamespace(code=entry.code, message=message) for message in messages]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--folder",
        type=Path,
        default=sources.default_folder(),
        help="where run.py keeps what it found (default: %(default)s)",
    )
    parser.add_argument(
        "--environments", type=Path, help="where environments are kept (default: as for jaxlint verify)"
    )
    args = parser.parse_args()
    python = environments.python(NEWEST, PACKAGES, environments_folder(args.environments))
    said = {entry: [claim for _, claim in claims(of)] for entry, of in findings(args.folder).items()}
    asked = sorted({claim for each in said.values() for claim in each if " " in claim})
    held = real_jax(python, "claims", stdin="\n".join(asked)) if asked else {}
    result = []
    for entry in ledger.read():
        claimed = said.get(entry, [])
        if claimed and all(held.get(claim) is True and claim.split()[0] in SAYS for claim in claimed):
            entry = replace(entry, verdict="true", reason=reason(claimed[0]))
        elif claimed:
            print(f"{entry}: " + "; ".join(f"{claim}: {held.get(claim)}" for claim in claimed))
        result.append(entry)
    ledger.write(result)


if __name__ == "__main__":
    sys.exit(main())
