import jax
import jax.numpy as jnp
import numpy as np
import optax

from fourier import init_coeffs, spectrum_loss


def target_series(n: int, seed: int):
    t = np.linspace(0, 1, n, dtype=np.float32)
    rng = np.random.default_rng(seed)
    y = 0.93 * np.sin(2 * np.pi * 3 * t) + 0.47 * np.cos(2 * np.pi * 5 * t)
    return t, (y + 0.05 * rng.normal(size=n)).astype(np.float32)


def build_tx(steps):
    schedule = optax.exponential_decay(0.05, transition_steps=steps // 4, decay_rate=0.2)
    return optax.inject_hyperparams(optax.adam)(learning_rate=schedule)


def fit(t, y, num_modes=8, steps=200):
    params = init_coeffs(num_modes)
    tx = build_tx(steps)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state):
        loss, grads = jax.value_and_grad(spectrum_loss)(params, t, y)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    losses = []
    for _ in range(steps):
        params, opt_state, loss = step(params, opt_state)
        losses.append(loss)
    return params, opt_state, jnp.stack(losses)


def main():
    t, y = target_series(256, seed=0)
    params, opt_state, losses = fit(t, y)
    print("loss", jnp.round(losses[::40], 5))
    print("steps counted", int(opt_state.count))
    strongest = jnp.argsort(-jnp.abs(params["sin"]) - jnp.abs(params["cos"]))[:2]
    print("modes", strongest + 1)


if __name__ == "__main__":
    main()
