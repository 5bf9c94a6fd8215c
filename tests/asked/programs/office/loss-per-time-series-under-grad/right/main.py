# %% [markdown]
# Demand model: Holt smoothing with learned rates per store

# %%
import jax
import jax.numpy as jnp
import numpy as np
import optax

rng = np.random.default_rng(12)
n_stores, n_weeks = 8, 104
trend = rng.normal(0.2, 0.1, (n_stores, 1)) * np.arange(n_weeks)
sales = 50 + trend + rng.normal(0, 2.0, (n_stores, n_weeks))
sales = jnp.asarray(sales, jnp.float32)

# %%
def holt(params, series):
    alpha, beta = jax.nn.sigmoid(params["alpha"]), jax.nn.sigmoid(params["beta"])

    def week(carry, y):
        level, slope = carry
        forecast = level + slope
        new_level = alpha * y + (1 - alpha) * forecast
        new_slope = beta * (new_level - level) + (1 - beta) * slope
        return (new_level, new_slope), forecast

    start = (series[0], series[1] - series[0])
    _, forecasts = jax.lax.scan(week, start, series[1:])
    return forecasts


def pinball(errors, q):
    return jnp.maximum(q * errors, (q - 1) * errors)


def loss_fn(params, sales, quantile=0.5):
    forecasts = jax.vmap(holt)(params, sales)
    return pinball(sales[:, 1:] - forecasts, quantile).mean()


# %%
params = {"alpha": jnp.zeros(n_stores), "beta": jnp.full(n_stores, -2.0)}
tx = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.5, momentum=0.8))
opt_state = tx.init(params)


@jax.jit
def update(params, opt_state):
    loss, grads = jax.value_and_grad(loss_fn)(params, sales)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


first = None
for _ in range(100):
    params, opt_state, loss = update(params, opt_state)
    first = loss if first is None else first

# %%
print(f"pinball loss {first:.3f} -> {loss:.3f}")
print("alpha", np.round(np.asarray(jax.nn.sigmoid(params["alpha"])), 2))
