"""Sections: a study in, blocks out. They choose and order; they neither compute nor format."""
