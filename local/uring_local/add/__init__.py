"""`uring add`: from the address of a list to its entry, tried and written into the file.

`command`  the command
`propose`  the entry that is proposed, and what it reads
`write`    the entry put into the file
"""
