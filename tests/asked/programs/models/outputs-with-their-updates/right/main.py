"""Train a Linen network with batch norm for two steps."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Network(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(8)(x)
        x = nn.relu(nn.BatchNorm(use_running_average=not train)(x))
        return nn.Dense(3)(x)


model = Network()


def metrics(logits, labels):
    accuracy = jnp.mean(logits.argmax(axis=-1) == labels)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), accuracy


@jax.jit
def step(variables, x, labels):
    def loss_fn(params):
        collections = {"params": params, "batch_stats": variables["batch_stats"]}
        logits, updates = model.apply(collections, x, train=True, mutable=["batch_stats"])
        loss, accuracy = metrics(logits, labels)
        return loss, (accuracy, updates["batch_stats"])

    grads, (accuracy, stats) = jax.grad(loss_fn, has_aux=True)(variables["params"])
    params = jax.tree.map(lambda p, g: p - 0.1 * g, variables["params"], grads)
    return {"params": params, "batch_stats": stats}, accuracy


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (12, 4))
    labels = jnp.arange(12) % 3
    variables = model.init(jax.random.key(1), x, train=False)
    for _ in range(2):
        variables, accuracy = step(variables, x, labels)
    print("accuracy", bool(0.0 <= accuracy <= 1.0))
