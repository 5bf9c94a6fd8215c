import jax
import jax.numpy as jnp

from houses import make_houses
from model import fit, predict


def main():
    features, prices = make_houses(jax.random.key(30), 240)
    params, loss = fit(jax.random.key(31), features, prices, n_steps=200)
    predicted = predict(params, features)[:, 0]
    correlation = jnp.corrcoef(predicted, prices)[0, 1]
    print("loss", round(float(loss), 3))
    print("spread of the predictions", round(float(predicted.std()), 2))
    print("spread of the prices", round(float(prices.std()), 2))
    print("related", bool(correlation > 0.9))


if __name__ == "__main__":
    main()
