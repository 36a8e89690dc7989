"""University notice boards.

    sitemap ─ plan ─► jobs ─► visit ─► page ─► guards ─► family.apply_visit ─► RecordState

The sitemap, its plan and what a page is judged by itself for are those of `uring.sources`.

`source`      one entry; `presets` what a board system fills in, `policy` what a change leads to
`visit`       asks a site: robots.txt, the list, further pages; `paging` how those are asked for
`place`       what is known where a visit goes, and what came of it
`page`        from text to notices; `item` one notice
`guards`      which pages are not believed beside what was known
`state`       what is stored of a department
`family`      the notices as the engine sees them
`registration`  the entry in `uring.functions.families`
"""
