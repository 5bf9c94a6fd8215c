"""Train on columns with an offset, and look at the running averages."""
import jax
import jax.numpy as jnp
import optax

from network import Table

model = Table(classes=3)


def loss_fn(params, stats, x, labels):
    logits, updates = model.apply({"params": params, "batch_stats": stats}, x, train=True, mutable=["batch_stats"])
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return loss, updates.get("batch_stats", stats)


@jax.jit
def step(params, stats, x, labels):
    grads, stats = jax.grad(loss_fn, has_aux=True)(params, stats, x, labels)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads), stats


if __name__ == "__main__":
    key_x, key_labels, key_init = jax.random.split(jax.random.key(0), 3)
    x = 5.0 + jax.random.normal(key_x, (32, 4))
    labels = jax.random.randint(key_labels, (32,), 0, 3)
    variables = model.init(key_init, x, train=False)
    params, stats = variables["params"], variables["batch_stats"]
    for _ in range(4):
        params, stats = step(params, stats, x, labels)
    moved = jnp.abs(stats["BatchNorm_0"]["mean"]).max() > 0.0
    print("averages moved", bool(moved))
