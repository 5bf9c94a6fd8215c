"""``python -m jaxlint.verify.differential``: runs and lints generated programs, and prints where the two disagree."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from jaxlint.verify.differential.campaign import GRAMMARS, Figures, campaign, figures
from jaxlint.verify.differential.report import DOCUMENT, document, table


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m jaxlint.verify.differential", description=__doc__)
    parser.add_argument(
        "--programs",
        type=int,
        default=500,
        metavar="N",
        help="how many programs around operations; a fifth as many of each other kind (default: 500)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which programs (default: 0)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--grammar", choices=sorted(GRAMMARS), help="only programs of this kind")
    parser.add_argument(
        "--kept",
        type=Path,
        metavar="FOLDER",
        help="keep here what JAX says of the programs, and ask it only for the rest",
    )
    parser.add_argument("--write", action="store_true", help=f"write {DOCUMENT.name}")
    options = parser.parse_args(arguments)
    for name in ("programs", "jobs"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} is {getattr(options, name)}; give a number from 1")
    if options.kept:
        options.kept.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    found: dict[str, Figures] = {}
    for grammar in [options.grammar] if options.grammar else GRAMMARS:
        count = options.programs if grammar == "operations" or options.grammar else -(-options.programs // 5)
        kept = options.kept / f"{grammar}.jsonl" if options.kept else None
        records = []
        for record in campaign(grammar, options.seed, count, options.jobs, kept):
            records.append(record)
            if len(records) % 100 == 0:
                print(f"{grammar}: {len(records)} of {count}", file=sys.stderr, flush=True)
        found[grammar] = figures(records)
    for grammar, each in found.items():
        print(table(grammar, each))
    if options.write:
        DOCUMENT.write_text(document(found, options.seed), encoding="utf-8")
        print(f"wrote {DOCUMENT}")
    return int(any(each.disagreeing for each in found.values()))


if __name__ == "__main__":
    sys.exit(main())
