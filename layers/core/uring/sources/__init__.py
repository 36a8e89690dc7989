"""Sources that stand in a configuration file: boards, registries.

    file ─ config ─► entries ─ plan ─► jobs ─ entry_of ─► request ─ site ─► text ─ rows ─► guards

`document`    a file as JSON, as far as it is not too large
`config`      a file's entries, what is wrong with each, and the entry of a job
`problems`    where in the file, and what to do
`entry`       one entry, as far as families have it in common; `expect` what it expects of its page
`presets`     what a system behind many pages fills in
`plan`        which sources are checked, and how often
`site`        from an entry to its request, from the answer to text
`requests`    how many requests, in what time, and what robots.txt says to them
`rows`        from text to rows that were read or skipped
`guards`      which pages are not believed by themselves
"""
