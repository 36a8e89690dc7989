"""Commands for regulations: files to text, and the difference between two of them.

`commands`    `uring regulations`
`files`       a file of any readable format, or a stored text
`revisions`   the field that changes with each revision, where the number lasts
`show`        an extraction and a difference on a terminal
"""
