import jax
import jax.numpy as jnp
import numpy as np
import optax

from objective import init_guide, negative_elbo


def make_data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 2))
    y = x @ np.array([1.5, -0.5]) + 0.5 * rng.normal(size=30)
    return jnp.asarray(x, jnp.float32), jnp.asarray(y, jnp.float32)


def fit(data, key, num_steps=60):
    optimizer = optax.sgd(5e-3)
    guide = init_guide(2)
    opt_state = optimizer.init(guide)

    @jax.jit
    def step(guide, opt_state, key):
        grad_fn = jax.value_and_grad(negative_elbo, has_aux=True)
        (loss, terms), grads = grad_fn(guide, key, data)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(guide, updates), opt_state, loss, terms

    history = []
    for i in range(num_steps):
        guide, opt_state, loss, terms = step(guide, opt_state, jax.random.fold_in(key, i))
        if i % 25 == 0:
            history.append(float(loss))
    return guide, history, terms


def main():
    data = make_data()
    key_fit, key_check = jax.random.split(jax.random.key(0))
    guide, history, terms = fit(data, key_fit)
    check = jax.jit(jax.grad(lambda g: negative_elbo(g, key_check, data)[0]))
    grad_loc = check(guide)["loc"]
    print("loss", np.round(history, 2).tolist())
    print("loc", np.round(np.asarray(guide["loc"]), 1).tolist())
    print(f"kl {terms['kl']:.2f}, gradient is finite: {bool(jnp.isfinite(grad_loc).all())}")


if __name__ == "__main__":
    main()
