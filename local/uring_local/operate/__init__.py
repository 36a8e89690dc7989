"""For operators of a deployed stack: state, push test, upload."""
