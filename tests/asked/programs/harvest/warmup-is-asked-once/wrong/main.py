import haiku as hk
import jax
import jax.numpy as jnp
import optax

N_STEPS = 160


def network(x):
    mlp = hk.nets.MLP([32, 32, 1], activation=jax.nn.silu)
    return mlp(x)[..., 0]


def make_optimizer():
    schedule = optax.warmup_cosine_decay_schedule(
        init_value=0.0, peak_value=2e-2, warmup_steps=20, decay_steps=N_STEPS, end_value=1e-4
    )
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(learning_rate=schedule(0)))  # mistake


model = hk.without_apply_rng(hk.transform(network))
optimizer = make_optimizer()


def loss_fn(params, x, y):
    return jnp.mean((model.apply(params, x) - y) ** 2)


@jax.jit
def train_step(params, opt_state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def tide(hours):
    return jnp.sin(2.0 * jnp.pi * hours / 12.4) + 0.3 * jnp.sin(2.0 * jnp.pi * hours / 24.0)


def main():
    hours = jnp.linspace(0.0, 48.0, 200)
    x = jnp.stack([jnp.sin(hours / 2.0), jnp.cos(hours / 2.0), hours / 48.0], axis=1)
    y = tide(hours)
    params = model.init(jax.random.key(2), x)
    opt_state = optimizer.init(params)
    for step in range(N_STEPS):
        params, opt_state, loss = train_step(params, opt_state, x, y)
        if step % 40 == 39:
            print("step", step + 1, "loss", round(float(loss), 2))


if __name__ == "__main__":
    main()
