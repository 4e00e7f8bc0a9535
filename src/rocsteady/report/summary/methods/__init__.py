"""Methods, ready to paste."""
