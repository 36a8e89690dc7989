"""University notice boards.

    sitemap ─ plan ─► jobs ─► visit ─► page ─► guards ─► family.apply_visit ─► RecordState

`config`      the sitemap: entries, and what is wrong with each
`problems`    where in the file, and what to do
`source`      one entry; `presets` what a board system fills in, `policy` what an entry expects
`plan`        which departments are checked, and how often
`visit`       asks a site: robots.txt, the list, further pages
`site`        from an entry to its request, from the answer to text; `paging` further pages
`page`        from text to notices; `item` one notice
`guards`      which pages are not believed
`state`       what is stored of a department
`family`      the notices as the engine sees them
`settings`, `registration`, `bootstrap`  of their functions, of the registry, how they are built
"""
