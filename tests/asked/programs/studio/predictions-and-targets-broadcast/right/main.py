import jax
import numpy as np
import optax

from losses import mean_squared_error, r2_score
from model import make_model

model = make_model(width=32)
opt = optax.adam(5e-3)


def loss_fn(params, batch):
    pred = model.apply(params, batch["features"])
    return mean_squared_error(pred[:, 0], batch["yield"])


@jax.jit
def update(params, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    updates, opt_state = opt.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def score(params, batch):
    return r2_score(model.apply(params, batch["features"])[:, 0], batch["yield"])


def crop_batch(rng, n):
    features = rng.normal(size=(n, 5)).astype(np.float32)
    rain, sun = features[:, 0], features[:, 1]
    yield_ = 2.0 + rain * sun + 0.5 * features[:, 2]
    return {"features": features, "yield": yield_.astype(np.float32)}


def main():
    rng = np.random.default_rng(0)
    params = model.init(jax.random.key(0), crop_batch(rng, 2)["features"])
    opt_state = opt.init(params)
    for step in range(301):
        params, opt_state, loss = update(params, opt_state, crop_batch(rng, 64))
        if step % 100 == 0:
            print(f"step {step} loss {loss:.4f}")
    print("test r2", round(float(score(params, crop_batch(rng, 500))), 3))


if __name__ == "__main__":
    main()
