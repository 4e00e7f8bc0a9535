"""The bootstrap: what is random is said, drawn again and read again."""
