import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Autoencoder(eqx.Module):
    encoder: eqx.nn.MLP
    decoder: eqx.nn.MLP

    def __init__(self, dim, latent, *, key):
        ek, dk = jax.random.split(key)
        self.encoder = eqx.nn.MLP(dim, latent, 32, 1, key=ek)
        self.decoder = eqx.nn.MLP(latent, dim, 32, 1, key=dk)

    def __call__(self, x):
        return self.decoder(self.encoder(x))


class Trainer:
    def __init__(self, model, learning_rate=1e-3):
        self.tx = optax.adam(learning_rate)
        self.model = model
        self.opt_state = self.tx.init(eqx.filter(model, eqx.is_inexact_array))
        self.history = []
        self._step = self._build_step()

    def _build_step(self):
        tx = self.tx
        history = self.history

        def recon_loss(model, x):
            return jnp.mean((jax.vmap(model)(x) - x) ** 2)

        @eqx.filter_jit
        def step(model, opt_state, x):
            loss, grads = eqx.filter_value_and_grad(recon_loss)(model, x)
            history.append(float(loss))  # mistake
            updates, opt_state = tx.update(grads, opt_state)
            return eqx.apply_updates(model, updates), opt_state, loss

        return step

    def fit(self, data, epochs, batch_size, rng):
        for epoch in range(epochs):
            perm = rng.permutation(len(data))
            for i in range(0, len(data) - batch_size + 1, batch_size):
                x = data[perm[i:i + batch_size]]
                self.model, self.opt_state, loss = self._step(self.model, self.opt_state, x)
            print(f"epoch {epoch}: {loss:.4f}")


def main():
    rng = np.random.default_rng(0)
    basis = rng.normal(size=(3, 20))
    data = (rng.normal(size=(640, 3)) @ basis).astype(np.float32)
    trainer = Trainer(Autoencoder(20, 3, key=jax.random.key(0)))
    trainer.fit(data, epochs=5, batch_size=64, rng=rng)
    print("points in history", len(trainer.history))


if __name__ == "__main__":
    main()
