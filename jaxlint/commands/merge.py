"""``jaxlint merge``: the reports of the shards of a run, in JSON or SARIF, as the one report of the whole run."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import Any

from jaxlint.config import ConfigError
from jaxlint.identity import fingerprint
from jaxlint.report import output_file
from jaxlint.report.json import SHARD
from jaxlint.report.sarif import FINGERPRINT
from jaxlint.report.sarif import SHARD as SARIF_SHARD
from jaxlint.report.text import visible

CLEAN, FINDINGS, ERROR = 0, 1, 2
_FAILURES = ("JAX902", "JAX903")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("reports", nargs="+", metavar="REPORT", help="files that `check --shard` wrote as json, json-lines or sarif")
    parser.add_argument("--output-file", metavar="FILE", help="where to put the report (default: standard output)")
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")


def run(args: argparse.Namespace) -> int:
    """Exits as the whole run would: 1 where there are findings, 2 where the tool has failed."""
    try:
        if args.output_file is not None:
            output_file.check(args.output_file)
        text, codes = _merged(args.reports)
        if args.output_file is None:
            sys.stdout.write(text)
        else:
            output_file.write(args.output_file, text)
    except ConfigError as error:
        print(f"jaxlint merge: {visible(str(error))}", file=sys.stderr)
        return ERROR
    if codes & set(_FAILURES):
        return ERROR
    return FINDINGS if codes and not args.exit_zero else CLEAN


def _merged(names: list[str]) -> tuple[str, set[str]]:
    """The text of the report, and the codes of what it holds. Raises ConfigError."""
    kinds, reports = zip(*map(_read, names))
    if len(set(kinds)) > 1:
        listed = ", ".join(f"{name} is {kind}" for name, kind in zip(names, kinds))
        raise ConfigError(f"the reports are of different formats ({listed}); write all with the same --output-format")
    try:
        if kinds[0] == "sarif":
            log = _merge_sarif(list(reports))
            return json.dumps(log, indent=2) + "\n", {each["ruleId"] for each in log["runs"][0]["results"]}
        entries = _merge_json([entry for report in reports for entry in report])
    except (LookupError, TypeError, AttributeError) as error:
        raise ConfigError(f"{', '.join(names)}: not reports of jaxlint ({error!r}); write them with `jaxlint check`") from error
    lines = "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries)
    return (lines if kinds[0] == "json-lines" else json.dumps(entries, indent=2) + "\n"), {each["code"] for each in entries}


def _read(name: str) -> tuple[str, Any]:
    """The format of a report, and what it holds."""
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name}: cannot read the report: {getattr(error, 'strerror', None) or error}") from error
    try:
        if not text.strip() or text.startswith("{") and "\n" in text and text.split("\n", 1)[0].endswith("}"):
            return "json-lines", [json.loads(line) for line in text.splitlines()]
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: neither JSON nor SARIF ({error}); write it with --output-format json or sarif") from error
    return ("sarif" if isinstance(data, dict) else "json"), data


def _merge_json(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    def place(each: dict[str, Any]) -> Any:
        return each["filename"], each["cell"] or 0, each["location"]["row"], each["location"]["column"], each["code"]

    kept: dict[Any, dict[str, Any]] = {}
    # A file's own finding comes first, then that of the first file that leads to it, as in one run.
    for each in sorted(entries, key=lambda each: each.get(SHARD) or ""):
        key = (place(each), each["message"] if each["code"] in _FAILURES else "")
        kept.setdefault(key, {name: value for name, value in each.items() if name != SHARD})
    return sorted(kept.values(), key=lambda each: (each["code"] != "JAX903", *place(each), each["message"]))


def _merge_sarif(logs: list[dict[str, Any]]) -> dict[str, Any]:
    runs = [run for log in logs for run in log["runs"]]
    driver = runs[0]["tool"]["driver"]
    found = [each for run in runs for each in run["results"]]
    kept: dict[Any, dict[str, Any]] = {}
    for each in sorted(found, key=lambda each: _shard(each).get("foundFrom") or ""):
        kept.setdefault(_place(each), each)
    results = sorted(kept.values(), key=lambda each: (each["ruleId"] != "JAX903", *_place(each), each["message"]["text"]))
    rules = {rule["id"]: rule for run in runs for rule in run["tool"]["driver"]["rules"]}
    codes = sorted({each["ruleId"] for each in results})
    artifacts = {_address(each["location"]): each for run in runs for each in run["artifacts"]}
    used = sorted({_address(each) for result in results for each in _locations(result)})
    seen: Counter[Any] = Counter()
    for each in results:
        each["ruleIndex"] = codes.index(each["ruleId"])
        for location in _locations(each):
            location["index"] = used.index(_address(location))
        line = _shard(each).get("line")
        if line is not None:
            key = (_place(each)[0], each["ruleId"], line)
            each["partialFingerprints"] = {FINGERPRINT: fingerprint(*key, seen[key])}
            seen[key] += 1
            del each["properties"]
    successful = all(each["executionSuccessful"] for run in runs for each in run["invocations"])
    merged = {
        **runs[0],
        "tool": {"driver": {**driver, "rules": [rules[code] for code in codes]}},
        "invocations": [{"executionSuccessful": successful}],
        "artifacts": [artifacts[address] for address in used],
        "results": results,
    }
    return {**logs[0], "runs": [merged]}


def _shard(result: dict[str, Any]) -> dict[str, Any]:
    return result.get("properties", {}).get(SARIF_SHARD, {})


def _place(result: dict[str, Any]) -> tuple[str, int, int, str]:
    physical = result["locations"][0]["physicalLocation"]
    region = physical["region"]
    return physical["artifactLocation"]["uri"], region["startLine"], region.get("startColumn", 0), result["ruleId"]


def _address(location: dict[str, Any]) -> str:
    return location["uri"]


def _locations(value: Any) -> list[dict[str, Any]]:
    """All artifact locations in a part of a log."""
    found: list[dict[str, Any]] = []
    if isinstance(value, dict):
        for name, inner in value.items():
            found += [inner] if name == "artifactLocation" else _locations(inner)
    elif isinstance(value, list):
        for inner in value:
            found += _locations(inner)
    return found
