"""Commands for regulations: files to text, and what changed between two of them.

`commands`    `uring regulations`
`files`       a file of any readable format, or a text that was stored
`show`        an extraction and a difference on a terminal
"""
