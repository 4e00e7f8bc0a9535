"""``rocsteady compare FILE``: which model is better, by how much, and where."""
