"""Makers of files: a paper as PDF, HWPX or a page, the same bytes every time.

    paper ─► pdf │ hwpx │ html ─► bytes

`paper`  what a file says: a title, paragraphs, tables
`pdf`    a PDF by hand, with a subset font as word processors write it; and ones that misbehave
`hwpx`   a zip of OWPML, as Hancom's word processor writes it
`html`   the page of a regulation
"""
