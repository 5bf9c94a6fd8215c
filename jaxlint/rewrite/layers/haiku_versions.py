"""Haiku's versions of JAX's transforms, and what they do not take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.ir import nodes as ir
from jaxlint.source.diagnostic import Fix

if TYPE_CHECKING:
    from jaxlint.rewrite.file import File

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


def haiku_version(file: File, site: int, api: str, changes: str, keyword: str = "") -> Fix | None:
    """Call Haiku's version of the transform at ``site`` with the same arguments, and with one more ``keyword``."""
    call = file.unit.nodes[site]
    name, refused = VERSIONS[api]
    if type(call) is not ir.Call or type(call.func) not in (ir.Name, ir.Attribute):
        return None
    if any(given.name is None or given.name in refused for given in call.keywords):
        return None
    text, imports = file.api(name)
    edits = [file.replace(call.func.site, text)]
    if keyword:
        last = max((file.outer_span(arg.site)[1] for arg in call.args), default=None)
        for given in call.keywords:
            last = max(last or 0, file.outer_span(given.value.site)[1])
        if last is None:
            return None
        module = text.rpartition(".")[0]
        edits.append(file.insert(last, f", {keyword.replace('hk.', f'{module}.')}"))
    return Fix(f"Use `{text}`", tuple(edits), imports=imports, changes=changes)
