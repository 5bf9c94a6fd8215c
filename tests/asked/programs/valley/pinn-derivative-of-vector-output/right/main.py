import jax
import numpy as np
import optax

from network import init_params
from physics import physics_loss


def sample_points(rng, n):
    return rng.uniform(0.0, 1.0, size=n).astype(np.float32)


def main():
    params = init_params(jax.random.PRNGKey(5), (1, 24, 24, 1))
    schedule = optax.cosine_decay_schedule(5e-3, decay_steps=300)
    tx = optax.adam(schedule)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state, ts):
        loss, grads = jax.value_and_grad(physics_loss)(params, ts)
        updates, opt_state = tx.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        return params, opt_state, loss

    rng = np.random.default_rng(0)
    for it in range(301):
        params, opt_state, loss = step(params, opt_state, sample_points(rng, 64))
        if it % 100 == 0:
            print(f"{it:4d} residual {loss:.5f}")


if __name__ == "__main__":
    main()
