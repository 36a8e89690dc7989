"""`uring add`: from the address of a list to its entry, tried and written into the file.

`command`  the command
`follow`   a page followed to its list
`propose`  the proposed entry, and the rows that it reads
`write`    the entry put into the file
"""
