import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from fields import VectorField, integrate
from fit import make_step


def lotka_volterra(n, dt, steps, seed):
    rng = np.random.default_rng(seed)
    state = rng.uniform(0.5, 1.5, size=(n, 2))
    out = [state]
    for _ in range(steps):
        prey, pred = state[:, 0], state[:, 1]
        rate = np.stack([prey - prey * pred, prey * pred - pred], axis=-1)
        state = state + dt * rate
        out.append(state)
    return jnp.asarray(np.stack(out, axis=1), jnp.float32)


def main():
    dt, steps = 0.1, 12
    trajectories = lotka_volterra(64, dt, steps, seed=0)
    field = VectorField(2, 24, key=jax.random.PRNGKey(0))
    optim = optax.adabelief(3e-3)
    opt_state = optim.init(eqx.filter(field, eqx.is_inexact_array))
    for i in range(101):
        field, opt_state, loss = make_step(field, opt_state, trajectories, dt, optim)
        if i % 50 == 0:
            print(i, f"{loss:.5f}")
    path = integrate(field, trajectories[0, 0], dt, steps)
    print("end point error", jnp.round(jnp.abs(path[-1] - trajectories[0, -1]).max(), 3))


if __name__ == "__main__":
    main()
