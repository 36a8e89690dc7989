"""One reader a format, each ``read(body, limits) -> Reading``; they run in the child process.

`reading`     the limits of a reader, its result and its error
`pdf`         `pdf_letters` of PDFium to pieces ─► `layout` to lines and columns ─► `paragraphs`;
              `pdf_fonts` one font on every machine, `pdf_checks` drawn and read compared
`hwpx`        `package` a zip under limits ─► XML ─► `hwpx_text` paragraphs and tables
`hwp`         `hwp_records` streams to records ─► `hwp_text` paragraphs and tables;
              `hwp_distribution` the key and the text of a document for distribution
`numbering`   the numbers of styles, for both
`html`        a page without menus and scripts; `text` plain text, tidied
`markdown`    headings, tables, one spelling
"""
