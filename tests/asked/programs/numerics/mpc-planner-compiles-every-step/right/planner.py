import jax
import jax.numpy as jnp


class MPCPlanner:
    def __init__(self, vehicle, horizon: int, n_iter: int, lr: float):
        self.vehicle = vehicle
        self.horizon = horizon
        self.n_iter = n_iter
        self.lr = lr
        self.controls = jnp.zeros((horizon, 2))
        self._optimize = jax.jit(self.optimize)

    def cost(self, controls, state, target):
        def body(s, inp):
            u, ref = inp
            s = self.vehicle.step(s, u)
            return s, jnp.sum((s[:2] - ref) ** 2) + 0.01 * jnp.sum(u**2)

        _, costs = jax.lax.scan(body, state, (controls, target))
        return jnp.sum(costs)

    def optimize(self, controls, state, target):
        grad_fn = jax.grad(self.cost)

        def body(_, u):
            return jnp.clip(u - self.lr * grad_fn(u, state, target), -1.5, 1.5)

        return jax.lax.fori_loop(0, self.n_iter, body, controls)

    def plan(self, state, target):
        controls = self._optimize(self.controls, state, target)
        self.controls = jnp.concatenate([controls[1:], controls[-1:]])
        return controls[0]
