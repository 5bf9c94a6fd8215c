import jax
import jax.numpy as jnp


class Pendulums:
    def __init__(self, n_envs, max_steps, dt=0.05):
        self.n_envs, self.max_steps, self.dt = n_envs, max_steps, dt

    def reset(self, key):
        start = jax.random.uniform(key, (self.n_envs, 2), minval=-1.0, maxval=1.0)
        return {"pos_vel": start, "t": jnp.zeros(self.n_envs, dtype=jnp.int32)}

    def observe(self, state):
        angle, speed = state["pos_vel"].T
        return jnp.stack([jnp.cos(angle), speed, jnp.sin(angle)], axis=1)

    def step(self, state, torque):
        angle, speed = state["pos_vel"].T
        speed = speed + self.dt * (9.8 * jnp.sin(angle) + torque)
        angle = angle + self.dt * speed
        t = state["t"] + 1
        done = (jnp.abs(angle) > 1.5) | (t >= self.max_steps)
        state = {"pos_vel": jnp.stack([angle, speed], axis=1), "t": t}
        return state, jnp.cos(angle) - 0.01 * torque**2, done
