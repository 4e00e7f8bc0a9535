"""How results are shown: sentences, and later documents and their renderers."""
