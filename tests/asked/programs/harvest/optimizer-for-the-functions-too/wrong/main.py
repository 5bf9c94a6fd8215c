import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from field import NeuralField, poisson_residual


def loss_fn(model, inside, edge):
    residual = jax.vmap(poisson_residual, in_axes=(None, 0))(model, inside)
    boundary = jax.vmap(model)(edge)
    return jnp.mean(residual**2) + 10.0 * jnp.mean(boundary**2)


@eqx.filter_jit
def train_step(model, opt_state, optimizer, inside, edge):
    loss, grads = eqx.filter_value_and_grad(loss_fn)(model, inside, edge)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss


def main():
    key_model, key_inside = jax.random.split(jax.random.key(0))
    model = NeuralField(width=24, key=key_model)
    optimizer = optax.adam(5e-3)
    opt_state = optimizer.init(model)  # mistake
    inside = jax.random.uniform(key_inside, (64, 1))
    edge = jnp.array([[0.0], [1.0]])
    for step in range(150):
        model, opt_state, loss = train_step(model, opt_state, optimizer, inside, edge)
        if step % 50 == 49:
            print("step", step + 1, "loss", round(float(loss), 3))
    print("middle", round(float(model(jnp.array([0.5]))), 2))


if __name__ == "__main__":
    main()
