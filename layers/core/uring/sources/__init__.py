"""Sources listed in a configuration file: boards, registries.

    file ─ config ─► entries ─ plan ─► jobs ─ entry_of ─► request ─ site ─► text ─ rows ─► guards

`document`    the JSON of a file, up to a size limit
`config`      the entries of a file with their problems, and the entry of a job
`shards`      the further files of a large one
`problems`    the line and the remedy of each problem
`entry`       the keys of an entry common to all families
`presets`     defaults for a system that many pages use
`rhythm`      how often by the hour of the week
`plan`        the sources to check, and how often
`site`        from an entry to its request, from the answer to text
`requests`    the requests of a check: their number, their time, robots.txt
`rows`        from text to rows, read or skipped
`guards`      the pages that are refused as suspect
`refusal`     the rows of a refused page, each with what is wrong with it
"""
