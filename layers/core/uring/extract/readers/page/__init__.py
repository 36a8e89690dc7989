"""What the reader of PDFs is made of: PDFium's letters to pieces, lines, columns and paragraphs.

`letters`      the letters of a page as pieces of text with places, whatever way they are turned
`scripts`      text from right to left, and downwards: letters by place
`brackets`     the brackets of lines from right to left
`layout`       pieces as lines in reading order, columns one after the other
`paragraphs`   lines as paragraphs, without running heads and page numbers
`checks`       what a page draws, compared with what is read
`fonts`        one font on every machine
`forms`        filled fields and what annotations print
"""
