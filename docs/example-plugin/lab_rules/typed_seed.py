"""## What it does

Reports random keys of the old form. The laboratory's samplers take typed keys alone.

## Fix safety

Unsafe: code that does arithmetic with the numbers of the key fails afterwards.
"""

from collections.abc import Iterator

from jaxlint.plugins import Category, File, Finding, Fix, Rule, hazards, syntax

RULE = Rule(
    code="LAB002",
    name="typed-seed",
    summary="A random key is made in the old form.",
    category=Category.STYLE,
    hazards=(hazards.LegacyKey,),
    fixable="unsafe",
    on="opt-in",
)


def check(hazard: hazards.LegacyKey, file: File) -> Iterator[Finding]:
    call = file.unit.nodes[hazard.site]
    fix = None
    if isinstance(call, syntax.Call):
        name, imports = file.api("jax.random.key")
        edit = file.replace(call.func.site, name)
        fix = Fix("Make a typed key", (edit,), imports=imports, changes="it has another shape and dtype")
    yield Finding(hazard.site, "the laboratory's samplers take typed keys", fix=fix)
