"""Train for a few steps and print the learning rates."""
import jax

from training import step


def main():
    keys = jax.random.split(jax.random.key(0), 3)
    params = {
        "w1": jax.random.normal(keys[0], (3, 8)),
        "w2": jax.random.normal(keys[1], (8,)),
    }
    x = jax.random.normal(keys[2], (16, 3))
    rates = []
    for _ in range(6):
        params, loss, rate = step(params, x, x[:, 0])
        rates.append(round(float(rate), 4))
    print("learning rates", rates)


if __name__ == "__main__":
    main()
