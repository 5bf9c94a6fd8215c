import jax
import jax.numpy as jnp
import optax

from data import DataLoader, molecule_descriptors
from losses import evaluate, mse
from surrogate import Surrogate


def fit(params, model, loader, epochs: int, tx):
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state, x, y):
        loss, grads = jax.value_and_grad(mse)(params, model.apply, x, y)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            params, opt_state, loss = step(params, opt_state, x, y)
            total += float(loss)
        if epoch % 15 == 0:
            print(f"epoch {epoch:2d} loss {total / len(loader):.4f}")
    return params


def main():
    x, y = molecule_descriptors(640, n_features=10, seed=0)
    model = Surrogate(widths=(32, 32))
    params = model.init(jax.random.key(1), jnp.zeros((1, 10)))
    loader = DataLoader(x[:512], y[:512], batch_size=64, seed=0)
    params = fit(params, model, loader, epochs=45, tx=optax.adamw(3e-3))
    r2, spread = evaluate(params, model.apply, x[512:], y[512:])
    print(f"test r2 {float(r2):.3f}  prediction std {float(spread):.3f}")


if __name__ == "__main__":
    main()
