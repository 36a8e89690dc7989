"""The operations of jobs on a page.

    attachment ─► original ─► translation
                     └─────► analysis ─► issues

`report`        progress of an operation, and the errors that end it
`originals`     attachments become texts, once a version
`translations`  texts become texts in another language, once a text and language
`policies`      both by name; entries of missing attachments are removed
`analyses`      texts become findings, once a set of texts
`findings`      findings become issues; issues become stale
`matching`      findings matched with stored issues that quote the same words
`renewal`       stored issues after an analysis: found again, not found, removed
`clear`         removes all items of a page; its attachments stay
`operations`    runs the operation of a job's message
"""
