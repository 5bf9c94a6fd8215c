"""Numbers for words, in the order in which they occur."""

class Vocabulary:
    def __init__(self, words=()):
        self.ids = {word: number for number, word in enumerate(words)}

    def encode(self, text):
        return [self.ids.setdefault(word, len(self.ids)) for word in text.split()]

    def __len__(self):
        return len(self.ids)
