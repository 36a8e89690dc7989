"""The stored items of a page.

`items`     a stored item as a value, and releases side by side
`policies`  originals and translations, whether they still hold, their texts
`issues`    issues, their states, edits
`analysis`  the newest analysis of a page
"""
