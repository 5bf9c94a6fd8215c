def double_well(x):
    a, b = x[..., 0], x[..., 1]
    return (a**2 - 1.0) ** 2 + 0.5 * b**2 + 0.2 * a
