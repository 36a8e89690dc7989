"""Commands for regulations: files to text, and the difference between two of them.

`commands`    `uring regulations`
`files`       a file of any readable format, or a stored text
`history`     `uring regulations history`, a run over a portal's earlier revisions
`paced`       one site, asked slowly
`past_texts`  the folder of earlier texts, from which a killed run goes on
`revisions`   the field that changes with each revision, where the number lasts
`show`        an extraction and a difference on a terminal
"""
