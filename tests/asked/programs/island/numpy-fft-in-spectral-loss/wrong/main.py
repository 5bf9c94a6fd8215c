import jax
import jax.numpy as jnp
import numpy as np
import optax

from features import multi_scale_loss
from synth import HarmonicSynth, init_params


def target_note(synth: HarmonicSynth) -> jax.Array:
    reference = {
        "log_amps": jnp.log(jnp.array([0.8, 0.1, 0.4, 0.05])),
        "decay": jnp.asarray(2.5),
    }
    return synth.render(reference)


def fit(synth, audio, steps=80, lr=5e-2):
    params = init_params(synth.num_harmonics)
    tx = optax.adam(lr)
    opt_state = tx.init(params)

    @jax.jit
    def update(params, opt_state):
        def objective(p):
            return multi_scale_loss(synth.render(p), audio)

        loss, grads = jax.value_and_grad(objective)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    for i in range(steps):
        params, opt_state, loss = update(params, opt_state)
        if i % 20 == 0:
            print(f"{i:3d} {float(loss):.4f}")
    return params


if __name__ == "__main__":
    synth = HarmonicSynth(sample_rate=8000, num_samples=4096, f0=220.0, num_harmonics=4)
    params = fit(synth, target_note(synth))
    print("amplitudes", np.round(np.exp(params["log_amps"]), 2), "decay", round(float(params["decay"]), 2))
