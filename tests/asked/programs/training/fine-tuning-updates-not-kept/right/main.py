"""Fine-tune the head of a network."""
import jax
import jax.numpy as jnp
import numpy as np
import optax


def init(key):
    k_body, k_head = jax.random.split(key)
    return {
        "body": jax.random.normal(k_body, (4, 16)),
        "head": jnp.zeros(16),
    }


def predict(body, head, x):
    return jnp.tanh(x @ body) @ head


@jax.jit
def head_gradient(head, body, x, y):
    return jax.value_and_grad(lambda head: jnp.mean((predict(body, head, x) - y) ** 2))(head)


def fine_tune(params, x, y, steps):
    optimizer = optax.sgd(0.05, momentum=0.9)
    head = params["head"]
    opt_state = optimizer.init(head)
    losses = []
    for _ in range(steps):
        loss, grads = head_gradient(head, params["body"], x, y)
        updates, opt_state = optimizer.update(grads, opt_state, head)
        head = optax.apply_updates(head, updates)
        losses.append(float(loss))
    return {**params, "head": head}, losses


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 4)).astype(np.float32)
    _, losses = fine_tune(init(jax.random.key(0)), x, np.sin(x[:, 0]), steps=40)
    print("loss fell:", losses[-1] < 0.5 * losses[0])


if __name__ == "__main__":
    main()
