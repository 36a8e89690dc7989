"""The stage that all played sites stand on; a site brings its model, its script and its rules.

Its server is `uring_local.loopback`, its journal `uring_local.line_file.LineJournal`.

`simulation`  a family in a run, and the world that it is played in
`clock`       simulated days
`published`   what readers see: objects, tables, archives, dead letters
`compare`     what must be there beside what is, a sentence a fault
`verdict`     pushes that were due beside those that came, and all that is wrong
"""
