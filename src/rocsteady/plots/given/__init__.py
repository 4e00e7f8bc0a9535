"""What figures are handed: refused with a code if it is of another kind, and what is read from it."""
