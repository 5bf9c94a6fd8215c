import jax
import jax.numpy as jnp
import optax

from snow import SnowParams, misfit
from stations import measure, winter


def main():
    temperature, precipitation = winter()
    depths = measure(temperature, precipitation)
    params = SnowParams(jnp.asarray(-1.6, jnp.float32), jnp.asarray(-1.0, jnp.float32))
    optimizer = optax.adam(0.05)
    opt_state = optimizer.init(params)

    @jax.jit
    def fit_step(params, opt_state):
        loss, grads = jax.value_and_grad(misfit)(
            params, depths[0], temperature, precipitation, depths  # mistake
        )
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(150):
        params, opt_state, loss = fit_step(params, opt_state)
        if step % 50 == 0:
            print(step, loss)
    print("melt rate", jnp.exp(params.log_melt_rate), "threshold", params.threshold)


if __name__ == "__main__":
    main()
