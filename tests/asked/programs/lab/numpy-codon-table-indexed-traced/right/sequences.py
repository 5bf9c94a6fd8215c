import numpy as np

BASES = "ACGT"
HYDROPATHY = np.linspace(-4.5, 4.5, 64).astype(np.float32)
HYDROPATHY = HYDROPATHY[np.random.default_rng(4).permutation(64)]


def encode(sequence: str) -> np.ndarray:
    return np.array([BASES.index(b) for b in sequence], dtype=np.int32)


def random_genes(rng, n, length):
    return ["".join(rng.choice(list(BASES), size=length)) for _ in range(n)]
