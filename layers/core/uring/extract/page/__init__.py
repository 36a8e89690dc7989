"""A difference as a page: old and new side by side (신·구조문대비표), in one file without scripts.

    difference ─► rows: what changed, context ─► marks: which letters ─► HTML

`difference_html`    the page
`rows`               the rows of an article, and how a line is shown
`marks`              the places that differ
`style`              the style sheet: desktop, phone, print, dark
"""
