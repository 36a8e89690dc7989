"""The text of each regulation: read from its file, compared with the one before (R5, R10).

`job`      a parse job's entry
`read`     the file is fetched and read
`state`    ``state/regulation_texts/{text}.json``
`family`   the texts as the engine sees them, with tries and dead letters
`files`    what readers see of a text
"""
