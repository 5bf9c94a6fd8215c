import jax
import jax.numpy as jnp

DEFAULTS = {
    "max_iter": 100,
    "init_step": 4.0,
    "shrink": 0.5,
    "armijo": 1e-4,
}


def backtrack(objective, w, value, grad, options):
    g2 = jnp.sum(grad**2)

    def too_long(step):
        return objective(w - step * grad) > value - options["armijo"] * step * g2

    return jax.lax.while_loop(
        too_long, lambda s: s * options["shrink"], jnp.asarray(options["init_step"])
    )
