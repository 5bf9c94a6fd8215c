"""The step of a student."""
import jax
import jax.numpy as jnp

import settings


@jax.jit
def student_loss(student, x, teacher_logits, temperature):
    soft = jax.nn.softmax(teacher_logits / temperature)
    logp = jax.nn.log_softmax(x @ student / temperature)
    return -jnp.mean(jnp.sum(soft * logp, axis=-1))
