import jax
import jax.numpy as jnp

from adaptive import integrate
from systems import van_der_pol, lotka_volterra


def final_states(mus, t1):
    y0 = jnp.array([2.0, 0.0])

    def solve(mu):
        return integrate(van_der_pol, y0, (0.0, t1), mu)

    return jax.vmap(solve)(mus)


def main():
    y, n_accept = final_states(jnp.linspace(0.5, 3.0, 4), 5.0)
    print("van der pol:", y.round(3).tolist())
    print("accepted steps:", n_accept)
    args = jnp.array([1.1, 0.4, 0.4, 0.1])
    y, n_accept = integrate(lotka_volterra, jnp.array([10.0, 5.0]), (0.0, 3.0), args)
    print("lotka volterra:", y.round(3), n_accept)


if __name__ == "__main__":
    main()
