import jax
import numpy as np

from classifier import init
from explain import token_saliency

LABELS = ["billing", "delivery", "returns"]
SENTENCE = "the parcel never arrived and i want my money back".split()


def main():
    vocab = {w: i for i, w in enumerate(sorted(set(SENTENCE)))}
    params = init(jax.random.key(2), len(vocab), dim=16, classes=len(LABELS))
    ids = np.array([vocab[w] for w in SENTENCE], dtype=np.int32)
    saliency, label = jax.jit(token_saliency)(params, ids)
    saliency = np.asarray(saliency)
    print("predicted", LABELS[int(label)])
    for word, value in sorted(zip(SENTENCE, saliency), key=lambda p: -p[1])[:4]:
        print(f"  {word:<8} {value:.3f}")


if __name__ == "__main__":
    main()
