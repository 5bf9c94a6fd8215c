"""Simulated annealing for a small job scheduling problem."""
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


@dataclass(frozen=True)
class AnnealConfig:
    stages: int = 4
    moves_per_stage: int = 200
    start_temp: float = 3.0
    cooling: float = 0.35
    verbose: bool = True


def make_jobs(seed=0, n=8):
    rng = np.random.default_rng(seed)
    return jnp.asarray(rng.integers(1, 9, n)), jnp.asarray(rng.integers(4, 20, n))


def lateness(order, duration, due):
    finish = jnp.cumsum(duration[order])
    return jnp.sum(jnp.maximum(finish - due[order], 0)).astype(jnp.float32)


def swap(order, key):
    i, j = jax.random.randint(key, (2,), 0, order.shape[0])
    return order.at[i].set(order[j]).at[j].set(order[i])


def report(stage, temperature, cost):
    message = "stage {}: temperature {} cost {}"
    jax.debug.print(message, stage, temperature, cost, ordered=True)


@partial(jax.jit, static_argnames="config")
def anneal(key, duration, due, config: AnnealConfig):
    def move(carry, key):
        order, cost, temperature = carry
        k_swap, k_accept = jax.random.split(key)
        proposal = swap(order, k_swap)
        new_cost = lateness(proposal, duration, due)
        accept = jax.random.uniform(k_accept) < jnp.exp((cost - new_cost) / temperature)
        order = jnp.where(accept, proposal, order)
        return (order, jnp.where(accept, new_cost, cost), temperature), None

    def stage(i, carry):
        order, cost = carry
        temperature = config.start_temp * config.cooling**i
        keys = jax.random.split(jax.random.fold_in(key, i), config.moves_per_stage)
        (order, cost, _), _ = lax.scan(move, (order, cost, temperature), keys)
        if config.verbose:
            report(i, temperature, cost)
        return order, cost

    order = jnp.arange(duration.shape[0])
    return lax.fori_loop(0, config.stages, stage, (order, lateness(order, duration, due)))


def main():
    config = AnnealConfig()
    print("annealing", config.stages, "stages")
    duration, due = make_jobs()
    order, cost = anneal(jax.random.key(0), duration, due, config)
    jax.block_until_ready(cost)
    print("best order", order.tolist(), "lateness", float(cost))


if __name__ == "__main__":
    main()
