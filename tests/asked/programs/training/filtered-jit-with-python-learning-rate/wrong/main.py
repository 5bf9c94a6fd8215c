"""Train an Equinox linear layer with a hand-written schedule."""
import equinox as eqx
import jax
import jax.numpy as jnp

from schedule import cosine_like

COMPILED = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, *_, **__: COMPILED.append(event) if event.endswith("backend_compile_duration") else None
)


@eqx.filter_jit
def step(model, x, y, learning_rate):
    def loss_fn(model):
        return jnp.mean((jax.vmap(model)(x) - y) ** 2)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates = jax.tree.map(lambda g: -learning_rate * g, grads)
    return eqx.apply_updates(model, updates), loss


def main():
    k_model, k_data = jax.random.split(jax.random.key(0))
    model = eqx.nn.Linear(3, 1, key=k_model)
    x = jax.random.normal(k_data, (32, 3))
    y = x[:, :1] - x[:, 1:2]
    rates = [cosine_like(index, 10) for index in range(10)]
    COMPILED.clear()
    for rate in rates:
        model, loss = step(model, x, y, rate)  # mistake
    print("compiled", len(COMPILED), "finite", bool(jnp.isfinite(loss)))


if __name__ == "__main__":
    main()
