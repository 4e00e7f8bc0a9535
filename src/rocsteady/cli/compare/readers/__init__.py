"""``rocsteady compare FILE --case COLUMN`` where readers share cases: a reader study."""
