"""`uring add`: from the address of a list to its entry."""
