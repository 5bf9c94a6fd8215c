"""Pages of the site that are written from the project itself: one for each rule, and the index of errors."""

import re
import sys
from collections import Counter
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "ecosystem")]

import ledger  # noqa: E402
from page import right, share  # noqa: E402

from jaxlint.configuration.table import parse_toml  # noqa: E402
from jaxlint.explain.pages import prevented, rules_of  # noqa: E402
from jaxlint.hazards.registry import all_rules  # noqa: E402
from jaxlint.hazards.resources import fixtures_root  # noqa: E402
from jaxlint.hazards.selectors import FAMILIES, TITLES  # noqa: E402
from jaxlint.knowledge.errors import all_errors  # noqa: E402
from jaxlint.verify import lint, proven  # noqa: E402
from jaxlint.verify.fixture import FixtureFile  # noqa: E402

ON = {"default": "on by default", "preview": "in preview", "opt-in": "opt-in"}


def on_config(config):
    """The address that the distribution names, to which reports lead; below the entry of the rules, a group for each family."""
    _, settings = parse_toml((ROOT / "pyproject.toml").read_bytes(), "pyproject.toml")
    config.site_url = settings["project"].get("urls", {}).get("Documentation")
    for entry in config.nav:
        if isinstance(entry, dict) and entry.get("Rules") == "rules/index.md":
            entry["Rules"] = ["rules/index.md"] + [
                {TITLES[family]: [f"rules/{slug(rule)}.md" for rule in all_rules() if rule.family == family]}
                for family in FAMILIES.values()
            ]
    return config


def contributing():
    """The page at the top of the repository, with links as they are from here."""
    return (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").replace("](docs/", "](")


def on_files(files, config):
    for rule in all_rules():
        files.append(File.generated(config, f"rules/{slug(rule)}.md", content=rule_page(rule)))
    files.append(File.generated(config, "rules/index.md", content=index()))
    files.append(File.generated(config, "errors.md", content=errors()))
    files.append(File.generated(config, "contributing.md", content=contributing()))
    for path in [path for kind in ("svg", "json", "css") for path in (ROOT / "docs").glob(f"*.{kind}")]:
        # Of the files beside mkdocs.yml the plugin takes pages alone.
        files.append(File.generated(config, path.name, abs_src_path=str(path)))
    return files


def slug(rule):
    return f"{rule.code}-{rule.name}"


def index():
    parts = [
        "# Rules\n",
        f"{len(all_rules())} rules; `jaxlint rules` lists them, `jaxlint explain CODE` shows a page.\n",
    ]
    for family in FAMILIES.values():
        parts.append(f"\n## {TITLES[family]}\n\n| rule | reports | fix | runs |\n|---|---|---|---|")
        parts += [
            f"| [{rule.code} {rule.name}]({slug(rule)}.md) | {rule.summary.replace('|', chr(92) + '|')} | {fix(rule)} | {ON[rule.on]} |"
            for rule in all_rules()
            if rule.family == family
        ]
    return "\n".join(parts) + "\n"


def fix(rule):
    return {"none": "–", "display": "shown"}.get(rule.fixable, rule.fixable)


def rule_page(rule):
    title, _, body = rule.docs.partition("\n")
    facts = [f"**{ON[rule.on]}**", f"{rule.status} since {rule.since}", f"fix: {fix(rule)}"]
    said = prevented(rule)
    if known(said):
        facts.append(f"prevents [`{said}`](../errors.md#{said.lower()})")
    else:
        facts.append(f"prevents `{said}`" if said == rule.error else f"prevents {said}")
    if not rule.in_tests:
        facts.append("off in test files")
    parts = [f"# {rule.code} {rule.name}", f"{title.rstrip('.')}.", " · ".join(facts), linked(fenced(body.strip()))]
    parts += shown_case(rule)
    said = proven.sentence(rule.code)
    if said:
        parts.append(f"[Proven](../verification.md): {said}")
    seen = real_code(rule.code, rule.on)
    if seen:
        parts += ["## In real code", seen]
    return "\n\n".join(parts) + "\n"


def known(name):
    return any(error.name == name for error in all_errors())


def shown_case(rule):
    """The first case of the rule's fixtures: the code, what jaxlint says of it, what it does, and the code mended."""
    bad, fixed = (case_code(rule, part) for part in ("bad", "fixed"))
    if bad is None:
        return []
    fixture, case, code, first = bad
    findings = [each for each in found_in(fixture, case, rule) if case.body <= each.start.row < case.end]
    rows = sorted({each.start.row - first + 1 for each in findings})
    marked = f' hl_lines="{" ".join(map(str, rows))}"' if rows else ""
    parts = ["## Proven code", f"```python{marked}\n{code}\n```"]
    if findings:
        parts.append("\n>\n".join(f"> **{rule.code} {rule.name}**: {escaped(each.message)}" for each in findings))
    shown = "; ".join(outcome(proof) for proof in case.proofs)
    if shown:
        parts.append(f"{ran(case.run)} {shown}.")
    if fixed is not None and fixed[2] != code:
        parts += ["Mended, and run again:", f"```python\n{fixed[2]}\n```"]
    return parts


def escaped(message):
    """A message in which only what stands between backquotes is markup."""
    parts = re.split(r"(`[^`]*`)", message)
    parts[::2] = [re.sub(r"([\\*_\[\]<>#])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def case_code(rule, part):
    """The fixture, its first case, the code of that without the comments that say what to run, and its first row."""
    # What runs when a module is imported has a file for each case; the first of `bad` and `fixed` belong together.
    path = next(iter(sorted((fixtures_root() / rule.family / rule.name).glob(f"{part}*.py"))), None)
    fixture = FixtureFile.read(path) if path else None
    if fixture is None or not fixture.cases:
        return None
    case = fixture.cases[0]
    lines = fixture.linted.split("\n")[case.body - 1 : case.end - 1]
    skipped = next((at for at, line in enumerate(lines) if line.strip()), 0)
    return fixture, case, "\n".join(lines[skipped:]).rstrip(), case.body + skipped


def found_in(fixture, case, rule):
    text = "\n".join(fixture.linted.split("\n")[: case.end - 1]) + "\n"
    return [each for each in lint.diagnostics(text, str(fixture.path), rule) if each.code == rule.code]


def ran(run):
    """What was run, as the subject of a sentence."""
    if run and "__file__" in run:  # in a process of its own, since it happens once in each
        return "Run as a program, this"
    return f"`{run}`" if run else "This"


def outcome(proof):
    """What the run of a case does, in words."""
    names = " or ".join(f"`{name}`" for name in proof.names)
    said = {
        "raises": f"raises {names}",
        "differs": "gives something else than the same code without a transform, or than is meant",
        "retraces": f"traces the function {proof.count} times",
        "prints": "prints a tracer instead of a value",
        "leaks": "leaves a tracer behind",
        "reuses": "draws the same random numbers more than once",
        "warns": f"warns with {names}",
        "measured": f"is measured in {proof.text}, of which the mended code has fewer",
        "style": f"runs; what speaks against it: {proof.text}",
    }[proof.kind]
    where = str(proof.condition).strip()
    if not where:
        return said
    place, _, releases = where.removeprefix("on ").partition(" ") if where.startswith("on ") else ("", "", where)
    return f"{said} ({', '.join(filter(None, (f'on a {place.upper()}' if place else '', f'with {releases}' if releases else '')))})"


def fenced(page):
    """Indented blocks of code as fenced ones, so that they are coloured."""

    def fence(match):
        code = re.sub(r"^    ", "", match[0].strip("\n"), flags=re.MULTILINE)
        return f"\n```{'python' if looks_like_python(code) else 'text'}\n{code}\n```\n"

    return re.sub(r"(?:(?<=\n\n)|\A)(?:    [^\n]*\n|\n(?=    ))+", fence, page + "\n")


def looks_like_python(code):
    try:
        compile(code, "page", "exec")
    except SyntaxError:
        return False
    return True


def linked(page):
    """Addresses, and the codes of other rules, as links."""
    slugs = {rule.code: slug(rule) for rule in all_rules()}
    parts = re.split(r"(```.*?```|`[^`]*`)", page, flags=re.DOTALL)
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"(?<!\]\()(https?://[^\s)]+)", r"<\1>", parts[at])
        parts[at] = re.sub(
            r"(?<!\[)\bJAX\d{3}\b",
            lambda match: f"[{match[0]}]({slugs[match[0]]}.md)" if match[0] in slugs else match[0],
            parts[at],
        )
    return "".join(parts)


def real_code(code, on):
    """What the ledger of findings in released packages says of a rule."""
    found = [entry for entry in ledger.read() if entry.code == code]
    everywhere = f"[{len(ledger.read_summary())} released packages](../ecosystem.md)"
    if not found:
        # What does not run by itself has not been looked for.
        return f"Nothing is reported in the sources of {everywhere}." if on == "default" else ""
    verdicts = Counter(entry.verdict for entry in found)
    packages = sorted({entry.package for entry in found})
    where = ", ".join(packages[:6]) + (f" and {len(packages) - 6} more" if len(packages) > 6 else "")
    said = {"true": "worth telling their authors", "harmless": "right and harmless", "false": "wrong"}
    counts = ", ".join(f"{verdicts[verdict]} {words}" for verdict, words in said.items() if verdicts[verdict])
    return (
        f"{len(found)} finding{'s' if len(found) > 1 else ''} in the sources of {everywhere} ({where})."
        f" Somebody has read the code of each: {counts}. **Right: {share(right(found), len(found))}.** jaxlint was fitted to"
        " these packages; [the figures at first sight](../ecosystem.md#at-first-sight) are lower."
    )


def errors():
    parts = [
        "# Coming from an error message",
        "Look for the class at the end of the traceback; or let jaxlint read the whole of it: `jaxlint explain - < traceback.txt`.",
    ]
    for error in sorted(
        all_errors(), key=lambda error: (not error.module.startswith("jax"), error.module == "builtins", error.name)
    ):
        rules = rules_of(error)
        page = f" [Its own page]({error.reference})." if error.reference else ""
        parts.append(f"## {error.name}\n\n`{error.path}`. {error.meaning}{page}")
        if rules:
            parts.append(
                "\n".join(f"- [{rule.code} {rule.name}](rules/{slug(rule)}.md): {rule.summary}" for rule in rules)
            )
        elif error.module != "builtins":
            parts.append("No rule reports code that raises it.")
    return "\n\n".join(parts) + "\n"
