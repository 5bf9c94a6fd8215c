import jax
import jax.numpy as jnp
import numpy as np
import optax

from factors import init_factors, rating_loss

N_USERS, N_ITEMS = 60, 40


def synthetic_ratings(n, seed=0):
    rng = np.random.default_rng(seed)
    users = (N_USERS * rng.beta(1.0, 3.0, n)).astype(np.int32)
    items = rng.integers(0, N_ITEMS, n).astype(np.int32)
    rating = np.clip(rng.normal(0.0, 1.0, n), -2, 2).astype(np.float32)
    return {"user": users, "item": items, "rating": rating}


ratings = synthetic_ratings(640)
counts = jnp.asarray(np.bincount(ratings["user"], minlength=N_USERS))
optimizer = optax.adam(5e-2)


@jax.jit
def train_step(params, opt_state, batch):
    loss, grads = jax.value_and_grad(rating_loss)(params, batch, counts)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


params = init_factors(jax.random.key(0), N_USERS, N_ITEMS, rank=8)
opt_state = optimizer.init(params)
for epoch in range(5):
    losses = []
    for start in range(0, 640, 128):
        batch = {name: col[start:start + 128] for name, col in ratings.items()}
        params, opt_state, loss = train_step(params, opt_state, batch)
        losses.append(loss)
    print(f"epoch {epoch} mse {np.mean(jax.device_get(losses)):.4f}")
