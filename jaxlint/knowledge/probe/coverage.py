"""How much of JAX was measured, and whether JAX's own source agrees."""

from __future__ import annotations

from typing import Any

from jaxlint.knowledge.probe import calls, calls_by_hand, declared, facts

_CLASSIFIED = ("static", "dynamic", "mixed", "decides")


def report(sections: dict[str, dict[str, Any]]) -> list[str]:
    rows = sections.get("functions", {})
    lines = [
        f"{len(sections[section])} {section}"
        for section in ("names", "members", "methods", "host")
        if section in sections
    ]
    if "between" in sections["versions"]:  # the calls of the functions that are not measured are not counted
        lines += _agreement(rows)
    elif rows:
        lines += _functions(rows)
    # These are measurements that are missing.
    lines += [f"example call does not work: {call}" for call in calls.broken]
    return lines


def _functions(rows: dict[str, dict[str, Any]]) -> list[str]:
    apart = {name for name in rows if calls_by_hand.is_skipped(name) or name in facts.classes}
    called = {name for name in rows if "result" in rows[name]}
    missing = sorted(set(rows) - apart - called)
    counts = {field: sum(len(rows[name].get(field, ())) for name in called) for field in _CLASSIFIED}
    classified = sum(counts.values())
    unknown = {name: facts.unclassified[name] for name in sorted(called) if facts.unclassified.get(name)}
    open_ones = sum(map(len, unknown.values()))
    return [
        *(f"no call: {name}({rows[name]['parameters']})" for name in missing),
        *(f"not classified: {name}: {', '.join(parameters)}" for name, parameters in unknown.items()),
        f"callables: {_share(len(called), len(called) + len(missing))} called; {len(apart - called)} more are classes"
        " or would change the process, need devices, or write files",
        f"parameters that take arrays or numbers: {_share(classified, classified + open_ones)} classified: "
        + ", ".join(f"{count} {field}" for field, count in counts.items()),
        f"{sum('consumes' in row for row in rows.values())} functions consume a key, "
        f"{sum(row.get('data_dependent', False) for row in rows.values())} have a result whose shape depends on data",
        *_agreement(rows),
    ]


def _agreement(rows: dict[str, dict[str, Any]]) -> list[str]:
    agreeing, disagreeing = declared.compare(rows)
    return [
        f"static arguments declared in JAX's own source: {agreeing} agree, {len(disagreeing)} disagree",
        *disagreeing,
    ]


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / max(whole, 1):.1f} %)"
