import jax
import jax.numpy as jnp

from clusters import fit


def blobs(key, centres, per_centre):
    noise = 0.4 * jax.random.normal(key, (centres.shape[0], per_centre, centres.shape[1]))
    return (centres[:, None, :] + noise).reshape(-1, centres.shape[1])


def main():
    key_data, key_start = jax.random.split(jax.random.key(3))
    truth = jnp.array([[0.0, 0.0], [4.0, 0.5], [1.0, 5.0], [6.0, 6.0]])
    points = blobs(key_data, truth, per_centre=60)
    start = jax.random.choice(key_start, points, (4,), replace=False)
    centres, spread = fit(points, start, n_rounds=15)
    order = jnp.argsort(centres[:, 0] + 10.0 * centres[:, 1])
    for x, y in centres[order].tolist():
        print(f"centre at {x:.2f}, {y:.2f}")
    print("mean squared distance", round(float(spread), 3))


if __name__ == "__main__":
    main()
