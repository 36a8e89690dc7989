"""What the reader of Word documents (DOCX, ECMA-376) is made of.

`word_text`     paragraphs, tables, notes and text boxes as Word prints them
`word_styles`   what a style says: its numbering, its level as a heading, hidden text
`word_numbers`  the numbers of lists as Word counts them
"""
