"""Is one model better: pairs, the same under every average, who wins where."""
