"""Registries of regulations: the regulations in force, and their texts (R1 to R11).

    page ─► sync ─► state ─► table, latest.json, archive, push, parse jobs
    parse job ─► file ─► text extractor ─► state ─► texts, differences, push; queue entry gone

`presets`        the common rules of the systems behind registries
`source`         one registry of ``config/registries.json``
`page`           a registry's page, read and judged
`revision`       the revision of a row beside a number that lasts
`history`        a portal's own list of a regulation's revisions
`values`         the table's values, with the document's keys
`sync`           adds, updates, deletions, renames: pure
`table`          the registry's key-value items, a projection of its state
`state`          ``state/regulations/{registry}.json``
`family`         the registries as the engine sees them
`texts`          the same for the text of each regulation
`registration`   the entry in `uring.functions.families`
"""
