"""Next-character model with a configurable schedule."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

from schedules import build_schedule

TEXT = "the quick brown fox jumps over the lazy dog and runs away " * 6
CHARS = sorted(set(TEXT))
CONTEXT = 4


def dataset():
    ids = np.array([CHARS.index(c) for c in TEXT])
    x = np.stack([ids[i : len(ids) - CONTEXT + i] for i in range(CONTEXT)], axis=1)
    return x, ids[CONTEXT:]


def init(key, dim=10):
    k1, k2 = jax.random.split(key)
    return {
        "embed": 0.3 * jax.random.normal(k1, (len(CHARS), dim)),
        "out": 0.1 * jax.random.normal(k2, (CONTEXT * dim, len(CHARS))),
    }


def loss_fn(params, x, y):
    h = params["embed"][x].reshape((len(x), -1))
    return optax.softmax_cross_entropy_with_integer_labels(h @ params["out"], y).mean()


def make_step(tx):
    @jax.jit
    def step(params, opt_state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    return step


def main():
    x, y = dataset()
    schedule = build_schedule("trapezoid", peak=0.05, warmup=10, total=80, cooldown=20)
    print("lr:", [round(float(schedule(i)), 4) for i in (0, 5, 40, 75)])
    tx = optax.adamw(learning_rate=schedule, weight_decay=1e-4)
    params = init(jax.random.PRNGKey(0))
    opt_state = tx.init(params)
    step = make_step(tx)
    for i in range(80):
        params, opt_state, loss = step(params, opt_state, x, y)
    print(f"perplexity {float(jnp.exp(loss)):.3f}")


if __name__ == "__main__":
    main()
