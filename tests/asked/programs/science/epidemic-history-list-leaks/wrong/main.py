"""SEIR epidemic with a lockdown, daily output."""
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@dataclass(frozen=True)
class Disease:
    contact: float = 0.9
    incubation: float = 0.2
    recovery: float = 0.15


def derivatives(state, disease, contact):
    s, e, i, r = state
    infection = contact * s * i
    return jnp.stack([
        -infection,
        infection - disease.incubation * e,
        disease.incubation * e - disease.recovery * i,
        disease.recovery * i,
    ])


def contact_rate(day, disease, lockdown):
    closed = (day >= lockdown[0]) & (day < lockdown[1])
    return jnp.where(closed, 0.3 * disease.contact, disease.contact)


@partial(jax.jit, static_argnames=("disease", "days"))
def simulate(state, disease: Disease, lockdown, days: int):
    infectious = []

    def one_day(state, day):
        contact = contact_rate(day, disease, lockdown)
        small = lambda _, u: u + 0.1 * derivatives(u, disease, contact)
        state = lax.fori_loop(0, 10, small, state)
        infectious.append(state[2])  # mistake
        return state, None

    state, _ = lax.scan(one_day, state, jnp.arange(days))
    return state, jnp.array(infectious)  # mistake


def report(name, curve, final):
    peak = int(jnp.argmax(curve))
    print(f"{name:9s} peak on day {peak} with {100 * float(curve[peak]):.1f} % infectious")
    print(f"{'':9s} {100 * float(final[3]):.0f} % recovered")


def main():
    start = jnp.array([0.999, 0.0, 0.001, 0.0])
    windows = {"none": (0, 0), "early": (15, 60), "late": (40, 80)}
    rows = []
    for name, window in windows.items():
        final, curve = simulate(start, Disease(), jnp.array(window), days=120)
        rows.append((name, curve, final))
    for row in rows:
        report(*row)


if __name__ == "__main__":
    main()
