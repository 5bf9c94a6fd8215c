"""Power iteration for the stationary distribution of a Markov chain."""
import jax
import jax.numpy as jnp


def random_chain(key, states):
    logits = 2.0 * jax.random.normal(key, (states, states))
    return jax.nn.softmax(logits, axis=-1)


@jax.jit
def stationary(transition):
    states = transition.shape[0]

    def body(p, i):  # mistake
        damping = 1.0 / (i + 2.0)
        return damping * p + (1 - damping) * (p @ transition)  # mistake

    return jax.lax.fori_loop(0, 100, body, jnp.full(states, 1.0 / states))  # mistake


def main():
    transition = random_chain(jax.random.key(0), 5)
    p = stationary(transition)
    print("sums to one:", abs(float(p.sum()) - 1.0) < 1e-3, "stationary:", bool(jnp.allclose(p, p @ transition, atol=1e-3)))


if __name__ == "__main__":
    main()
