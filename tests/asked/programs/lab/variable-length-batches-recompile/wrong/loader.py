import numpy as np

PAD = 0


class SentenceLoader:
    def __init__(self, sentences, labels, batch_size, max_len, seed=0):
        self.sentences = sentences
        self.labels = np.asarray(labels, np.int32)
        self.batch_size = batch_size
        self.max_len = max_len
        self.rng = np.random.default_rng(seed)

    def collate(self, rows):
        width = max(len(r) for r in rows)
        out = np.full((len(rows), width), PAD, np.int32)  # mistake
        for i, row in enumerate(rows):
            out[i, :len(row)] = row
        return out

    def __iter__(self):
        order = self.rng.permutation(len(self.sentences))
        for start in range(0, len(order) - self.batch_size + 1, self.batch_size):
            idx = order[start:start + self.batch_size]
            yield self.collate([self.sentences[i] for i in idx]), self.labels[idx]
