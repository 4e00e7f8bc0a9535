"""Data engines: tables of any size in, cells out."""
