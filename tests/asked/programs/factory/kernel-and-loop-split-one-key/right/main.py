"""Sample the settings of a press that give good parts."""

import jax
import jax.numpy as jnp

from sampler import kernel


def log_density(setting):
    """A bent ridge."""
    return -0.5 * (setting[0] ** 2 + (setting[1] - 0.5 * setting[0] ** 2) ** 2 / 0.3)


@jax.jit
def chain(key, start):
    def step(carry, _):
        key, setting = carry
        key, kernel_key = jax.random.split(key)
        setting, draws = kernel(kernel_key, setting, log_density)
        return (key, setting), (setting, draws)

    _, (settings, draws) = jax.lax.scan(step, (key, start), None, length=2000)
    return settings, draws


def main():
    settings, draws = chain(jax.random.key(0), jnp.zeros(2))
    repeated = jnp.mean(jnp.isclose(draws[1:, 0], draws[:-1, 1]))
    print("settings", settings.shape)
    print(f"draws that came twice: {float(repeated):.1f}")
    print("on the ridge:", bool(jnp.mean(settings[:, 1]) > 0.1))


if __name__ == "__main__":
    main()
