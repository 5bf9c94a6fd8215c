from typing import NamedTuple

import jax
import jax.numpy as jnp


class Scan(NamedTuple):
    pixel: jax.Array
    offset: jax.Array
    signal: jax.Array


def bin_scan(template, scan: Scan):
    """Spreads every sample linearly over its two neighbouring pixels."""
    sky = jnp.zeros_like(template)  # mistake
    sky = sky.at[scan.pixel].add((1.0 - scan.offset) * scan.signal)  # mistake
    return sky.at[scan.pixel + 1].add(scan.offset * scan.signal)


def coverage(template, scan: Scan):
    hits = jnp.zeros_like(template, dtype=jnp.float32)
    hits = hits.at[scan.pixel].add(1.0 - scan.offset)
    return hits.at[scan.pixel + 1].add(scan.offset)


@jax.jit
def make_map(mask, scans):
    weight = sum(coverage(mask, s) for s in scans)
    total = sum(bin_scan(mask, s) for s in scans)
    return jnp.where(mask > 0, total / jnp.maximum(weight, 1e-3), 0.0)
