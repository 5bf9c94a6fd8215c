"""Random numbers of a Linen module shared by every element or step of a JAX transform.

## What it does
Reports `jax.vmap`, `lax.scan`, `lax.map` and the loops of `jax.lax` in a Flax module whose function calls `nn.Dropout` or
consumes a key of `self.make_rng`. Also `nn.vmap` that makes parameters for each member, gives all of them the same arguments, and
does not split the key of the parameters: the members are equal, and stay so; and `nn.vmap`, or `nn.scan` over layers, of a module
with dropout whose key is not split. A key that is told apart by a mapped number, with `jax.random.fold_in`, is not
reported, nor is dropout that is certainly off.

## Why is this bad
A module derives its keys from a stream that knows nothing of the transforms of JAX. The function is
traced once, and draws one key: each row, or each step, has the same mask. No error is raised.

## Example
```python
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        drop = nn.Dropout(0.5, deterministic=False)
        return jax.vmap(lambda row: drop(row))(x)
```

## Use instead
```python
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        drop = nn.Dropout(0.5, deterministic=False)
        return nn.vmap(
            lambda drop, row: drop(row), variable_axes={"params": None}, split_rngs={"params": False, "dropout": True}
        )(drop, x)
```

## When to ignore
Where one mask for all is meant, as in variational dropout of recurrent networks.

## Fix safety
Flax's version is displayed, written out; it is not applied, for the parameters made in it may be meant to be many. Unsafe:
in `fori_loop` the number of the pass is folded into the key.

## References
- Flax documentation, "RNGs and lifted transforms":
  https://flax-linen.readthedocs.io/en/latest/guides/flax_fundamentals/rng_guide.html
- Flax documentation, `flax.linen.vmap`, `split_rngs`:
  https://flax-linen.readthedocs.io/en/latest/api_reference/flax.linen/transformations.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.linen import LinenMembersAlike, LinenRngShared
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.own_keys import own_keys
from jaxlint.rewrite.layers.linen_fixes import lifted
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX614",
    category=Category.WRONG,
    hazards=(LinenRngShared, LinenMembersAlike),
    fixable="unsafe",
)


def check(hazard: LinenRngShared | LinenMembersAlike, file: File) -> Iterator[Finding]:
    if type(hazard) is LinenMembersAlike and hazard.stream != "params":
        yield Finding(
            hazard.site,
            f"Key of `{hazard.stream}` shared by all members, which drop the same",
            f'Split the key: `split_rngs={{"{hazard.stream}": True}}`.',
            _split(hazard, file),
        )
        return
    if type(hazard) is LinenMembersAlike:
        yield Finding(
            hazard.site,
            "Parameters drawn once for all members of `nn.vmap`, which are equal",
            'Split the key of the parameters: `split_rngs={"params": True}`.',
            _split(hazard, file),
        )
        return
    assert type(hazard) is LinenRngShared
    api = f"jax.{hazard.api}"
    each = "element" if hazard.api in ("vmap", "lax.map") else "step"
    around = any(node.site == hazard.operand for node in file.unit.ancestors(hazard.site))
    used = hazard.site if around else hazard.operand  # the layer itself is what is transformed
    draft = Draft(file)
    version = lifted(draft, hazard.site, api, used, _stream(hazard, file))
    fix = None
    if version is None and hazard.api == "lax.fori_loop":
        fix = _folded(hazard, file)
    advice = "Split the key before, `jax.random.split(self.make_rng(…), n)`, and map over the keys."
    if version is not None:
        advice = f"Use `{version}`, and list the RNG streams in `split_rngs`."
        fix = draft.fix(f"Use `{version}` with `split_rngs`", NUMBERS_DRAWN, Applicability.DISPLAY)
    yield Finding(
        hazard.site,
        f"RNG shared by every {each} of `{hazard.api}`: `{file.code(hazard.operand, 40)}`",
        advice,
        fix,
        also=(("drawn here, once for all", hazard.operand),),
    )


def _split(hazard: LinenMembersAlike, file: File) -> Fix | None:
    """`True` in the place of `False`, for the stream."""
    node = bound_to(file.unit, file.unit.nodes[hazard.site])
    for key, value in zip(node.keys, node.values) if isinstance(node, ir.Dict) else ():
        if isinstance(key, ir.Constant) and key.value == hazard.stream and isinstance(value, ir.Constant):
            edit = file.replace(value.site, "True")
            what = "the parameters" if hazard.stream == "params" else f"`{hazard.stream}`"
            return Fix(f"Split the key of {what}", (edit,), changes=NUMBERS_DRAWN)
    return None


def _stream(hazard: LinenRngShared, file: File) -> str:
    """Name of the stream that is drawn from."""
    for node in ir.walk([file.unit.nodes[hazard.operand]]):
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == "make_rng":
            named = node.args[0] if node.args else None
            return named.value if isinstance(named, ir.Constant) and isinstance(named.value, str) else "params"
    return "dropout"


def _folded(hazard: LinenRngShared, file: File) -> Fix | None:
    """`fold_in(self.make_rng(…), i)` in the body of a loop that counts."""
    drawn = [
        node for node in ir.walk([file.unit.nodes[hazard.operand]])
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == "make_rng"
    ]  # fmt: skip
    return own_keys(file, hazard.site, "lax.fori_loop", drawn[0].site) if len(drawn) == 1 else None
