import numpy as np

from planner import best_move, plan
from terrain import cost_map, discover, hidden_wall

GOAL = np.array([15, 7])


def drive(start, limit=60):
    wall = hidden_wall()
    position, crossed = start, 0
    for step in range(limit):
        discover(wall, position)
        values = np.asarray(plan(cost_map, GOAL))
        position = best_move(values, position)
        crossed += int(wall[position])
        if position == tuple(GOAL):
            return step + 1, crossed
    return limit, crossed


def main():
    steps, crossed = drive((0, 7))
    print("known obstacles", int((cost_map > 1.0).sum()))
    print("steps", steps, "walls crossed", crossed)


if __name__ == "__main__":
    main()
