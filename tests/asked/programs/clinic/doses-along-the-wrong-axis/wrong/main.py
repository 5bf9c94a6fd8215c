"""Compare plans of dosing over a group of patients."""

import jax
import jax.numpy as jnp

HOURS = jnp.linspace(0.0, 24.0, 49)


def concentration(clearance, doses):
    """The level of a drug that is given every six hours."""
    times = 6.0 * jnp.arange(doses.shape[0])
    since = HOURS[:, None] - times[None, :]
    level = jnp.where(since >= 0, doses * jnp.exp(-clearance * jnp.maximum(since, 0.0)), 0.0)
    return jnp.sum(level, axis=1)


def time_in_range(level, low=20.0, high=60.0):
    return jnp.mean((level > low) & (level < high))


def score(patient, doses):
    level = concentration(patient["clearance"], doses)
    return time_in_range(level), jnp.max(level)


def recruit(key, n):
    k_clearance, k_weight = jax.random.split(key)
    return {
        "clearance": 0.05 + 0.1 * jax.random.uniform(k_clearance, (n,)),
        "weight": 60.0 + 10.0 * jax.random.normal(k_weight, (n,)),
    }


def plan(patients):
    """Four doses for each patient, by weight."""
    return patients["weight"][:, None] * jnp.array([0.6, 0.5, 0.5, 0.4])


def main():
    patients = recruit(jax.random.key(4), 12)
    doses = plan(patients)
    score_all = jax.jit(jax.vmap(score, in_axes=(0, 1)))  # mistake
    in_range, peaks = score_all(patients, doses)  # mistake
    print(f"in range {float(jnp.mean(in_range)):.2f} of the time")
    print(f"highest level {float(jnp.max(peaks)):.0f}")


if __name__ == "__main__":
    main()
