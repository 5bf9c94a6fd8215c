import jax.numpy as jnp
import numpy as np

from fit import descend, light_curve

phase = np.linspace(-0.05, 0.05, 400).astype(np.float32)
truth = {"a": jnp.float32(9.0), "inc": jnp.float32(1.55), "rp": jnp.float32(0.1)}
sigma = 2e-4

if __name__ == "__main__":
    rng = np.random.default_rng(0)
    flux = np.asarray(light_curve(truth, phase)) + sigma * rng.normal(size=phase.size)
    start = {"a": jnp.float32(8.8), "inc": jnp.float32(1.55), "rp": jnp.float32(0.09)}
    theta, trace = descend(start, phase, flux.astype(np.float32), sigma)
    print("chi2 %.1f -> %.1f" % (trace[0], trace[-1]))
    print({k: round(float(v), 4) for k, v in theta.items()})
