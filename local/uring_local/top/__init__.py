"""`uring top`: the live view of a deployed stack in a terminal.

    keys ─► model ─► screen ─► terminal
              │ ▲
              ▼ │
              work ─► AWS

`keys`      what a terminal sends, as names of keys; pure
`model`     what is shown, and what a key does to it; pure
`screen`    what is shown, in lines of a size; pure
`work`      the reads of a refresh, and the commands; nothing here but they ask AWS
`terminal`  the screen that is taken and given back, the keys, the signals
`loop`      puts them together
"""
