"""Estimate the stiffness of a Van der Pol oscillator from a trajectory."""
import jax
import jax.numpy as jnp

from implicit import integrate


def van_der_pol(state, params):
    x, v = state
    return jnp.stack([v, params["mu"] * (1.0 - x**2) * v - params["k"] * x])


def trajectory(params, start, dt, steps):
    return integrate(van_der_pol, params, start, dt, steps)


def misfit(params, observed, start, dt):
    predicted = trajectory(params, start, dt, observed.shape[0])
    return jnp.mean((predicted - observed) ** 2)


def fit(params, observed, start, dt, rate=0.3, iterations=60):
    step = jax.jit(jax.value_and_grad(misfit), static_argnames="dt")
    for i in range(iterations):
        value, grads = step(params, observed, start, dt=dt)
        params = jax.tree.map(lambda p, g: p - rate * jnp.clip(g, -0.3, 0.3), params, grads)
        if i % 20 == 0:
            print(f"{i:3d} misfit {float(value):.3f}")
    return params


def main():
    start = jnp.array([1.0, 0.5])
    dt = 0.1
    truth = {"mu": jnp.array(1.5), "k": jnp.array(1.0)}
    observed = jax.jit(trajectory, static_argnames="steps")(truth, start, dt, steps=40)
    print("end state", [f"{float(s):.2f}" for s in observed[-1]])
    estimate = fit({"mu": jnp.array(0.8), "k": jnp.array(1.3)}, observed, start, dt)
    print({name: f"{float(value):.1f}" for name, value in estimate.items()})


if __name__ == "__main__":
    main()
