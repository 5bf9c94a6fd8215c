from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from optim import make_optimizer


@dataclass
class Args:
    optimizer: str = "adamw"
    lr: float = 5e-3
    steps: int = 120
    batch: int = 64
    seed: int = 0


class NeuralPotential(eqx.Module):
    radial: eqx.nn.Linear
    out: eqx.nn.Linear
    cutoff: float = eqx.field(static=True)

    def __init__(self, n_basis, cutoff, *, key):
        k1, k2 = jax.random.split(key)
        self.radial = eqx.nn.Linear(n_basis, 24, key=k1)
        self.out = eqx.nn.Linear(24, "scalar", key=k2)
        self.cutoff = cutoff

    def __call__(self, r):
        centers = jnp.linspace(0.5, self.cutoff, self.radial.in_features)
        basis = jnp.exp(-4.0 * (r - centers) ** 2)
        return self.out(jax.nn.silu(self.radial(basis)))


def energy_force_loss(model, r, energy, force):
    pred, grad = jax.vmap(jax.value_and_grad(model))(r)
    return jnp.mean((pred - energy) ** 2) + 0.1 * jnp.mean((-grad - force) ** 2)


def fit(args: Args):
    rng = np.random.default_rng(args.seed)
    model = NeuralPotential(12, 3.0, key=jax.random.key(args.seed))
    tx = make_optimizer(args.optimizer, args.lr, args.steps)
    opt_state = tx.init(eqx.filter(model, eqx.is_array))

    @eqx.filter_jit
    def step(model, opt_state, r, energy, force):
        loss, grads = eqx.filter_value_and_grad(energy_force_loss)(model, r, energy, force)
        updates, opt_state = tx.update(grads, opt_state)  # mistake
        return eqx.apply_updates(model, updates), opt_state, loss

    for i in range(args.steps):
        r = rng.uniform(0.95, 3.0, size=args.batch).astype(np.float32)
        energy = r**-12 - 2 * r**-6
        force = 12 * (r**-13 - r**-7)
        model, opt_state, loss = step(model, opt_state, r, energy, force)
        if i % 40 == 0:
            print(f"{i} {loss:.4f}")
    return model


def main():
    model = fit(Args())
    print("energy at minimum", round(float(model(jnp.float32(1.0))), 3))


if __name__ == "__main__":
    main()
