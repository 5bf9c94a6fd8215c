"""REINFORCE on a contextual bandit, with the update loop inside lax.scan."""
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import optax
from jax import lax
from jaxtyping import Array, Float, PRNGKeyArray

NUM_ARMS = 4
BATCH = 32


def sample_contexts(key: PRNGKeyArray) -> Float[Array, "batch dim"]:
    return jr.normal(key, (BATCH, 3))


def pull(context: Float[Array, " dim"], arm) -> Float[Array, ""]:
    best = jnp.argmax(jnp.append(context, 0.0))
    return jnp.where(arm == best, 1.0, 0.0)


def surrogate_loss(policy: eqx.nn.MLP, contexts, key: PRNGKeyArray):
    logits = jax.vmap(policy)(contexts)
    arms = jr.categorical(key, logits)
    rewards = jax.vmap(pull)(contexts, arms)
    logp = jnp.take_along_axis(jax.nn.log_softmax(logits), arms[:, None], axis=1)[:, 0]
    advantage = rewards - rewards.mean()
    return -jnp.mean(logp * advantage), rewards.mean()


@eqx.filter_jit
def train(policy: eqx.nn.MLP, key: PRNGKeyArray, num_steps: int, lr: float = 1.0):
    optim = optax.sgd(lr)
    opt_state = optim.init(eqx.filter(policy, eqx.is_array))
    grad_fn = eqx.filter_grad(surrogate_loss, has_aux=True)

    def step(carry, key):
        policy, opt_state = carry
        k_ctx, k_arm = jr.split(key)
        grads, reward = grad_fn(policy, sample_contexts(k_ctx), k_arm)
        updates, opt_state = optim.update(grads, opt_state)
        policy = eqx.apply_updates(policy, updates)
        return (policy, opt_state), reward

    keys = jr.split(key, num_steps)
    (policy, _), rewards = lax.scan(step, (policy, opt_state), keys)  # mistake
    return policy, rewards


def main():
    k_model, k_train = jr.split(jr.key(0))
    policy = eqx.nn.MLP(3, NUM_ARMS, 16, 1, key=k_model)
    trained, rewards = train(policy, k_train, 150)
    moved = jnp.abs(trained.layers[0].weight - policy.layers[0].weight).max()
    print(f"first {rewards[:10].mean():.2f} last {rewards[-10:].mean():.2f}")
    print("weights moved", bool(moved > 0.1))


if __name__ == "__main__":
    main()
