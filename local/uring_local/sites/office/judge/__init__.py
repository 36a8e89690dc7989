"""The office's store held against what it should be: own code, by the rules of the store.

`policies`  every text the newest one of its attachment, every translation of that text
`issues`    what is planted in the newest texts, with all that editors did
`work`      calls paid once, accounts right, jobs ended
`remains`   nothing dead behind the janitor, fences that never fall
`tick`      all of these between two ticks
"""
