def banana_log_density(x):
    return -0.5 * x[0] ** 2 / 2.0 - 0.5 * (x[1] - 0.3 * (x[0] ** 2 - 2.0)) ** 2
