import jax
import numpy as np
import optax

from evaluation import make_evaluator
from survey import SatisfactionModel


def survey_answers(n, seed):
    rng = np.random.default_rng(seed)
    answers = rng.integers(0, 6, (n, 10))
    score = (answers[:, :4].mean(axis=1) - 2.5 + 0.1 * rng.normal(size=n)).astype(np.float32)
    return answers, score


def main():
    model = SatisfactionModel(n_questions=10)
    init_key, train_key, *eval_keys = jax.random.split(jax.random.key(0), 5)
    answers, score = survey_answers(1024, seed=0)
    params = model.init(init_key, answers[:1], training=False)["params"]
    tx = optax.adam(3e-3)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state, answers, score, key):
        def loss_fn(p):
            pred = model.apply({"params": p}, answers, training=True, rngs={"dropout": key})
            return ((pred - score) ** 2).mean()

        grads = jax.grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state

    for i, key in enumerate(jax.random.split(train_key, 160)):
        rows = slice(128 * (i % 8), 128 * (i % 8 + 1))
        params, opt_state = step(params, opt_state, answers[rows], score[rows], key)

    evaluate = make_evaluator(model)
    valid = survey_answers(256, seed=1)
    print("rmse of three runs", [round(float(evaluate(params, *valid, k)), 4) for k in eval_keys])


if __name__ == "__main__":
    main()
