"""Train a tiny per-pixel depth head with Flax NNX."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from losses import l1_depth, scale_invariant_log


class DepthHead(nnx.Module):
    def __init__(self, channels: int, rngs: nnx.Rngs):
        self.proj = nnx.Linear(channels, 16, rngs=rngs)
        self.out = nnx.Linear(16, 1, rngs=rngs)

    def __call__(self, feats):
        h = nnx.relu(self.proj(feats))
        return nnx.softplus(self.out(h))[..., 0] + 1e-3


def make_scene(seed: int):
    rng = np.random.default_rng(seed)
    feats = rng.normal(size=(4, 6, 6, 8)).astype(np.float32)
    depth = np.exp(feats[..., 0] * 0.4 + 1.0).astype(np.float32)
    depth[rng.uniform(size=depth.shape) < 0.2] = 0.0
    return jnp.asarray(feats), jnp.asarray(depth)


@nnx.jit
def train_step(model, optimizer, feats, depth):
    def loss_fn(model):
        return scale_invariant_log(model(feats), depth)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main():
    model = DepthHead(8, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(5e-3), wrt=nnx.Param)
    for epoch in range(4):
        feats, depth = make_scene(epoch)
        loss = train_step(model, optimizer, feats, depth)
        print(f"epoch {epoch}: silog {float(loss):.4f}")
    feats, depth = make_scene(100)
    print(f"validation l1 {float(l1_depth(model(feats), depth)):.4f}")


if __name__ == "__main__":
    main()
