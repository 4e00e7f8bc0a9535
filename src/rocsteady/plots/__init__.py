"""What the old report still takes from figures."""
