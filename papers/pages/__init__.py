"""Claims as pages: plain data first, then Markdown and HTML made of it."""
