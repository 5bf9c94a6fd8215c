import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from flow import VelocityField, generate, matching_loss


def wind_speeds(count):
    rng = np.random.default_rng(0)
    calm = rng.normal(-1.5, 0.3, size=count)
    storm = rng.normal(1.0, 0.4, size=count)
    return np.where(rng.random(count) < 0.5, calm, storm)[:, None].astype(np.float32)


optimizer = optax.adam(3e-3)


@eqx.filter_jit
def train_step(field, opt_state, speeds, key):
    loss, grads = eqx.filter_value_and_grad(matching_loss)(field, speeds, key)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(field, updates), opt_state, loss


def main():
    speeds = wind_speeds(512)
    init_key, loop_key, sample_key = jax.random.split(jax.random.key(0), 3)
    field = VelocityField(48, init_key)
    opt_state = optimizer.init(eqx.filter(field, eqx.is_inexact_array))
    for step, key in enumerate(jax.random.split(loop_key, 400)):
        field, opt_state, loss = train_step(field, opt_state, speeds, key)
        if step % 200 == 0:
            print(step, loss)
    drawn = generate(field, sample_key, 2000)
    print("data: mean", speeds.mean(), "spread", speeds.std())
    print("model: mean", jnp.mean(drawn), "spread", jnp.std(drawn))
    print("share of storms", np.mean(speeds > 0), jnp.mean(drawn > 0))


if __name__ == "__main__":
    main()
