"""University notice boards.

    sitemap ─ plan ─► jobs ─► visit ─► page ─► guards ─► family.apply_visit ─► RecordState

The sitemap, its plan and the guards of a single page are those of `uring.sources`.

`source`        one entry; `presets` the defaults of a board system, `policy` a change's consequence
`visit`         asks a site: robots.txt, the list, further pages
`place`         a visit's goal with the known records, and its result
`page`          from text to notices, requests for further pages; `item` one notice
`guards`        ids and titles that are not believed
`identity`      the notices of a page beside the known ones
`due`           the deadline that a title names
`noise`         what differs from check to check without being news
`state`         the stored state of a department
`family`        the notices as the engine sees them
`registration`  the entry in `uring.functions.families`; `watched` the boards for the monitor
"""
