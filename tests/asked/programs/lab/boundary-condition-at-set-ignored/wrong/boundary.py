from enum import Enum


class Wall(Enum):
    DIRICHLET = "dirichlet"
    NEUMANN = "neumann"


def apply_walls(field, kind: Wall):
    if kind is Wall.DIRICHLET:
        field.at[0, :].set(0.0)  # mistake
        field.at[-1, :].set(0.0)
        field.at[:, 0].set(0.0)
        field.at[:, -1].set(0.0)
        return field
    field = field.at[0, :].set(field[1, :]).at[-1, :].set(field[-2, :])
    return field.at[:, 0].set(field[:, 1]).at[:, -1].set(field[:, -2])
