import optax


def make_optimizer(peak, decay_steps):
    schedule = optax.cosine_decay_schedule(peak, decay_steps)
    return optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.scale_by_adam(b2=0.99),
        optax.scale_by_learning_rate(schedule),
    )
