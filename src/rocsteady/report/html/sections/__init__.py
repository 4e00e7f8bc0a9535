"""The sections of the page: each renders one part of the summary, or nothing where the part is missing."""
