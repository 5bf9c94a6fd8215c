"""Train for a few steps and print the learning rates."""
import jax

from training import optimizer, step


def main():
    keys = jax.random.split(jax.random.key(0), 3)
    params = {
        "w1": jax.random.normal(keys[0], (3, 8)),
        "w2": jax.random.normal(keys[1], (8,)),
    }
    x = jax.random.normal(keys[2], (16, 3))
    opt_state = optimizer.init(params)
    rates = []
    for _ in range(6):
        params, opt_state, loss = step(params, opt_state, x, x[:, 0])
        rates.append(round(float(opt_state.hyperparams["learning_rate"]), 4))
    print("learning rates", rates)


if __name__ == "__main__":
    main()
