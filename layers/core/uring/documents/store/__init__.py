"""The stored items of a page.

`items`     a stored item as a value; items of other releases
`policies`  originals and translations, whether they are current, their texts
`issues`    issues, their states, edits
`history`   the newest edits of an issue
`analysis`  the newest analysis of a page
"""
