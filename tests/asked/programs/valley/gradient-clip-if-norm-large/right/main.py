import jax
import jax.numpy as jnp
import numpy as np

from model import MLPConfig, init_mlp, mse_loss
from optim import clip_gradients, momentum_init, momentum_update


@jax.jit
def train_step(params, velocity, batch):
    loss, grads = jax.value_and_grad(mse_loss)(params, batch)
    grads, norm = clip_gradients(grads, max_norm=1.0)
    params, velocity = momentum_update(params, velocity, grads, lr=0.05)
    return params, velocity, {"loss": loss, "grad_norm": norm}


def make_data(seed: int, n: int):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, size=(n, 3)).astype(np.float32)
    y = np.sin(x[:, :1]) + 0.3 * x[:, 1:2] * x[:, 2:]
    return x, y.astype(np.float32)


def main():
    cfg = MLPConfig(in_dim=3, hidden=(32, 32), out_dim=1)
    params = init_mlp(jax.random.PRNGKey(0), cfg)
    velocity = momentum_init(params)
    x, y = make_data(1, 512)
    order = np.random.default_rng(2)
    for epoch in range(5):
        perm = order.permutation(len(x))
        for start in range(0, len(x), 64):
            idx = perm[start : start + 64]
            params, velocity, metrics = train_step(params, velocity, (x[idx], y[idx]))
        print(f"epoch {epoch} loss {metrics['loss']:.4f} norm {metrics['grad_norm']:.3f}")
    print("final", jnp.round(mse_loss(params, (x, y)), 4))


if __name__ == "__main__":
    main()
