"""What the paper claims, judged by numbers: about formulas, about similar models, about different ones."""
