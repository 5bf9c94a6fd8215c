"""Train a small regressor and restore its best parameters."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn

from checkpoint import BestKeeper

keeper = BestKeeper()
tx = optax.chain(optax.clip(1.0), optax.sgd(0.08, momentum=0.8))


class Regressor(nn.Module):
    hidden: int = 12

    def setup(self):
        self.inner = nn.Dense(self.hidden)
        self.outer = nn.Dense(1)

    def __call__(self, x):
        return self.outer(jnp.tanh(self.inner(x)))[:, 0]


model = Regressor()


@jax.jit
def train_step(params, opt_state, x, y):
    def loss_fn(p):
        return jnp.mean((model.apply({"params": p}, x) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    keeper.offer(loss, params)  # mistake
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    rng = np.random.default_rng(5)
    x = rng.uniform(-1, 1, size=(64, 2)).astype(np.float32)
    y = (x[:, 0] ** 2 - x[:, 1]).astype(np.float32)
    params = jax.jit(model.init)(jax.random.PRNGKey(0), x)["params"]
    template = jax.tree.map(jnp.zeros_like, params)
    opt_state = tx.init(params)
    for step in range(40):
        params, opt_state, loss = train_step(params, opt_state, x, y)
    print(f"last loss {float(loss):.4f}, best {keeper.best:.4f}, saved {keeper.saves} times")
    best = keeper.restore(template)
    print(f"restored {sum(p.size for p in jax.tree.leaves(best))} values")


if __name__ == "__main__":
    main()
