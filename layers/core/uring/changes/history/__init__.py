"""What is remembered of a source's checks.

`beats`       the last checks that wrote something, in a ring of the source's health
`refused`     the last refused answer, as the worker saw it, for a week
"""
