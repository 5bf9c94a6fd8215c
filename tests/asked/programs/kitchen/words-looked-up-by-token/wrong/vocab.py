from dataclasses import dataclass, field


@dataclass
class Vocabulary:
    word_to_id: dict = field(default_factory=dict)
    id_to_word: dict = field(default_factory=dict)

    @classmethod
    def from_corpus(cls, sentences):
        vocab = cls()
        for word in sorted({w for s in sentences for w in s.split()} | {"<bos>", "<eos>"}):
            index = len(vocab.word_to_id)
            vocab.word_to_id[word] = index
            vocab.id_to_word[index] = word
        return vocab

    def __len__(self):
        return len(self.word_to_id)

    def encode(self, sentence):
        words = ["<bos>", *sentence.split(), "<eos>"]
        return [self.word_to_id[w] for w in words]

    def decode(self, ids):
        words = [self.id_to_word[i] for i in ids]  # mistake
        return " ".join(w for w in words if w not in ("<bos>", "<eos>"))
