"""One reader a format, each ``read(body, limits) -> Reading``; they run in the child process.

`reading`     what a reader returns, and what it raises instead
`pdf`         characters of PDFium ─► `layout` pieces to lines and columns ─► `paragraphs`
`hwpx`        `package` a zip under limits ─► XML ─► paragraphs and tables
`hwp`         `hwp_records` streams to records ─► paragraphs and tables
`html`        a page without what is not its text; `text` as it stands
`markdown`    headings, tables, one spelling
"""
