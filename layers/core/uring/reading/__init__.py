"""From a page to rows and values, by declaration.

    text ─ lists, by kind ─► rows ─ extract, by rules ─► values

`rules`          where a row is and how a value is read of it; `request_rules` how a site is asked
`kinds`          what rules may say of HTML, JSON, RSS and Atom
`lists`          the rows of each kind; `markup` a page without scripts and comments
`extract`        a rule's value of a row; `steps` a rule as it is followed
`dates`          days as boards write them; `instants` those with an offset
`links`          resolved, then canonical: one record, one address
`text`           one spelling for what looks the same; `mojibake` text that is damaged
`patterns`       regular expressions of the configuration, in linear time
"""
