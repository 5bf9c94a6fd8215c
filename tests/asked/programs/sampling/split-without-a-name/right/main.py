"""Count how many sites a chain visits."""
import jax

from spins import flip, random_spins


def run(seed, size, sweeps):
    key = jax.random.key(seed)
    spins = random_spins(jax.random.fold_in(key, 1), size)
    visited = set()
    for _ in range(sweeps):
        key, key_flip = jax.random.split(key)
        spins, site = flip(key_flip, spins, 0.4)
        visited.add(int(site))
    return spins, visited


def main():
    spins, visited = run(0, 12, 30)
    print("spins", spins.shape)
    print("visited more than one", len(visited) > 1)


if __name__ == "__main__":
    main()
