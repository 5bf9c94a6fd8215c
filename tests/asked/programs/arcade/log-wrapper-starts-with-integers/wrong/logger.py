"""A wrapper that keeps the return of the running episode."""

from typing import Any, NamedTuple


class LogState(NamedTuple):
    inner: Any
    total: Any
    length: Any


class LogWrapper:
    def __init__(self, environment):
        self.environment = environment

    def reset(self, key):
        state, observation = self.environment.reset(key)
        return LogState(state, 0, 0), observation  # mistake

    def step(self, key, state, action):
        inner, observation, reward, done = self.environment.step(key, state.inner, action)
        state = LogState(inner, state.total + reward, state.length + 1)
        return state, observation, reward, done
