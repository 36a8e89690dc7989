"""`uring weather parse`: a recorded file, read and shown."""
