"""A clamp whose derivative passes through where a site is free."""
from functools import partial

import jax


@partial(jax.custom_jvp, nondiff_argnums=(1,))  # mistake
def clamp(field, free):
    return field * free


@clamp.defjvp
def clamp_jvp(free, primals, tangents):
    (field,), (field_dot,) = primals, tangents
    return clamp(field, free), field_dot * free  # mistake
