"""Which of two or more models is better, by how much, where, and how sure."""
