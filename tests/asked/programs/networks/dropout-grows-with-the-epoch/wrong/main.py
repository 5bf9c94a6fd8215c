"""Which tree does a leaf come from?"""

import jax
import jax.numpy as jnp
import optax
from model import LeafNet
from train import rate_at, step

EPOCHS = 4


def leaves(key, count=48):
    k_label, k_noise = jax.random.split(key)
    labels = jax.random.randint(k_label, (count,), 0, 3)
    centres = jnp.eye(3, 6) * 2.0
    return centres[labels] + 0.3 * jax.random.normal(k_noise, (count, 6)), labels


def main():
    key = jax.random.key(3)
    key, k_data, k_init = jax.random.split(key, 3)
    batch = leaves(k_data)
    model = LeafNet(hidden=16, species=3)
    params = model.init(k_init, batch[0], 0.0, False)["params"]
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)
    first = last = None
    for epoch in range(EPOCHS):
        key, k_drop = jax.random.split(key)
        params, opt_state, loss = step(model, optimizer, params, opt_state, batch, rate_at(epoch, EPOCHS), k_drop)
        first, last = first or loss, loss
    print("epochs", EPOCHS)
    print("loss is finite", bool(jnp.isfinite(last)))


if __name__ == "__main__":
    main()
