"""The operations of jobs on a page.

    attachment ─► original ─► translation
                     └─────► analysis ─► issues

`report`        what an operation tells, and when it has to stop
`originals`     attachments become texts, once a version
`translations`  texts become texts in another language, once a text and language
`policies`      both by name; entries of attachments that are gone are removed
`analyses`      texts become findings, once a set of texts
`findings`      findings become issues; issues become stale
`clear`         all of a page but its attachments is removed
`operations`    the one that a job asks for
"""
