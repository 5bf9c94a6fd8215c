import time

import jax
import jax.numpy as jnp
import numpy as np


def score(apply_fn, params, signal, labels):
    logits = apply_fn(params, signal)
    order = jnp.argsort(-logits, axis=-1)
    rank = jnp.argmax(order == labels[:, None], axis=-1)
    return {"top1": jnp.mean(rank == 0), "mrr": jnp.mean(1.0 / (1.0 + rank))}


def evaluate(apply_fn, params, dataset, batch_size):
    start = time.perf_counter()
    score_fn = jax.jit(lambda p, s, y: score(apply_fn, p, s, y))  # mistake
    totals = []
    for i in range(0, len(dataset["labels"]), batch_size):
        sl = slice(i, i + batch_size)
        totals.append(score_fn(params, dataset["signal"][sl], dataset["labels"][sl]))
    totals = jax.device_get(totals)
    means = {name: float(np.mean([t[name] for t in totals])) for name in totals[0]}
    return means, time.perf_counter() - start
