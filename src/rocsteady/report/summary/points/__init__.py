"""Operating points: what is promised, what is realised, which cut-offs are alike."""
