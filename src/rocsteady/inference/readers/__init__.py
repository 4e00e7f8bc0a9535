"""Reader studies: several readers rate the cases of several modalities."""
