"""Train a softmax classifier with optax losses."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

CLASSES = 4


def blobs(n=60):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, CLASSES, n)
    x = np.eye(CLASSES)[labels] + 0.2 * rng.normal(size=(n, CLASSES))
    return x.astype(np.float32), labels


def loss_fn(params, x, labels):
    logits = x @ params["w"] + params["b"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def step(params, opt_state, x, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, labels)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


optimizer = optax.adam(0.1)


def main():
    x, labels = blobs()
    params = {"w": jnp.zeros((CLASSES, CLASSES)), "b": jnp.zeros(CLASSES)}
    opt_state = optimizer.init(params)
    for _ in range(50):
        params, opt_state, loss = step(params, opt_state, x, labels)
    print("loss below 0.4:", float(loss) < 0.4)


if __name__ == "__main__":
    main()
