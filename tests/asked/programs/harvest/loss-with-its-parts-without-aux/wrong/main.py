import jax

from data import rings
from train import fit


def main():
    key_data, key_fit = jax.random.split(jax.random.key(4))
    points = rings(key_data, 256)
    history = fit(key_fit, points, n_steps=60)
    for step, parts in history:
        print("step", step, {name: round(float(value), 3) for name, value in parts.items()})


if __name__ == "__main__":
    main()
