"""The deployment questions, the average that answers them, and what speaks against an answer."""
