SPECIAL = {"pad": 0, "cls": 1, "eos": 2, "mask": 3}
VOCAB = 24
