"""The text of a file, and the changes between two texts, article by article.

    bytes ─► format ─► child process ─ reader ─► Markdown ─► articles ─► differences ─► page

`extract`            a reader in a process that can be killed; `child` that process
`extraction`         the result, with one outcome word
`formats`            the format by the bytes, never by name or header
`readers`            PDF, HWPX, HWP, HTML and plain text as Markdown
`articles`           제1조, 제2조의2, 부칙, 별표 of a text; `headings` their first lines
`differences`        two texts by article; `renumbering` pairs old articles with new ones
`units`              an article's parts to compare; `spelling` the spellings that do not count
`patience`           equal runs of two lists
`effective`          the date of coming into force, from the supplements
`page`               a difference as a page: old and new side by side
`service`            the Lambda function that extracts
"""
