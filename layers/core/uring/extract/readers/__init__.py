"""One reader a format, each ``read(body, limits) -> Reading``; they run in the child process.

`reading`     the limits of a reader, its result and its error
`pdf`         `pdf_letters` of PDFium to pieces ─► `layout` to lines and columns ─► `paragraphs`;
              `pdf_fonts` one font on every machine, `pdf_checks` drawn and read compared,
              `pdf_forms` filled fields and annotations
`hwpx`        `package` a zip under limits ─► XML ─► `hancom`; `hwp` streams ─► `hancom`
`docx`        `package` ─► XML ─► `word`
`html`        a page without menus and scripts; `text` plain text, tidied
`markdown`    headings, tables, one spelling
"""
