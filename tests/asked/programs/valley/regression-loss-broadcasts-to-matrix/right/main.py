import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from housing import HousingData
from regressor import Regressor, mse


def r2_score(model, x, y):
    pred = jax.vmap(model)(x)[:, 0]
    return 1.0 - jnp.sum((pred - y) ** 2) / jnp.sum((y - y.mean()) ** 2)


def main():
    data = HousingData(num=600, seed=4)
    model = Regressor(data.num_features, width=32, key=jax.random.PRNGKey(2))
    optim = optax.adam(5e-3)
    opt_state = optim.init(eqx.filter(model, eqx.is_inexact_array))

    @eqx.filter_jit
    def step(model, opt_state, x, y):
        loss, grads = eqx.filter_value_and_grad(mse)(model, x, y)
        updates, opt_state = optim.update(grads, opt_state)
        return eqx.apply_updates(model, updates), opt_state, loss

    for epoch in range(8):
        losses = []
        for x, y in data.train_batches(50, epoch):
            model, opt_state, loss = step(model, opt_state, x, y)
            losses.append(loss)
        print(f"epoch {epoch} loss {np.mean(losses):.4f}")
    x_test, y_test = data.test
    print("test r2", jnp.round(r2_score(model, x_test, y_test), 3))


if __name__ == "__main__":
    main()
