import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn

from evaluation import make_evaluate
from mesh import make_data_mesh, shard_batch


class TrafficSignNet(nn.Module):
    n_classes: int = 6

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(48)(x))
        return nn.Dense(self.n_classes)(x)


def sign_descriptors(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 6, n).astype(np.int32)
    centers = np.random.default_rng(9).normal(size=(6, 20))
    x = centers[labels] + 1.2 * rng.normal(size=(n, 20))
    return {"x": x.astype(np.float32), "label": labels}


def main():
    mesh = make_data_mesh()
    model = TrafficSignNet()
    params = model.init(jax.random.key(0), jnp.zeros((1, 20)))["params"]
    tx = optax.adam(5e-3)
    opt_state = tx.init(params)

    @jax.jit
    def train_step(params, opt_state, batch):
        def loss_fn(p):
            logits = model.apply({"params": p}, batch["x"])
            return optax.softmax_cross_entropy_with_integer_labels(
                logits, batch["label"]
            ).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(40):
        batch = sign_descriptors(64, seed=step)
        params, opt_state, loss = train_step(params, opt_state, batch)
    evaluate = make_evaluate(model.apply, mesh)
    metrics = evaluate(params, shard_batch(mesh, sign_descriptors(512, seed=500)))
    print(f"last loss {float(loss):.3f}")
    print({name: round(float(value), 3) for name, value in metrics.items()})


if __name__ == "__main__":
    main()
