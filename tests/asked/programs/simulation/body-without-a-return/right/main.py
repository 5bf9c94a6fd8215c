"""Diffuse a substance on a network of ponds."""
import jax
import jax.numpy as jnp

PIPES = jnp.array([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]])


def exchange(levels, pipe, rate):
    """Let the two ends of a pipe approach each other."""
    first, second = pipe
    flow = rate * (levels[first] - levels[second])
    return levels.at[first].add(-flow).at[second].add(flow)


def spread(levels, rounds, rate=0.2):
    def one_round(_, levels):
        def one_pipe(i, levels):
            return exchange(levels, PIPES[i], rate)

        return jax.lax.fori_loop(0, len(PIPES), one_pipe, levels)

    return jax.lax.fori_loop(0, rounds, one_round, levels)


if __name__ == "__main__":
    levels = jnp.array([8.0, 0.0, 0.0, 0.0])
    spread_out = jax.jit(spread)(levels, 20)
    print("conserved", bool(jnp.allclose(spread_out.sum(), 8.0, atol=1e-3)))
    print("even", bool(spread_out.max() - spread_out.min() < 0.5))
