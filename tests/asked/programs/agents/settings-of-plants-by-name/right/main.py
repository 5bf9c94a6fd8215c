"""Compare how a controller holds tanks of different sizes at their level."""
import jax
import jax.numpy as jnp


def control(level, integral, target):
    error = target - level
    integral = integral + 0.1 * error
    return 2.0 * error + 0.5 * integral, integral


def settle(tank):
    """The level of a tank after a minute."""

    def step(carry, _):
        level, integral = carry
        flow, integral = control(level, integral, tank["target"])
        level = level + 0.1 * (flow - tank["leak"] * level) / tank["area"]
        return (level, integral), level

    (level, _), levels = jax.lax.scan(step, (jnp.array(0.0), jnp.array(0.0)), length=60)
    return level, levels.max()


def settle_all(tanks):
    axes = ({"area": 0, "leak": 0, "target": None},)
    return jax.vmap(settle, in_axes=axes)(tanks)


if __name__ == "__main__":
    tanks = {
        "area": jnp.array([0.5, 1.0, 2.0, 4.0]),
        "leak": jnp.array([0.1, 0.2, 0.3, 0.4]),
        "target": jnp.array(1.0),
    }
    levels, overshoots = settle_all(tanks)
    print("levels", [round(level, 1) for level in levels.tolist()])
    print("overshoot", bool((overshoots > 1.0).any()))
