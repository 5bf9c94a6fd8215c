def apply_dirichlet(u, values: dict):
    u[0, :] = values["left"]  # mistake
    u[-1, :] = values["right"]
    u[:, 0] = values["bottom"]
    u[:, -1] = values["top"]
    return u
