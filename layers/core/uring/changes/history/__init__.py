"""What is remembered of a source's checks.

`beats`       the last checks of which something was written, in a ring of its health
`refused`     the last answer that was refused, as the worker saw it, for a week
"""
