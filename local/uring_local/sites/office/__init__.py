"""An office with pages of agreements, a week in ticks of six hours, in front of the document store.

    seed ─► script: actions of a tick ─► people ─► bucket and events, HTTP API ─► jobs
               └► ledger: what must be there ─► judge ◄─ snapshot of table and bucket, diary, calls

`words`       invented agreements in Korean and English; `papers` their files, and what is planted
`staff`       what people do, and their ways to the store; `script` when
`ledger`      what must be there behind each tick
`week`        every action done once
`diary`       what was done, in a file that outlives a kill
`clock`       hours that take seconds, and the objects' times on it
`snapshot`    what is there; `judge` compares
`simulation`  all of it in a run
"""
