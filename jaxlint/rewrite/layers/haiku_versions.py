"""Haiku's versions of JAX's transforms, and what they do not take."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Fix

# Haiku's version, and the keywords of JAX's that it does not take (haiku 0.0.17).
VERSIONS: dict[str, tuple[str, frozenset[str]]] = {
    "jax.lax.scan": ("haiku.scan", frozenset()),
    "jax.lax.cond": ("haiku.cond", frozenset()),
    "jax.lax.switch": ("haiku.switch", frozenset()),
    "jax.lax.fori_loop": ("haiku.fori_loop", frozenset({"unroll"})),
    "jax.lax.map": ("haiku.map", frozenset({"batch_size"})),
    "jax.checkpoint": ("haiku.remat", frozenset({"static_argnames", "concrete"})),
    "jax.vmap": ("haiku.vmap", frozenset({"sum_match"})),
}


@or_none
def haiku_version(file: File, site: int, api: str, changes: str, keyword: str = "") -> Fix:
    """Call Haiku's version of the transform at ``site`` with the same arguments, and with one more ``keyword``."""
    call, draft = expect(ir.Call, file.unit.nodes[site]), Draft(file)
    name, refused = VERSIONS[api]
    require(type(call.func) in (ir.Name, ir.Attribute))
    require(not any(given.name is None or given.name in refused for given in call.keywords))
    text = draft.api(name)
    draft.replace(call.func.site, text)
    if keyword:
        draft.append_argument(call, keyword.replace("hk.", f"{text.rpartition('.')[0]}."))
    return draft.fix(f"Use `{text}`", changes)
