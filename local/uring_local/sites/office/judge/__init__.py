"""Compares the office's store with the expected one: code of its own, by the rules of the store.

`pages`  each text is the newest of its attachment, each translation is of it, all issues are there
`edits`  each accepted edit made one version, and none is lost
`work`   calls are paid once, accounts are right, jobs have ended
`tick`   all of these between two ticks; the janitor leaves nothing dead, fences never fall
"""
