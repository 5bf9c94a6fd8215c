import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from mixer import MixerConfig, TokenMixer


def loss_fn(model, x, y):
    logits = model(x)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
    return loss, logits


@nnx.jit
def train_step(model, optimizer, metrics, x, y):
    (loss, logits), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model, x, y)
    metrics.update(loss=loss, logits=logits, labels=y)
    optimizer.update(model, grads)


def batches(rng: np.random.Generator, cfg: MixerConfig, num: int):
    for _ in range(num):
        y = rng.integers(0, cfg.num_classes, size=32)
        x = rng.normal(size=(32, cfg.tokens, cfg.width))
        x[np.arange(32), y] += 2.0
        yield jnp.asarray(x, jnp.float32), jnp.asarray(y, jnp.int32)


def main():
    cfg = MixerConfig()
    model = TokenMixer(cfg, nnx.Rngs(42))
    n_params = sum(p.size for p in jax.tree.leaves(nnx.state(model, nnx.Param)))
    print("parameters", n_params)
    optimizer = nnx.Optimizer(model, optax.adamw(3e-3), wrt=nnx.Param)
    metrics = nnx.MultiMetric(
        accuracy=nnx.metrics.Accuracy(), loss=nnx.metrics.Average("loss")
    )
    for i, (x, y) in enumerate(batches(np.random.default_rng(0), cfg, 60), start=1):
        train_step(model, optimizer, metrics, x, y)
        if i % 20 == 0:
            values = {k: round(float(v), 3) for k, v in metrics.compute().items()}
            print(i, values)
            metrics.reset()


if __name__ == "__main__":
    main()
