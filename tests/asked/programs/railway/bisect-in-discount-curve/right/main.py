import jax
import jax.numpy as jnp

from bonds import Bond, dirty_price, par_coupon
from curve import ZeroCurve

TENORS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
BOOK = [Bond(0.03, 4), Bond(0.045, 9), Bond(0.05, 20)]


@jax.jit
def book_prices(rates):
    curve = ZeroCurve(TENORS, rates)
    return jnp.stack([dirty_price(curve, bond) for bond in BOOK])


@jax.jit
def par_coupons(rates):
    curve = ZeroCurve(TENORS, rates)
    return jnp.stack([par_coupon(curve, bond) for bond in BOOK])


rates = jnp.array([0.031, 0.032, 0.034, 0.035, 0.037, 0.039, 0.041])
for bond, price, par in zip(BOOK, book_prices(rates).tolist(), par_coupons(rates).tolist()):
    print(bond, "price", round(price, 3), "par", round(par, 4))

key_rates = jax.jit(jax.grad(lambda r: book_prices(r).sum()))(rates)
print("key rate durations", [round(-v, 2) for v in key_rates.tolist()])
