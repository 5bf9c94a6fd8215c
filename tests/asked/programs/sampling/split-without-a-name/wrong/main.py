"""Count how many sites a chain visits."""
import jax

from spins import flip, random_spins


def run(seed, size, sweeps):
    key = jax.random.key(seed)
    spins = random_spins(jax.random.fold_in(key, 1), size)
    visited = set()
    for _ in range(sweeps):
        spins, site = flip(key, spins, 0.4)  # mistake
        jax.random.split(key)  # mistake
        visited.add(int(site))
    return spins, visited


def main():
    spins, visited = run(0, 12, 30)
    print("spins", spins.shape)
    print("visited more than one", len(visited) > 1)


if __name__ == "__main__":
    main()
