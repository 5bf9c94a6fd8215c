import jax
import jax.numpy as jnp
import numpy as np

from risk import RiskConfig, sharpe_ratio
from weights import project_simplex


def synthetic_returns(days: int = 500, assets: int = 6, seed: int = 11):
    rng = np.random.default_rng(seed)
    drift = rng.uniform(-2e-4, 8e-4, assets)
    vol = rng.uniform(0.005, 0.02, assets)
    r = drift + vol * rng.standard_t(4, size=(days, assets))
    return jnp.asarray(r, dtype=jnp.float32)


cfg = RiskConfig(clip_sigma=4.0, periods_per_year=252)
returns = synthetic_returns()
weights = jnp.full((returns.shape[1],), 1.0 / returns.shape[1])


@jax.jit
def ascent_step(w, lr):
    value, grad = jax.value_and_grad(lambda u: sharpe_ratio(u, returns, cfg))(w)
    return project_simplex(w + lr * grad), value


history = []
for _ in range(30):
    weights, value = ascent_step(weights, 0.05)
    history.append(float(value))

print("sharpe first/last:", round(history[0], 4), round(history[-1], 4))
print("weights:", np.round(np.asarray(weights), 3))
