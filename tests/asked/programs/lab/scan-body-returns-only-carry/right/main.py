from functools import partial

import jax
import jax.numpy as jnp

from dynamics import double_pendulum, rk4


@partial(jax.jit, static_argnames="n_steps")
def simulate(y0, n_steps, dt=0.005):
    def step(y, _):
        y_next = rk4(double_pendulum, y, dt)
        return y_next, y_next

    return jax.lax.scan(step, y0, None, length=n_steps)


def lyapunov_estimate(y0, n_steps, eps=1e-3):
    other = y0.at[0].add(eps)
    run = jax.vmap(lambda y: simulate(y, n_steps)[1])
    pair = run(jnp.stack([y0, other]))
    gap = jnp.linalg.norm(pair[0] - pair[1], axis=-1)
    return jnp.log(gap[-1] / eps) / (n_steps * 0.005)


def main():
    y0 = jnp.array([2.0, 1.2, 0.0, 0.0])
    final, path = simulate(y0, 400)
    print("final", [round(float(v), 2) for v in final])
    print("path", path.shape)
    print("exponent", round(float(lyapunov_estimate(y0, 400)), 2))


if __name__ == "__main__":
    main()
