"""What was proven of each rule, as the documentation and the page of the rule show it. Imports no jax."""

from __future__ import annotations

import re
from typing import Any

from jaxlint.verify import results

LEVELS = {"safe": "S", "unsafe": "U", "display": "D", "none": "–"}
Row = dict[str, Any]


def of_rule(code: str) -> list[Row]:
    """The recorded rows of a rule, one for each platform on which it was proven."""
    return latest([row for row in results.recorded() if row["rule"] == code])


def latest(rows: list[Row]) -> list[Row]:
    """Of each rule and platform the row of the newest release of JAX."""
    by_release = sorted(rows, key=lambda row: [int(number) for number in re.findall(r"\d+", row["jax"])])
    found = {(row["rule"], row["platform"]): row for row in by_release}
    return [found[key] for key in sorted(found)]


def cells(row: Row, others: list[Row]) -> dict[str, str]:
    """The columns of a rule: what its fixtures hold, and whether each of them does what it should.

    ``others`` are rows of the same rule on other platforms.
    """
    checks = row["checks"]
    here = "not run here" if row["outcome"] == "not run here" else ""
    elsewhere = f", {row['not_run_here']} not run here" if row["not_run_here"] else ""
    under = ", ".join(f"{name} {count}" for name, count in row["transforms"].items())
    return {
        "cases": str(row["cases"]),
        "near misses": str(row["near_misses"]),
        **{short: str(row["fixes"].get(level, 0)) for level, short in LEVELS.items()},
        "bad fails": here or _yes(checks, "findings", "proof") + elsewhere,
        "fixed runs": here or _yes(checks, "fixed"),
        "equal values": here or _yes(checks, "values"),
        "also under": f"{under}: {_yes(checks, 'transforms')}" if under else "",
        "no key twice": f"{row['keys']}: {_yes(checks, 'values')}" if row["keys"] else "",
        "stable": _yes(checks, "golden"),
        "safe to the bit": (here or _yes(checks, "safe")) if row["fixes"].get("safe") else "",
        "gpu": next((each["outcome"] for each in others if each["platform"] == "gpu"), "not yet run"),
    }


def _yes(checks: dict[str, bool], *names: str) -> str:
    return "yes" if all(checks.get(name) for name in names) else "no"


def markdown(rows: list[Row]) -> str:
    """The part of the documentation that is written: a summary, and the table, a row for each rule proven on a CPU."""
    rows = latest(rows)
    here = [row for row in rows if row["platform"] == "cpu"]
    table = [(row, cells(row, [each for each in rows if each["rule"] == row["rule"]])) for row in here]
    headings = list(table[0][1]) if table else []
    lines = [_summary(here), "", *_places(rows), ""]
    lines += [f"| rule | name | {' | '.join(headings)} |", f"|---|---|{'--:|' * 6}{'---|' * (len(headings) - 6)}"]
    lines += [f"| {row['rule']} | {row['name']} | {' | '.join(shown.values())} |" for row, shown in table]
    return "\n".join(lines) + "\n"


def _summary(rows: list[Row]) -> str:
    counts = {level: sum(row["fixes"].get(level, 0) for row in rows) for level in LEVELS}
    total = sum(counts.values()) or 1
    applied = counts["safe"] + counts["unsafe"]
    transforms = {name: sum(row["transforms"].get(name, 0) for row in rows) for name in ("jit", "vmap", "grad")}
    proven = sum(row["outcome"] == "proven" for row in rows)
    return (
        f"{proven} of {len(rows)} rules proven: {sum(row['cases'] for row in rows)} cases that fail, with"
        f" {total} findings, and {sum(row['near_misses'] for row in rows)} near misses that are silent."
        f" Of the findings {counts['safe']} have a safe fix (S), {counts['unsafe']} an unsafe one (U), and"
        f" {counts['display']} a rewrite that is shown (D): {applied / total:.1%} are fixed, and"
        f" {(applied + counts['display']) / total:.1%} are fixed or shown how. {counts['none']} have none (–)."
        f" Fixed code was also run under {', '.join(f'{name} in {count} cases' for name, count in transforms.items())},"
        f" and under JAX's key checker in {sum(row['keys'] for row in rows)}."
    )


def _places(rows: list[Row]) -> list[str]:
    """Where the rows come from, one line for each place and day."""
    places: dict[tuple[str, ...], int] = {}
    for row in rows:
        place = (row["platform"], row["device"], row["jax"], row["python"], row["date"])
        places[place] = places.get(place, 0) + 1
    lines = [
        f"- {platform} ({device}), jax {jax}, Python {python}, {date}: {count} rules"
        for (platform, device, jax, python, date), count in sorted(places.items())
    ]
    return lines if any(row["platform"] == "gpu" for row in rows) else [*lines, "- gpu: not yet run"]


def sentence(code: str) -> str | None:
    """What was proven of a rule, in words, for its page; None where nothing is recorded."""
    rows = of_rule(code)
    row = next((each for each in rows if each["platform"] == "cpu"), None)
    if row is None:
        return None
    said = [_run(row), _fixes_offered(row["fixes"]), _fixed_code(row)]
    said += [f"It holds on {_listed(others)}, too." for others in [_proven_elsewhere(rows)] if others]
    return " ".join(filter(None, said))


def _run(row: Row) -> str:
    """How the programs of a rule fared, and where."""
    where = f"under JAX {row['jax']} on a {row['platform'].upper()} ({row['date']})"
    if row["outcome"] == "not run here":
        return f"The programs of its fixtures cannot run {where}: nothing is claimed of them."
    broken = [check for check, holds in row["checks"].items() if not holds]
    if broken:
        return f"Its fixtures were run {where}, and not all that should hold of them does: {_listed(broken)}."
    ran = row["cases"] - row["not_run_here"]
    programs = f"{ran} programs of its fixtures go" if ran > 1 else "the program of its fixtures goes"
    left = f" ({row['not_run_here']} more cannot run there)" if row["not_run_here"] else ""
    return f"Run {where}, {programs} wrong as the rule says{left}, and {row['near_misses']} near misses run and are left alone."


def _fixes_offered(fixes: dict[str, int]) -> str:
    words = {
        "safe": "a safe fix",
        "unsafe": "an unsafe fix",
        "display": "a rewrite that is shown and not applied",
        "none": "none",
    }
    given = {level: fixes[level] for level in words if fixes.get(level)}
    if list(given) == ["none"]:
        return "There is no fix."
    if len(given) == 1:
        return "".join(f"Each finding in them has {words[level]}." for level in given)
    parts = [f"{count} {'have' if count > 1 else 'has'} {words[level]}" for level, count in given.items()]
    return f"Of the {sum(given.values())} findings in them {_listed(parts)}."


def _fixed_code(row: Row) -> str:
    """What the mended programs did, where all of it is as it should be."""
    if row["outcome"] != "proven" or not any(row["fixes"].get(level) for level in ("safe", "unsafe")):
        return ""
    done = {"jit": "compiled", "vmap": "mapped", "grad": "differentiated"}
    also = [f"{count} {done[name]}" for name, count in row["transforms"].items() if count]
    said = "The mended programs run, give the values that are meant"
    said += " (to the bit where the fix is safe)" if row["fixes"].get("safe") else ""
    said += ", and are neither reported nor changed again."
    said += f" Transformed once more they agree with the originals: {_listed(also)}." if also else ""
    return said + (f" JAX's own checker finds no key used twice in {row['keys']} of them." if row["keys"] else "")


def _proven_elsewhere(rows: list[Row]) -> list[str]:
    return [
        f"a {row['platform'].upper()} ({row['device']}, JAX {row['jax']})"
        for row in rows
        if row["platform"] != "cpu" and row["outcome"] == "proven"
    ]


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
