"""One source of a deployed stack, for its operator: its refused page, and a pause.

`pause`       a source is not asked until a day; it is asked again
`refused`     the last refused page of a source, beside what was read before
"""
