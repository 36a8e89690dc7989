"""Builds what a family's functions have alike.

`parts`         what each of them is made of
`orchestrator`  ticks become jobs; it loads nothing of a check
`worker`        jobs become checks
"""
