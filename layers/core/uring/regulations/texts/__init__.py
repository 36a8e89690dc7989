"""The text of each regulation: read from its file, compared with the previous text (R5, R10).

`ids`      the ids of texts and of their changes
`job`      a parse job's entry
`recheck`  the files that are asked for again, and the proof of a replaced one
`read`     the fetching and reading of a file
`state`    ``state/regulation_texts/{text}.json``
`family`   the texts as the engine sees them, with tries and dead letters
`files`    the stored text, and the readers' view of it
"""
