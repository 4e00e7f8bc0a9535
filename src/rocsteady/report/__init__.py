"""What is shown about scores and curves, as plain data: no statistics is computed here."""
