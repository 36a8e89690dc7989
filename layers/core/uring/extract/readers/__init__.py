"""One reader a format, each ``read(body, limits) -> Reading``; they run in the child process.

`reading`     the limits of a reader, its result and its error
`pdf`         PDFium's pages ─► `page` letters, lines, columns, paragraphs
`hwpx`        `package` a zip under limits ─► XML ─► `hancom`; `hwp` streams ─► `hancom`
`docx`        `package` ─► XML ─► `word`
`html`        a page without menus and scripts; `text` plain text, tidied
`hidden`      text that a page hides from its readers; `styles` the sheets that hide it
`markdown`    headings, tables, one spelling
"""
