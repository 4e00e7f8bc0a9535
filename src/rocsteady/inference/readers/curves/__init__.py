"""The average curve of a modality, with what readers and cases leave open."""
