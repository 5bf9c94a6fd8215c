"""Two studies; the second one asked for smoking as well."""

import numpy as np

COLUMNS = {
    "first": ["age", "pressure", "sugar"],
    "second": ["age", "smoker", "pressure", "sugar"],
}


def load(study, n=200):
    """Names of the columns, the standardised table, and who fell ill."""
    rng = np.random.default_rng(len(study))
    names = COLUMNS[study]
    table = rng.normal(size=(n, len(names))).astype(np.float32)
    ill = table[:, names.index("pressure")] + 0.5 * table[:, names.index("age")] > 0
    return names, table, ill.astype(np.float32)


def select(table, found, names):
    """The columns in the order of a model."""
    return table[:, [found.index(name) for name in names]]
