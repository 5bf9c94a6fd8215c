"""Distil a large classifier into a small one."""
import jax
import jax.numpy as jnp

DEFAULT_TEMPERATURE = 2.0


def soften(logits, temperature=None):
    temperature = temperature or DEFAULT_TEMPERATURE  # mistake
    return jax.nn.softmax(logits / temperature)


def distillation(student, teacher, temperature=None):
    target = soften(teacher, temperature)
    return -jnp.mean(jnp.sum(target * jnp.log(soften(student, temperature)), axis=-1))


@jax.jit
def step(weights, x, teacher, temperature):
    loss, grads = jax.value_and_grad(lambda w: distillation(x @ w, teacher, temperature))(weights)
    return weights - 0.5 * grads, loss


def train(x, teacher, steps):
    weights = jnp.zeros((x.shape[1], teacher.shape[1]))
    losses = []
    for count in range(steps):
        temperature = 1.0 + 4.0 * 0.8**count
        weights, loss = step(weights, x, teacher, temperature)
        losses.append(loss)
    return weights, losses


if __name__ == "__main__":
    key_x, key_w = jax.random.split(jax.random.key(0))
    x = jax.random.normal(key_x, (24, 4))
    teacher = 3.0 * x @ jax.random.normal(key_w, (4, 3))
    weights, losses = train(x, teacher, 8)
    print("finite", bool(jnp.all(jnp.isfinite(jnp.stack(losses)))))
    print("cold is harder", bool(soften(teacher, 1.0).max() > soften(teacher).max()))
