"""Reports of a day or a week, as JSON and Markdown in the bucket (S13).

    counters ─► report, beside the one before it ─► JSON ─► Markdown

`report`     the figures of every partition, and the increase since the previous report
`markdown`   a report for people
`reporter`   makes the due reports, each once
"""
