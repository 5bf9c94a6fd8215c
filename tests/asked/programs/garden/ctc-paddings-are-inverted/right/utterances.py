import numpy as np

BLANK = 0


def make_batch(n, seed, max_frames=30, max_labels=8, n_tokens=6):
    rng = np.random.default_rng(seed)
    features = 0.1 * rng.normal(size=(n, max_frames, n_tokens))
    frame_mask = np.zeros((n, max_frames), np.float32)
    labels = np.zeros((n, max_labels), np.int32)
    label_mask = np.zeros((n, max_labels), np.float32)
    for i in range(n):
        count = rng.integers(3, max_labels + 1)
        labels[i, :count] = rng.integers(1, n_tokens, count)
        label_mask[i, :count] = 1
        frame_mask[i, : 3 * count + 3] = 1
        for j in range(count):
            features[i, 3 * j + 2 : 3 * j + 4, labels[i, j]] += 1.0
    return {
        "features": features.astype(np.float32),
        "frame_mask": frame_mask,
        "labels": labels,
        "label_mask": label_mask,
    }
