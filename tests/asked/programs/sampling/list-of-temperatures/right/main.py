"""Parallel tempering: chains at several temperatures that swap their states."""
import jax
import jax.numpy as jnp


def log_density(x):
    return jnp.logaddexp(-0.5 * (x - 3.0) ** 2, -0.5 * (x + 3.0) ** 2)


def move(key, x, temperature):
    key_noise, key_accept = jax.random.split(key)
    proposal = x + jnp.sqrt(temperature) * jax.random.normal(key_noise)
    ratio = (log_density(proposal) - log_density(x)) / temperature
    return jnp.where(jnp.log(jax.random.uniform(key_accept)) < ratio, proposal, x)


def swap(key, states, temperatures):
    """Propose to exchange the states of two neighbouring chains."""
    first = jax.random.randint(key, (), 0, len(states) - 1)
    pair = jnp.array([first, first + 1])
    gain = jnp.diff(log_density(states[pair]))[0] * jnp.diff(1.0 / jnp.asarray(temperatures)[pair])[0]
    return jnp.where(gain < 0.0, states.at[pair].set(states[pair[::-1]]), states)


def run(key, temperatures, steps):
    states = jnp.zeros(len(temperatures))
    for key_step in jax.random.split(key, steps):
        key_moves, key_swap = jax.random.split(key_step)
        keys = jax.random.split(key_moves, len(temperatures))
        states = jax.vmap(move)(keys, states, temperatures)
        states = swap(key_swap, states, temperatures)
    return states


if __name__ == "__main__":
    temperatures = jnp.array([1.0, 2.0, 4.0, 8.0])
    states = run(jax.random.key(0), temperatures, 6)
    print("chains", states.shape)
