"""A display with the habits of scikit-learn."""
