from functools import partial

import jax
import jax.numpy as jnp

from processes import Heston, simulate

DT = 1.0 / 252


@partial(jax.jit, static_argnames=("model", "n_paths", "n_steps"))
def risk_report(key, model, n_paths, n_steps):
    path = simulate(model, key, n_paths, n_steps, DT)
    returns = jnp.diff(path, axis=0)
    centred = returns - returns.mean()
    autocorr = (centred[1:] * centred[:-1]).mean() / (centred**2).mean()
    terminal = path[-1]
    return {
        "annual vol": terminal.std() / jnp.sqrt(n_steps * DT),
        "value at risk 99%": -jnp.quantile(terminal, 0.01),
        "lag-1 autocorrelation": autocorr,
    }


def main():
    report = risk_report(jax.random.key(7), Heston(), n_paths=2000, n_steps=126)
    for name, value in report.items():
        print(f"{name}: {value:.3f}")


if __name__ == "__main__":
    main()
