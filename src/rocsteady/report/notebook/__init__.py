"""How a value looks in a notebook: a sentence, a small picture, five rows, and notes folded away."""
