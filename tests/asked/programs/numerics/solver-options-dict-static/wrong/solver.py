from functools import partial

import jax

from linesearch import backtrack


@partial(jax.jit, static_argnames=("fun", "options"))  # mistake
def minimize_gd(fun, w0, X, y, *, options):
    def objective(w):
        return fun(w, X, y)

    def body(w, _):
        value, grad = jax.value_and_grad(objective)(w)
        step = backtrack(objective, w, value, grad, options)
        return w - step * grad, value

    return jax.lax.scan(body, w0, None, length=options["max_iter"])
