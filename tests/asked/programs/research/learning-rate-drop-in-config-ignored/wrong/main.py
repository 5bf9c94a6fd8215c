import jax
import jax.numpy as jnp
import numpy as np

from settings import settings


def init(key, sizes):
    params = []
    for k, (fan_in, fan_out) in zip(jax.random.split(key, len(sizes) - 1), zip(sizes[:-1], sizes[1:])):
        params.append({"w": jax.random.normal(k, (fan_in, fan_out)) * (2 / fan_in) ** 0.5, "b": jnp.zeros(fan_out)})
    return params


def predict(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def cross_entropy(params, x, y):
    log_probs = jax.nn.log_softmax(predict(params, x))
    return -jnp.mean(jnp.take_along_axis(log_probs, y[:, None], axis=1))


@jax.jit
def sgd_step(params, velocity, x, y):
    loss, grads = jax.value_and_grad(cross_entropy)(params, x, y)
    velocity = jax.tree.map(lambda v, g: settings.momentum * v + g, velocity, grads)
    new_params = jax.tree.map(lambda p, v: p - settings.learning_rate * v, params, velocity)  # mistake
    moved = jnp.sqrt(sum(jnp.sum((a - b) ** 2) for a, b in zip(jax.tree.leaves(new_params), jax.tree.leaves(params))))
    speed = jnp.sqrt(sum(jnp.sum(v**2) for v in jax.tree.leaves(velocity)))
    return new_params, velocity, {"loss": loss, "step_over_velocity": moved / speed}


def spirals(rng, n):
    y = rng.integers(0, 3, n)
    r = rng.uniform(0.1, 1.0, n)
    angle = 4 * r + y * 2 * np.pi / 3 + 0.1 * rng.normal(size=n)
    return np.stack([r * np.cos(angle), r * np.sin(angle)], 1).astype(np.float32), y


def main():
    rng = np.random.default_rng(0)
    x, y = spirals(rng, 640)
    params = init(jax.random.key(0), [2, 32, 32, 3])
    velocity = jax.tree.map(jnp.zeros_like, params)
    for epoch in range(settings.epochs):
        if epoch in settings.milestones:
            settings.learning_rate *= settings.drop  # mistake
        order = rng.permutation(len(x)).reshape(-1, settings.batch_size)
        history = []
        for idx in order:
            params, velocity, metrics = sgd_step(params, velocity, x[idx], y[idx])
            history.append(metrics)
        history = jax.device_get(history)
        loss = np.mean([m["loss"] for m in history])
        ratio = np.mean([m["step_over_velocity"] for m in history])
        print(f"epoch {epoch} lr {settings.learning_rate:.4f} loss {loss:.4f} effective lr {ratio:.4f}")


if __name__ == "__main__":
    main()
