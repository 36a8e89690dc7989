"""The common base of all played sites; a site adds its model, its script and its rules.

Its server is `uring_local.loopback`, its journal `uring_local.line_file.LineJournal`.

`simulation`  a family in a run, and the world that it is played in
`clock`       simulated days
`published`   stored data: objects, tables, archives, dead letters
`compare`     expected data beside stored data, a sentence a fault
`verdict`     due pushes beside delivered ones, and everything wrong
"""
