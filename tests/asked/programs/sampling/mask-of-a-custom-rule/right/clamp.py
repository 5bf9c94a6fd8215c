"""A clamp whose derivative passes through where a site is free."""
import jax


@jax.custom_jvp
def clamp(field, free):
    return field * free


@clamp.defjvp
def clamp_jvp(primals, tangents):
    field, free = primals
    field_dot, _ = tangents
    return clamp(field, free), field_dot * free
