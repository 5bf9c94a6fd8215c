import jax


def call(prices, strike):
    return jax.nn.relu(prices - strike)


def digital(prices, strike):
    return jax.nn.sigmoid((prices - strike) / (0.01 * strike))
