"""Planning a reader study: readers and cases for a given power, from a pilot."""
