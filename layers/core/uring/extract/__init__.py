"""From a file to its text, and from two texts to what changed, article by article.

    bytes ─► format ─► child process ─ reader ─► Markdown ─► articles ─► differences ─► page

`extract`            a reader in a process that can be killed; `child` that process
`extraction`         what came of it, in one outcome word; `limits` what it may take
`formats`            the format by the bytes, never by name or header
`readers`            PDF, HWPX, HWP, HTML and plain text as Markdown
`articles`           제1조, 제2조의2, 부칙, 별표 of a text
`differences`        two texts by article; `renumbering` which article became which
`units`              what is compared of an article; `spelling` what is no change of it
`patience`           equal runs of two lists
`difference_html`    a difference as a page
`service`   the function that extracts
"""
