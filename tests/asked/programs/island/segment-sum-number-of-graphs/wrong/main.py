import haiku as hk
import jax
import numpy as np
import optax

from graphs import random_batch
from model import net_fn


def main():
    net = hk.without_apply_rng(hk.transform(net_fn))
    tx = optax.adam(5e-3)
    rng = np.random.default_rng(0)
    params = net.init(jax.random.PRNGKey(0), random_batch(rng))
    opt_state = tx.init(params)

    def loss_fn(params, batch):
        pred = net.apply(params, batch)
        return optax.l2_loss(pred, batch.targets).mean()

    @jax.jit
    def update(params, opt_state, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(60):
        params, opt_state, loss = update(params, opt_state, random_batch(rng))
        if step % 20 == 0:
            print(f"step {step}: {float(loss):.4f}")


if __name__ == "__main__":
    main()
