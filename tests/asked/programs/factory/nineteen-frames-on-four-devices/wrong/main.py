"""Train a grip predictor on several devices."""

import jax

jax.config.update("jax_num_cpu_devices", 4)

import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

from frames import batches

mesh = jax.make_mesh((4,), ("batch",))
rows = NamedSharding(mesh, P("batch"))


def loss_fn(weights, x, grip):
    return jnp.mean((x @ weights - grip) ** 2)


@jax.jit
def step(weights, x, grip):
    loss, slope = jax.value_and_grad(loss_fn)(weights, x, grip)
    return weights - 0.1 * slope, loss


def main():
    weights = jax.device_put(jnp.zeros(6), NamedSharding(mesh, P()))
    sizes = []
    for _ in range(5):
        for x, grip in batches(size=32):
            x, grip = jax.device_put((x, grip), rows)  # mistake
            weights, loss = step(weights, x, grip)
            sizes.append(x.shape[0])
    print("batches", len(sizes), "of", sorted(set(sizes)))
    print("loss is small:", bool(loss < 0.05))


if __name__ == "__main__":
    main()
