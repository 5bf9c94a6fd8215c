import jax
import jax.numpy as jnp


class Chain:
    """A corridor with a reward at its end."""

    n_states = 8

    def step(self, state, action):
        state = max(state - 1, 0) if action == 0 else state + 1
        done = state == self.n_states - 1
        return state, float(done), done


class Agent:
    def __init__(self, n_states, rate=0.3, discount=0.9):
        self.rate = rate
        self.discount = discount
        self.q = jnp.zeros((n_states, 2))
        self.td_error = jnp.asarray(0.0)
        self._update = jax.jit(self._updated)  # mistake

    def _updated(self, q, state, action, reward, next_state, done):
        target = reward + self.discount * (1.0 - done) * q[next_state].max()
        self.td_error = target - q[state, action]  # mistake
        return q.at[state, action].add(self.rate * self.td_error)

    def learn(self, *transition):
        self.q = self._update(self.q, *transition)


def main():
    corridor = Chain()
    agent = Agent(corridor.n_states)
    key = jax.random.key(10)
    for episode in range(12):
        state, done, errors = 0, False, []
        key_episode = jax.random.fold_in(key, episode)
        for action in jax.random.bernoulli(key_episode, 0.7, (40,)).astype(int).tolist():
            next_state, reward, done = corridor.step(state, action)
            agent.learn(state, action, reward, next_state, float(done))
            errors.append(jnp.abs(agent.td_error))  # mistake
            state = next_state
            if done:
                break
        if episode % 4 == 3:
            print("episode", episode + 1, "mean error", round(float(jnp.stack(errors).mean()), 3))
    print("values", [round(value, 2) for value in agent.q.max(axis=1).tolist()])


if __name__ == "__main__":
    main()
