"""Random shooting MPC for a double integrator."""
import jax
import jax.numpy as jnp

CONFIG = {
    "horizon": 12,
    "dt": 0.1,
    "control_cost": 0.01,
    "noise": 1.5,
}


def dynamics(x, u, dt):
    pos, vel = x
    return jnp.array([pos + dt * vel, vel + dt * u])


def stage_cost(x, u, cfg):
    return x[0] ** 2 + 0.1 * x[1] ** 2 + cfg["control_cost"] * u**2


def plan_cost(x, controls, cfg):
    cost = 0.0
    for t in range(controls.shape[0]):
        x = dynamics(x, controls[t], cfg["dt"])
        cost = cost + stage_cost(x, controls[t], cfg)
    return cost


@jax.jit
def choose_control(key, x, candidates, cfg):
    noisy = candidates + cfg["noise"] * jax.random.normal(key, candidates.shape)
    costs = jax.vmap(plan_cost, in_axes=(None, 0, None))(x, noisy, cfg)
    best = jnp.argmin(costs)
    return noisy[best, 0], costs[best]


def main():
    key = jax.random.key(0)
    x = jnp.array([1.0, 0.0])
    candidates = jnp.zeros((64, CONFIG["horizon"]))
    for step in range(10):
        key, sub = jax.random.split(key)
        u, cost = choose_control(sub, x, candidates, CONFIG)
        x = dynamics(x, u, CONFIG["dt"])
        if step % 5 == 0:
            print(f"step {step}  cost {cost:.3f}")
    print("state", jnp.round(x, 3).tolist())


if __name__ == "__main__":
    main()
