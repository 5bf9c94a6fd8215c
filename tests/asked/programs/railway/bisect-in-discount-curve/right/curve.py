import jax.numpy as jnp


class ZeroCurve:
    def __init__(self, tenors, rates):
        self.tenors = tenors
        self.rates = rates

    def zero_rate(self, maturity):
        tenors = jnp.array(self.tenors)
        right = jnp.searchsorted(tenors, maturity, side="right")
        right = jnp.clip(right, 1, len(self.tenors) - 1)
        left = right - 1
        weight = (maturity - tenors[left]) / (tenors[right] - tenors[left])
        weight = jnp.clip(weight, 0.0, 1.0)
        return (1 - weight) * self.rates[left] + weight * self.rates[right]

    def discount(self, maturity):
        return jnp.exp(-self.zero_rate(maturity) * maturity)
