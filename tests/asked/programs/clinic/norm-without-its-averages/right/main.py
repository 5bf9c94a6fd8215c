"""Classify sleep stages from a few features of the night, with batch norm."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Stages(nn.Module):
    classes: int = 3

    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(16)(x)
        x = nn.BatchNorm(use_running_average=not train, momentum=0.8)(x)
        return nn.Dense(self.classes)(nn.relu(x))


model = Stages()
optimizer = optax.adam(0.02)


def night(rng, n=64):
    stage = rng.integers(0, 3, n)
    features = rng.normal(0.0, 0.5, (n, 5)) + stage[:, None]
    return features.astype(np.float32), stage


@jax.jit
def train_step(params, stats, opt_state, x, stage):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": stats}
        logits, updated = model.apply(variables, x, True, mutable=["batch_stats"])
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, stage).mean()
        return loss, updated["batch_stats"]

    grads, stats = jax.grad(loss_fn, has_aux=True)(params)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), stats, opt_state


@jax.jit
def predict(params, stats, x):
    return jnp.argmax(model.apply({"params": params, "batch_stats": stats}, x, False), axis=-1)


def main():
    rng = np.random.default_rng(2)
    x, stage = night(rng)
    variables = model.init(jax.random.key(0), x, True)
    params, stats = variables["params"], variables["batch_stats"]
    opt_state = optimizer.init(params)
    for _ in range(60):
        params, stats, opt_state = train_step(params, stats, opt_state, *night(rng))
    x, stage = night(rng)
    guess = predict(params, stats, x)
    print("most stages are found:", bool(jnp.mean(guess == stage) > 0.7))


if __name__ == "__main__":
    main()
