"""Steady temperature of a plate with one hot edge and a heated patch."""
import jax
import jax.numpy as jnp
import numpy as np


class Plate:
    def __init__(self, n: int, hot: float, cold: float):
        self.n = n
        self.hot = hot
        self.cold = cold
        self.heat = np.zeros((n, n))
        self.heat[n // 2 : n // 2 + 3, n // 2 : n // 2 + 3] = 4.0

    def initial(self):
        return jnp.full((self.n, self.n), self.cold)

    def apply_edges(self, temperature):
        temperature = temperature.at[:, 0].set(self.cold)
        temperature = temperature.at[:, -1].set(self.cold)
        temperature = temperature.at[-1, :].set(self.cold)
        return temperature.at[0, :].set(self.hot)

    def relax(self, temperature):
        """One Jacobi sweep over the interior."""
        neighbours = (
            temperature[2:, 1:-1]
            + temperature[:-2, 1:-1]
            + temperature[1:-1, 2:]
            + temperature[1:-1, :-2]
        )
        updated = temperature.at[1:-1, 1:-1].set(0.25 * neighbours + self.heat[1:-1, 1:-1])
        return self.apply_edges(updated)


def solve(plate: Plate, sweeps: int):
    start = plate.apply_edges(plate.initial())

    @jax.jit
    def run(temperature):
        return jax.lax.fori_loop(0, sweeps, lambda _, u: plate.relax(u), temperature)

    return run(start)


def main():
    plate = Plate(n=24, hot=100.0, cold=20.0)
    temperature = solve(plate, sweeps=400)
    profile = np.asarray(temperature[:, 12])
    print("centre line:", np.round(profile[::6], 1))
    print("maximum inside: %.1f" % float(temperature[1:-1, 1:-1].max()))


if __name__ == "__main__":
    main()
