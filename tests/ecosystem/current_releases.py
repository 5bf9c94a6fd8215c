"""The rules about migration on the packages that are installed beside a JAX: is each finding true of that JAX?

    python tests/ecosystem/current_releases.py [--python INTERPRETER] [--environments DIR] [--record]

Lints the installed packages for the release of JAX that is installed with them, and holds every
finding of JAX801 to JAX805 against what that JAX has. By default this is the environment of
old_releases.py, with the newest JAX. ``--record`` writes the figures into docs/migrations.md. Exits
with 1 where a finding is wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import old_releases
from old_releases import IMPORTED_AS, NEWEST, PACKAGES, contradicted, lint

from jaxlint.knowledge.probe import environments
from jaxlint.verify import pages
from jaxlint.verify.releases import environments_folder

TOOLS = {"funsor", "pytest"}  # what the packages need, not what is linted
CODES = old_releases.CODES[:5]

_ASK = """
import importlib.metadata, json, sysconfig
versions = {each.metadata["Name"].lower(): each.version for each in importlib.metadata.distributions()}
print(json.dumps([sysconfig.get_path("purelib"), versions]))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--python", type=Path, help=f"interpreter with jax and the packages (default: the environment of jax {NEWEST})"
    )
    parser.add_argument(
        "--environments", type=Path, help="where environments are kept (default: as for jaxlint verify)"
    )
    parser.add_argument("--record", action="store_true", help=f"write the figures into {pages.MIGRATIONS.name}")
    args = parser.parse_args()
    try:
        python = args.python or environments.python(NEWEST, PACKAGES, environments_folder(args.environments))
    except environments.NotBuilt as error:
        parser.error(str(error))
    said = subprocess.run([str(python), "-c", _ASK], capture_output=True, text=True, check=True).stdout
    site, versions = json.loads(said)
    rows, good = [], True
    for name in PACKAGES:
        package = IMPORTED_AS.get(name, name)
        if name in TOOLS or name not in versions or not (Path(site) / package).is_dir():
            continue
        findings = [each for each in lint(Path(site), package, target=versions["jax"]) if each.code in CODES]
        wrong = contradicted(findings, python, package)
        good = good and not wrong
        counts = Counter(each.code for each in findings)
        rows.append([f"{name} {versions[name]}", *(str(counts[code]) for code in CODES), str(len(wrong))])
        print(f"{rows[-1][0]}: {len(findings)} findings, {len(wrong)} wrong", flush=True)
        for line in wrong:
            print(f"  wrong: {line}")
    headings = ["release", *CODES, "wrong"]
    total = ["all", *(str(sum(int(row[column]) for row in rows)) for column in range(1, len(headings)))]
    lines = ["| " + " | ".join(headings) + " |", "|---|" + "--:|" * (len(headings) - 1)]
    table = "\n".join(lines + ["| " + " | ".join(row) + " |" for row in [*rows, total]]) + "\n"
    print(f"\nfor jax {versions['jax']}\n{table}")
    if args.record:
        text = pages.MIGRATIONS.read_text(encoding="utf-8")
        pages.MIGRATIONS.write_text(pages.replaced(text, "current releases", table), encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
