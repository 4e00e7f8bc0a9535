"""Reader studies: several readers, several modalities, the same cases."""
