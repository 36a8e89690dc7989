"""The application on a stack: MiniStack, SAM, or the functions in this process."""
