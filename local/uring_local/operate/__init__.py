"""For operators of a deployed stack: state, push test, retract, upload."""
