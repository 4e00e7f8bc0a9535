"""How much more data would settle a question: more groups, more cases in each, or neither."""
