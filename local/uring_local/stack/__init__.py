"""The application on a stack: MiniStack and `sam deploy`, or the functions in this process."""
