"""From a page to rows and values, by the rules of a config entry.

    text ─ lists, by kind ─► rows ─ extract, by rules ─► values

`rules`          the rules for rows and their values; `request_rules` the rules for requests
`kinds`          the rules that are valid for HTML, JSON, RSS and Atom
`lists`          the rows of each kind
`extract`        the value of a rule in a row; `steps` a rule compiled for speed
`dates`          dates as boards write them, in `date_formats`; `instants` times with a zone,
                 `ago` "3 days ago", `calendars` eras and other calendars
`links`          resolved, then canonical: one record, one address
`text`           one spelling for text that looks the same, pages without scripts and comments
`mojibake`       damaged text
`patterns`       regular expressions of the configuration, in linear time
"""
