"""A frog crosses a road with cars in a few lanes."""
import jax
import jax.numpy as jnp
from flax import struct

LANES = 4
WIDTH = 8


@struct.dataclass
class CrossingState:
    row: jax.Array
    col: jax.Array
    cars: jax.Array
    hit: jax.Array
    t: jax.Array


@struct.dataclass
class CrossingParams:
    max_steps: int = 20
    wrap: bool = struct.field(pytree_node=False, default=True)


class Crossing:
    speeds = (1, -1, 2, -2)

    def reset(self, key, params):
        cars = jax.random.randint(key, (LANES,), 0, WIDTH)
        zero = jnp.zeros((), jnp.int32)
        return CrossingState(zero, zero + WIDTH // 2, cars, jnp.array(False), zero)

    def move_cars(self, state, params):
        cars = state.cars
        for lane, speed in enumerate(self.speeds):
            moved = cars[lane] + speed
            if params.wrap:
                moved = moved % WIDTH
            cars = cars.at[lane].set(moved)
        on_road = (state.row >= 1) & (state.row <= LANES)
        same_col = cars[jnp.clip(state.row - 1, 0, LANES - 1)] == state.col
        return state.replace(cars=cars, hit=bool(on_road & same_col))  # mistake

    def step(self, state, action, params):
        delta = jnp.array([[0, 0], [1, 0], [0, -1], [0, 1]])[action]
        state = state.replace(
            row=jnp.clip(state.row + delta[0], 0, LANES + 1),
            col=jnp.clip(state.col + delta[1], 0, WIDTH - 1),
            t=state.t + 1,
        )
        state = self.move_cars(state, params)
        crossed = state.row == LANES + 1
        reward = jnp.where(state.hit, -1.0, jnp.where(crossed, 1.0, 0.0))
        done = state.hit | crossed | (state.t >= params.max_steps)
        return state, reward, done
