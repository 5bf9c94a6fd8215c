def apply_dirichlet(u, values: dict):
    u = u.at[0, :].set(values["left"])
    u = u.at[-1, :].set(values["right"])
    u = u.at[:, 0].set(values["bottom"])
    u = u.at[:, -1].set(values["top"])
    return u
