"""Compares the office's store with the expected one: code of its own, by the rules of the store.

`policies`  every text is its attachment's newest, every translation is of that text
`issues`    the issues planted in the newest texts, with all edits
`work`      calls are paid once, accounts are right, jobs have ended
`remains`   the janitor leaves nothing dead, fences never fall
`tick`      all of these between two ticks
"""
