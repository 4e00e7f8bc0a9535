"""The numbers behind the errata: every one of them is computed here."""
