import numpy as np

SIZE = 16
cost_map = np.ones((SIZE, SIZE), dtype=np.float32)


def hidden_wall():
    wall = np.zeros((SIZE, SIZE), dtype=bool)
    wall[5, 2:15] = True
    wall[10, 0:12] = True
    return wall


def discover(wall, position, reach=2):
    row, column = position
    rows = slice(max(row - reach, 0), row + reach + 1)
    columns = slice(max(column - reach, 0), column + reach + 1)
    cost_map[rows, columns][wall[rows, columns]] = 1000.0
