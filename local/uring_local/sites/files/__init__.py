"""Makers of files: a paper as PDF, HWPX or a page; the same paper gives the same bytes.

    paper ─► pdf │ hwpx │ html ─► bytes

`paper`  the content of a file: a title, paragraphs, tables
`pdf`    a PDF by hand, with a subset font as from a word processor; and broken PDFs
`hwpx`   a zip of OWPML, as Hancom's word processor writes it
`html`   the page of a regulation
"""
