"""The `uring` command and its local stack: MiniStack, the campus site, stand-ins, the judge."""
