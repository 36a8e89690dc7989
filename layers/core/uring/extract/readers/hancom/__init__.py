"""What the readers of Hancom's two formats are made of.

`hwp_records`       streams of HWP 5 to records
`hwp_distribution`  the key and the text of a document for distribution
`hwp_text`          records to paragraphs and tables
`hwpx_text`         the XML of HWPX to paragraphs and tables
`numbering`         the numbers of styles, for both
"""
