"""Average a loss over many short sequences in low precision."""
import jax
import jax.numpy as jnp

DTYPE = jnp.bfloat16


@jax.jit
def evaluate(params, sequences):
    def one(carry, sequence):
        total, count = carry
        loss = jnp.mean((sequence @ params) ** 2)
        return (total + loss.astype(DTYPE), count + jnp.ones((), DTYPE)), None  # mistake

    start = (jnp.zeros((), DTYPE), jnp.zeros((), DTYPE))  # mistake
    (total, count), _ = jax.lax.scan(one, start, sequences)
    return total / count, count


if __name__ == "__main__":
    sequences = jnp.ones((1000, 4, 8), DTYPE)
    params = jnp.full((8, 2), 0.25, DTYPE)
    mean, count = evaluate(params, sequences)
    print("sequences", int(count))
