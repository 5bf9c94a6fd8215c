from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Phi4Action:
    kappa: float
    lam: float

    def __call__(self, phi):
        neighbours = jnp.roll(phi, 1, axis=0) + jnp.roll(phi, 1, axis=1)
        hopping = -2.0 * self.kappa * jnp.sum(phi * neighbours)
        return hopping + jnp.sum(phi**2 + self.lam * (phi**2 - 1.0) ** 2)


class LatticeHMC:
    def __init__(self, action, step_size: float, num_leapfrog: int):
        self.action = action
        self.force = jax.grad(action)
        self.step_size = step_size
        self.num_leapfrog = num_leapfrog
        self.energy_errors = jnp.zeros(0)

    def leapfrog(self, phi, momentum):
        eps = self.step_size
        momentum = momentum - 0.5 * eps * self.force(phi)

        def body(_, carry):
            phi, momentum = carry
            phi = phi + eps * momentum
            return phi, momentum - eps * self.force(phi)

        phi, momentum = jax.lax.fori_loop(0, self.num_leapfrog, body, (phi, momentum))
        return phi, momentum + 0.5 * eps * self.force(phi)

    def hamiltonian(self, phi, momentum):
        return 0.5 * jnp.sum(momentum**2) + self.action(phi)

    def transition(self, phi, key):
        momentum_key, accept_key = jax.random.split(key)
        momentum = jax.random.normal(momentum_key, phi.shape)
        new_phi, new_momentum = self.leapfrog(phi, momentum)
        delta = self.hamiltonian(new_phi, new_momentum) - self.hamiltonian(phi, momentum)
        accept = jnp.log(jax.random.uniform(accept_key)) < -delta
        phi = jnp.where(accept, new_phi, phi)
        return phi, (phi, accept, delta)

    def sample(self, phi, key, num_samples: int):
        keys = jax.random.split(key, num_samples)
        _, (configs, accepted, self.energy_errors) = jax.lax.scan(self.transition, phi, keys)
        return configs, accepted

    def max_energy_error(self):
        return jnp.max(jnp.abs(self.energy_errors))
