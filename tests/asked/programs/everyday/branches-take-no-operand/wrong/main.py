"""A replay loop that copies the online network into the target now and then."""
import jax
import jax.numpy as jnp

PERIOD = 10


def td_loss(online, target, obs):
    return jnp.mean((obs @ online["w"] - 0.9 * jax.lax.stop_gradient(obs @ target["w"])) ** 2)


@jax.jit
def train_step(step, online, target, obs):
    grads = jax.grad(td_loss)(online, target, obs)
    online = jax.tree.map(lambda p, g: p - 0.1 * g, online, grads)
    target = jax.lax.cond(step % PERIOD == 0, lambda: online, lambda: target, online)  # mistake
    return step + 1, online, target


def main():
    online = {"w": jnp.ones((3, 2))}
    target = {"w": jnp.zeros((3, 2))}
    step = jnp.array(0)
    obs = jax.random.normal(jax.random.key(0), (16, 3))
    for _ in range(25):
        step, online, target = train_step(step, online, target, obs)
    print(int(step))


if __name__ == "__main__":
    main()
