"""How many groups, readers or cases a study needs."""
