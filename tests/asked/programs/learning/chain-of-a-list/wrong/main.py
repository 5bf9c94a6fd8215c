"""Fine-tune with clipping, decay and warm-up."""
import jax
import jax.numpy as jnp
import optax


def build(settings):
    steps = []
    if settings["clip"]:
        steps.append(optax.clip_by_global_norm(settings["clip"]))
    steps.append(optax.scale_by_adam())
    if settings["decay"]:
        steps.append(optax.add_decayed_weights(settings["decay"]))
    schedule = optax.linear_schedule(0.0, settings["rate"], settings["warm_up"])
    steps.append(optax.scale_by_learning_rate(schedule))
    return optax.chain(steps)  # mistake


def loss_fn(params, x, y):
    return jnp.mean((jnp.sin(x @ params["w"]) - y) ** 2)


def train(settings, x, y, rounds):
    params = {"w": jnp.full(x.shape[1], 0.1)}
    optimizer = build(settings)
    opt_state = optimizer.init(params)
    for _ in range(rounds):
        grads = jax.grad(loss_fn)(params, x, y)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
    return params


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (20, 3))
    y = jnp.sin(x.sum(axis=1))
    settings = {"clip": 1.0, "decay": 1e-3, "rate": 0.05, "warm_up": 3}
    params = train(settings, x, y, 6)
    print("moved", bool(jnp.any(params["w"] != 0.1)))
